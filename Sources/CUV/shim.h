/* SPDX-License-Identifier: MIT
 * libuv as a Swift module. Nothing but what Swift cannot import by itself is added here. */
#ifndef HEADERD_CUV_SHIM_H
#define HEADERD_CUV_SHIM_H
#include <uv.h>
#endif
