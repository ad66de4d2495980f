/*
 * Google's Agent Development Kit (ADK): eval sets, in today's form
 * (eval_set.py, eval_case.py) and in the older one (local_eval_sets_manager.py), and the
 * criteria of test_config.json (eval_config.py); github.com/google/adk-python,
 * src/google/adk/evaluation, September 2026. Members are spelled in snake_case or
 * camelCase.
 */
#include "check/dialect/adk.h"

#include <unistd.h>

#include "check/dialect/dialect.h"

/* Returns a text within a case; absent: there is none. */
static struct str
text_within(struct fields *e, const struct json *v, const char *names)
{
	return json_text(fields_within(e, v, names, IS(TEXT)), e->arena);
}

/* Returns the texts of a content's parts, one a line. */
static struct str
text_of(struct fields *e, const struct json *v, const char *names)
{
	const struct json *content = fields_within(e, v, names, IS(OBJECT));
	struct str all = STR("");

	for (json_each(part, fields_objects(e, content, "parts"))) {
		struct str text = text_within(e, part, "text");

		if (text.n != 0)
			all = all.n == 0 ? text
					 : str_printf(e->arena, "%.*s\n%.*s",
					       STR_FMT(all), STR_FMT(text));
	}
	return all;
}

/* ---- cases ---- */

/* An invocation: what the user says, and what is expected. */
struct turn {
	struct str prompt, response;
	struct call_match *calls;
	size_t n;
	const struct json *rubrics, *at;
};

struct eval_case {
	struct str id;
	struct turn *turns;
	size_t n;
	const struct json *rubrics, *at;
};

struct reading {
	struct scenarios *scenarios;
	struct fields fields; /* of the case that is read */
	const struct json
	    *nothing; /* {}: the arguments of a call without any */
	struct adk_criteria criteria;
};

static void
mistake(struct reading *rd, const struct json *at, const char *what)
{
	document_report(rd->scenarios->doc, MISTAKE_REFUSES, at,
	    "eval case: expected %s, found %s", what, json_type_name(at));
}

static void
add_call(struct reading *rd, struct turn *t, const struct json *call,
    const char *name_key, const char *args_key)
{
	struct fields *e = &rd->fields;
	const struct json *name = json_get(call, str_of(name_key));
	const struct json *args = fields_within(e, call, args_key, IS(OBJECT));

	fields_note_needed(e->doc, call, name_key, IS(TEXT));
	if (!json_is(name, JSON_STRING))
		mistake(rd, name != NULL ? name : t->at, "the name of a tool");
	*arena_push(e->arena, t->calls, t->n) = (struct call_match){
		.tool = json_text(name, e->arena),
		.how = EXPECTED_EQUAL,
		.args = args != NULL ? args : rd->nothing,
	};
}

/* Adds the calls of intermediate data, which are a list or parts of events. */
static void
read_calls(struct reading *rd, struct turn *t, const struct json *data)
{
	struct fields *e = &rd->fields;

	for (json_each(call, fields_objects(e, data, "tool_uses toolUses")))
		add_call(rd, t, call, "name", "args");
	for (json_each(event,
		 fields_objects(
		     e, data, "invocation_events invocationEvents"))) {
		const struct json *content =
		    fields_within(e, event, "content", IS(OBJECT));

		for (json_each(part, fields_objects(e, content, "parts"))) {
			const struct json *call = fields_within(
			    e, part, "function_call functionCall", IS(OBJECT));

			if (call != NULL)
				add_call(rd, t, call, "name", "args");
		}
	}
}

static struct turn
read_turn(struct reading *rd, const struct json *v)
{
	struct fields *e = &rd->fields;
	struct turn t = { .at = v };

	fields_note(e->doc, v, NULL, IS(OBJECT));
	t.rubrics = adk_rubrics(e, v);
	t.prompt = text_within(e, v, "query");
	t.response = text_within(e, v, "reference");
	for (json_each(call, fields_objects(e, v, "expected_tool_use")))
		add_call(rd, &t, call, "tool_name", "tool_input");
	if (json_has(v, "query"))
		return t;
	if (adk_member(v, "user_content userContent") == NULL)
		mistake(rd, v, "an invocation with user_content");
	t.n = 0; /* members of the older form have no effect */
	t.prompt = text_of(e, v, "user_content userContent");
	t.response = text_of(e, v, "final_response finalResponse");
	read_calls(rd, &t,
	    fields_within(
		e, v, "intermediate_data intermediateData", IS(OBJECT)));
	return t;
}

