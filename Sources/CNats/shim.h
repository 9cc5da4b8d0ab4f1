/* SPDX-License-Identifier: MIT
 * libnats, the client of NATS in C. */
#ifndef HEADERD_CNATS_SHIM_H
#define HEADERD_CNATS_SHIM_H
#include <nats/nats.h>
#endif
