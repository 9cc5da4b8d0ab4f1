// swift-tools-version: 6.2
// Skeleton, a plugin for headerd: a shared library whose one exported symbol is `header_plugin_entry`.
//
// Vendor/ is a copy of headerd's HeaderPluginKit and of its plugin contract, so that this builds anywhere. It is linked
// into the library, which needs headerd's plugin ABI 1 and nothing else. `headerctl plugin new` writes a newer copy.
import PackageDescription

let package = Package(
  name: "Skeleton",
  products: [.library(name: "Skeleton", type: .dynamic, targets: ["SkeletonBehavior"])],
  targets: [
    .target(
      name: "SkeletonBehavior", dependencies: ["HeaderPluginKit"],
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--version-script=\(Context.packageDirectory)/Vendor/CHeaderPlugin/exported.map"])
      ]),
    .target(
      name: "HeaderPluginKit", dependencies: ["CHeaderPlugin"], path: "Vendor/HeaderPluginKit",
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
    .systemLibrary(name: "CHeaderPlugin", path: "Vendor/CHeaderPlugin"),
  ],
  swiftLanguageModes: [.v6]
)
