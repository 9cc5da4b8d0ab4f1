#!/bin/sh
# SPDX-License-Identifier: MIT
#
# In the place of headerd-worker under PREFIX/libexec/headerd, where PREFIX ends with -N: the real one, which lies beside PREFIX, as on
# a kernel with version N of landlock (old-landlock.c, compiled to PREFIX/old-landlock.so).
prefix=${0%/libexec/*}
LANDLOCK_VERSION=${prefix##*-} LD_PRELOAD=$prefix/old-landlock.so exec "$prefix/../headerd-worker" "$@"
