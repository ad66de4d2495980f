/*
 * OpenAI's graders in JSON: a grader, a list of graders, the testing_criteria of an Eval, the
 * grader of a reinforcement fine-tuning job, or a request to run a grader (OpenAI's guide
 * "Graders" and its API reference, 2026).
 */
#include "check/dialect/dialect.h"
#include "check/kind/kind.h"
#include "check/placeholders.h"
#include "emulate/metric/rouge.h"

static const struct forms forms;

/* ---- templates ---- */

/* The row of data by which a template is filled. */
struct row {
	struct arena *arena;
	const struct json *item; /* NULL: not known */
	bool lacks;              /* a template names what is not known */
	bool media;              /* a message has no text alone */
	bool part;               /* the grader gives a score to a formula */
	unsigned context;        /* JUDGE_... bits */
};

static struct str
value_for_judge(struct str name, void *arg)
{
	struct row *row = arg;
	struct str path = str_trim(name), space = str_cut(&path, '.'), value;

	if (str_is(space, "sample") && str_starts(path, "output_tools")) {
		row->context |= JUDGE_TOOL_INPUTS;
		return STR("(here stand the calls of the record)");
	}
	if (str_is(space, "sample"))
		return STR("(here stands final_text of the record)");
	value = grader_value(row->item, path, row->arena);
	row->lacks |= value.s == NULL;
	return value;
}

/* Returns the text of a message's content: a text, a part, or a list of parts. */
static struct str
content_of(struct row *row, const struct json *v)
{
	struct str text = json_text(v, row->arena);

	if (json_is(v, JSON_OBJECT)) {
		text = json_text(json_get(v, "text"), row->arena);
		row->media |= text.s == NULL;
	}
	for (json_each(part, v))
		text = str_cat(row->arena, text, content_of(row, part));
	return text;
}

/* Returns the last message of the user, filled in; absent: there is none. */
static struct str
last_of_user(struct row *row, const struct json *messages)
{
	struct str text = { 0 };

	for (json_each(v, messages))
		if (json_str_is(json_get(v, "role"), "user"))
			text = content_of(row, json_get(v, "content"));
	return text.s == NULL
	    ? text
	    : placeholders_fill(row->arena, text, value_for_judge, row);
}

struct template
{
	struct fields *fields;
	const char *key;
};

/* Reports a place that can never be filled. */
static struct str
report_place(struct str name, void *arg)
{
	const struct template *t = arg;
	struct fields *e = t->fields;
	const struct row *row = scenarios_part_of(e);
	const struct json *at = json_get(e->object, t->key);
	struct str path = str_trim(name), space = str_cut(&path, '.');

	if (!str_is(space, "item") && !str_is(space, "sample"))
		fields_spoil(e, at,
		    "%s: expected {{item.NAME}} or {{sample.NAME}}, found "
		    "{{%.*s}}",
		    t->key, STR_FMT(space));
	else if (row->item != NULL && str_is(space, "item") &&
	    grader_value(row->item, path, e->arena).s == NULL)
		fields_spoil(
		    e, at, "%s: the item has no '%.*s'", t->key, STR_FMT(path));
	return (struct str){ 0 };
}

/* Returns the text of a key, a template. */
static struct str template(struct fields *e, const char *key)
{
	struct str text = scenarios_text(e, key);
	struct template t = { e, key };

	(void)placeholders_fill(e->arena, text, report_place, &t);
	return text;
}

/* ---- graders ---- */

static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	if (r->status != STATUS_FAILED)
		return;
	r->reason = f->found == FOUND_CANNOT ? f->why
	    : f->cause.s != NULL             ? f->cause
				 : str_printf(v->arena, "%.*s, found %.*s",
				       STR_FMT(c->detail), STR_FMT(f->why));
}

static struct check
finish(struct fields *e, struct check c, struct str about)
{
	struct str name = fields_str_if(e, "name");

	c.label = name.n != 0 ? name : about;
	return c;
}

