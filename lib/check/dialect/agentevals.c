/*
 * Trajectories for LangChain's agentevals: conversations with which a run is compared. The
 * package has functions, not files; the files are data sets with the functions' parameters as
 * members (README of langchain-ai/agentevals 0.0.9), and examples of LangSmith, whose
 * `outputs` are the reference.
 */
#include "check/dialect/dialect.h"
#include "check/kind/kind.h"

/* Members under the names of Python and of JavaScript. */
static const char references[] =
    "reference_outputs referenceOutputs reference_trajectory";
static const char modes[] = "trajectory_match_mode trajectoryMatchMode";
static const char args_modes[] = "tool_args_match_mode toolArgsMatchMode";
static const char overrides[] =
    "tool_args_match_overrides toolArgsMatchOverrides";
static const char lists[] =
    "examples cases tests evals dataset test_cases data";
static const char inputs[] = "inputs input";
static const char questions[] = "question query input prompt messages";

/* Returns the list of messages that the value is or has; NULL: it has none. */
static const struct json *
messages_of(const struct json *v)
{
	const struct json *list =
	    json_is(v, JSON_OBJECT) ? json_get(v, "messages") : v;
	const struct json *first =
	    json_first(json_is(list, JSON_ARRAY) ? list : NULL);

	return json_has(first, "role") ||
		(json_has(first, "type") && json_has(first, "content"))
	    ? list
	    : NULL;
}

static const struct json *
reference_of(const struct json *v)
{
	const struct json *reference = scenarios_any(v, references);

	if (reference == NULL && scenarios_any(v, inputs) != NULL)
		reference = messages_of(json_get(v, "outputs"));
	return reference;
}

/* Returns the role of a message by OpenAI's names. */
static struct str
role_of(const struct json *message, struct arena *a)
{
	struct str role = json_text(json_get(message, "role"), a);

	if (role.s == NULL)
		role = json_text(json_get(message, "type"), a);
	return str_is(role, "human") ? STR("user")
	    : str_is(role, "ai")     ? STR("assistant")
				     : role;
}

/* ---- what is expected ---- */

/* The parts of a file that hold for all its cases. */
struct suite {
	struct scenarios *scenarios;
	/* The modes, and the modes of arguments by tool; NULL: not told. */
	const struct json *mode, *args_mode, *overrides;
	bool
	    one; /* the file is a case, which is of all runs if nothing says of which */
	size_t n; /* cases */
};

static enum expected_args
args_mode(struct fields *e, const struct json *v)
{
	static const struct {
		const char *name;
		enum expected_args how;
	} rows[] = {
		{ "exact", EXPECTED_EQUAL },
		{ "ignore", EXPECTED_ANY },
		{ "subset", EXPECTED_SUBSET },
		{ "superset", EXPECTED_SUPERSET },
	};
	struct str name = json_text(v, e->arena);
	struct suggest near = suggest_for(name);

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		suggest_try(&near, str_of(rows[i].name));
		if (str_is(name, rows[i].name))
			return rows[i].how;
	}
	if (v != NULL)
		fields_spoil(e, v, "unknown mode of arguments '%.*s'%s",
		    STR_FMT(name), suggest_text(&near, e->arena));
	return EXPECTED_EQUAL;
}

/* Returns the arguments of a call, or of its function: an object, or its text; NULL after a
 * mistake. */
static const struct json *
arguments_of(
    struct fields *e, const struct json *function, const struct json *call)
{
	static const unsigned kinds = IS(TEXT) | IS(OBJECT);
	const struct json *v = fields_within(e, function, "arguments", kinds);
	const struct json *own = fields_within(e, call, "args", kinds);

	if (v == NULL)
		v = own;
	if (json_is(v, JSON_STRING))
		v = json_parse(e->arena, json_text(v, e->arena));
	if (json_is(v, JSON_OBJECT))
		return v;
	fields_spoil(e, call,
	    "tool_calls: expected arguments that are an object, or the text "
	    "of one");
	return NULL;
}

