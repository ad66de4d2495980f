/*
 * The public JSON Schema suite, where $SHARED has it. The required files must
 * agree, but for references that would have to be fetched. The optional ones
 * are counted: formats follow gojsonschema, not the suite.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/jsonschema.h"
#include "unit.h"

struct counts {
	size_t agreed, disagreed, unloaded;
};

/* The group's schema, told which draft it belongs to if it does not say. */
static const struct json *
schema_of(const struct json *group, const char *draft, struct arena *a)
{
	const struct json *schema = json_get(group, STR("schema"));
	struct json_reader reader = { 0 };
	struct str text;

	if (!json_is(schema, JSON_OBJECT) ||
	    json_get(schema, STR("$schema")) != NULL ||
	    json_get(schema, STR("$ref")) != NULL)
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

	for (json_each(test, json_get(group, STR("tests")))) {
		bool valid,
		    want = json_is(json_get(test, STR("valid")), JSON_TRUE);

		if (schema == NULL) {
			n->unloaded++;
			continue;
		}
		valid = jsonschema_valid(
		    schema, json_get(test, STR("data")), &a, &error);
		n->agreed += valid == want;
		n->disagreed += valid != want;
		if (valid != want && strstr(name, "optional") == NULL)
			printf("%s: %.*s: %.*s\n", name,
			    STR_FMT(json_get(group, STR("description"))->text),
			    STR_FMT(test->text));
	}
	if (schema == NULL && strstr(name, "optional") == NULL &&
	    strstr(name, "refRemote") == NULL)
		printf("%s: %.*s: does not load: %.*s\n", name,
		    STR_FMT(json_get(group, STR("description"))->text),
		    STR_FMT(error.why));
	arena_free(&a);
}

static void
run_file(const char *folder, const char *name, struct counts *n)
{
	char path[4096], label[300], *text = NULL;
	struct json_reader reader = { 0 };
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	snprintf(label, sizeof label, "%s/%s", strstr(folder, "draft"), name);
	f = fopen(path, "r");
	if (f == NULL || getdelim(&text, &size, '\0', f) <= 0) {
		CHECK(!"a file of the suite can be read");
		return;
	}
	for (json_each(group, json_read(&reader, str_of(text), NULL, NULL)))
		run_group(group, label, n);
	fclose(f);
	free(text);
	json_reader_free(&reader);
}

static struct counts
run_folder(const char *folder)
{
	struct counts n = { 0 };
	struct dirent *entry;
	DIR *dir = opendir(folder);

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (strstr(entry->d_name, ".json") != NULL)
			run_file(folder, entry->d_name, &n);
	if (dir != NULL)
		closedir(dir);
	printf("%s: %zu agreed, %zu disagreed, %zu not loaded\n",
	    strstr(folder, "draft"), n.agreed, n.disagreed, n.unloaded);
	return n;
}

int
main(void)
{
	static const char *const drafts[] = { "draft4", "draft6", "draft7" };
	const char *shared = getenv("SHARED");
	char folder[4096];

	for (size_t i = 0; i < 3; i++) {
		struct counts n;

		snprintf(folder, sizeof folder,
		    "%s/data/JSON-Schema-Test-Suite/%s",
		    shared == NULL ? "../shared" : shared, drafts[i]);
		n = run_folder(folder);
		CHECK(n.disagreed == 0);
		strcat(folder, "/optional");
		run_folder(folder);
		strcat(folder, "/format");
		run_folder(folder);
	}
	return unit_status();
}
