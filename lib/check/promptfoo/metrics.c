/* promptfoo's assertions that measure how much the output is like other texts,
 * and those about its language. */
#include "check/kind/kind.h"
#include "check/promptfoo/promptfoo.h"
#include "emulate/lang/js.h"

/* ---- likeness ---- */

/* Returns the texts in the value, which is a text or, if `several`, a list of
 * texts as well. */
static struct str_list
references(struct fields *e, bool several)
{
	const struct json *v = promptfoo_value(e);
	struct str *text = arena_new(e->arena, struct str);

	if (several && json_is(v, JSON_ARRAY)) {
		if (json_count(v) == 0)
			fields_spoil(e, v, "value: the list is empty");
		return fields_strs(e, v, "value");
	}
	if (json_is(v, JSON_STRING))
		*text = json_text(v, e->arena);
	else if (v == NULL)
		fields_spoil(e, NULL, "missing key 'value'");
	else
		fields_spoil(e, v, "value: expected %s, found %s",
		    several ? "text or a list of texts" : "text",
		    json_type_name(v));
	return (struct str_list){ text, 1 };
}

static struct check
metric(struct fields *e)
{
	enum metric how = (enum metric)scenarios_form(e)->how;
	bool negated = promptfoo_is_negated(e),
	     edits = how == METRIC_LEVENSHTEIN;
	struct metric_want want = { .how = how,
		.references = references(e, how != METRIC_ROUGE && !edits),
		.limit = scenarios_number(e, "threshold") };
	char room[JS_NUMBER_SIZE];
	struct str limit = js_number(want.limit, room);
	struct check c;

	if (how == METRIC_METEOR) {
		want.alpha = scenarios_number(e, "alpha");
		want.beta = scenarios_number(e, "beta");
		want.gamma = scenarios_number(e, "gamma");
	}
	c = metric_check(e->arena, &want);
	c.detail = str_printf(e->arena, "%s: expected %s %.*s",
	    edits ? "distance" : "score",
	    edits == negated ? negated ? "more than" : "at least"
		: negated    ? "less than"
			     : "at most",
	    STR_FMT(limit));
	return promptfoo_finish(e, c,
	    want.references.n == 0 ? str_of(NULL) : want.references.list[0]);
}

/* ---- language ---- */

static struct check
refusal(struct fields *e)
{
	return promptfoo_finish(
	    e, refusal_check(e->arena, promptfoo_is_negated(e)), STR(""));
}

static struct check
html(struct fields *e)
{
	bool within = scenarios_form(e)->how;
	struct check c = html_check(e->arena, within);

	c.detail = promptfoo_is_negated(e) ? STR("expected no HTML")
	    : within                       ? STR("expected signs of HTML")
					   : STR("expected HTML");
	return promptfoo_finish(e, c, STR(""));
}

/* Returns the paths of elements in the value: a text with commas, a list, or a
 * mapping with a list. */
static struct str_list
element_paths(struct fields *e)
{
	const struct json *v = promptfoo_value(e), *list = v;
	struct str rest = json_text(v, e->arena);
	struct str_list all = { 0 };

	while (rest.s != NULL)
		str_list_add(e->arena, &all, js_trim(str_cut(&rest, ',')));
	if (json_is(v, JSON_OBJECT) && json_count(v) != 0) {
		list = json_get(v, "requiredElements");
		if (!json_is(list, JSON_ARRAY))
			fields_spoil(e, v,
			    "value: expected a list of elements, or a mapping "
			    "with 'requiredElements'");
	}
	for (json_each(item, json_is(list, JSON_ARRAY) ? list : NULL))
		str_list_add(e->arena, &all, promptfoo_string(item, e->arena));
	return all;
}

static struct check
xml(struct fields *e)
{
	struct xml_want want = { .within = scenarios_form(e)->how,
		.paths = element_paths(e) };
	struct check c = xml_check(e->arena, &want);

	c.detail = str_cat(e->arena,
	    promptfoo_is_negated(e) ? STR("expected no XML")
				    : STR("expected XML"),
	    want.paths.n == 0 ? STR("") : STR(" with elements"));
	return promptfoo_finish(e, c, str_list_text(e->arena, want.paths));
}

/* Reads the keys of a check of SQL, which nothing here can decide: the grammars of
 * its many databases are a package's own. */
static struct check
sql(struct fields *e)
{
	const struct json *v = promptfoo_value(e);

	if (v != NULL && !json_is(v, JSON_OBJECT) && !json_is(v, JSON_ARRAY) &&
	    !json_is(v, JSON_FALSE))
		fields_spoil(e, v, "value: expected a mapping, found %s",
		    json_type_name(v));
	promptfoo_undecided(
	    e, "needs the grammars of npm's package node-sql-parser");
	return promptfoo_finish(e, (struct check){ 0 }, STR(""));
}

/* ---- calls ---- */

/* Returns the value of a key of the only provider's `config`; NULL if there is
 * none. Of several providers none is taken. */
