/* The input is an assertion file, which each dialect reads. The valid parts must be
 * printable. */
#include <stdint.h>

#include "check/dialect/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
read_as(const struct dialect *d, struct str text)
{
	struct arena arena = { 0 };
	struct spec spec = { .arena = &arena };
	struct document *doc;
	struct out out;

	policy_begin_file(&spec.policy, &arena);
	doc = document_read_text(&arena, "spec", text, &spec.policy);
	out_open_memory(&out);
	if (doc != NULL)
		spec_load_doc(&spec, doc, d);
	spec_show(&out, &spec);
	out_close(&out);
	spec_close(&spec);
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };

	read_as(NULL, text); /* the dialect is detected */
	for (const struct dialect *const *d = dialect_table; *d != NULL; d++)
		if ((*d)->read != NULL)
			read_as(*d, text);
	return 0;
}
