/* The golden cases of mcpl-report -f json are valid by the installed schema; a report
 * that lacks a member or has another one is invalid. */
#include <glob.h>

#include "emulate/jsonschema/jsonschema.h"
#include "io/slurp.h"
#include "tests/unit/unit.h"
#include "json/json.h"

static const struct json *
value_of(struct arena *a, struct str text)
{
	struct json_reader reader = { 0 };
	const struct json *v =
	    json_keep(a, json_read(&reader, text, NULL, NULL));

	json_reader_free(&reader);
	return v;
}

static struct str
file(struct arena *a, const char *path)
{
	struct str text = { 0 };

	CHECK(slurp_file(a, path, 1 << 24, &text));
	return text;
}

/* Returns the report with a part of its text replaced. */
static const struct json *
with(struct arena *a, struct str report, struct str old, struct str fresh)
{
	size_t at = str_find(report, old);

	CHECK(at < report.n);
	return value_of(a,
	    str_cat(a, str_cat(a, str_slice(report, 0, at), fresh),
		str_from(report, at + old.n)));
}

/* Tries a line of a transcript; returns whether it is a report. */
static bool
try_line(const struct jsonschema *schema, struct arena *a, const char *path,
    struct str line)
{
	struct jsonschema_error error;

	/* --seq puts an RS before the report. */
	line = str_from(line, line.n != 0 && line.s[0] == '\036');
	if (!str_starts(line, "{\"type\":\"report\""))
		return false;
	if (!jsonschema_valid(schema, value_of(a, line), a, &error)) {
		FAIL("a report is not as the schema says");
		fprintf(stderr, "%s: %.*s: %.*s\n", path, STR_FMT(error.path),
		    STR_FMT(error.why));
	}
	return true;
}

static void
try_reports(const struct jsonschema *schema, struct arena *a)
{
	glob_t found;
	size_t reports = 0;

	CHECK(glob("tests/cases/mcpl-report/*", 0, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct str line, text = file(a, found.gl_pathv[i]);

		while (line = str_cut(&text, '\n'), line.s != NULL)
			reports += try_line(schema, a, found.gl_pathv[i], line);
	}
	globfree(&found);
	CHECK(reports >= 10);
}

static void
try_mistakes(const struct jsonschema *schema, struct arena *a)
{
	struct str text = file(a, "tests/cases/mcpl-report/baseline"), good;
	const struct {
		struct str old, fresh;
	} mistakes[] = {
		{ STR("\"v\":1"), STR("\"v\":2") },
		{ STR("\"other_values\":"), STR("\"odd_values\":") },
		{ STR("\"total\":{"), STR("\"total\":{\"more\":1,") },
		{ STR("\"change\":\"gone\""), STR("\"change\":\"lost\"") },
		{ STR("\"gate\":{"), STR("\"gate\":{\"severity\":0,") },
		{ STR("\"pass_rate\":"), STR("\"pass_rate\":2,\"a\":") },
	};
	struct jsonschema_error error;

	text = str_from(text, str_find(text, "\n# changed json\n"));
	text = str_from(text, str_find(text, "\n{\"type\":\"report\"") + 1);
	good = str_cut(&text, '\n');
	CHECK(jsonschema_valid(schema, value_of(a, good), a, &error));
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
		CHECK(!jsonschema_valid(schema,
		    with(a, good, mistakes[i].old, mistakes[i].fresh), a,
		    &error));
}

int
main(void)
{
	struct arena a = { 0 };
	struct jsonschema_error error;
	struct jsonschema *schema = jsonschema_compile(&a,
	    value_of(&a, file(&a, "lib/report/format/report.schema.json")),
	    &error);

	CHECK(schema != NULL);
	if (schema != NULL) {
		try_reports(schema, &a);
		try_mistakes(schema, &a);
	}
	jsonschema_free(schema);
	arena_free(&a);
	return unit_status();
}
