/* An assertion file of MCPLab: whatever it is, what is right of it can be
 * shown. */
#include <stdint.h>

#include "../../lib/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct spec spec = { .arena = &arena };
	struct str text = { (const char *)data, size };
	struct doc *doc = doc_read_text(&arena, "spec", text);
	struct out out;

	out_open_memory(&out);
	if (doc != NULL)
		spec_load_doc(&spec, doc, dialect_named(STR("mcplab")));
	spec_show(&out, &spec);
	out_close(&out);
	spec_close(&spec);
	arena_free(&arena);
	return 0;
}
