/* The input is a byte of flags and flavour, a pattern, a newline, and a text. Compiling
 * and searching must end, and the engines must agree. */
#include <stdint.h>
#include <stdlib.h>

#include "tests/unit/regex_agree.h"
#include "text/unicode.h"

enum {
	LONG = 500,
	STEPS = 100 * 1000,
};

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* Returns the text as valid UTF-8, which the engines require. */
static struct str
valid(struct arena *a, struct str text)
{
	char *copy = arena_alloc(a, 3 * text.n + 1);
	size_t n = 0, length;

	for (; text.n > 0; text = str_from(text, length))
		n += unicode_encode(unicode_decode(text, &length), copy + n);
	return (struct str){ copy, n };
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a = { 0 };
	struct str rest = { (const char *)data, size }, pattern;
	enum regex_flavour flavour;
	struct regex_error error;
	struct regex *re;

	if (size == 0 || size > LONG)
		return 0;
	rest = str_from(rest, 1);
	pattern = str_cut(&rest, '\n');
	flavour = (enum regex_flavour)((data[0] >> 4) % REGEX_FLAVOURS);
	re = regex_compile(&a, flavour, pattern, data[0] & 0xf, &error);
	if (re == NULL && (error.why.n == 0 || error.offset > pattern.n))
		abort();
	if (re != NULL && regex_disagrees(re, valid(&a, rest), STEPS, &a))
		abort();
	regex_free(re);
	arena_free(&a);
	return 0;
}
