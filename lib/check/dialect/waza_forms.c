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

static void
flush(struct waza_grader *g)
{
	if (g->at != NULL)
		scenarios_add_check(g->scenarios, g->last, g->at);
}

void
waza_emit(struct fields *e, const struct waza_key *p, const struct json *v,
    struct check c)
{
	struct waza_grader *g = waza_grader_of(e);
	struct str value =
	    json_is(v, JSON_STRING) ? json_text(v, e->arena) : v->text;

	flush(g);
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
waza_emit_undecided(struct fields *e, const struct waza_key *p,
    const struct json *v, const char *why)
{
	struct check c = media_check_live(e->arena, str_of(why), NULL);

	c.negate =
	    p->negate ^ waza_grader_of(e)->negate; /* which emit undoes */
	waza_emit(e, p, v, c);
}

/* ---- graders without keys ---- */

static struct check
completed(struct fields *e)
{
	static const struct waza_key none = { .key = "", .negate = true };

	waza_emit(e, &none, e->object,
	    text_check(e->arena, TEXT_EQUALS, VIEW_AS_WRITTEN, STR("")));
	return waza_grader_of(e)->last;
}

/* Makes the check of a grader that is never decided here. */
static struct check
undecided(struct fields *e)
{
	static const struct waza_key none = { .key = "" };

	waza_emit_undecided(e, &none, e->object, scenarios_form(e)->key);
	e->any_key = true;
	return waza_grader_of(e)->last;
}

/* Makes the checks of a judge: by the grader's own text, or by the rubric of its
 * task. */
static struct check
prompt(struct fields *e)
{
	static const char *const ignored[] = { "model", "mode", "scoring",
		"threshold", "continue_session", "judge_model", "evidence",
		NULL };
	static const struct waza_key task = { .key = "rubric" };
	struct waza_grader *g = waza_grader_of(e);
	const struct json *rubric = json_get(g->task, "rubric");

	fields_ignore(e, ignored);
	if (rubric == NULL || json_has(e->object, "prompt") ||
	    json_has(e->object, "rubric"))
		return waza_keys(e);
	if (!json_is(rubric, JSON_ARRAY))
		waza_emit_rubric(e, &task, rubric);
	else
		for (json_each(v, rubric))
			waza_emit_rubric(e, &task, v);
	return g->at != NULL ? g->last : waza_keys(e);
}

#define CODE "a program of the author, which is not run"

static const struct form types[] = {
	FORM("text", waza_keys, ROLE(HAS, "contains contains_cs")),
	FORM("regex", waza_keys, .subject = "must_match"),
	FORM("keyword", waza_keys, ROLE(HAS, "must_contain")),
	FORM("behavior", waza_keys, ROLE(AMOUNT, "max_tool_calls")),
	FORM("tool_calls", waza_keys, ROLE(CALLED, "required_tools")),
	FORM("tool_constraint", waza_keys, .role = ROLE_ARGUMENTS),
	FORM("action_sequence", waza_keys, ROLE(ORDER, "expected_actions")),
	FORM("skill_invocation", waza_keys, .subject = "required_skills"),
	FORM("file", waza_keys, .role = ROLE_FILE),
	FORM("diff", undecided, .key = "snapshots of files are not compared"),
	FORM("json_schema", waza_keys, ROLE(STRUCTURE, "schema")),
	FORM("prompt", prompt, ROLE(JUDGE, "prompt rubric")),
	FORM("code", undecided, .key = CODE),
	FORM("script", undecided, .key = CODE),
	FORM("program", undecided, .key = CODE),
	FORM("trigger", undecided,
	    .key =
		"waza's heuristic of triggers is not decided (should_trigger "
		"prompts are)"),
	FORM("output-contains", waza_keys, ROLE(HAS, "substring")),
	FORM("output-not-contains", waza_keys, ROLE(LACKS, "substring")),
	FORM("output-matches", waza_keys, .subject = "pattern"),
	FORM("output-not-matches", waza_keys, .subject = "pattern"),
	FORM("file-exists", waza_keys, ROLE(FILE, "path")),
	FORM("file-not-exists", waza_keys, ROLE(NO_FILE, "path")),
	FORM("file-contains", waza_keys, ROLE(FILE, "path")),
	FORM("file-not-contains", waza_keys, ROLE(NO_FILE, "path")),
	FORM("file-matches", waza_keys, ROLE(FILE, "path")),
	FORM("file-not-matches", waza_keys, ROLE(NO_FILE, "path")),
	FORM("tool-calls", waza_keys, ROLE(ARGUMENTS, "required")),
	FORM("skill-invocation", waza_keys, .subject = "required"),
	FORM("token-budget", waza_keys, ROLE(AMOUNT, "max")),
	FORM("tool-call-count", waza_keys, ROLE(AMOUNT, "max")),
	FORM("turn-count", waza_keys, ROLE(ITERATIONS, "max")),
	FORM("wall-time", waza_keys, ROLE(TIME, "max")),
	FORM("completed", completed),
	FORM("exit-success", completed),
	FORM("run-command", waza_keys),
	FORM("error-count", undecided,
	    .key = "events that are errors are not recorded",
	    .role = ROLE_ERRORS),
	FORM("pairwise", undecided, .key = "two runs are not compared here",
	    .role = ROLE_JUDGE),
	FORM("panel", undecided, .key = "a panel of judges is not asked",
	    .role = ROLE_JUDGE),
	FORM("output_contains", waza_keys, ROLE(HAS, "value")),
	FORM("output_not_contains", waza_keys, ROLE(LACKS, "value")),
	FORM("output_matches", waza_keys, .subject = "pattern"),
	FORM("output_not_matches", waza_keys, .subject = "pattern"),
	FORM("file_exists", waza_keys, ROLE(FILE, "path")),
	FORM("file_not_exists", waza_keys, ROLE(NO_FILE, "path")),
	FORM("file_contains", waza_keys, ROLE(FILE, "path")),
	FORM("file_not_contains", waza_keys, ROLE(NO_FILE, "path")),
	FORM("exit_success", completed),
};

static const struct form limits = FORM("constraints", waza_keys);

static const char *const ignored[] = { "type", "name", "weight", "config",
	"model", "turn", NULL };

static const struct forms forms = {
	.key = "type",
	.what = "graders",
	.list = types,
	.n = sizeof types / sizeof types[0],
	.ignored = ignored,
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
	static const char *const known[] = { "type", "name", "config", "weight",
		"model", "description", "turn", NULL };
	struct fields e = fields_open(r->arena, r->doc, v, STR("graders"));

	e.is_assertion = e.strict = true;
	fields_ignore(&e, known);
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
		policy_report(r->doc->policy, MISTAKE_REFUSES,
		    document_place(r->doc, turn),
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
	struct fields e = fields_open(r->arena, r->doc, v, str_of(limits.name));
	struct check c;

	e.context = &assertion;
	e.is_assertion = true;
	e.any_key = among;
	c = waza_keys(&e);
	if (g.at != NULL || !fields_ok(&e))
		scenarios_close_check(r, &e, c);
	else
		(void)fields_close(&e, NULL);
}
