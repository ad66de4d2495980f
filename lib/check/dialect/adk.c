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

/* Returns the texts of a content's parts, one a line. */
static struct str
text_of(const struct json *content, struct arena *a)
{
	struct str all = STR("");

	for (json_each(part, json_get(content, "parts"))) {
		struct str text = json_text(json_get(part, "text"), a);

		if (text.n != 0)
			all = all.n == 0 ? text
					 : str_printf(a, "%.*s\n%.*s",
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
add_call(struct reading *rd, struct turn *t, const struct json *name,
    const struct json *args)
{
	struct arena *a = rd->scenarios->arena;

	if (!json_is(name, JSON_STRING))
		mistake(rd, name != NULL ? name : t->at, "the name of a tool");
	*arena_push(a, t->calls, t->n) = (struct call_match){
		.tool = json_text(name, a),
		.how = EXPECTED_EQUAL,
		.args = json_is(args, JSON_OBJECT) ? args : rd->nothing,
	};
}

/* Adds the calls of intermediate data, which are a list or parts of events. */
static void
read_calls(struct reading *rd, struct turn *t, const struct json *data)
{
	for (json_each(call, adk_member(data, "tool_uses toolUses")))
		add_call(rd, t, json_get(call, "name"), json_get(call, "args"));
	for (json_each(
		 event, adk_member(data, "invocation_events invocationEvents")))
		for (json_each(
			 part, json_get(json_get(event, "content"), "parts"))) {
			const struct json *call =
			    adk_member(part, "function_call functionCall");

			if (call != NULL)
				add_call(rd, t, json_get(call, "name"),
				    json_get(call, "args"));
		}
}

static struct turn
read_turn(struct reading *rd, const struct json *v)
{
	struct arena *a = rd->scenarios->arena;
	const struct json *query = json_get(v, "query");
	struct turn t = { .rubrics = json_get(v, "rubrics"), .at = v };

	if (query != NULL) {
		t.prompt = json_text(query, a);
		t.response = json_text(json_get(v, "reference"), a);
		for (json_each(call, json_get(v, "expected_tool_use")))
			add_call(rd, &t, json_get(call, "tool_name"),
			    json_get(call, "tool_input"));
		return t;
	}
	if (adk_member(v, "user_content userContent") == NULL)
		mistake(rd, v, "an invocation with user_content");
	t.prompt = text_of(adk_member(v, "user_content userContent"), a);
	t.response = text_of(adk_member(v, "final_response finalResponse"), a);
	read_calls(rd, &t, adk_member(v, "intermediate_data intermediateData"));
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
add_case(struct reading *rd, struct eval_case of, const struct json *turns)
{
	struct scenarios *r = rd->scenarios;
	const struct json *simulated =
	    adk_member(of.at, "conversation_scenario conversationScenario");
	struct str prompt = json_text(
	    adk_member(simulated, "starting_prompt startingPrompt"), r->arena);

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
	for (size_t i = 0; i < rd->criteria.n; i++)
		add_criterion(rd, &rd->criteria.list[i], &of);
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
		add_case(&rd,
		    (struct eval_case){
			.id = str_file_name(str_of(r->doc->file)), .at = root },
		    root);
		return;
	}
	for (json_each(v, cases != NULL ? cases : root))
		add_case(&rd,
		    (struct eval_case){
			.id = json_text(
			    adk_member(v, "eval_id evalId name"), r->arena),
			.rubrics = json_get(v, "rubrics"),
			.at = v },
		    adk_member(v, "conversation data"));
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
