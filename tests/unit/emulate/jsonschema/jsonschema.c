/* Peculiarities of gojsonschema, found by tests/oracle/schema. */
#include <string.h>

#include "emulate/jsonschema/jsonschema.h"
#include "tests/unit/unit.h"

#define SCHEMA4 "\"$schema\":\"http://json-schema.org/draft-04/schema#\""
#define SCHEMA7 "\"$schema\":\"http://json-schema.org/draft-07/schema#\""

/* Returns "valid", "invalid", or the reason why the schema is refused. */
static struct str
verdict(struct arena *a, const char *schema, const char *instance)
{
	struct json_reader readers[2] = { 0 };
	struct jsonschema_error error = { 0 };
	struct jsonschema *compiled = jsonschema_compile(
	    a, json_read(&readers[0], str_of(schema), NULL, NULL), &error);
	struct str result = error.why;

	if (compiled != NULL)
		result =
		    jsonschema_valid(compiled,
			json_read(&readers[1], str_of(instance), NULL, NULL), a,
			&error)
		    ? STR("valid")
		    : STR("invalid");
	jsonschema_free(compiled);
	json_reader_free(&readers[0]);
	json_reader_free(&readers[1]);
	return result;
}

static const struct {
	const char *schema, *instance, *verdict;
} cases[] = {
	/* additionalProperties and additionalItems may be booleans in draft 4, other
	 * schemas may not. */
	{ "{" SCHEMA4 ",\"additionalProperties\":false}", "{\"a\":1}",
	    "invalid" },
	{ "{" SCHEMA4 ",\"additionalProperties\":true}", "{\"a\":1}", "valid" },
	{ "{" SCHEMA4 ",\"items\":[{}],\"additionalItems\":false}", "[1,2]",
	    "invalid" },
	{ "{" SCHEMA4 ",\"items\":true}", "[]",
	    "expected a schema: an object or a boolean" },
	/* Empty lists require nothing. */
	{ "{\"type\":[]}", "1", "valid" },
	{ "{\"allOf\":[]}", "1", "valid" },
	{ "{\"anyOf\":[]}", "1", "valid" },
	{ "{\"oneOf\":[]}", "1", "valid" },
	/* Equal values in a list. */
	{ "{\"enum\":[1,2,1.0]}", "1", "enum: expected values that differ" },
	{ "{\"required\":[\"a\",\"a\"]}", "1",
	    "required: expected values that differ" },
	{ "{\"type\":[\"null\",\"null\"]}", "1",
	    "type: expected values that differ" },
	{ "{\"dependencies\":{\"a\":[\"b\",\"b\"]}}", "1", "valid" },
	/* Limits that contradict each other. */
	{ "{\"multipleOf\":0}", "1", "multipleOf: expected a number above 0" },
	{ "{\"multipleOf\":-1}", "1", "multipleOf: expected a number above 0" },
	{ "{\"minLength\":2,\"maxLength\":1}", "1",
	    "minLength: expected no more than the upper limit beside it" },
	{ "{\"minProperties\":2,\"maxProperties\":1}", "1",
	    "minProperties: expected no more than the upper limit beside it" },
	{ "{\"minLength\":2,\"maxLength\":2}", "\"ab\"", "valid" },
	{ "{\"minItems\":2,\"maxItems\":1}", "1", "valid" },
	{ "{\"maxItems\":1e30}", "1", "maxItems: expected a whole number" },
	{ "{\"exclusiveMinimum\":true}", "1",
	    "exclusiveMinimum: a boolean needs the bound beside it" },
	{ "{\"exclusiveMaximum\":false,\"minimum\":1}", "1",
	    "exclusiveMaximum: a boolean needs the bound beside it" },
	{ "{\"exclusiveMaximum\":true,\"maximum\":1}", "1", "invalid" },
	/* Keywords that only describe the schema. */
	{ "{\"title\":1}", "1", "title: expected a string" },
	{ "{\"description\":[]}", "1", "description: expected a string" },
	{ "{\"id\":1}", "1", "id: expected a string" },
	{ "{" SCHEMA7 ",\"id\":1}", "1", "valid" },
	{ "{" SCHEMA7 ",\"$id\":1}", "1", "$id: expected a string" },
	{ "{\"$ref\":1}", "1", "$ref: expected a string" },
	{ "{\"$schema\":7}", "1", "$schema: expected a string" },
	{ "{\"properties\":{\"title\":{}}}", "1", "valid" },
	/* Beside a reference, definitions are read; no more than that. */
	{ "{\"$ref\":\"#/definitions/a\",\"definitions\":{\"a\":{},"
	  "\"b\":{\"type\":1}}}",
	    "1", "type: expected the name of a type" },
	{ "{\"$ref\":\"#/definitions/a\",\"definitions\":{\"a\":{}},"
	  "\"type\":1}",
	    "1", "valid" },
	{ "{\"definitions\":{\"a\":{\"type\":\"null\"}},\"properties\":{"
	  "\"b\":{\"$ref\":\"#/definitions/a\",\"type\":\"string\"}}}",
	    "{\"b\":null}", "valid" },
	/* Formats. */
	{ "{\"format\":\"time\"}", "\"1:00:00Z\"", "valid" },
	{ "{\"format\":\"time\"}", "\"001:00:00Z\"", "invalid" },
	{ "{\"format\":\"email\"}", "\"a@ b\"", "valid" },
	{ "{\"format\":\"email\"}", "\"x < a@b>\"", "valid" },
	{ "{\"format\":\"email\"}", "\"a @b\"", "invalid" },
	{ "{\"format\":\"email\"}", "\"\\tx <a@b>\"", "valid" },
	{ "{\"format\":\"email\"}", "\"\\\"x<y\\\" <a@b>\"", "valid" },
	{ "{\"format\":\"email\"}", "\"\\\"x<a@b>\"", "invalid" },
	{ "{\"format\":\"email\"}", "\"x:y <a@b>\"", "invalid" },
	{ "{\"format\":\"ipv4\"}", "\"::ffff:1.2.3.4\"", "valid" },
	{ "{\"format\":\"ipv6\"}", "\"::ffff:1.2.3.4\"", "valid" },
	{ "{\"format\":\"ipv6\"}", "\"1.2.3.4\"", "invalid" },
	{ "{\"format\":\"uuid\"}", "\"123e4567-e89b-12d3-a456-42661417400f\"",
	    "valid" },
	{ "{\"format\":\"uuid\"}", "\"123E4567-e89b-12d3-a456-426614174000\"",
	    "invalid" },
	{ "{\"format\":\"uri\"}", "\"http://a:80/\"", "valid" },
	{ "{\"format\":\"uri\"}", "\"http://a:b/\"", "invalid" },
	{ "{\"format\":\"uri\"}", "\"http://a%20b/\"", "invalid" },
	{ "{\"format\":\"uri\"}", "\"http://%C3%A9/\"", "valid" },
	{ "{\"format\":\"uri\"}", "\"http://[::1]:80/\"", "valid" },
	{ "{\"format\":\"uri\"}", "\"http://[::1/\"", "invalid" },
	{ "{\"format\":\"uri\"}", "\"http://u:p%20@a/\"", "valid" },
	{ "{\"format\":\"uri\"}", "\"http://u p@a/\"", "invalid" },
	{ "{\"format\":\"uri\"}", "\"mailto:a%zz\"", "valid" },
	{ "{\"format\":\"uri\"}", "\"http://a/?\\t\"", "invalid" },
	{ "{\"format\":\"uri-reference\"}", "\"#\\t\"", "valid" },
	{ "{\"format\":\"uri-template\"}", "\"/{a\"", "invalid" },
	{ "{\"format\":\"uri-template\"}", "\"/{{a}}\"", "valid" },
	{ "{\"format\":\"uri-template\"}", "\"/a?{b\"", "valid" },
};

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct str got =
		    verdict(&a, cases[i].schema, cases[i].instance);

		if (!str_is(got, cases[i].verdict))
			printf("%s: %s\n", cases[i].schema, cases[i].instance);
		CHECK_STR(got, cases[i].verdict);
	}
	arena_free(&a);
	return unit_status();
}
