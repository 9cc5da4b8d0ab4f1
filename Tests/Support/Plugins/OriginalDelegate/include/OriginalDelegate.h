/* SPDX-License-Identifier: MIT
 *
 * Nothing to see from outside: the plugin's one symbol is declared in header_plugin.h. */
