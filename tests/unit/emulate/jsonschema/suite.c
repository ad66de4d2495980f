/*
 * The public JSON Schema suite, where $SHARED has it. The required files must
 * agree, but for references that would have to be fetched. The optional ones
 * are counted: formats follow gojsonschema, not the suite.
 */
#include <dirent.h>
#include <string.h>

#include "emulate/jsonschema/jsonschema.h"
#include "tests/unit/shared.h"
#include "tests/unit/unit.h"

struct counts {
	size_t agreed, disagreed, unloaded;
};

/* Returns the schema of a group, with $schema added if the schema has none. */
static const struct json *
schema_of(const struct json *group, const char *draft, struct arena *a)
{
	const struct json *schema = json_get(group, "schema");
	struct json_reader reader = { 0 };
	struct str text;

	if (!json_is(schema, JSON_OBJECT) ||
	    json_get(schema, "$schema") != NULL ||
	    json_get(schema, "$ref") != NULL)
		return schema;
	text = str_printf(a,
	    "{\"$schema\":\"http://json-schema.org/draft-0%s/schema#\"%s%.*s",
	    draft + 5, json_count(schema) == 0 ? "" : ",",
	    STR_FMT(str_from(schema->text, 1)));
	schema = json_keep(a, json_read(&reader, text, NULL, NULL));
	json_reader_free(&reader);
	return schema;
}

static void
run_group(const struct json *group, const char *name, struct counts *n)
{
	struct arena a = { 0 };
	struct jsonschema_error error;
	struct jsonschema *schema =
	    jsonschema_compile(&a, schema_of(group, name, &a), &error);

	for (json_each(test, json_get(group, "tests"))) {
		bool valid, want = json_is(json_get(test, "valid"), JSON_TRUE);

		if (schema == NULL) {
			n->unloaded++;
			continue;
		}
		valid = jsonschema_valid(
		    schema, json_get(test, "data"), &a, &error);
		n->agreed += valid == want;
		n->disagreed += valid != want;
		if (valid != want && strstr(name, "optional") == NULL)
			printf("%s: %.*s: %.*s\n", name,
			    STR_FMT(json_get(group, "description")->text),
			    STR_FMT(test->text));
	}
	if (schema == NULL && strstr(name, "optional") == NULL &&
	    strstr(name, "refRemote") == NULL) {
		n->disagreed++;
		printf("%s: %.*s: does not load: %.*s\n", name,
		    STR_FMT(json_get(group, "description")->text),
		    STR_FMT(error.why));
	}
	jsonschema_free(schema);
	arena_free(&a);
}

/* Runs all files of a folder, whose path is relative to that of the suite. */
static struct counts
run_folder(const char *folder)
{
	struct arena a = { 0 };
	const char *path =
	    str_printf(&a, "data/JSON-Schema-Test-Suite/%s", folder).s;
	struct counts n = { 0 };
	struct dirent *entry;
	DIR *dir = opendir(shared_path(&a, path));

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		struct json_reader reader = { 0 };
		struct str text;

		if (!str_ends(str_of(entry->d_name), ".json") ||
		    !shared_read(&a,
			str_printf(&a, "%s/%s", path, entry->d_name).s, &text))
			continue;
		for (json_each(group, json_read(&reader, text, NULL, NULL)))
			run_group(group,
			    str_printf(&a, "%s/%s", folder, entry->d_name).s,
			    &n);
		json_reader_free(&reader);
	}
	if (dir != NULL)
		closedir(dir);
	printf("%s: %zu agreed, %zu disagreed, %zu not loaded\n", folder,
	    n.agreed, n.disagreed, n.unloaded);
	arena_free(&a);
	return n;
}

int
main(void)
{
	static const char *const required[] = { "draft4", "draft6", "draft7" };
	static const char *const counted[] = { "draft4/optional",
		"draft4/optional/format", "draft6/optional",
		"draft6/optional/format", "draft7/optional",
		"draft7/optional/format" };
	struct arena a = { 0 };
	size_t agreed = 0;

	for (size_t i = 0; i < 3; i++) {
		struct counts n = run_folder(required[i]);

		CHECK(n.disagreed == 0);
		agreed += n.agreed;
	}
	for (size_t i = 0; i < 6; i++)
		run_folder(counted[i]);
	if (agreed == 0)
		printf("no suite in %s, nothing checked\n",
		    shared_path(&a, "data"));
	arena_free(&a);
	return agreed == 0 ? 77 : unit_status();
}