static struct promptfoo_part
provided(struct fields *e, const char *key)
{
	struct promptfoo_config *c = promptfoo_test_of(e)->config;
	struct promptfoo_part part = c->root;
	const struct json *list = json_get(part.v, "providers"), *v;

	if (list == NULL)
		list = json_get(part.v, "targets");
	if (json_is(list, JSON_ARRAY) && json_count(list) > 1) {
		promptfoo_undecided(e,
		    "the file names several providers, of which each may offer "
		    "other tools");
		return (struct promptfoo_part){ 0 };
	}
	part.v = json_is(list, JSON_ARRAY) ? json_first(list) : list;
	part = promptfoo_resolve(c, part);
	v = json_get(part.v, "config");
	/* {"openai:chat:gpt": {"config": ...}} */
	if (v == NULL && json_is(part.v, JSON_OBJECT) &&
	    json_count(part.v) == 1)
		v = json_get(json_value(json_first(part.v)), "config");
	part.v = json_get(v, key);
	return promptfoo_resolve(c, part);
}

/* Adds a function that the provider declares. */
static void
declare(struct fields *e, struct declared_calls_want *want,
    struct declared_tool **tools, const struct json *v)
{
	const struct json *schema = json_get(v, "parameters");
	struct jsonschema_error error;
	struct declared_tool *t;

	if (!json_is(schema, JSON_OBJECT) ||
	    !json_is(json_get(v, "name"), JSON_STRING))
		return; /* as if it were not declared */
	t = arena_push(e->arena, *tools, want->n);
	t->name = json_text(json_get(v, "name"), e->arena);
	t->schema = schema;
	t->compiled = jsonschema_compile(e->arena, schema, &error);
	if (t->compiled == NULL)
		fields_spoil(e, NULL, "the schema of '%.*s': %.*s",
		    STR_FMT(t->name), STR_FMT(error.why));
}

static struct check
calls(struct fields *e)
{
	const char *key = scenarios_form(e)->key;
	struct promptfoo_part part = provided(e, key);
	struct declared_calls_want want = { 0 };
	struct declared_tool *tools = NULL;
	bool of_tools = str_is(str_of(key), "tools");
	struct check c;

	for (json_each(v, part.v)) {
		if (!of_tools)
			declare(e, &want, &tools, v);
		else if (json_str_is(json_get(v, "type"), "function"))
			declare(e, &want, &tools, json_get(v, "function"));
	}
	want.tools = tools;
	if (part.v != NULL && !json_is(part.v, JSON_ARRAY))
		promptfoo_undecided(
		    e, "the provider's tools are not written in the file");
	if (promptfoo_is_negated(e))
		promptfoo_undecided(
		    e, "promptfoo decides this type as if it had no 'not-'");
	c = declared_calls_check(e->arena, &want);
	c.detail = STR("calls: expected calls of declared tools with "
		       "arguments that their schemas accept");
	return promptfoo_finish(e, c, STR(""));
}

#define TEXTS NEED_ONE_OF("value", IS(TEXT) | IS(LIST))
#define SQL_OPTIONS \
	PARAMS(KEY_ONE_OF("value", IS(OBJECT) | IS(LIST) | IS(BOOL)))

const struct form promptfoo_metric_forms[] = {
	FORM("levenshtein", metric, .how = METRIC_LEVENSHTEIN,
	    ROLE(HAS, "value"),
	    PARAMS(NEED("value", TEXT), KEY_OR("threshold", NUMBER, 5))),
	FORM("rouge-n", metric, .how = METRIC_ROUGE, ROLE(HAS, "value"),
	    PARAMS(NEED("value", TEXT), KEY_OR("threshold", NUMBER, 0.75))),
	FORM("bleu", metric, .how = METRIC_BLEU, ROLE(HAS, "value"),
	    PARAMS(TEXTS, KEY_OR("threshold", NUMBER, 0.5))),
	FORM("gleu", metric, .how = METRIC_GLEU, ROLE(HAS, "value"),
	    PARAMS(TEXTS, KEY_OR("threshold", NUMBER, 0.5))),
	FORM("meteor", metric, .how = METRIC_METEOR, ROLE(HAS, "value"),
	    PARAMS(TEXTS, KEY_OR("threshold", NUMBER, 0.5),
		KEY_OR("alpha", NUMBER, 0.9), KEY_OR("beta", NUMBER, 3),
		KEY_OR("gamma", NUMBER, 0.5))),
	FORM("is-refusal", refusal, ROLE(LACKS, "value")),
	FORM("contains-html", html, .how = true, ROLE(STRUCTURE, "value")),
	FORM("is-html", html, ROLE(STRUCTURE, "value")),
	FORM("contains-xml", xml, .how = true, ROLE(STRUCTURE, "value"),
	    PARAMS(KEY("value", ANY))),
	FORM(
	    "is-xml", xml, ROLE(STRUCTURE, "value"), PARAMS(KEY("value", ANY))),
	FORM("is-sql", sql, ROLE(STRUCTURE, "value"), SQL_OPTIONS),
	FORM("contains-sql", sql, ROLE(STRUCTURE, "value"), SQL_OPTIONS),
	FORM("is-valid-openai-tools-call", calls, .key = "tools",
	    .role = ROLE_ARGUMENTS),
	FORM("is-valid-openai-function-call", calls, .key = "functions",
	    .role = ROLE_ARGUMENTS),
	FORM("is-valid-function-call", calls, .key = "functions",
	    .role = ROLE_ARGUMENTS),
	FORM(NULL, NULL),
};
