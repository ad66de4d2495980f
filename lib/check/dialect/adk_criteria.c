/* The criteria of ADK's evaluations: the metrics (eval_metrics.py, metric_defaults.py), and
 * the file test_config.json. */
#include "check/dialect/adk.h"

const struct json *
adk_member(const struct json *v, const char *names)
{
	const struct json *found = scenarios_any(v, names);

	return json_is(found, JSON_NULL) ? NULL : found;
}

#define VERTEX "a measure of Vertex AI over a whole conversation"

#define METRIC(what, ...) NULL, .how = (what), PARAMS(__VA_ARGS__)
#define THRESHOLD NEED("threshold", NUMBER)

static const struct adk_metric metrics[] = {
	{ .form = FORM("tool_trajectory_avg_score",
	      METRIC(TRAJECTORY, THRESHOLD, KEY("match_type", ANY),
		  KEY("ignore_args", BOOL),
		  ALSO_AS("matchType", ANY, "match_type"),
		  ALSO_AS("ignoreArgs", BOOL, "ignore_args"))) },
	{ .form = FORM("response_match_score", METRIC(RESPONSE, THRESHOLD)) },
	{ .form = FORM("final_response_match_v2", METRIC(JUDGED, THRESHOLD),
	      .key = "The answer gives the user the same as the expected "
		     "answer, in whatever words and format."),
	    .context = JUDGE_PROMPT | JUDGE_EXPECTED },
	{ .form = FORM("response_evaluation_score", METRIC(JUDGED, THRESHOLD),
	      .key =
		  "The answer is coherent: it reads as one consistent text."),
	    .context = JUDGE_PROMPT,
	    .scored = true },
	{ .form = FORM("safety_v1", METRIC(JUDGED, THRESHOLD),
	      .key = "The answer is harmless: no hatred, harassment, dangerous "
		     "advice or sexual content."),
	    .context = JUDGE_PROMPT },
	{ .form = FORM("hallucinations_v1", METRIC(JUDGED, THRESHOLD),
	      .key = "Each statement of the answer is supported by the prompt "
		     "or by results of the calls; the score is the share of "
		     "the statements that are."),
	    .context = JUDGE_PROMPT | JUDGE_RESULTS,
	    .scored = true },
	{ .form = FORM("rubric_based_final_response_quality_v1",
	      METRIC(RUBRICS, THRESHOLD, KEY("rubrics", LIST))),
	    .context = JUDGE_PROMPT | JUDGE_RESULTS },
	{ .form = FORM("rubric_based_tool_use_quality_v1",
	      METRIC(RUBRICS, THRESHOLD, KEY("rubrics", LIST))),
	    .context = JUDGE_PROMPT | JUDGE_RESULTS },
	{ .form = FORM("rubric_based_multi_turn_trajectory_quality_v1",
	      METRIC(UNDECIDED, THRESHOLD, KEY("rubrics", LIST)),
	      .key = "rubrics over a whole conversation are not asked") },
	{ .form = FORM("multi_turn_task_success_v1",
	      METRIC(UNDECIDED, THRESHOLD), .key = VERTEX) },
	{ .form = FORM("multi_turn_trajectory_quality_v1",
	      METRIC(UNDECIDED, THRESHOLD), .key = VERTEX) },
	{ .form = FORM("multi_turn_tool_use_quality_v1",
	      METRIC(UNDECIDED, THRESHOLD), .key = VERTEX) },
	{ .form = FORM("per_turn_user_simulator_quality_v1",
	      METRIC(UNDECIDED, THRESHOLD),
	      .key =
		  "a measure of ADK's simulated user, which a log has not") },
};

static const struct adk_metric custom = {
	.form = FORM("custom", METRIC(UNDECIDED, THRESHOLD),
	    .key = "a metric of the author, which is not run")
};

static const struct adk_metric *
metric_named(struct str name, struct suggest *near)
{
	*near = suggest_for(name);
	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
		if (str_is(name, metrics[i].form.name))
			return &metrics[i];
		suggest_try(near, str_of(metrics[i].form.name));
	}
	return NULL;
}

/* Returns the mode of a match type, which is a name or a number. */
static enum expected_mode
read_match_type(struct fields *e, const struct json *v)
{
	static const char *const names[][2] = { [EXPECTED_EXACTLY] = { "EXACT",
						    "0" },
		[EXPECTED_IN_ORDER] = { "IN_ORDER", "1" },
		[EXPECTED_ALL] = { "ANY_ORDER", "2" } };

	for (size_t i = 0; i <= EXPECTED_ALL; i++)
		if (str_eq_ascii_nocase(
			json_text(v, e->arena), str_of(names[i][0])) ||
		    (json_is(v, JSON_NUMBER) && str_is(v->text, names[i][1])))
			return (enum expected_mode)i;
	if (v != NULL && !json_is(v, JSON_NULL))
		fields_spoil(e, v,
		    "match_type: expected EXACT, IN_ORDER or ANY_ORDER, found "
		    "%.*s",
		    STR_FMT(v->text));
	return EXPECTED_EXACTLY;
}

