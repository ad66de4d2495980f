/*
 * The graders of waza (github.com/microsoft/waza, internal/graders, March and
 * September 2026), of Vally (microsoft.github.io/vally/reference/graders, 0.16), and of
 * skill-validator, whose assertions Vally has under similar names (github.com/dotnet/skills,
 * eng/skill-validator, AssertionEvaluator.cs, March 2026).
 */
#include "check/dialect/waza.h"

#include "check/kind/kind.h"

struct waza_grader *
waza_grader_of(const struct fields *e)
{
	return ((const struct waza_context *)scenarios_part_of(e))->grader;
}

static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	if (r->status != STATUS_FAILED)
		return;
	if (f->found == FOUND_YES && f->cause.s != NULL)
		r->got = f->cause;
	r->reason = str_printf(v->arena, "%.*s: %.*s", STR_FMT(c->label),
	    STR_FMT(f->why.s != NULL ? f->why
		    : c->negate      ? STR("found")
				     : STR("not found")));
}

void
waza_emit(struct fields *e, const struct param *p, const struct json *v,
    struct check c)
{
	struct waza_grader *g = waza_grader_of(e);
	struct str value =
	    json_is(v, JSON_STRING) ? json_text(v, e->arena) : v->text;

	if (g->at != NULL)
		scenarios_add_check(g->scenarios, g->last, g->at);
	if (!fields_ok(e)) {
		check_close(&c);
		c = check_broken(e->arena, c.type, e->wrong);
	}
	c.type = str_of(scenarios_form(e)->name);
	c.negate ^= p->negate || g->negate;
	c.label = str_printf(e->arena, "%.*s%s%s%s%.*s",
	    STR_FMT(g->name.s != NULL ? g->name : c.type), *p->key ? ": " : "",
	    p->key, *p->key ? " " : "", *p->key ? (int)value.n : 0, value.s);
	if (c.explain == NULL)
		c.explain = explain;
	if (g->turn != NULL)
		c.scope = (struct scope){ .part = SCOPE_TURN,
			.turn = (size_t)json_double(g->turn) };
	g->last = c;
	g->at = v;
}

void
waza_emit_undecided(struct fields *e, const struct param *p,
    const struct json *v, const char *why)
{
	struct check c = media_check_live(e->arena, why, NULL);

	c.negate =
	    p->negate ^ waza_grader_of(e)->negate; /* which emit undoes */
	waza_emit(e, p, v, c);
}

/* ---- graders ---- */

/* Lets the document's watcher know of which kinds an element of the key's list may be. */
static void
note_element(
    const struct fields *e, const struct param *p, const struct json *item)
{
	const struct param element = { .kinds = p->kinds & ~IS(LIST) };

	scenarios_note(e->doc, item, &element);
}

/* Adds the checks of the keys of a grader, by its type. Returns the last check, which
 * the caller adds. */
static struct check
keys(struct fields *e)
{
	const struct form *form = scenarios_form(e);
	struct str type = str_of(form->name);
	struct waza_grader *g = waza_grader_of(e);
	const struct json *v;

	g->negate = str_contains(type, "not");
	if (str_starts(type, "output-") || str_starts(type, "file-"))
		g->negate |= fields_bool_if(e, "negate");
	for (const struct param *p = form->params; p->key != NULL; p++) {
		scenarios_note(e->doc, e->object, p);
		if (p->add == NULL || (v = fields_get(e, p->key)) == NULL)
			continue;
		if (!json_is(v, JSON_ARRAY) || p->whole)
			p->add(e, p, v);
		else
			for (json_each(item, v)) {
				note_element(e, p, item);
				p->add(e, p, item);
			}
	}
	if (g->at == NULL && fields_ok(e) && !str_is(type, "constraints"))
		fields_spoil(
		    e, NULL, "no key of this grader says what it wants");
	return g->last;
}

static struct check
completed(struct fields *e)
{
	static const struct param none = { .key = "", .negate = true };

	waza_emit(e, &none, e->object,
	    text_check(e->arena, TEXT_EQUALS, VIEW_AS_WRITTEN, STR("")));
	return waza_grader_of(e)->last;
}

/* Makes the check of a grader that is never decided here. */
static struct check
undecided(struct fields *e)
{
	static const struct param none = { .key = "" };

	waza_emit_undecided(e, &none, e->object, scenarios_form(e)->key);
	e->any_key = true;
	return waza_grader_of(e)->last;
}

/* Makes the checks of a judge: by the grader's own text, or by the rubric of its
 * task. */
