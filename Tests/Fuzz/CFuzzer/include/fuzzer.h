/* SPDX-License-Identifier: MIT
 *
 * libFuzzer's entry for programs that have their own main (libFuzzer's documentation, "Using libFuzzer as a library"). */
#ifndef FUZZER_H
#define FUZZER_H

#include <stddef.h>
#include <stdint.h>

/* Runs until it is told to end by its arguments, then exits. */
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*run)(const uint8_t *data, size_t size));

#endif
