/*
 * Runs mcpl's readers of other languages on rows, for the programs in
 * tests/oracle that compare them with the originals: ours KIND <ROWS. Each row
 * is a JSON object on a line, and so is each result: {"result": ...}, or
 * {"error": "why"}.
 */
#include <math.h>
#include <string.h>

#include "check/permission/path_pattern.h"
#include "emulate/jmespath/jmespath.h"
#include "emulate/jsonpath/jsonpath.h"
#include "emulate/jsonschema/jsonschema.h"
#include "emulate/lang/js.h"
#include "emulate/lang/py.h"
#include "io/in.h"
#include "io/out.h"
#include "shell/shell.h"
#include "text/unicode.h"
#include "yaml/document.h"
#include "json/stream.h"

struct row {
	const struct json *json;
	struct arena *arena;
	struct out *out;
};

static struct str
text(const struct row *r, const char *member)
{
	return json_text(json_get(r->json, str_of(member)), r->arena);
}

static void
put_error(const struct row *r, struct str why)
{
	out_member_str(r->out, "error", why);
}

static void
put_result(const struct row *r, const struct json *const *values, size_t n)
{
	out_key(r->out, "result");
	out_begin(r->out, '[');
	for (size_t i = 0; i < n; i++)
		out_json_raw(r->out, values[i]->text);
	out_end(r->out, ']');
}

/* {"path", "doc"} */
static void
jsonpath(const struct row *r)
{
	struct jsonpath_error error;
	struct jsonpath_list list;
	struct jsonpath *path =
	    jsonpath_compile(r->arena, text(r, "path"), JSONPATH_PLUS, &error);

	if (path == NULL) {
		put_error(r, error.why);
		return;
	}
	list = jsonpath_select(path, json_get(r->json, "doc"), r->arena);
	put_result(r, list.values, list.n);
	jsonpath_free(path);
}

/* {"path", "doc"} */
static void
jmespath(const struct row *r)
{
	struct jmespath_error error;
	const struct json *found = NULL;
	struct jmespath *path =
	    jmespath_compile(r->arena, text(r, "path"), &error);

	if (path != NULL)
		found = jmespath_search(
		    path, json_get(r->json, "doc"), r->arena, &error);
	if (found == NULL)
		put_error(r, error.why);
	else
		put_result(r, &found, 1);
}

/* {"doc", "texts"}: writes JSON.stringify(doc), and for each text
 * String(Number(text)), text.trim() and text.toLowerCase(). */
static void
javascript(const struct row *r)
{
	struct out doc;

	out_key(r->out, "result");
	out_begin(r->out, '[');
	out_open_memory(&doc);
	js_stringify(&doc, json_get(r->json, "doc"), r->arena);
	out_json_str(r->out, out_memory(&doc));
	out_close(&doc);
	for (json_each(v, json_get(r->json, "texts"))) {
		struct str t = json_text(v, r->arena);
		char buf[JS_NUMBER_SIZE];
		double number;

		if (!js_to_number(t, &number, r->arena))
			number = NAN;
		out_json_str(r->out, js_number(number, buf));
		out_json_str(r->out, js_trim(t));
		out_json_str(r->out, unicode_lower_js(r->arena, t));
	}
	out_end(r->out, ']');
}

/* Writes the int, the float (-0 becomes 0) and the bool that pydantic reads from
 * the value. */
static void
python_field(const struct row *r, const struct json *v)
{
	int64_t integer;
	double number;
	bool truth;

	if (py_int(v, &integer, r->arena))
		out_json_int(r->out, integer);
	else
		out_json_null(r->out);
	if (py_float(v, &number, r->arena))
		out_json_str(
		    r->out, str_printf(r->arena, "%.17g", number + 0.));
	else
		out_json_null(r->out);
	if (py_bool(v, &truth, r->arena))
		out_json_bool(r->out, truth);
	else
		out_json_null(r->out);
}

/* {"pairs", "texts", "fields"}: writes for each pair whether the two values are
 * equal, for each text lower(), repr(text) and int(text), and the fields. */
static void
python(const struct row *r)
{
	out_key(r->out, "result");
	out_begin(r->out, '[');
	for (json_each(pair, json_get(r->json, "pairs")))
		out_json_bool(r->out,
		    py_equal(json_at(pair, 0), json_at(pair, 1), r->arena));
	for (json_each(v, json_get(r->json, "texts"))) {
		struct str t = json_text(v, r->arena);
		int64_t integer;

		out_json_str(r->out, unicode_lower_js(r->arena, t));
		out_json_str(r->out, py_repr(r->arena, t));
		if (py_int_text(t, &integer, r->arena))
			out_json_int(r->out, integer);
		else
			out_json_null(r->out);
	}
	for (json_each(v, json_get(r->json, "fields")))
		python_field(r, v);
	out_end(r->out, ']');
}