/* Returns the criteria of an eval set: those that were given before, those in
 * test_config.json beside the set, or ADK's own. */
static struct adk_criteria
find_criteria(struct scenarios *r)
{
	struct str path = str_cat(r->arena, str_folder(str_of(r->doc->file)),
	    STR("test_config.json"));
	const struct document *config = *r->config;

	if (config == NULL)
		*r->config = r->doc;
	else if (!adk_is_config(config->roots[0]))
		config = NULL;
	if (config == NULL && access(str_c(r->arena, path), F_OK) == 0) {
		config = document_read_regular(
		    r->arena, str_c(r->arena, path), r->doc->policy);
		if (config != NULL && config->n == 0)
			policy_report(r->doc->policy, MISTAKE_REFUSES,
			    (struct place){ .file = config->file },
			    "no criteria");
		if (config == NULL || config->n == 0)
			return (struct adk_criteria){ 0 };
	}
	return config != NULL ? adk_read_config(r->arena, config)
			      : adk_default_criteria(r->arena);
}

/* ---- checks ---- */

/* Limits the check to the n-th invocation of a case that has several. */
static void
limit_to(struct check *c, const struct eval_case *of, size_t n, struct arena *a)
{
	if (of->n > 1)
		c->scope = (struct scope){ .part = SCOPE_TURN,
			.turn = n,
			.prompt = str_squeeze(a, of->turns[n].prompt) };
}

static struct check
trajectory(struct arena *a, const struct adk_criterion *k, const struct turn *t)
{
	struct expected_calls_want want = {
		.mode = k->mode, .list = t->calls, .n = t->n, .whole = true
	};
	struct str *names = arena_new_n(a, struct str, t->n + 1);
	struct check c;

	for (size_t i = 0; i < t->n; i++) {
		names[i] = t->calls[i].tool;
		if (k->ignore_args)
			t->calls[i].how = EXPECTED_ANY;
	}
	c = expected_calls_check(a, &want);
	c.detail = str_printf(a, "expected calls of %.*s%s",
	    STR_FMT(t->n == 0 ? STR("no tool")
			      : str_join(a, names, t->n, STR(", "))),
	    k->mode == EXPECTED_EXACTLY        ? " and no others"
		: k->mode == EXPECTED_IN_ORDER ? " in this order"
					       : "");
	return c;
}

static struct check
response(struct arena *a, const struct adk_criterion *k, const struct turn *t)
{
	struct str *reference = arena_new(a, struct str);
	struct metric_want want = { .how = METRIC_ROUGE_STEMS,
		.references = { reference, 1 },
		.limit = k->threshold };
	struct check c;

	*reference = t->response.s == NULL ? STR("") : t->response;
	c = metric_check(a, &want);
	c.detail = str_printf(a, "ROUGE-1: expected at least %g", k->threshold);
	return c;
}

/* Adds the rubrics of a list as criteria. */
static void
add_rubrics(struct arena *a, struct judge_criterion **all, size_t *n,
    const struct json *list)
{
	for (json_each(v, list)) {
		const struct json *content =
		    adk_member(v, "rubric_content rubricContent");

		*arena_push(a, *all, *n) = (struct judge_criterion){
			.name =
			    json_text(adk_member(v, "rubric_id rubricId"), a),
			.description = json_text(
			    adk_member(content, "text_property textProperty"),
			    a),
			.weight = 1,
		};
	}
}

