/* The first line is a schema; the rest is an instance. There must be a reason if the
 * schema is refused, and if the instance is invalid. */
#include <assert.h>
#include <stdint.h>

#include "emulate/jsonschema/jsonschema.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = { (const char *)data, size };
	struct str first = str_cut(&rest, '\n');
	struct json_reader of_schema = { 0 }, of_instance = { 0 };
	const struct json *schema = json_read(&of_schema, first, NULL, NULL);
	const struct json *instance = json_read(&of_instance, rest, NULL, NULL);
	struct jsonschema_error error = { 0 };
	struct jsonschema *compiled = NULL;
	struct arena a = { 0 };

	if (schema != NULL) {
		compiled = jsonschema_compile(&a, schema, &error);
		assert(compiled != NULL || error.why.n != 0);
	}
	if (compiled != NULL && instance != NULL)
		assert(jsonschema_valid(compiled, instance, &a, &error) ||
		    error.why.n != 0);
	jsonschema_free(compiled);
	json_reader_free(&of_schema);
	json_reader_free(&of_instance);
	arena_free(&a);
	return 0;
}
