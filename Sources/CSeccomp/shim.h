/* SPDX-License-Identifier: MIT
 * libseccomp, and those of its macros that Swift does not see. */
#ifndef HEADERD_CSECCOMP_SHIM_H
#define HEADERD_CSECCOMP_SHIM_H
#include <errno.h>
#include <seccomp.h>

static const uint32_t seccomp_allow = SCMP_ACT_ALLOW;

/* The process ends. */
static const uint32_t seccomp_end_process = SCMP_ACT_KILL_PROCESS;

/* A system call that is refused fails with this error. */
static inline uint32_t seccomp_refuse(int error) { return SCMP_ACT_ERRNO(error); }
#endif
