/* The input is a field_path and, on the next lines, a value. The path must be refused
 * with a reason, or lead to something within the value, or to nothing. */
#include "emulate/content/tool_result.h"

#include <assert.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size }, why = { 0 };
	struct str path = str_cut(&text, '\n');
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct field_path field;

	if (field_path_read(&field, &arena, path, &why)) {
		const struct json *v = text.s == NULL
		    ? NULL
		    : json_read(&reader, text, NULL, NULL);
		const struct json *found = field_path_get(&field, v, &arena);

		assert(found == NULL ||
		    (v != NULL && (size_t)(found - v) < v->span));
		assert(field.n != 0 || found == v);
	} else {
		assert(why.s != NULL);
	}
	json_reader_free(&reader);
	arena_free(&arena);
	return 0;
}