static struct call_match
read_call(struct fields *e, const struct json *v, enum expected_args how,
    const struct json *by_tool)
{
	const struct json *function =
	    fields_within(e, v, "function", IS(OBJECT));
	struct call_match c = { .how = how };

	fields_note(e->doc, v, NULL, IS(OBJECT));
	c.args = arguments_of(e, function, v);
	c.tool = json_text(
	    fields_within(e, function != NULL ? function : v, "name", IS(TEXT)),
	    e->arena);
	if (c.tool.s == NULL)
		fields_spoil(e, v, "tool_calls: expected a name");
	by_tool = json_get(by_tool, c.tool.s == NULL ? STR("") : c.tool);
	if (json_is(by_tool, JSON_ARRAY)) {
		c.how = EXPECTED_PATHS;
		c.fields = fields_strs(e, by_tool, "tool_args_match_overrides");
	} else if (by_tool != NULL)
		c.how = args_mode(e, by_tool);
	return c;
}

/* Reads the messages of the reference; those of the system do not count. */
static void
read_messages(
    struct fields *e, const struct suite *suite, struct trajectory_want *want)
{
	const struct json *v = reference_of(e->object), *messages = v;
	const struct json *mode =
	    fields_within(e, e->object, args_modes, IS(TEXT));
	const struct json *by_tool =
	    fields_within(e, e->object, overrides, IS(OBJECT));
	struct trajectory_message *list = NULL;
	enum expected_args how =
	    args_mode(e, mode != NULL ? mode : suite->args_mode);

	if (by_tool == NULL)
		by_tool = suite->overrides;
	fields_note(e->doc, e->object, references, IS(LIST) | IS(OBJECT));
	if (v == NULL)
		fields_spoil(e, NULL, "missing key 'reference_outputs'");
	else if (messages_of(v) == NULL)
		fields_spoil(
		    e, v, "reference_outputs: expected a list of messages");
	if (json_is(v, JSON_OBJECT))
		messages = fields_within(e, v, "messages", IS(LIST));
	for (json_each(message, messages)) {
		struct trajectory_message m = { .role = role_of(
						    message, e->arena) };
		const struct json *calls;

		fields_note_alike(e->doc, message, "message");
		fields_note(e->doc, message, NULL, IS(OBJECT));
		calls = fields_within(e, message, "tool_calls", IS(LIST));
		if (!json_is(message, JSON_OBJECT))
			fields_spoil(e, message,
			    "reference_outputs: expected a list of messages");
		(void)fields_within(e, message, "role type", IS(TEXT));
		if (str_is(m.role, "system") || str_is(m.role, "developer"))
			continue;
		for (json_each(call, calls))
			*arena_push(e->arena, m.calls, m.n) =
			    read_call(e, call, how, by_tool);
		*arena_push(e->arena, list, want->n) = m;
	}
	want->list = list;
}

static void
explain(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	(void)v;
	if (r->status == STATUS_FAILED)
		r->reason = f->why;
}

static struct check
match(struct fields *e)
{
	const struct form *form = scenarios_form(e);
	struct trajectory_want want = { .mode =
					    (enum trajectory_mode)form->how };
	struct check c;

	read_messages(e, scenarios_part_of(e), &want);
	c = trajectory_check(e->arena, &want);
	c.label = str_printf(e->arena, "trajectory %s", form->name);
	c.explain = explain;
	return c;
}

#define KEYS \
	PARAMS(NEED_OR("reference_outputs", LIST), \
	    KEY("tool_args_match_mode", TEXT), \
	    KEY("tool_args_match_overrides", OBJECT), \
	    ALSO_AS("referenceOutputs", LIST, "reference_outputs"), \
	    ALSO_AS("reference_trajectory", LIST, "reference_outputs"), \
	    ALSO_AS("toolArgsMatchMode", TEXT, "tool_args_match_mode"), \
	    ALSO_AS("toolArgsMatchOverrides", OBJECT, \
		"tool_args_match_overrides"))

static const struct form types[] = {
	FORM("strict", match, .how = TRAJECTORY_STRICT, .role = ROLE_ORDER,
	    KEYS),
	FORM("unordered", match, .how = TRAJECTORY_UNORDERED,
	    .role = ROLE_CALLED, KEYS),
	FORM("subset", match, .how = TRAJECTORY_SUBSET, .role = ROLE_NOT_CALLED,
	    KEYS),
	FORM("superset", match, .how = TRAJECTORY_SUPERSET, .role = ROLE_CALLED,
	    KEYS),
};

