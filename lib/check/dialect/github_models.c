/*
 * GitHub Models' prompt files (NAME.prompt.yml): evaluators of the answers to a prompt whose
 * places the rows of the test data fill. The rules are those of `gh models eval` (cmd/eval and
 * pkg/prompt of github/gh-models, July 2025).
 */
#include <math.h>

#include "check/dialect/dialect.h"
#include "check/kind/kind.h"
#include "check/placeholders.h"
#include "emulate/lang/go.h"

/* ---- a row of the test data ---- */

struct row {
	struct scenarios *scenarios;
	const struct json *values; /* an object; NULL: no row */
};

static struct str
row_value(struct str name, void *arg)
{
	const struct row *row = arg;
	const struct json *v = json_get(row->values, name);

	if (str_is(name, "completion"))
		return STR("(here stands final_text of the record)");
	return v == NULL
	    ? str_of(NULL)
	    : go_text(row->scenarios->arena, v, row->scenarios->doc);
}

static struct str
fill(struct row *row, struct str text)
{
	return placeholders_fill(row->scenarios->arena, text, row_value, row);
}

/* Returns the row's text under the key; empty if there is none. */
static struct str
row_text(struct row *row, const char *key)
{
	const struct json *v = json_get(row->values, key);

	return v == NULL ? STR("") : row_value(str_of(key), row);
}

/* ---- evaluators ---- */

static struct check
finish(struct fields *e, struct check c, struct str label)
{
	struct str name = fields_str_if(e, "name");

	(void)fields_str_if(e, "description");
	c.label = name.n != 0 ? name : label;
	return c;
}

/* `gh models` looks at the first of the keys that is not empty; letter case counts for
 * `equals` alone. */
static struct check
string(struct fields *e)
{
	static const struct {
		const char *key, *shown, *reason;
		enum text_how how;
		enum view_fold fold;
	} rows[] = {
		{ "equals", "is", "is not", TEXT_EQUALS, VIEW_AS_WRITTEN },
		{ "contains", "contains", "does not contain", TEXT_CONTAINS,
		    VIEW_LOWER_GO },
		{ "startsWith", "starts with", "does not start with",
		    TEXT_STARTS, VIEW_LOWER_GO },
		{ "endsWith", "ends with", "does not end with", TEXT_ENDS,
		    VIEW_LOWER_GO },
	};
	const struct json *v = fields_get(e, "string");
	struct fields in = fields_open(e->arena, e->doc, v, e->where);
	struct check c = { 0 };
	struct str label = { 0 }, why;

	in.is_assertion = true;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct str text = fields_name_if(&in, rows[i].key);

		if (text.n != 0 && label.s != NULL)
			fields_remark(&in, json_get(v, rows[i].key),
			    "%s: gh models decides by the first of equals, "
			    "contains, startsWith and endsWith alone",
			    rows[i].key);
		if (text.n == 0 || label.s != NULL)
			continue;
		c = text_check_trimmed(
		    e->arena, rows[i].how, rows[i].fold, text);
		label = str_printf(
		    e->arena, "answer %s '%.*s'", rows[i].shown, STR_FMT(text));
		c.reason = str_printf(e->arena, "the answer %s '%.*s'",
		    rows[i].reason, STR_FMT(text));
	}
	if (label.s == NULL)
		fields_spoil(&in, NULL,
		    "expected one of equals, contains, startsWith and "
		    "endsWith");
	if (!fields_close(&in, &why))
		c = check_broken(e->arena, e->where, why);
	return finish(e, c, label);
}

/* Reads the choices, and appends them to the rubric with their scores, of which the
 * greatest is 1. An answer passes with any score above 0. */
