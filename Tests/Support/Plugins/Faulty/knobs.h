/* SPDX-License-Identifier: MIT
 *
 * What can be set when faulty.c is compiled, with what a plugin in order has. Beside these: NO_SYMBOL, ENTRY_NULL,
 * NO_FACTORY, NO_RECEIVE, NO_CALL, NO_FRAME, NO_MEANING, SAVE_ONLY, RESTORE_ONLY, LARGE_OPTIONS, CREATES_NOTHING,
 * CREATE_USES_HOST, REFUSES_RESTORE, FAILS_RESTORE, RESTORE_BREAKS, RESTORE_CHANGES, and POSITION with the functions that its
 * position has (.move = move, ...).
 */
#ifndef PLUGIN_NAME
#define PLUGIN_NAME "Faulty"
#endif
#ifndef BEHAVIOR_NAME
#define BEHAVIOR_NAME "Faulty"
#endif
#ifndef VERSION
#define VERSION 1
#endif
#ifndef ABI_MAJOR
#define ABI_MAJOR HEADER_ABI_MAJOR
#endif
#ifndef PLUGIN_STRUCT_SIZE
#define PLUGIN_STRUCT_SIZE sizeof(header_plugin)
#endif
#ifndef BEHAVIOR_STRUCT_SIZE
#define BEHAVIOR_STRUCT_SIZE sizeof(header_behavior)
#endif
#ifndef FACTORY_COUNT
#define FACTORY_COUNT 1
#endif
#ifndef EVENTS
#define EVENTS ((UINT64_C(1) << 24) - 1)
#endif
#ifndef SPEED_DEFAULT
#define SPEED_DEFAULT 1
#endif
#ifndef SPEED_TYPE
#define SPEED_TYPE HEADER_TYPE_NUMBER
#endif
#ifndef SPEED_MINIMUM
#define SPEED_MINIMUM 0
#endif
#ifndef SPEED_UNIT
#define SPEED_UNIT "points"
#endif
#ifndef SPEED_CASES
#define SPEED_CASES NULL
#endif
#ifndef SPEED_CASE_COUNT
#define SPEED_CASE_COUNT 0
#endif
#ifndef FACTORY_STRUCT_SIZE
#define FACTORY_STRUCT_SIZE sizeof(header_behavior_factory)
#endif
#ifndef VALUE_STRUCT_SIZE
#define VALUE_STRUCT_SIZE sizeof(header_value_description)
#endif
#ifndef VALUE_CASES
#define VALUE_CASES NULL
#endif
#ifndef VALUE_CASE_COUNT
#define VALUE_CASE_COUNT 0
#endif
#ifndef VALUE_COUNT
#define VALUE_COUNT 1
#endif
#ifndef CALL_STRUCT_SIZE
#define CALL_STRUCT_SIZE sizeof(header_call_description)
#endif
#ifndef CALL_COUNT
#define CALL_COUNT 1
#endif
#ifndef ARGUMENT_COUNT
#define ARGUMENT_COUNT 1
#endif
#ifndef NOTICE_COUNT
#define NOTICE_COUNT 1
#endif
#ifndef OPTION_LIST
#define OPTION_LIST (const header_option *)options
#endif
#ifndef OPTION_COUNT
#define OPTION_COUNT sizeof options / sizeof options[0]
#endif
#ifndef NOTICE_LIST
#define NOTICE_LIST notices
#endif
#ifndef SAVED_VERSION
#define SAVED_VERSION VERSION
#endif
#ifndef VALUE_INITIAL
#define VALUE_INITIAL HEADER_NUMBER
#endif
#ifndef SECOND_OPTION
#define SECOND_OPTION "when"
#endif
#ifndef VALUE_NAME
#define VALUE_NAME "count"
#endif
#ifndef VALUE_TYPE
#define VALUE_TYPE HEADER_TYPE_NUMBER
#endif
#ifndef NOTICE
#define NOTICE "happened"
#endif
#ifndef SUMMARY
#define SUMMARY "Counts scrolls, and breaks rules on demand."
#endif
#ifndef BEHAVIORS
#define BEHAVIORS &behavior
#endif
#ifndef CALL_ARGUMENT_MEANING
#define CALL_ARGUMENT_MEANING "Given back."
#endif