static const struct forms forms = {
	.key = "trajectory_match_mode",
	.what = "trajectory",
	FORMS(types),
	.ignored =
	    "id name description inputs input outputs metadata tags key "
	    "reference_outputs trajectory_match_mode trajectoryMatchMode "
	    "tool_args_match_mode tool_args_match_overrides",
};

/* ---- the file ---- */

/* Returns the user's first input of the case: a text, or that of messages. */
static struct str
prompt_of(const struct json *v, struct arena *a)
{
	const struct json *input = scenarios_any(v, inputs);
	struct str text;

	if (json_is(input, JSON_OBJECT))
		input = scenarios_any(input, questions);
	text = json_text(input, a);
	if (input == NULL || messages_of(input) != NULL)
		for (json_each(message,
			 messages_of(input != NULL ? input : reference_of(v))))
			if (text.s == NULL &&
			    str_is(role_of(message, a), "user"))
				text =
				    json_text(json_get(message, "content"), a);
	return text;
}

static void
read_case(struct suite *suite, const struct json *v)
{
	struct scenarios *r = suite->scenarios;
	const struct json *id = json_get(v, "id"), *mode;
	struct str prompt = prompt_of(v, r->arena);
	struct forms with = forms;

	fields_note_alike(r->doc, v, "case");
	if (!json_is(id, JSON_STRING))
		id = json_get(v, "name");
	scenarios_begin(r, v,
	    json_is(id, JSON_STRING) ? json_text(id, r->arena)
		: suite->one && prompt.s == NULL
		? str_of(NULL)
		: str_printf(r->arena, "cases[%zu]", suite->n),
	    prompt);
	suite->n++;
	mode = scenarios_any(v, modes);
	if (mode == NULL)
		mode = suite->mode;
	fields_note(r->doc, v, modes, IS(TEXT));
	with.part_of = suite;
	with.otherwise =
	    mode == NULL ? STR("strict") : json_text(mode, r->arena);
	scenarios_read_assertion(r, v, &with);
}

static void
read_root(struct scenarios *r, const struct json *root)
{
	struct suite *suite = arena_new(r->arena, struct suite);
	struct fields e = { .arena = r->arena,
		.doc = r->doc,
		.object = root,
		.where = STR("trajectories"),
		.any_key = true };
	const struct json *list =
	    json_is(root, JSON_ARRAY) ? root : scenarios_any(root, lists);
	struct str names = str_of(lists);

	*suite = (struct suite){ .scenarios = r,
		.one = r->doc->n == 1 && !json_is(list, JSON_ARRAY) };
	if (list == NULL || reference_of(root) != NULL)
		read_case(suite, root);
	else {
		suite->mode = fields_within(&e, root, modes, IS(TEXT));
		suite->args_mode =
		    fields_within(&e, root, args_modes, IS(TEXT));
		suite->overrides =
		    fields_within(&e, root, overrides, IS(OBJECT));
		for (json_each(v, root))
			read_case(suite, v);
		while (names.s != NULL) {
			const char *name =
			    str_c(r->arena, str_cut(&names, ' '));

			list = fields_within(&e, root, name, IS(LIST));
			for (json_each(v, list))
				read_case(suite, v);
		}
		(void)fields_close(&e, NULL);
	}
	if (suite->n == 0)
		document_report(
		    r->doc, MISTAKE_REFUSES, root, "no trajectories");
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);
	const struct json *list =
	    json_is(root, JSON_ARRAY) ? root : scenarios_any(root, lists);
	const struct json *first =
	    json_is(list, JSON_ARRAY) ? json_first(list) : root;

	return messages_of(reference_of(first)) != NULL ||
	    scenarios_any(root, modes) != NULL ||
	    scenarios_any(first, modes) != NULL;
}

static const struct form_list form_lists[] = { FORM_LIST(types), { 0 } };

const struct dialect dialect_agentevals = {
	.name = "agentevals",
	.advised = true,
	.families = FAMILY_TOOLS,
	.what = "agentevals of LangChain: trajectories of reference",
	.owns = owns,
	.types = form_lists,
	.read_root = read_root,
	.wraps_prompts = true,
};