static struct check
scored(struct fields *e, struct check c, const double *least, struct str about)
{
	c.explain = explain;
	c.detail = str_printf(e->arena, "expected a score of %g or more",
	    least == NULL ? 1 : *least);
	return finish(e, c, about);
}

/* Returns the check of an embedding's likeness, which a service of mcpl-judge measures. */
static struct check
cosine(struct fields *e, const struct grader_want *want)
{
	struct row row = *(const struct row *)scenarios_part_of(e);
	struct measure_want measure = { .method = "similar",
		.metric = "cosine",
		.why = STR("cosine needs a model of embeddings: see "
			   "mcpl-judge(1), --embedding-model") };
	struct str input = want->input;

	row.arena = e->arena;
	measure.texts = check_one_tool(
	    placeholders_fill(e->arena, want->reference, value_for_judge, &row),
	    e->arena);
	if (row.lacks || want->least == NULL || !str_starts(input, "{{") ||
	    !str_ends(input, "}}") ||
	    !str_is(str_trim(str_slice(input, 2, input.n - 2)),
		"sample.output_text"))
		return media_check_live(e->arena, measure.why, NULL);
	measure.threshold = *want->least;
	return measure_check(e->arena, &measure);
}

/* The ways in which a grader compares its texts, by the key that names the way. */
static const struct way {
	const char *key, *name;
	enum grader_how how;
	size_t order;
	enum metric metric;
} ways[] = {
	{ "operation", "eq", GRADER_EQ, 0, 0 },
	{ "operation", "ne", GRADER_NE, 0, 0 },
	{ "operation", "neq", GRADER_NE, 0, 0 },
	{ "operation", "like", GRADER_LIKE, 0, 0 },
	{ "operation", "ilike", GRADER_ILIKE, 0, 0 },
	{ "evaluation_metric", "fuzzy_match", GRADER_FUZZY, 0, 0 },
	{ "evaluation_metric", "bleu", GRADER_METRIC, 0, METRIC_BLEU },
	{ "evaluation_metric", "gleu", GRADER_METRIC, 0, METRIC_GLEU },
	{ "evaluation_metric", "meteor", GRADER_METRIC, 0, METRIC_METEOR },
	{ "evaluation_metric", "rouge_1", GRADER_ROUGE, 1, 0 },
	{ "evaluation_metric", "rouge_2", GRADER_ROUGE, 2, 0 },
	{ "evaluation_metric", "rouge_3", GRADER_ROUGE, 3, 0 },
	{ "evaluation_metric", "rouge_4", GRADER_ROUGE, 4, 0 },
	{ "evaluation_metric", "rouge_5", GRADER_ROUGE, 5, 0 },
	{ "evaluation_metric", "rouge_l", GRADER_ROUGE, ROUGE_L, 0 },
	{ "evaluation_metric", "cosine", GRADER_FUZZY, 0, 0 },
};

static const struct way *
way_of(struct fields *e, const char *key)
{
	struct str name = scenarios_text(e, key);
	struct suggest near = suggest_for(name);

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		if (strcmp(ways[i].key, key) != 0)
			continue;
		suggest_try(&near, str_of(ways[i].name));
		if (str_is(name, ways[i].name))
			return &ways[i];
	}
	if (name.s != NULL)
		fields_spoil(e, json_get(e->object, key),
		    "%s: unknown '%.*s'%s", key, STR_FMT(name),
		    suggest_text(&near, e->arena));
	return ways;
}

static struct check
text(struct fields *e)
{
	const struct row *row = scenarios_part_of(e);
	const char *key = scenarios_form(e)->key;
	const struct way *way = way_of(e, key);
	struct grader_want want = { .how = way->how,
		.order = way->order,
		.metric = way->metric,
		.input = template(e, "input"),
		.reference = template(e, "reference"),
		.item = row->item,
		.least = fields_number_given(e, "pass_threshold") };
	struct check c = strcmp(way->name, "cosine") == 0
	    ? cosine(e, &want)
	    : grader_check(e->arena, &want);

	return scored(e, c, want.least,
	    str_printf(e->arena, "%.*s %s %.*s", STR_FMT(want.input), way->name,
		STR_FMT(want.reference)));
}