static struct check
prompt(struct fields *e)
{
	static const struct param task = { .key = "rubric" };
	struct waza_grader *g = waza_grader_of(e);
	const struct json *rubric = json_get(g->task, "rubric");

	fields_ignore(e,
	    "model mode scoring threshold continue_session judge_model "
	    "evidence");
	if (rubric == NULL || json_has(e->object, "prompt") ||
	    json_has(e->object, "rubric"))
		return keys(e);
	if (!json_is(rubric, JSON_ARRAY))
		waza_add_rubric(e, &task, rubric);
	else
		for (json_each(v, rubric))
			waza_add_rubric(e, &task, v);
	return g->at != NULL ? g->last : keys(e);
}

#define CODE "a program of the author, which is not run"

#define NOT .negate = true
#define TEXTS IS(TEXT) | IS(LIST)
#define NUMBERS IS(NUMBER) | IS(LIST)
#define OBJECTS IS(OBJECT) | IS(LIST)
#define CALLS IS(TEXT) | IS(OBJECT) | IS(LIST)
#define KEY_SAID(name, ...) \
	KEY_ADD(name, TEXTS, waza_add_text, .how = __VA_ARGS__)
#define KEY_PATTERN(name, ...) \
	KEY_ADD(name, TEXTS, waza_add_pattern, .how = __VA_ARGS__)
#define KEY_LIMIT(name, ...) \
	KEY_ADD(name, NUMBERS, waza_add_limit, .how = __VA_ARGS__)
#define KEY_CALL(name, ...) \
	KEY_ADD(name, CALLS, waza_add_call, .how = __VA_ARGS__)
#define NEED_SAID KEY_SAID
#define NEED_PATTERN KEY_PATTERN
#define NEED_LIMIT KEY_LIMIT
#define REQUIRED_TOOLS \
	KEY_ADD("required_tools", TEXTS, waza_add_tool), \
	    KEY_ADD("forbidden_tools", TEXTS, waza_add_tool, NOT)
#define LIMITS \
	KEY_LIMIT("max_turns", WAZA_TURNS), \
	    KEY_ADD( \
		"max_tokens", IS(NUMBER), waza_add_limit, .how = WAZA_TOKENS)

