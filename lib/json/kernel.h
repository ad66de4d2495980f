/* The kernels of json_scan.h, one per instruction set, in lib/json/. */
#pragma once

#include "json/scan.h"

struct json_kernel {
	const char *name;
	bool (*runs)(void); /* whether this machine can run it */
	/* json_scan_blocks */
	void (*scan)(struct json_scan *, const char *blocks, size_t n,
	    struct json_ends *);
};

/* All that this program was built with, the best first; NULL ends them. */
extern const struct json_kernel *const json_kernels[];

/*
 * The best that runs here, or the one that the environment variable MCPL_SIMD
 * names: avx512, avx2, sse2, neon or portable. If that one is not to be had, the
 * program ends with status 2.
 */
const struct json_kernel *json_kernel(void);

extern const struct json_kernel json_avx512, json_avx2, json_sse2, json_neon,
    json_portable;