/* ---- graders that are models ---- */

/* Returns the messages for the model, with their roles, one behind the other. */
static struct str
question(struct fields *e, struct row *row)
{
	const struct json *input = scenarios_value(e, "input");
	struct str all = { 0 }, role, text;

	scenarios_note(e->doc, e->object, scenarios_param(e, "input"));
	if (!json_is(input, JSON_ARRAY) && input != NULL)
		fields_spoil(e, input, "input: expected a list of messages");
	for (json_each(v, input)) {
		role = json_text(json_get(v, "role"), e->arena);
		text = content_of(row, json_get(v, "content"));
		all = str_printf(e->arena, "%.*s%s%.*s:\n%.*s", STR_FMT(all),
		    all.s == NULL ? "" : "\n\n", STR_FMT(role),
		    STR_FMT(placeholders_fill(
			e->arena, text, value_for_judge, row)));
	}
	return all;
}

static struct check
judged(struct fields *e, const struct row *row, struct judge_want *want)
{
	const char *why = row->media
	    ? "the judge is shown texts, and this grader has images or sounds"
	    : row->lacks
	    ? "the file has no item with what the grader's messages name"
	    : want->scored && !row->part &&
		fields_get(e, "pass_threshold") == NULL
	    ? "the grader has no pass_threshold"
	    : NULL;

	want->text = JUDGE_FINAL;
	want->context = row->context;
	want->ours = true;
	return finish(e,
	    why != NULL ? media_check_live(e->arena, why, NULL)
			: judge_check(e->arena, want),
	    want->rubric);
}

static struct check
score_model(struct fields *e)
{
	struct row row = *(const struct row *)scenarios_part_of(e);
	const struct json *range = scenarios_list(e, "range");
	double low = 0, high = 1;
	const double *least = fields_number_given(e, "pass_threshold");
	struct judge_want want = { .scored = true };

	row.arena = e->arena;
	want.rubric = question(e, &row);
	if (range != NULL) {
		low = json_double(json_at(range, 0));
		high = json_double(json_at(range, 1));
	}
	if (!(high > low)) {
		fields_spoil(e, range,
		    "range: expected the least and the greatest score");
		low = 0, high = 1;
	}
	want.min_score = least == NULL ? 0 : (*least - low) / (high - low);
	if (!(want.min_score >= 0 && want.min_score <= 1))
		fields_spoil(e, json_get(e->object, "pass_threshold"),
		    "pass_threshold: expected a number of the range");
	if (range != NULL)
		want.rubric = str_printf(e->arena,
		    "%.*s\n\nThe scores of these instructions are from %g to "
		    "%g. Say where on that scale the answer is: 0 for %g, 1 "
		    "for %g.",
		    STR_FMT(want.rubric), low, high, low, high);
	return judged(e, &row, &want);
}

static struct check
label_model(struct fields *e)
{
	struct row row = *(const struct row *)scenarios_part_of(e);
	struct str_list labels = scenarios_texts(e, "labels");
	struct str_list passing = scenarios_texts(e, "passing_labels");
	struct judge_want want = { 0 };

	row.arena = e->arena;
	if (passing.n == 0)
		fields_spoil(e, NULL, "passing_labels: expected one or more");
	for (size_t i = 0; i < passing.n; i++) {
		size_t k = 0;

		while (k < labels.n && !str_eq(passing.list[i], labels.list[k]))
			k++;
		if (k == labels.n)
			fields_spoil(e, json_get(e->object, "passing_labels"),
			    "passing_labels: '%.*s' is not among the labels",
			    STR_FMT(passing.list[i]));
	}
	want.rubric = question(e, &row);
	want.rubric = str_printf(e->arena,
	    "%.*s\n\nThe labels are: %.*s. The answer passes if the label to "
	    "which these instructions lead is one of: %.*s.",
	    STR_FMT(want.rubric), STR_FMT(str_list_text(e->arena, labels)),
	    STR_FMT(str_list_text(e->arena, passing)));
	return judged(e, &row, &want);
}

