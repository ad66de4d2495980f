/* evolve's assertions by type, with the evidence that evolve reports. */
#include "check/dialect/evolve.h"
#include "check/dialect/rubric.h"
#include "check/kind/kind.h"

enum { SHOWN = 120 }; /* bytes of a match that are evidence */

enum { NEGATE = 1 }; /* form->how */

/* ---- evidence ---- */

/* Sets the evidence of a regex: the text that matches. */
static void
explain_match(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	if (f->found == FOUND_CANNOT)
		r->reason = f->why;
	else
		r->reason = f->found == FOUND_YES
		    ? view_truncate(v, f->why, SHOWN)
		    : STR("no match");
}

/* Sets the evidence of a file: "PATH exists" or "PATH missing". */
static void
explain_file(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	r->reason = f->found == FOUND_CANNOT
	    ? f->why
	    : str_cat(v->arena, c->detail,
		  f->found == FOUND_YES ? STR(" exists") : STR(" missing"));
}

static void
explain_as_found(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)v;
	r->reason = f->why.s != NULL ? f->why : c->reason;
}

/* ---- forms ---- */

static struct check
labelled(struct check c, struct str label)
{
	c.label = label;
	c.metadata = STR("{\"source\":\"assertion\"}");
	return c;
}

enum { LINES = 4 }; /* bytes of "(?m)" */

/* Compiles a pattern of Go's; with `lines` (in files and answers) ^ and $ match
 * at each line. */
static struct regex *
compile(struct fields *e, const char *key, struct str pattern, bool lines)
{
	struct regex_error error;
	struct regex *re;

	if (pattern.s == NULL)
		return NULL;
	re = regex_compile(e->arena, REGEX_RE2,
	    lines ? str_cat(e->arena, STR("(?m)"), pattern) : pattern, 0,
	    &error);
	if (re != NULL)
		return re;
	if (lines && error.offset >= LINES)
		error.offset -= LINES;
	fields_mistake(e, json_get(e->object, key), "%s: %.*s", key,
	    STR_FMT(regex_error_text(e->arena, &error)));
	return NULL;
}

static struct check
file(struct fields *e)
{
	const struct form *form = scenarios_form(e);
	struct str path = scenarios_text(e, "path");
	struct check c = file_check(e->arena, path);

	c.negate = form->how == NEGATE;
	c.detail = path;
	c.explain = explain_file;
	return labelled(
	    c, str_cat3(e->arena, STR("file "), path, str_of(form->key)));
}

static struct check
regex(struct fields *e)
{
	bool negate = scenarios_form(e)->how == NEGATE;
	struct str pattern = scenarios_text(e, "pattern"),
		   path = scenarios_text(e, "path");
	struct regex *re = compile(e, "pattern", pattern, true);
	struct check c, *inner = arena_new(e->arena, struct check);
	struct regex_error ignored;

	*inner = pattern_check_with_match(e->arena, re, pattern, 0);
	if (re != NULL && !negate)
		*inner = pattern_with_case_hint(e->arena, *inner,
		    regex_compile(e->arena, REGEX_RE2,
			str_cat(e->arena, STR("(?im)"), pattern), 0, &ignored));
	if (path.n != 0)
		c = file_content_check(e->arena, path, inner);
	else
		c = without_escapes_check(e->arena, inner);
	c.negate = negate;
	c.explain = explain_match;
	if (path.n == 0)
		path = STR("output");
	return labelled(c,
	    str_printf(e->arena, "%.*s %s /%.*s/", STR_FMT(path),
		negate ? "does not match" : "matches", STR_FMT(pattern)));
}

static struct check
command(struct fields *e)
{
	const struct evolve_eval *eval = scenarios_part_of(e);
	struct command_want want = { .run = scenarios_text(e, "run"),
		.cwd = scenarios_text(e, "cwd"),
		.requires = scenarios_text(e, "requires"),
		.exit = scenarios_int(e, "expect_exit"),
		.seconds = eval->seconds };
	struct check c = command_check(e->arena, &want);

	c.explain = explain_as_found;
	return labelled(c,
	    str_printf(e->arena, "command `%.*s` exits %lld", STR_FMT(want.run),
		(long long)want.exit));
}

static struct check
tool_call(struct fields *e)
{
	struct call_matches_want want = { .tool_pattern =
					      scenarios_text(e, "tool"),
		.args_pattern = scenarios_text(e, "pattern") };
	struct str label;
	struct check c;

	want.tool = compile(e, "tool", want.tool_pattern, false);
	if (want.args_pattern.n != 0)
		want.args = compile(e, "pattern", want.args_pattern, false);
	c = call_matches_check(e->arena, &want);
	c.explain = explain_as_found;
	c.reason = str_printf(e->arena, "no tool_call matched /%.*s/",
	    STR_FMT(want.tool_pattern));
	label = str_printf(
	    e->arena, "agent called tool /%.*s/", STR_FMT(want.tool_pattern));
	if (want.args != NULL)
		label = str_printf(e->arena, "%.*s with args /%.*s/",
		    STR_FMT(label), STR_FMT(want.args_pattern));
	return labelled(c, label);
}

/* Returns what a judge is asked by the statement `text` at this place, after
 * remarks. */
static struct judge_want
judge_want(const struct document *doc, const struct json *at, struct str text,
    const struct evolve_eval *eval)
{
	struct judge_want want = { .rubric = text,
		.expected = eval->expected,
		.context = JUDGE_WORKSPACE };

	if (eval->expected.n != 0)
		want.context |= JUDGE_EXPECTED;
	rubric_remark(doc, at, &want, NULL);
	return want;
}

