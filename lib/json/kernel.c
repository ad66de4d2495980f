#include "json/kernel.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/utf8.h"
#include "json/json.h"

/* ---- the choice ---- */

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
		k = choose(); /* every thread chooses the same kernel */
		atomic_store_explicit(&chosen, k, memory_order_relaxed);
	}
	return k;
}

/* ---- what the kernels share ---- */

/* Returns whether the character at p may follow a backslash. */
static bool
is_escape(const char *p)
{
	switch (*p) {
	case 'u':
		return json_is_hex(p[1]) && json_is_hex(p[2]) &&
		    json_is_hex(p[3]) && json_is_hex(p[4]);
	case '"':
	case '\\':
	case '/':
	case 'b':
	case 'f':
	case 'n':
	case 'r':
	case 't':
		return true;
	default:
		return false;
	}
}

/* Returns whether p is at the u of an escape of a high surrogate, if `low` is 0,
 * or of a low one, if `low` is 4. Of the digits of a surrogate, 8 to F, the
 * letters have bit 0x40; the third bit of a low one's is set. */
static inline bool
is_surrogate(const char *p, int low)
{
	unsigned char c = (unsigned char)p[2];
	int digit = c & 0x40 ? (c & 7) + 9 : c & 0xf;

	return p[0] == 'u' && (p[1] | 0x20) == 'd' && digit >= 8 &&
	    (digit & 4) == low;
}

unsigned
json_check_escapes(const char *block, uint64_t escaped, size_t paired)
{
	unsigned found = 0;

	for (; escaped != 0; escaped &= escaped - 1) {
		size_t at = (size_t)__builtin_ctzll(escaped);
		const char *p = block + at;

		if (!is_escape(p))
			return JSON_ESCAPE_BAD | JSON_ESCAPE_LONE;
		if ((p[1] | 0x20) != 'd')
			continue;
		if (is_surrogate(p, 0) && p[5] == '\\' &&
		    is_surrogate(p + 6, 4))
			paired = at + 6;
		else if (is_surrogate(p, 0) ||
		    (is_surrogate(p, 4) && at != paired))
			found = JSON_ESCAPE_LONE;
	}
	if (paired >= JSON_BLOCK && paired < JSON_BLOCK + 6)
		found |= (unsigned)paired * JSON_ESCAPE_PAIRED;
	return found;
}

/* Returns the offset of the first character whose end lies in the block. */
static int
first_character(const char *block)
{
	for (int back = 1; back < 4; back++) {
		unsigned char c = (unsigned char)block[-back];

		if (c >= 0xc0)
			return -back;
		if (c < 0x80)
			break;
	}
	return 0;
}

/* Returns the number of ASCII bytes at p, up to eight. */
static int
ascii(const char *p)
{
	uint64_t bytes;

	memcpy(&bytes, p, sizeof bytes);
	bytes &= UINT64_C(0x8080808080808080);
	if (bytes == 0)
		return 8;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return __builtin_clzll(bytes) / 8;
#else
	return __builtin_ctzll(bytes) / 8;
#endif
}

static bool
bad_block(const char *block)
{
	int i = first_character(block);

	while (i < JSON_BLOCK) {
		int plain = ascii(block + i);
		size_t n = 0;

		i += plain;
		if (plain == 8 || i >= JSON_BLOCK)
			continue;
		n = utf8_length(block + i, 4);
		if (n == 0)
			return true;
		i += (int)n;
	}
	return false;
}

bool
json_bad_utf8(const char *const *blocks, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (bad_block(blocks[i]))
			return true;
	}
	return false;
}