static const struct form types[] = {
	FORM("text", keys, ROLE(HAS, "contains contains_cs"),
	    PARAMS(KEY_SAID("contains", VIEW_LOWER_GO),
		KEY_SAID("not_contains", VIEW_LOWER_GO, NOT),
		KEY_SAID("contains_cs", VIEW_AS_WRITTEN),
		KEY_SAID("not_contains_cs", VIEW_AS_WRITTEN, NOT),
		KEY_PATTERN("regex_match", WAZA_GO),
		KEY_PATTERN("regex_not_match", WAZA_GO, NOT))),
	FORM("regex", keys, .subject = "must_match",
	    PARAMS(KEY_PATTERN("must_match", WAZA_GO),
		KEY_PATTERN("must_not_match", WAZA_GO, NOT))),
	FORM("keyword", keys, ROLE(HAS, "must_contain"),
	    PARAMS(KEY_SAID("must_contain", VIEW_LOWER_GO),
		KEY_SAID("must_not_contain", VIEW_LOWER_GO, NOT))),
	FORM("behavior", keys, ROLE(AMOUNT, "max_tool_calls"),
	    PARAMS(KEY_LIMIT("max_tool_calls", WAZA_CALLS),
		KEY_LIMIT("max_tokens", WAZA_TOKENS),
		KEY_LIMIT("max_duration_ms", WAZA_MILLISECONDS),
		REQUIRED_TOOLS)),
	FORM("tool_calls", keys, ROLE(CALLED, "required_tools"),
	    PARAMS(REQUIRED_TOOLS,
		KEY_LIMIT("min_calls", WAZA_LEAST_CALLS, NOT),
		KEY_LIMIT("max_calls", WAZA_CALLS),
		KEY_CALL("expect", WAZA_GO_CASELESS))),
	FORM("tool_constraint", keys, .role = ROLE_ARGUMENTS,
	    PARAMS(KEY_CALL("expect_tools", WAZA_GO_CASELESS),
		KEY_CALL("reject_tools", WAZA_GO_CASELESS, NOT),
		KEY_ADD(
		    "allow_only", IS(LIST), waza_add_allowed, .whole = true),
		LIMITS)),
	FORM("action_sequence", keys, ROLE(ORDER, "expected_actions"),
	    PARAMS(NEED_ADD("expected_actions", IS(LIST), waza_add_sequence,
		       .whole = true),
		NEED("matching_mode", TEXT))),
	FORM("skill_invocation", keys, .subject = "required_skills",
	    PARAMS(KEY_ADD("required_skills", IS(LIST), waza_add_sequence,
		       .how = true, .whole = true),
		KEY("mode", TEXT),
		KEY_ADD("forbidden_skills", TEXTS, waza_add_skill, NOT))),
	FORM("file", keys, .role = ROLE_FILE,
	    PARAMS(KEY_ADD("must_exist", TEXTS, waza_add_file),
		KEY_ADD("must_not_exist", TEXTS, waza_add_file, NOT),
		KEY_ADD(
		    "content_patterns", IS(LIST), waza_add_content_patterns))),
	FORM("diff", undecided, .key = "snapshots of files are not compared"),
	FORM("json_schema", keys, ROLE(STRUCTURE, "schema"),
	    PARAMS(NEED_ADD("schema", OBJECTS, waza_add_schema))),
	FORM("prompt", prompt, ROLE(JUDGE, "prompt rubric"),
	    PARAMS(KEY_ADD("prompt", TEXTS, waza_add_rubric),
		KEY_ADD("rubric", TEXTS, waza_add_rubric))),
	FORM("code", undecided, .key = CODE),
	FORM("script", undecided, .key = CODE),
	FORM("program", undecided, .key = CODE),
	FORM("trigger", undecided,
	    .key = "waza's heuristic of triggers is not decided "
		   "(should_trigger prompts are)"),
	FORM("output-contains", keys, ROLE(HAS, "substring"),
	    PARAMS(NEED_SAID("substring", VIEW_LOWER_JS),
		KEY("case_sensitive", BOOL), KEY("negate", BOOL))),
	FORM("output-not-contains", keys, ROLE(LACKS, "substring"),
	    PARAMS(NEED_SAID("substring", VIEW_LOWER_JS),
		KEY("case_sensitive", BOOL), KEY("negate", BOOL))),
	FORM("output-matches", keys, .subject = "pattern",
	    PARAMS(NEED_PATTERN("pattern", WAZA_JS), KEY("negate", BOOL))),
	FORM("output-not-matches", keys, .subject = "pattern",
	    PARAMS(NEED_PATTERN("pattern", WAZA_JS), KEY("negate", BOOL))),
	FORM("file-exists", keys, ROLE(FILE, "path"),
	    PARAMS(
		NEED_ADD("path", TEXTS, waza_add_file), KEY("negate", BOOL))),
	FORM("file-not-exists", keys, ROLE(NO_FILE, "path"),
	    PARAMS(
		NEED_ADD("path", TEXTS, waza_add_file), KEY("negate", BOOL))),
	FORM("file-contains", keys, ROLE(FILE, "path"),
	    PARAMS(NEED("path", TEXT),
		NEED_ADD("value", TEXTS, waza_add_content),
		KEY("negate", BOOL))),
	FORM("file-not-contains", keys, ROLE(NO_FILE, "path"),
	    PARAMS(NEED("path", TEXT),
		NEED_ADD("value", TEXTS, waza_add_content),
		KEY("negate", BOOL))),
	FORM("file-matches", keys, ROLE(FILE, "path"),
	    PARAMS(NEED("path", TEXT),
		NEED_ADD("pattern", TEXTS, waza_add_content, .how = WAZA_JS),
		KEY("negate", BOOL))),
	FORM("file-not-matches", keys, ROLE(NO_FILE, "path"),
	    PARAMS(NEED("path", TEXT),
		NEED_ADD("pattern", TEXTS, waza_add_content, .how = WAZA_JS),
		KEY("negate", BOOL))),
	FORM("tool-calls", keys, ROLE(ARGUMENTS, "required"),
	    PARAMS(KEY_CALL("required", WAZA_JS),
		KEY_CALL("disallowed", WAZA_JS, NOT),
		KEY_ADD("sequence", IS(ANY), waza_add_order, .whole = true))),
	FORM("skill-invocation", keys, .subject = "required",
	    PARAMS(KEY_ADD("required", TEXTS, waza_add_skill),
		KEY_ADD("disallowed", TEXTS, waza_add_skill, NOT))),
	FORM("token-budget", keys, ROLE(AMOUNT, "max"),
	    PARAMS(NEED_LIMIT("max", WAZA_TOKENS))),
	FORM("tool-call-count", keys, ROLE(AMOUNT, "max"),
	    PARAMS(NEED_LIMIT("max", WAZA_CALLS))),
	FORM("turn-count", keys, ROLE(ITERATIONS, "max"),
	    PARAMS(NEED_LIMIT("max", WAZA_TURNS))),
	FORM("wall-time", keys, ROLE(TIME, "max"),
	    PARAMS(NEED_ADD(
		"max", IS(TEXT), waza_add_limit, .how = WAZA_DURATION))),
	FORM("completed", completed),
	FORM("exit-success", completed),
	FORM("run-command", keys,
	    PARAMS(NEED_ADD("command", TEXTS, waza_add_command),
		KEY("args", LIST), KEY("sub_path", TEXT),
		KEY("expected_exit_code", INT), KEY("timeout", ANY))),
	FORM("error-count", undecided,
	    .key = "events that are errors are not recorded",
	    .role = ROLE_ERRORS),
	FORM("pairwise", undecided, .key = "two runs are not compared here",
	    .role = ROLE_JUDGE),
	FORM("panel", undecided, .key = "a panel of judges is not asked",
	    .role = ROLE_JUDGE),
	FORM("output_contains", keys, ROLE(HAS, "value"),
	    PARAMS(NEED_SAID("value", VIEW_LOWER_JS),
		KEY("case_sensitive", BOOL))),
	FORM("output_not_contains", keys, ROLE(LACKS, "value"),
	    PARAMS(NEED_SAID("value", VIEW_LOWER_JS),
		KEY("case_sensitive", BOOL))),
	FORM("output_matches", keys, .subject = "pattern",
	    PARAMS(NEED_PATTERN("pattern", WAZA_NET))),
	FORM("output_not_matches", keys, .subject = "pattern",
	    PARAMS(NEED_PATTERN("pattern", WAZA_NET))),
	FORM("file_exists", keys, ROLE(FILE, "path"),
	    PARAMS(NEED_ADD("path", TEXTS, waza_add_file))),
	FORM("file_not_exists", keys, ROLE(NO_FILE, "path"),
	    PARAMS(NEED_ADD("path", TEXTS, waza_add_file))),
	FORM("file_contains", keys, ROLE(FILE, "path"),
	    PARAMS(NEED("path", TEXT),
		NEED_ADD("value", TEXTS, waza_add_content))),
	FORM("file_not_contains", keys, ROLE(NO_FILE, "path"),
	    PARAMS(NEED("path", TEXT),
		NEED_ADD("value", TEXTS, waza_add_content))),
	FORM("exit_success", completed),
};

