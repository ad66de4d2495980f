/* The first line is an expression; the rest is a document. */
#include <stdint.h>

#include "emulate/jmespath/jmespath.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct str text = str_cut(&rest, '\n');
	struct json_reader reader = { 0 };
	struct arena a = { 0 };
	const struct json *root = NULL;
	struct jmespath *path;

	if (rest.s != NULL)
		root = json_read(&reader, rest, NULL, NULL);
	path = jmespath_compile(&a, text, NULL);
	if (path != NULL && root != NULL)
		jmespath_search(path, root, &a, NULL);
	json_reader_free(&reader);
	arena_free(&a);
	return 0;
}
