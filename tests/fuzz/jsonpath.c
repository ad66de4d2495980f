/* The first line is a path, which is read in each flavour; the rest is a document. */
#include <stdint.h>

#include "emulate/jsonpath/jsonpath.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct str path = str_cut(&rest, '\n');
	struct json_reader reader = { 0 };
	struct arena a = { 0 };
	const struct json *root = NULL;

	if (rest.s != NULL)
		root = json_read(&reader, rest, NULL, NULL);
	for (enum jsonpath_flavour f = JSONPATH_RFC9535; f <= JSONPATH_PLUS;
	     f++) {
		struct jsonpath_error error;
		struct jsonpath *compiled =
		    jsonpath_compile(&a, path, f, &error);

		if (compiled == NULL)
			continue;
		jsonpath_select(compiled, root, &a);
		jsonpath_free(compiled);
	}
	json_reader_free(&reader);
	arena_free(&a);
	return 0;
}
