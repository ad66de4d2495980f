#include "emulate/jsonpath/jsonpath.h"

#include "emulate/jsonpath/eval.h"
#include "emulate/jsonpath/parse.h"
#include "emulate/jsonpath/plus.h"
#include "emulate/regex/regex.h"

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

struct jsonpath *
jsonpath_condition(
    struct arena *a, struct str text, struct jsonpath_error *error)
{
	struct path_parser p = {
		.arena = a, .made = arena_new(a, struct jsonpath), .text = text
	};

	p.made->condition = jsonpath_parse_filter(&p);
	if (p.made->condition != NULL && p.at < text.n)
		jsonpath_fail(&p, p.at, "expected '&&' or '||'");
	if (!p.failed)
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

static struct path_run
run_on(const struct json *root, struct arena *a)
{
	return (struct path_run){ .arena = a,
		.root = root,
		.work_max =
		    PATH_WORK_MIN + (size_t)root->span * PATH_WORK_PER_VALUE };
}

bool
jsonpath_names(
    const struct jsonpath *path, struct str *names, size_t max, size_t *n)
{
	const struct query *q = &path->query;

	if (!q->single || q->n > max)
		return false;
	for (size_t i = 0; i < q->n; i++) {
		const struct selector *s = q->segments[i].selectors;

		if (s->kind != SELECT_NAME)
			return false;
		names[i] = s->name;
	}
	*n = q->n;
	return true;
}

bool
jsonpath_holds(
    const struct jsonpath *path, const struct json *value, struct arena *a)
{
	struct path_run run = run_on(value, a);
	struct path_node node = { .value = value };

	run.condition = true;
	return jsonpath_filter_test(&run, path->condition, &node) && !run.cut;
}

struct jsonpath_list
jsonpath_select(
    const struct jsonpath *path, const struct json *root, struct arena *a)
{
	struct path_run run;
	struct path_node node = { .value = root };
	struct path_sink sink = { .keep = true };

	if (root == NULL)
		return (struct jsonpath_list){ 0 };
	run = run_on(root, a);
	jsonpath_visit(&run, &path->query, &node, &sink);
	return (struct jsonpath_list){ sink.values, sink.n, run.cut };
}