static struct check
python(struct fields *e)
{
	const struct row *row = scenarios_part_of(e);
	struct grader_want want = { .how = GRADER_PYTHON,
		.source = scenarios_text(e, "source"),
		.item = row->item,
		.least = fields_number_given(e, "pass_threshold") };

	return scored(
	    e, grader_check(e->arena, &want), want.least, STR("python"));
}

/* ---- several graders ---- */

struct parts {
	struct formula_part *list;
	size_t n;
};

static bool
has_part(struct str name, double *value, void *arg)
{
	const struct parts *parts = arg;

	*value = 1;
	for (size_t i = 0; i < parts->n; i++)
		if (str_eq(parts->list[i].name, name))
			return true;
	return false;
}

static void
add_part(struct fields *e, struct parts *parts, struct str name,
    const struct json *v)
{
	struct row row = *(const struct row *)scenarios_part_of(e);
	struct forms with = forms;
	struct formula_part *part;
	struct check *c = arena_new(e->arena, struct check);

	row.part = true;
	with.part_of = &row;
	*c = scenarios_make(e, v, &with);
	if (check_is_broken(c))
		fields_spoil(e, v, "a grader has mistakes");
	part = arena_push(e->arena, parts->list, parts->n);
	part->name = name;
	part->check = c;
}

/* Adds a grader without a key of its own under its name, and under its type with
 * "_score" behind it, as the API reference has it. */
static void
add_listed(struct fields *e, struct parts *parts, const struct json *v)
{
	struct str type = json_text(json_get(v, "type"), e->arena);
	struct formula_part *again;

	add_part(e, parts, json_text(json_get(v, "name"), e->arena), v);
	again = arena_push(e->arena, parts->list, parts->n);
	again->check = parts->list[parts->n - 2].check;
	again->name = str_cat(e->arena, type, STR("_score"));
}

static struct check
multi(struct fields *e)
{
	const struct json *graders = scenarios_value(e, "graders");
	struct formula_want want = { .formula =
					 scenarios_text(e, "calculate_output"),
		.least = fields_number_given(e, "pass_threshold") };
	struct parts parts = { 0 };
	struct str why = { 0 };
	double value;

	if (json_has(graders, "type") &&
	    json_is(json_get(graders, "type"), JSON_STRING))
		add_listed(e, &parts, graders);
	else if (json_is(graders, JSON_OBJECT)) {
		for (json_members(key, graders))
			add_part(e, &parts, json_text(key, e->arena),
			    json_value(key));
	} else
		for (json_each(v, graders))
			add_listed(e, &parts, v);
	if (graders != NULL && parts.n == 0)
		fields_spoil(e, graders, "graders: expected one or more");
	if (want.formula.s != NULL && parts.n != 0)
		why = formula_value(
		    e->arena, want.formula, has_part, &parts, &value);
	if (why.s != NULL)
		fields_spoil(e, json_get(e->object, "calculate_output"),
		    "calculate_output: %.*s", STR_FMT(why));
	want.parts = parts.list;
	want.n = parts.n;
	return scored(
	    e, formula_check(e->arena, &want), want.least, want.formula);
}

#define THRESHOLD KEY("pass_threshold", NUMBER)
#define TEXTS NEED("input", TEXT), NEED("reference", TEXT)

