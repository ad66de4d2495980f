#include "query/jsonpath/jsonpath.h"

#include "query/jsonpath/eval.h"
#include "query/jsonpath/parse.h"
#include "query/jsonpath/plus.h"
#include "regex/regex.h"

/* ---- compiling ---- */

static bool
parse(struct path_parser *p, enum jsonpath_flavour flavour)
{
	if (p->text.n == 0)
		return jsonpath_fail(p, 0, "the path is empty");
	if (flavour == JSONPATH_PLUS)
		return jsonpath_parse_plus(p, &p->made->query);
	if (jsonpath_peek(p) != '$')
		return jsonpath_fail(p, 0, "a path begins with '$'");
	if (!jsonpath_parse_query(p, &p->made->query))
		return false;
	return p->at == p->text.n ||
	    jsonpath_fail(p, p->at, "expected '.', '..' or '['");
}

struct jsonpath *
jsonpath_compile(struct arena *a, struct str path,
    enum jsonpath_flavour flavour, struct jsonpath_error *error)
{
	struct path_parser p = {
		.arena = a, .made = arena_new(a, struct jsonpath), .text = path
	};

	if (parse(&p, flavour))
		return p.made;
	*error = (struct jsonpath_error){ p.wrong_at, p.why };
	jsonpath_free(p.made);
	return NULL;
}

void
jsonpath_free(struct jsonpath *path)
{
	for (size_t i = 0; i < path->n_regexes; i++)
		regex_free(path->regexes[i]);
	path->n_regexes = 0;
}

/* ---- running ---- */

struct jsonpath_list
jsonpath_select(
    const struct jsonpath *path, const struct json *root, struct arena *a)
{
	struct path_run run = { .arena = a, .root = root };
	struct path_node node = { .value = root };
	struct path_sink sink = { .keep = true };

	if (root == NULL)
		return (struct jsonpath_list){ 0 };
	run.work_max = PATH_WORK_MIN + (size_t)root->span * PATH_WORK_PER_VALUE;
	jsonpath_visit(&run, &path->query, &node, &sink);
	return (struct jsonpath_list){ sink.values, sink.n, run.cut };
}
