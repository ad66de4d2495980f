#include "json/kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

const struct json_kernel *const json_kernels[] = {
#if defined(__x86_64__)
	&json_avx512,
	&json_avx2,
	&json_sse2,
#elif defined(__aarch64__)
	&json_neon,
#endif
	&json_portable,
	NULL,
};

static const struct json_kernel *
choose(void)
{
	const char *wanted = getenv("MCPL_SIMD");

	for (size_t i = 0; json_kernels[i] != NULL; i++) {
		const struct json_kernel *k = json_kernels[i];

		if ((wanted == NULL || *wanted == '\0' ||
			strcmp(wanted, k->name) == 0) &&
		    k->runs())
			return k;
	}
	diag_die("MCPL_SIMD: this machine cannot do '%s'", wanted);
}

const struct json_kernel *
json_kernel(void)
{
	static _Atomic(const struct json_kernel *) chosen;
	const struct json_kernel *k =
	    atomic_load_explicit(&chosen, memory_order_relaxed);

	if (k == NULL) {
		k = choose(); /* as any other thread does */
		atomic_store_explicit(&chosen, k, memory_order_relaxed);
	}
	return k;
}
