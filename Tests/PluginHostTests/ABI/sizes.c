/* SPDX-License-Identifier: MIT
 *
 * What this host takes at least of a plugin's tables, and where its own end for plugins of ABI 1.0, held against the released
 * header. The test gives the host's numbers by -D.
 */
#include "header_plugin.h"

#define ENOUGH(table) _Static_assert(sizeof(table) >= HOST_##table, "the tables of 1.0 are too small for the host")
ENOUGH(header_plugin);
ENOUGH(header_behavior_factory);
ENOUGH(header_behavior);
ENOUGH(header_option);
ENOUGH(header_value_description);
ENOUGH(header_call_description);
ENOUGH(header_animation);
ENOUGH(header_wants);

/* Read in place, one at a time, so that it may grow at its end. */
_Static_assert(sizeof(header_environment) <= HOST_header_environment, "the environment of 1.0 is more than the host has");

#define SAME(record) _Static_assert(sizeof(record) == SAME_##record, "a record is another one than in 1.0")
SAME(header_value);
SAME(header_drawer);
SAME(header_element);
SAME(header_scroll_view);
SAME(header_event);
SAME(header_answer);
SAME(header_chain);

_Static_assert(sizeof(header_host) == HOST_END_OF_1_0, "what came after 1.0 must follow the host's functions of 1.0");
