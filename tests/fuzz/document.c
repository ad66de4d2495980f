/* The first byte selects the schema of scalars; the rest is an assertion file. */
#include <stdint.h>

#include "yaml/document.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct arena a = { 0 };
	struct document *d;

	if (size == 0)
		return 0;
	diag_quiet();
	d = document_read_text(&a, "fuzz", str_from(text, 1), NULL);
	if (d != NULL) {
		document_resolve(d, (enum scalar_types)(data[0] % 4));
		for (size_t i = 0; i < d->n; i++)
			document_place(d, d->roots[i]);
	}
	arena_free(&a);
	return 0;
}