static void
read_choices(struct fields *e, const struct json *list, struct judge_want *want)
{
	double most = 0, least = HUGE_VAL;

	for (json_each(v, list)) {
		double score = json_double(json_get(v, "score"));

		if (json_get(v, "choice") == NULL || isnan(score)) {
			fields_spoil(
			    e, v, "choices: expected a choice and its score");
			return;
		}
		most = score > most ? score : most;
		least = score > 0 && score < least ? score : least;
	}
	if (!(most > 0)) {
		fields_spoil(e, list,
		    "choices: expected a choice with a score above 0, without "
		    "which no answer passes");
		return;
	}
	want->scored = want->ours = true;
	want->min_score = least / most;
	want->rubric = str_cat(e->arena, want->rubric,
	    STR("\n\nThe score is that of the choice to which these "
		"instructions lead:"));
	for (json_each(v, list)) {
		double score = json_double(json_get(v, "score"));

		want->rubric = str_printf(e->arena, "%.*s\n- %.*s: %.4g",
		    STR_FMT(want->rubric),
		    STR_FMT(go_text(e->arena, json_get(v, "choice"), e->doc)),
		    score > 0 ? score / most : 0.0);
	}
}

static struct check
llm(struct fields *e)
{
	struct row row = *(const struct row *)scenarios_part_of(e);
	struct fields in =
	    fields_open(e->arena, e->doc, fields_get(e, "llm"), e->where);
	struct judge_want want = { .text = JUDGE_FINAL };
	struct str system, prompt, why;
	struct check c;

	in.context = e->context;
	system = scenarios_text(&in, "systemPrompt");
	prompt = scenarios_text(&in, "prompt");
	in.is_assertion = true;
	fields_ignore(&in, "modelId model modelParameters");
	want.rubric = fill(&row, prompt);
	if (system.n != 0)
		want.rubric = str_printf(e->arena, "%.*s\n\n%.*s",
		    STR_FMT(system), STR_FMT(want.rubric));
	read_choices(&in, scenarios_list(&in, "choices"), &want);
	c = judge_check(e->arena, &want);
	if (!fields_close(&in, &why))
		c = check_broken(e->arena, e->where, why);
	return finish(e, c, prompt);
}

/* The evaluators of GitHub itself, each with five stars, of which two are enough. */
static const struct {
	const char *name, *rubric;
	unsigned context;
	bool grounds; /* what is expected is the context */
} builtins[] = {
	{ "github/similarity",
	    "The answer says the same as the expected answer: 1 completely, "
	    "0.75 mostly, 0.5 somewhat, 0.25 hardly, 0 not at all.",
	    JUDGE_PROMPT | JUDGE_EXPECTED, false },
	{ "github/fluency",
	    "The answer is well written, in its grammar, vocabulary, sentences "
	    "and readability: 1 with style and without a fault, 0.75 with good "
	    "control, 0.5 clear with some faults, 0.25 simple with many "
	    "faults, 0 hardly to be understood.",
	    0, false },
	{ "github/coherence",
	    "The answer is an orderly and logical whole whose thoughts a "
	    "reader can follow, and is about the question: 1 throughout, 0.75 "
	    "mostly, 0.5 in part, 0.25 hardly, 0 not at all.",
	    JUDGE_PROMPT, false },
	{ "github/relevance",
	    "The answer is about the question and answers it: 1 completely and "
	    "with insight, 0.75 completely, 0.5 with details missing, 0.25 "
	    "wrongly, 0 about something else.",
	    JUDGE_PROMPT, false },
	{ "github/groundedness",
	    "The context supports the answer: 1 all of a complete answer, 0.75 "
	    "an answer with parts missing, 0.5 an answer with wrong facts, "
	    "0.25 only its subject, 0 nothing.",
	    JUDGE_PROMPT, true },
};

static struct check
uses(struct fields *e)
{
	struct row row = *(const struct row *)scenarios_part_of(e);
	struct str name = fields_str(e, "uses");
	struct suggest near = suggest_for(name);

	for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
		struct judge_want want = { .text = JUDGE_FINAL,
			.rubric = str_of(builtins[i].rubric),
			.context = builtins[i].context,
			.prompt = row_text(&row, "input"),
			.expected = row_text(&row, "expected"),
			.ours = true,
			.scored = true,
			.min_score = 0.25 };

		suggest_try(&near, str_of(builtins[i].name));
		if (!str_is(name, builtins[i].name))
			continue;
		if (builtins[i].grounds)
			want.rubric =
			    str_printf(e->arena, "%.*s\n\nContext:\n%.*s",
				STR_FMT(want.rubric), STR_FMT(want.expected));
		if (want.prompt.n == 0)
			want.prompt.s = NULL;
		return finish(e, judge_check(e->arena, &want), name);
	}
	fields_spoil(e, json_get(e->object, "uses"),
	    "unknown evaluator '%.*s'%s", STR_FMT(name),
	    suggest_text(&near, e->arena));
	return finish(e, (struct check){ .type = e->where }, name);
}