/* Returns the member of one of two names; marks both as known. */
static const struct json *
key_of(struct fields *e, const char *snake, const char *camel)
{
	const struct json *v = fields_get(e, snake), *w = fields_get(e, camel);

	return v != NULL ? v : w;
}

const struct json *
adk_rubrics(struct fields *e, const struct json *v)
{
	const struct json *list = fields_objects(e, v, "rubrics");

	for (json_each(rubric, list)) {
		const struct json *content = fields_within(
		    e, rubric, "rubric_content rubricContent", IS(OBJECT));

		(void)fields_within(e, rubric, "rubric_id rubricId", IS(TEXT));
		(void)fields_within(
		    e, content, "text_property textProperty", IS(TEXT));
	}
	return list;
}

/* Reads what a metric is asked for: a threshold, or an object that has one. */
static struct adk_criterion
read_criterion(struct arena *a, const struct document *doc,
    const struct json *key, const struct json *customs)
{
	const struct json *v = json_value(key), *least = v;
	struct adk_criterion c = { .name = json_text(key, a) };
	struct assertion *assertion = arena_new(a, struct assertion);
	struct suggest near;
	struct fields e = { .arena = a,
		.context = assertion,
		.doc = doc,
		.object = v,
		.where = c.name,
		.is_assertion = true };

	c.metric = json_get(customs, c.name) != NULL
	    ? &custom
	    : metric_named(c.name, &near);
	if (c.metric == NULL)
		fields_spoil(
		    &e, key, "unknown metric%s", suggest_text(&near, a));
	assertion->form = c.metric == NULL ? &custom.form : &c.metric->form;
	if (json_is(v, JSON_OBJECT)) {
		least = fields_get(&e, "threshold");
		c.mode = read_match_type(&e, scenarios_value(&e, "match_type"));
		c.ignore_args = scenarios_bool(&e, "ignore_args");
		c.rubrics = scenarios_param(&e, "rubrics") == NULL
		    ? NULL
		    : adk_rubrics(&e, v);
		fields_note_needed(doc, v, "threshold", IS(NUMBER));
		fields_ignore(&e,
		    "judge_model_options judgeModelOptions rubrics match_type "
		    "matchType ignore_args ignoreArgs "
		    "evaluate_intermediate_nl_responses "
		    "evaluateIntermediateNlResponses "
		    "include_intermediate_responses_in_final "
		    "includeIntermediateResponsesInFinal");
		e.any_key = c.metric == &custom;
	} else {
		c.mode = EXPECTED_EXACTLY;
	}
	if (json_is(least, JSON_NUMBER))
		c.threshold = json_double(least);
	else
		fields_spoil(&e, v, "expected a threshold, a number");
	if (!fields_close(&e, &c.wrong))
		c.metric = NULL;
	return c;
}

struct adk_criteria
adk_read_config(struct arena *a, const struct document *doc)
{
	struct fields e =
	    fields_open(a, doc, doc->roots[0], STR("test_config"));
	const struct json *criteria = fields_object_if(&e, "criteria");
	const struct json *customs =
	    key_of(&e, "custom_metrics", "customMetrics");
	struct adk_criteria all = { 0 };

	for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
		fields_note(doc, criteria, metrics[i].form.name,
		    IS(NUMBER) | IS(OBJECT));
	fields_ignore(&e,
	    "user_simulator_config userSimulatorConfig live_model_config "
	    "liveModelConfig");
	for (json_members(key, criteria))
		*arena_push(a, all.list, all.n) =
		    read_criterion(a, doc, key, customs);
	if (all.n == 0)
		fields_mistake(&e, criteria, "no criteria");
	(void)fields_close(&e, NULL);
	return all;
}

/* The values are of eval_config.py, _DEFAULT_EVAL_CONFIG. */
struct adk_criteria
adk_default_criteria(struct arena *a)
{
	struct adk_criteria all = { 0 };

	for (size_t i = 0; i < 2; i++)
		*arena_push(a, all.list, all.n) =
		    (struct adk_criterion){ .metric = &metrics[i],
			    .name = str_of(metrics[i].form.name),
			    .mode = EXPECTED_EXACTLY,
			    .threshold = i == 0 ? 1.0 : 0.8 };
	return all;
}

bool
adk_is_config(const struct json *root)
{
	const struct json *criteria = json_get(root, "criteria");
	const struct json *first =
	    json_first(json_is(criteria, JSON_OBJECT) ? criteria : NULL);
	struct suggest near;
	struct arena a = { 0 };
	bool ours = adk_member(root, "custom_metrics customMetrics") != NULL ||
	    (first != NULL &&
		metric_named(json_text(first, &a), &near) != NULL);

	arena_free(&a);
	return json_is(criteria, JSON_OBJECT) && ours;
}
