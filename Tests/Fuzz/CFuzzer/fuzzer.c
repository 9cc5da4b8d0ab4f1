/* SPDX-License-Identifier: MIT
 *
 * SwiftPM wants a source file; the driver itself comes with -fsanitize=fuzzer. */
#include "fuzzer.h"