static struct check
judged(struct arena *a, const struct adk_criterion *k,
    const struct eval_case *of, const struct turn *t)
{
	struct judge_want want = { .rubric = str_of(k->metric->form.key),
		.text = of->n > 1 ? JUDGE_TURN : JUDGE_FINAL,
		.context = k->metric->context,
		.prompt = t->prompt,
		.expected = t->response,
		.min_score = k->threshold,
		.scored = k->metric->scored,
		.ours = true };
	struct judge_criteria *all;
	struct judge_criterion *list = NULL;
	size_t n = 0;

	if (k->metric->scored && k->threshold > 1)
		want.min_score = (k->threshold - 1) / 4; /* of 1 to 5 */
	if (k->metric->form.how == JUDGED)
		return judge_check(a, &want);
	add_rubrics(a, &list, &n, k->rubrics);
	add_rubrics(a, &list, &n, of->rubrics);
	add_rubrics(a, &list, &n, t->rubrics);
	if (n == 0)
		return check_broken(a, k->name, STR("no rubrics"));
	all = arena_new(a, struct judge_criteria);
	*all = (struct judge_criteria){
		.list = list, .n = n, .aggregate = STR("mean")
	};
	want.criteria = all;
	want.rubric = STR("The answer and the calls meet the rubrics.");
	want.scored = true;
	return judge_check(a, &want);
}

/* Adds a check of a criterion to the current scenario; with `part`, a note that the
 * mean of the turns counts. */
static void
add(struct reading *rd, const struct adk_criterion *k, struct check c,
    const struct json *at, size_t part)
{
	struct arena *a = rd->scenarios->arena;

	c.type = k->name;
	c.label = part == 0
	    ? k->name
	    : str_printf(a, "%.*s: turn %zu", STR_FMT(k->name), part);
	scenarios_add_check(rd->scenarios, c, at);
}

/* Adds the checks of the turns, and that of the mean of their scores. */
static void
add_mean(struct reading *rd, const struct adk_criterion *k,
    const struct eval_case *of)
{
	struct arena *a = rd->scenarios->arena;
	struct score_part *parts = arena_new_n(a, struct score_part, of->n);
	struct score_want want = {
		.parts = parts, .n = of->n, .least = k->threshold
	};
	struct check c;

	for (size_t i = 0; i < of->n; i++) {
		struct check *one = arena_new(a, struct check);

		*one = k->metric->form.how == TRAJECTORY
		    ? trajectory(a, k, &of->turns[i])
		    : response(a, k, &of->turns[i]);
		limit_to(one, of, i, a);
		parts[i] = (struct score_part){ .check = one, .weight = 1 };
		c = *one;
		c.severity = "note";
		add(rd, k, c, of->turns[i].at, i + 1);
	}
	c = score_check(a, &want);
	c.detail = str_printf(
	    a, "mean of the turns: expected at least %g", k->threshold);
	add(rd, k, c, of->at, 0);
}

/* Adds the checks of a criterion. */
static void
add_criterion(struct reading *rd, const struct adk_criterion *k,
    const struct eval_case *of)
{
	static const struct turn simulated = { 0 };
	struct arena *a = rd->scenarios->arena;
	bool compares = k->metric != NULL && k->metric->form.how <= RESPONSE;
	struct check c;

	if (k->metric == NULL)
		add(rd, k, check_broken(a, k->name, k->wrong), of->at, 0);
	else if (k->metric->form.how == UNDECIDED)
		add(rd, k, media_check_live(a, k->metric->form.key, NULL),
		    of->at, 0);
	else if (of->n == 0 &&
	    (compares || (k->metric->context & JUDGE_EXPECTED) != 0))
		add(rd, k,
		    media_check_live(a,
			"the user is simulated, and nothing is expected", NULL),
		    of->at, 0);
	else if (compares &&
	    (of->n > 1 || k->threshold <= 0 || k->threshold > 1))
		add_mean(rd, k, of);
	else if (compares)
		add(rd, k,
		    k->metric->form.how == TRAJECTORY
			? trajectory(a, k, of->turns)
			: response(a, k, of->turns),
		    of->at, 0);
	else if (of->n == 0)
		add(rd, k, judged(a, k, of, &simulated), of->at, 0);
	for (size_t i = 0; !compares && k->metric != NULL &&
	     k->metric->form.how != UNDECIDED && i < of->n;
	     i++) {
		c = judged(a, k, of, &of->turns[i]);
		limit_to(&c, of, i, a);
		add(rd, k, c, of->turns[i].at, of->n > 1 ? i + 1 : 0);
	}
}

