/* SPDX-License-Identifier: MIT
 *
 * A plugin that needs a later minor version of the ABI than its host may have: its entry says so by NULL.
 */
#include "header_plugin.h"

const header_plugin *header_plugin_entry(uint16_t host_abi_major, uint16_t host_abi_minor) {
  static const header_plugin plugin = {
    .struct_size = sizeof(header_plugin), .abi_major = HEADER_ABI_MAJOR, .abi_minor = NEEDED_MINOR, .name = "Newer"};
  return host_abi_major == HEADER_ABI_MAJOR && host_abi_minor >= NEEDED_MINOR ? &plugin : NULL;
}