static const struct form types[] = {
	FORM("string", string, ROLE(HAS, "string.contains string.equals"),
	    PARAMS(KEY("equals", NAME), KEY("contains", NAME),
		KEY("startsWith", NAME), KEY("endsWith", NAME))),
	FORM("llm", llm, ROLE(JUDGE, "llm.prompt"),
	    PARAMS(NEED("prompt", TEXT), NEED("choices", LIST),
		KEY("systemPrompt", TEXT))),
	FORM("uses", uses),
};

/* Returns the key that says what the evaluator does: of several, the one that `gh models`
 * takes first; else any key but the name and the description, or `uses` without one. */
static struct str
guess(const struct json *v)
{
	const struct json *key = json_first(json_is(v, JSON_OBJECT) ? v : NULL);

	for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
		if (json_has(v, types[i].name))
			return str_of(types[i].name);
	while (key != NULL &&
	    (json_key_is(key, "name") || json_key_is(key, "description")))
		key = json_next(v, json_value(key));
	return key == NULL ? STR("uses") : json_raw(key);
}

static const struct forms forms = {
	.key = "evaluator",
	.what = "evaluators",
	FORMS(types),
	.guess = guess,
	.by_key = true,
};

static const struct form_list form_lists[] = { FORM_LIST(types), { 0 } };

/* ---- the file ---- */

/* Adds the scenario of a row: a run is of it whose prompt is the last message of the user. */
static void
add_row(struct row *row, const struct json *root, struct str id)
{
	struct scenarios *r = row->scenarios;
	struct forms with = forms;
	struct str prompt = { 0 };

	for (json_each(v, json_get(root, "messages")))
		if (json_str_is(json_get(v, "role"), "user"))
			prompt = json_text(json_get(v, "content"), r->arena);
	if (prompt.s != NULL)
		prompt = fill(row, prompt);
	if (id.s == NULL && str_find(prompt, "{{") < prompt.n)
		prompt = (struct str){ 0 };
	scenarios_begin(
	    r, row->values != NULL ? row->values : root, id, prompt);
	with.part_of = row;
	for (json_each(v, json_get(root, "evaluators"))) {
		fields_note(r->doc, v, "string llm", IS(OBJECT));
	}
	scenarios_read_assertions(r, json_get(root, "evaluators"), &with);
}

static void
read_root(struct scenarios *r, const struct json *root)
{
	struct fields e = scenarios_open(r, root, "prompt file");
	const struct json *rows = fields_list_if(&e, "testData");
	const struct json *list = fields_list_if(&e, "evaluators");
	struct row *row;
	size_t n = 0;

	fields_ignore(&e,
	    "name description model modelParameters responseFormat jsonSchema "
	    "messages");
	if (json_count(list) == 0)
		fields_mistake(&e, list, "no evaluators");
	if (!fields_close(&e, NULL))
		return;
	for (json_each(v, rows)) {
		row = arena_new(r->arena, struct row);
		*row = (struct row){ r, v };
		add_row(row, root, str_printf(r->arena, "testData[%zu]", n++));
	}
	if (n != 0)
		return;
	row = arena_new(r->arena, struct row);
	row->scenarios = r;
	add_row(row, root, (struct str){ 0 });
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	const struct json *first = json_first(json_get(root, "evaluators"));

	return (json_is(json_get(root, "messages"), JSON_ARRAY) &&
		   (json_has(root, "testData") ||
		       json_has(root, "evaluators"))) ||
	    (json_has(first, "name") &&
		(json_is(json_get(first, "string"), JSON_OBJECT) ||
		    json_is(json_get(first, "llm"), JSON_OBJECT) ||
		    json_has(first, "uses")));
}

const struct dialect dialect_github_models = {
	.name = "github-models",
	.advised = true,
	.families = FAMILY_CONTENT,
	.what = "GitHub Models: evaluators of prompt files (.prompt.yml)",
	.schema = TYPES_GO,
	.owns = owns,
	.types = form_lists,
	.read_root = read_root,
	.wraps_prompts = true,
};
