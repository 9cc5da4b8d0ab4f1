/* SPDX-License-Identifier: MIT
 *
 * The templates of this folder, the plugin contract and the kit, as bytes of this object file. A file that is added to
 * the kit is added here too; the test that compiles a skeleton misses it otherwise.
 */
#pragma clang diagnostic ignored "-Wc23-extensions"
#include "CTemplates.h"

static const char gitignore[] = {
#embed "gitignore"
};
static const char readme_md[] = {
#embed "README.md"
};
static const char swift_files_md[] = {
#embed "swift/files.md"
};
static const char swift_makefile[] = {
#embed "swift/Makefile"
};
static const char c_files_md[] = {
#embed "c/files.md"
};
static const char c_makefile[] = {
#embed "c/Makefile"
};
static const char rust_files_md[] = {
#embed "rust/files.md"
};
static const char rust_makefile[] = {
#embed "rust/Makefile"
};
static const char swift_package_swift[] = {
#embed "swift/Package.swift"
};
static const char swift_sources_skeletonbehavior_skeletonbehavior_swift[] = {
#embed "swift/Sources/SkeletonBehavior/SkeletonBehavior.swift"
};
static const char c_skeleton_c[] = {
#embed "c/Skeleton.c"
};
static const char rust_skeleton_rs[] = {
#embed "rust/Skeleton.rs"
};
static const char cheaderplugin_header_plugin_h[] = {
#embed "../CHeaderPlugin/header_plugin.h"
};
static const char cheaderplugin_exported_map[] = {
#embed "../CHeaderPlugin/exported.map"
};
static const char plugins_examples_rust_header_plugin_rs[] = {
#embed "../../Plugins/Examples/Rust/header_plugin.rs"
};
static const char cheaderplugin_module_modulemap[] = {
#embed "../CHeaderPlugin/module.modulemap"
};
static const char headerpluginkit_behavior_swift[] = {
#embed "../HeaderPluginKit/Behavior.swift"
};
static const char headerpluginkit_definition_swift[] = {
#embed "../HeaderPluginKit/Definition.swift"
};
static const char headerpluginkit_entry_swift[] = {
#embed "../HeaderPluginKit/Entry.swift"
};
static const char headerpluginkit_fields_swift[] = {
#embed "../HeaderPluginKit/Fields.swift"
};
static const char headerpluginkit_host_elements_swift[] = {
#embed "../HeaderPluginKit/Host+Elements.swift"
};
static const char headerpluginkit_host_looks_swift[] = {
#embed "../HeaderPluginKit/Host+Looks.swift"
};
static const char headerpluginkit_host_missing_swift[] = {
#embed "../HeaderPluginKit/Host+Missing.swift"
};
static const char headerpluginkit_host_swift[] = {
#embed "../HeaderPluginKit/Host.swift"
};
static const char headerpluginkit_nestedscrolling_swift[] = {
#embed "../HeaderPluginKit/NestedScrolling.swift"
};
static const char headerpluginkit_nearest_swift[] = {
#embed "../HeaderPluginKit/Nearest.swift"
};
static const char headerpluginkit_outputs_swift[] = {
#embed "../HeaderPluginKit/Outputs.swift"
};
static const char headerpluginkit_parameter_swift[] = {
#embed "../HeaderPluginKit/Parameter.swift"
};
static const char headerpluginkit_position_swift[] = {
#embed "../HeaderPluginKit/Position.swift"
};
static const char headerpluginkit_records_swift[] = {
#embed "../HeaderPluginKit/Records.swift"
};
static const char headerpluginkit_savedrecord_swift[] = {
#embed "../HeaderPluginKit/SavedRecord.swift"
};
static const char headerpluginkit_shapes_swift[] = {
#embed "../HeaderPluginKit/Shapes.swift"
};
static const char headerpluginkit_sight_swift[] = {
#embed "../HeaderPluginKit/Sight.swift"
};
static const char headerpluginkit_value_swift[] = {
#embed "../HeaderPluginKit/Value.swift"
};
static const char headerpluginkit_yielding_swift[] = {
#embed "../HeaderPluginKit/Yielding.swift"
};

#define FILE(languages, path, is_template, content) {languages, path, is_template, content, sizeof content}

static const template_file files[] = {
  FILE(TEMPLATE_SWIFT | TEMPLATE_C | TEMPLATE_RUST, ".gitignore", false, gitignore),
  FILE(TEMPLATE_SWIFT | TEMPLATE_C | TEMPLATE_RUST, "README.md", true, readme_md),
  FILE(TEMPLATE_SWIFT, "README.md", true, swift_files_md),
  FILE(TEMPLATE_SWIFT, "Makefile", true, swift_makefile),
  FILE(TEMPLATE_C, "README.md", true, c_files_md),
  FILE(TEMPLATE_C, "Makefile", true, c_makefile),
  FILE(TEMPLATE_RUST, "README.md", true, rust_files_md),
  FILE(TEMPLATE_RUST, "Makefile", true, rust_makefile),
  FILE(TEMPLATE_SWIFT, "Package.swift", true, swift_package_swift),
  FILE(TEMPLATE_SWIFT, "Sources/SkeletonBehavior/SkeletonBehavior.swift", true, swift_sources_skeletonbehavior_skeletonbehavior_swift),
  FILE(TEMPLATE_C, "Skeleton.c", true, c_skeleton_c),
  FILE(TEMPLATE_RUST, "Skeleton.rs", true, rust_skeleton_rs),
  FILE(TEMPLATE_C | TEMPLATE_RUST, "header_plugin.h", false, cheaderplugin_header_plugin_h),
  FILE(TEMPLATE_C, "exported.map", false, cheaderplugin_exported_map),
  FILE(TEMPLATE_RUST, "header_plugin.rs", false, plugins_examples_rust_header_plugin_rs),
  FILE(TEMPLATE_SWIFT, "Vendor/CHeaderPlugin/header_plugin.h", false, cheaderplugin_header_plugin_h),
  FILE(TEMPLATE_SWIFT, "Vendor/CHeaderPlugin/exported.map", false, cheaderplugin_exported_map),
  FILE(TEMPLATE_SWIFT, "Vendor/CHeaderPlugin/module.modulemap", false, cheaderplugin_module_modulemap),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Behavior.swift", false, headerpluginkit_behavior_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Definition.swift", false, headerpluginkit_definition_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Entry.swift", false, headerpluginkit_entry_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Fields.swift", false, headerpluginkit_fields_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Host+Elements.swift", false, headerpluginkit_host_elements_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Host+Looks.swift", false, headerpluginkit_host_looks_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Host+Missing.swift", false, headerpluginkit_host_missing_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Host.swift", false, headerpluginkit_host_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/NestedScrolling.swift", false, headerpluginkit_nestedscrolling_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Nearest.swift", false, headerpluginkit_nearest_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Outputs.swift", false, headerpluginkit_outputs_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Parameter.swift", false, headerpluginkit_parameter_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Position.swift", false, headerpluginkit_position_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Records.swift", false, headerpluginkit_records_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/SavedRecord.swift", false, headerpluginkit_savedrecord_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Shapes.swift", false, headerpluginkit_shapes_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Sight.swift", false, headerpluginkit_sight_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Value.swift", false, headerpluginkit_value_swift),
  FILE(TEMPLATE_SWIFT, "Vendor/HeaderPluginKit/Yielding.swift", false, headerpluginkit_yielding_swift),
};

const template_file *template_file_at(size_t place) {
  return place < sizeof files / sizeof files[0] ? &files[place] : NULL;
}