/* {"schema", "doc"} */
static void
jsonschema(const struct row *r)
{
	struct jsonschema_error error = { 0 };
	struct jsonschema *schema =
	    jsonschema_compile(r->arena, json_get(r->json, "schema"), &error);

	if (schema == NULL)
		put_error(r, error.why);
	else
		out_member_bool(r->out, "result",
		    jsonschema_valid(
			schema, json_get(r->json, "doc"), r->arena, &error));
	jsonschema_free(schema);
}

/* {"yaml"} */
static void
yaml(const struct row *r, enum scalar_types schema)
{
	struct diag_log log = { 0 };
	struct document *doc;

	diag_keep(&log);
	doc = document_read_text(r->arena, "row.yaml", text(r, "yaml"), NULL);
	if (doc != NULL && log.errors == 0)
		document_resolve(doc, schema);
	diag_keep(NULL);
	if (doc == NULL || log.errors > 0)
		put_error(r, STR("reported"));
	else
		put_result(r, doc->roots, doc->n);
	diag_forget(&log);
}

/* {"text"}: writes [unknown, commands], each command as a list of words, a word as its text
 * and whether the shell computes a part of it. */
static void
shell(const struct row *r)
{
	struct shell s = shell_read(r->arena, text(r, "text"));

	out_key(r->out, "result");
	out_begin(r->out, '[');
	out_json_bool(r->out, s.unknown || s.invalid);
	for (size_t i = 0; i < s.n; i++) {
		out_begin(r->out, '[');
		for (size_t k = 0; k < s.list[i].n; k++) {
			const struct shell_word *w = &s.list[i].words[k];

			out_begin(r->out, '[');
			out_json_str(r->out, w->text);
			out_json_bool(
			    r->out, w->glob || shell_word_is_computed(w));
			out_end(r->out, ']');
		}
		out_end(r->out, ']');
	}
	out_end(r->out, ']');
}

static void
yaml_core(const struct row *r)
{
	yaml(r, TYPES_CORE);
}

static void
yaml_go(const struct row *r)
{
	yaml(r, TYPES_GO);
}

static void
yaml_evolve(const struct row *r)
{
	yaml(r, TYPES_EVOLVE);
}

static void
yaml_python(const struct row *r)
{
	yaml(r, TYPES_PYTHON);
}

/* {"pattern", "paths"}: writes the paths that the pattern of gitignore(5) fits; those of
 * folders end in a slash. */
static void
gitignore(const struct row *r)
{
	const struct path_pattern *p =
	    path_pattern_read(r->arena, text(r, "pattern"));

	out_key(r->out, "result");
	out_begin(r->out, '[');
	for (json_each(item, json_get(r->json, "paths"))) {
		struct str path = json_text(item, r->arena), name = path;
		bool folder = str_ends(path, "/");

		name.n -= folder;
		if (path_pattern_fits(p, name, folder ? PATH_IS_FOLDER : 0))
			out_json_str(r->out, path);
	}
	out_end(r->out, ']');
}

static const struct kind {
	const char *name;
	void (*run)(const struct row *);
} kinds[] = {
	{ "gitignore", gitignore },
	{ "javascript", javascript },
	{ "jmespath", jmespath },
	{ "jsonpath", jsonpath },
	{ "jsonschema", jsonschema },
	{ "python", python },
	{ "shell", shell },
	{ "yaml-core", yaml_core },
	{ "yaml-evolve", yaml_evolve },
	{ "yaml-go", yaml_go },
	{ "yaml-python", yaml_python },
};

static const struct kind *
find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (name != NULL && strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	diag_die("usage: ours KIND <ROWS");
}

int
main(int argc, char **argv)
{
	const struct kind *kind = find_kind(argc == 2 ? argv[1] : NULL);
	struct arena arena = { 0 };
	struct row r = { .arena = &arena };
	struct json_stream values;
	struct out out;
	struct in in;

	in_open(&in, (char *[]){ NULL });
	out_open(&out, NULL, false);
	json_stream_open(&values, &in, true);
	r.out = &out;
	while ((r.json = json_stream_next(&values)) != NULL) {
		out_begin(&out, '{');
		kind->run(&r);
		out_end(&out, '}');
		out_line(&out);
		arena_reset(&arena);
	}
	json_stream_close(&values);
	in_close(&in);
	arena_free(&arena);
	return diag_status(out_close(&out) ? 0 : 2);
}
