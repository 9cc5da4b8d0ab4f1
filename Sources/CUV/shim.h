/* SPDX-License-Identifier: MIT
 * libuv as a Swift module, and timers as descriptors, which the Glibc module lacks. Nothing but what Swift cannot
 * import by itself is added here. */
#ifndef HEADERD_CUV_SHIM_H
#define HEADERD_CUV_SHIM_H
#include <sys/timerfd.h>
#include <uv.h>
#endif