static const struct form types[] = {
	FORM("string_check", text, .key = "operation", .role = ROLE_HAS,
	    PARAMS(NEED("operation", TEXT), TEXTS, THRESHOLD)),
	FORM("text_similarity", text, .key = "evaluation_metric",
	    .role = ROLE_HAS,
	    PARAMS(NEED("evaluation_metric", TEXT), TEXTS, THRESHOLD)),
	FORM("score_model", score_model, .role = ROLE_JUDGE,
	    PARAMS(NEED("input", LIST), KEY("range", LIST), THRESHOLD)),
	FORM("label_model", label_model, .role = ROLE_JUDGE,
	    PARAMS(NEED("input", LIST), NEED("labels", LIST),
		NEED("passing_labels", LIST))),
	FORM("python", python,
	    PARAMS(NEED("source", TEXT), THRESHOLD, IGNORED("image_tag"))),
	FORM("multi", multi,
	    PARAMS(NEED("graders", OBJECT), NEED("calculate_output", TEXT),
		THRESHOLD)),
};

static const struct forms forms = {
	.key = "type",
	.what = "grader",
	FORMS(types),
	.ignored = "id model sampling_params",
};

static const struct form_list form_lists[] = { FORM_LIST(types), { 0 } };

/* ---- the file ---- */

/* Returns the grader or the list of graders of a file; NULL: it has none. */
static const struct json *
graders_of(const struct json *root)
{
	static const char *const paths[] = { "testing_criteria", "grader",
		"method.reinforcement.grader", "reinforcement.grader" };
	const struct json *v = NULL;

	for (size_t i = 0; v == NULL && i < sizeof paths / sizeof paths[0]; i++)
		v = json_path(root, paths[i]);
	return v != NULL ? v : root;
}

static bool
is_grader(const struct json *v)
{
	struct arena a = { 0 };
	bool ours =
	    form_find(form_lists, json_text(json_get(v, "type"), &a)) != NULL &&
	    scenarios_any(v, "input source graders") != NULL;

	arena_free(&a);
	return ours;
}

/* Adds the graders for a row; `n` counts the rows, if there are several. */
static void
add_row(struct scenarios *r, const struct json *root, const struct json *item,
    const size_t *n)
{
	const struct json *list = graders_of(root);
	struct row *row = arena_new(r->arena, struct row);
	struct forms with = forms;
	struct str id = { 0 }, prompt;

	*row = (struct row){ .arena = r->arena, .item = item };
	prompt = last_of_user(
	    row, json_path(root, "data_source.input_messages.template"));
	if (prompt.s == NULL)
		prompt = last_of_user(row, json_get(item, "messages"));
	if (row->lacks)
		prompt = (struct str){ 0 };
	*row = (struct row){ .arena = r->arena, .item = item };
	if (n != NULL)
		id = str_printf(r->arena, "items[%zu]", *n);
	scenarios_begin(r, n != NULL ? item : root, id, prompt);
	with.part_of = row;
	if (json_is(list, JSON_ARRAY))
		scenarios_read_assertions(r, list, &with);
	else
		scenarios_read_assertion(r, list, &with);
}

static void
read_root(struct scenarios *r, const struct json *root)
{
	const struct json *rows = json_path(root, "data_source.source.content");
	size_t n = 0;

	if (json_is(graders_of(root), JSON_ARRAY) &&
	    json_count(graders_of(root)) == 0) {
		document_report(r->doc, MISTAKE_REFUSES, root, "no graders");
		return;
	}
	if (rows == NULL)
		rows = json_get(root, "items");
	for (json_each(v, rows)) {
		add_row(
		    r, root, json_has(v, "item") ? json_get(v, "item") : v, &n);
		n++;
	}
	if (n == 0)
		add_row(r, root, json_get(root, "item"), NULL);
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	const struct json *v = graders_of(root);

	return json_is(json_get(root, "testing_criteria"), JSON_ARRAY) ||
	    is_grader(json_is(v, JSON_ARRAY) ? json_first(v) : v);
}

const struct dialect dialect_openai_graders = {
	.name = "openai-graders",
	.advised = true,
	.families = FAMILY_CONTENT,
	.what = "OpenAI's graders, alone or of an Eval or a fine-tuning job",
	.owns = owns,
	.types = form_lists,
	.read_root = read_root,
	.wraps_prompts = true,
};