/* Adds a case of these invocations. */
static void
add_turns(struct reading *rd, struct eval_case of, const struct json *turns)
{
	struct scenarios *r = rd->scenarios;
	struct fields *e = &rd->fields;
	const struct json *simulated = fields_within(
	    e, of.at, "conversation_scenario conversationScenario", IS(OBJECT));
	struct str prompt =
	    text_within(e, simulated, "starting_prompt startingPrompt");

	of.turns = arena_new_n(r->arena, struct turn, json_count(turns));
	for (json_each(v, turns))
		of.turns[of.n++] = read_turn(rd, v);
	if (of.n == 0 && simulated == NULL) {
		mistake(rd, of.at, "a conversation");
		return;
	}
	if (of.n != 0)
		prompt = of.turns[0].prompt;
	scenarios_begin(r, of.at, of.id, prompt.n == 0 ? str_of(NULL) : prompt);
	scenarios_end_object(r, e);
	for (size_t i = 0; i < rd->criteria.n; i++)
		add_criterion(rd, &rd->criteria.list[i], &of);
}

/* Adds a case; NULL: the file is one, a list of its invocations. */
static void
add_case(struct reading *rd, const struct json *v)
{
	const struct document *doc = rd->scenarios->doc;
	struct eval_case of = { .at = v != NULL ? v : doc->roots[0] };
	struct fields *e = &rd->fields;

	*e = (struct fields){ .arena = rd->scenarios->arena,
		.doc = doc,
		.object = of.at,
		.where = STR("eval case"),
		.any_key = true };
	if (v == NULL) {
		of.id = str_file_name(str_of(doc->file));
		add_turns(rd, of, of.at);
		return;
	}
	fields_note(doc, v, NULL, IS(OBJECT));
	of.id = text_within(e, v, "eval_id evalId name");
	of.rubrics = adk_rubrics(e, v);
	add_turns(rd, of, fields_within(e, v, "conversation data", IS(LIST)));
}

/* ---- files ---- */

/* Returns whether the value is an invocation of the older form. */
static bool
is_older_turn(const struct json *v)
{
	return json_is(json_get(v, "query"), JSON_STRING) &&
	    (json_has(v, "expected_tool_use") || json_has(v, "reference"));
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	const struct json *first =
	    json_first(json_is(root, JSON_ARRAY) ? root : NULL);

	return json_is(adk_member(root, "eval_cases evalCases"), JSON_ARRAY) ||
	    adk_is_config(root) || is_older_turn(first) ||
	    (json_is(json_get(first, "data"), JSON_ARRAY) &&
		is_older_turn(json_first(json_get(first, "data"))));
}

/* Keeps the criteria for the eval sets of other files. */
static void
keep_config(struct scenarios *r)
{
	const struct document *before = *r->config;

	if (before != NULL)
		document_report(r->doc, MISTAKE_REFUSES, r->doc->roots[0],
		    adk_is_config(before->roots[0])
			? "criteria were given by %s, too"
			: "criteria are expected before the eval set %s",
		    before->file);
	*r->config = r->doc;
	(void)adk_read_config(r->arena, r->doc);
}

static void
read_file(struct scenarios *r)
{
	const struct json *root = r->doc->roots[0];
	const struct json *cases = adk_member(root, "eval_cases evalCases");
	struct reading rd = {
		.scenarios = r,
		.nothing =
		    document_read_text(r->arena, "", STR("{}"), NULL)->roots[0]
	};

	if (cases == NULL && json_is(root, JSON_OBJECT)) {
		keep_config(r);
		return;
	}
	rd.criteria = find_criteria(r);
	if (is_older_turn(
		json_first(json_is(root, JSON_ARRAY) ? root : NULL))) {
		add_case(&rd, NULL);
		return;
	}
	rd.fields = (struct fields){ .arena = r->arena,
		.doc = r->doc,
		.object = root,
		.where = STR("eval set"),
		.any_key = true };
	(void)fields_within(&rd.fields, root, "eval_cases evalCases", IS(LIST));
	(void)fields_close(&rd.fields, NULL);
	for (json_each(v, cases != NULL ? cases : root))
		add_case(&rd, v);
	if (json_count(cases != NULL ? cases : root) == 0)
		document_report(r->doc, MISTAKE_REFUSES, root, "no eval cases");
}

const struct dialect dialect_adk = {
	.name = "adk",
	.what = "Google ADK: eval sets, and the criteria of test_config.json",
	.schema = TYPES_PYTHON,
	.owns = owns,
	.read = read_file,
};