static const struct form limits = FORM("constraints", keys,
    PARAMS(LIMITS, KEY_ADD("expect_tools", TEXTS, waza_add_tool),
	KEY_ADD("reject_tools", TEXTS, waza_add_tool, NOT),
	KEY_ADD("expect_skills", TEXTS, waza_add_skill),
	KEY_ADD("reject_skills", TEXTS, waza_add_skill, NOT)));

static const struct forms forms = {
	.key = "type",
	.what = "graders",
	FORMS(types),
	.ignored = "type name weight config model turn",
};

const struct form_list waza_types[] = { FORM_LIST(types), { 0 } };

bool
waza_has_type(struct str type)
{
	return form_find(waza_types, type) != NULL;
}

/* Reads the keys that stand beside `config`. */
static void
read_beside(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "graders");

	e.is_assertion = e.strict = true;
	fields_ignore(&e, "type name config weight model description turn");
	scenarios_end_object(r, &e);
}

void
waza_read_grader(
    struct scenarios *r, const struct json *v, const struct json *task)
{
	struct waza_grader g = { .scenarios = r,
		.task = task,
		.name = json_text(json_get(v, "name"), r->arena) };
	struct waza_context context = { &g };
	struct forms with = forms;
	const struct json *config = json_get(v, "config");
	const struct json *turn = json_get(v, "turn");

	if (json_is(turn, JSON_NUMBER) && json_double(turn) >= 0 &&
	    json_double(turn) < 1e6)
		g.turn = turn;
	else if (turn != NULL)
		document_report(r->doc, MISTAKE_REFUSES, turn,
		    "turn: expected a number from 0, found %.*s",
		    STR_FMT(turn->text));
	with.part_of = &context;
	if (json_is(config, JSON_OBJECT) && json_has(v, "type")) {
		read_beside(r, v);
		scenarios_read_named(r, json_get(v, "type"), config, &with);
	} else {
		scenarios_read_assertion(r, v, &with);
	}
}

void
waza_limits(struct scenarios *r, const struct json *v, bool among)
{
	struct waza_grader g = { .scenarios = r };
	struct waza_context context = { &g };
	struct assertion assertion = { .form = &limits, .part_of = &context };
	struct fields e = scenarios_open(r, v, limits.name);
	struct check c;

	e.context = &assertion;
	e.is_assertion = true;
	e.any_key = among;
	c = keys(&e);
	if (g.at != NULL || !fields_ok(&e))
		scenarios_close_check(r, &e, c);
	else
		(void)fields_close(&e, NULL);
}