static struct check
llm_check(struct arena *a, struct judge_want want, bool expectation)
{
	struct check c = judge_check(a, &want);

	c.type = STR("llm");
	c.label = want.rubric;
	c.metadata = expectation ? STR("{\"source\":\"expectation\"}")
				 : STR("{\"source\":\"assertion\"}");
	return c;
}

static struct check
llm(struct fields *e)
{
	struct str text = scenarios_text(e, "text");
	struct judge_want want =
	    judge_want(e->doc, e->object, text, scenarios_part_of(e));

	return labelled(llm_check(e->arena, want, false), text);
}

static const struct form types[] = {
	FORM("file_exists", file, .key = " exists", ROLE(FILE, "path"),
	    PARAMS(NEED_FILLED("path"))),
	FORM("file_absent", file, .how = NEGATE, .key = " is absent",
	    ROLE(NO_FILE, "path"), PARAMS(NEED_FILLED("path"))),
	FORM("regex", regex, ROLE(REGEX, "pattern"),
	    PARAMS(NEED_FILLED("pattern"), KEY("path", TEXT))),
	FORM("not_regex", regex, .how = NEGATE, ROLE(NOT_REGEX, "pattern"),
	    PARAMS(NEED_FILLED("pattern"), KEY("path", TEXT))),
	FORM("command", command, ROLE(COMMAND, "run"),
	    PARAMS(NEED_FILLED("run"), KEY("cwd", TEXT), KEY("requires", TEXT),
		KEY("expect_exit", INT))),
	FORM("tool_call", tool_call, ROLE(CALLED, "tool"),
	    PARAMS(NEED_FILLED("tool"), KEY("pattern", TEXT))),
	FORM("llm", llm, ROLE(JUDGE, "text statement check description"),
	    PARAMS(NEED_FILLED("text"))),
};

static const struct forms forms = {
	.key = "type",
	.what = "assertions",
	FORMS(types),
	.shared = true,
};

const struct form_list evolve_types[] = { FORM_LIST(types), { 0 } };

bool
evolve_has_type(struct str type)
{
	struct suggest near = suggest_for(type);

	scenarios_suggest(&near, &forms);
	return near.best.s != NULL;
}

/* The keys in which people write a statement without a type, the more precise
 * one first. */
static const char *const statement_keys[] = { "text", "statement", "check",
	"description" };

enum { STATEMENT_KEYS = sizeof statement_keys / sizeof statement_keys[0] };

/* Returns the text of an object without a type; NULL if it has none. */
static const struct json *
untyped_statement(const struct json *v)
{
	for (size_t i = 0; i < STATEMENT_KEYS && !json_has(v, "type"); i++) {
		const struct json *text = json_get(v, statement_keys[i]);

		if (json_is(text, JSON_STRING))
			return text;
	}
	return NULL;
}

bool
evolve_is_statement(const struct json *v)
{
	return json_is(v, JSON_STRING) || untyped_statement(v) != NULL;
}

/* Reads an object that has neither a type nor a statement's text: the mistake is
 * the misspelt key, or else the missing type. */
static void
read_nothing(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "assertions");

	e.is_assertion = true;
	(void)fields_str(&e, "type");
	for (size_t i = 0; i < STATEMENT_KEYS; i++)
		(void)fields_get(&e, statement_keys[i]);
	scenarios_read_shared(&e, &forms);
	scenarios_close_check(
	    r, &e, (struct check){ .type = e.where, .label = e.where });
}

/* Reads an object that is a statement without a type. */
static void
read_untyped(struct scenarios *r, const struct json *v, const struct json *text,
    const struct evolve_eval *eval)
{
	struct fields e = scenarios_open(r, v, "assertions");
	struct str statement = json_text(text, r->arena);

	e.is_assertion = true;
	fields_ignore(&e, "type text statement check description");
	if (statement.n == 0)
		fields_spoil(&e, text, "missing text");
	scenarios_close_check(r, &e,
	    llm_check(
		r->arena, judge_want(r->doc, text, statement, eval), false));
}

void
evolve_statement(struct scenarios *r, const struct json *v,
    const struct evolve_eval *eval, bool expectation)
{
	struct str text = json_text(v, r->arena), why = STR("missing text");

	if (text.n != 0) {
		scenarios_add_check(r,
		    llm_check(r->arena, judge_want(r->doc, v, text, eval),
			expectation),
		    v);
		return;
	}
	document_report(r->doc, MISTAKE_SPOILS, v, "llm: %.*s", STR_FMT(why));
	scenarios_add_check(r, check_broken(r->arena, STR("llm"), why), v);
}

void
evolve_assertion(
    struct scenarios *r, const struct json *v, const struct evolve_eval *eval)
{
	const struct json *untyped = untyped_statement(v);
	struct forms with = forms;

	with.part_of = eval;
	scenarios_note_forms(r, v, &with, false);
	fields_note(r->doc, v, NULL, IS(TEXT) | IS(OBJECT));
	if (json_is(v, JSON_STRING))
		evolve_statement(r, v, eval, false);
	else if (untyped != NULL)
		read_untyped(r, v, untyped, eval);
	else if (json_is(v, JSON_OBJECT) && !json_has(v, "type"))
		read_nothing(r, v);
	else
		scenarios_read_assertion(r, v, &with);
}

void
evolve_assertions(struct scenarios *r, const struct json *list,
    const struct evolve_eval *eval)
{
	for (json_each(v, list))
		evolve_assertion(r, v, eval);
}
