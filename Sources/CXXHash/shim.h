/* SPDX-License-Identifier: MIT
 * XXH3 of Debian's libxxhash-dev, compiled in: the checksum of the journal's records. */
#ifndef HEADERD_CXXHASH_SHIM_H
#define HEADERD_CXXHASH_SHIM_H
#define XXH_INLINE_ALL
#include <xxhash.h>

/* The low half of XXH3's 64 bits with a seed. */
static inline uint32_t xxhash_checksum(const void *bytes, size_t count, uint64_t seed) {
  return (uint32_t)XXH3_64bits_withSeed(bytes, count, seed);
}
#endif
