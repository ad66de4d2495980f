/* MCPLab's files: configurations, scenarios, and eval blocks alone. */
#include "check/dialect/mcplab.h"

#include "base/hash.h"
#include "check/dialect/dialect.h"
#include "check/dialect/rubric.h"
#include "check/kind/kind.h"

/* ---- eval ---- */

static void
each_tool(
    struct scenarios *r, struct fields *e, const char *key, const char *type)
{
	const struct json *list = fields_list_if(e, key);
	struct str_list names = fields_strs(e, list, key);
	size_t i = 0;

	for (json_each(tool, list)) {
		if (names.list[i].s != NULL)
			scenarios_add_check(r,
			    mcplab_tool(r->arena, type, names.list[i]), tool);
		i++;
	}
}

static void
tool_constraints(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "tool_constraints");

	e.is_assertion = e.strict = true;
	each_tool(r, &e, "forbidden_tools", "forbidden_tool");
	each_tool(r, &e, "required_tools", "required_tool");
	scenarios_end_object(r, &e);
}

/* Reads the form of the first version, {allow: [[names], ...]}: without any
 * list there is no check; an empty list allows no calls. */
static void
allow(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "tool_sequence");
	const struct json *all = fields_list(&e, "allow");
	struct str_list *lists =
	    arena_new_n(r->arena, struct str_list, json_count(all));
	size_t n = 0;

	e.is_assertion = e.strict = true;
	for (json_each(list, all)) {
		if (!json_is(list, JSON_ARRAY))
			fields_mistake(&e, list,
			    "allow: expected a list of tool names, found %s",
			    json_type_name(list));
		lists[n++] = fields_strs(&e, list, "allow");
	}
	if (json_is(all, JSON_ARRAY) && fields_ok(&e))
		scenarios_add_check(r,
		    n != 0 ? mcplab_allow(r->arena, lists, n)
			   : mcplab_sequence(r->arena, (struct str_list){ 0 }),
		    v);
	scenarios_end_object(r, &e);
}

static void
tool_sequence(struct scenarios *r, struct fields *e)
{
	const struct json *v = fields_get(e, "tool_sequence");
	struct str_list tools;

	fields_note(r->doc, e->object, "tool_sequence", IS(LIST) | IS(OBJECT));
	if (json_is(v, JSON_OBJECT)) {
		allow(r, v);
		return;
	}
	if (v != NULL && v->type != JSON_ARRAY)
		fields_mistake(e, v,
		    "tool_sequence: expected a list of tool names, found %s",
		    json_type_name(v));
	tools = fields_strs(e, v, "tool_sequence");
	if (json_is(v, JSON_ARRAY) && fields_ok(e))
		scenarios_add_check(r, mcplab_sequence(r->arena, tools), v);
}

static unsigned
agent_context(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "agent_context");
	unsigned bits = 0;

	if (fields_bool_if(&e, "include_prompt"))
		bits |= JUDGE_PROMPT;
	if (fields_bool_if(&e, "include_tool_sequence"))
		bits |= JUDGE_TOOL_SEQUENCE;
	if (fields_bool_if(&e, "include_tool_inputs"))
		bits |= JUDGE_TOOL_INPUTS;
	scenarios_end_object(r, &e);
	return bits;
}

static void
agent_assertions(struct scenarios *r, struct fields *e, struct str prompt)
{
	static const struct rubric_remedy remedy = { "agent_context",
		JUDGE_PROMPT | JUDGE_TOOL_SEQUENCE | JUDGE_TOOL_INPUTS };
	const struct json *context = fields_object_if(e, "agent_context");
	const struct json *list = fields_list_if(e, "agent_assertions");
	unsigned bits = context == NULL ? 0 : agent_context(r, context);

	for (json_each(v, list)) {
		struct fields one = scenarios_open(r, v, "agent_assertions");
		struct judge_want want = { .context = bits, .prompt = prompt };
		struct str label;

		one.is_assertion = true;
		label = fields_str(&one, "label");
		want.rubric = fields_str(&one, "prompt");
		rubric_remark(r->doc, v, &want, &remedy);
		scenarios_close_check(
		    r, &one, mcplab_agent(r->arena, label, &want));
	}
}

/* Reads the parts in the order of MCPLab's results. */
static void
read_eval(struct scenarios *r, const struct json *v, struct str prompt)
{
	struct fields e = scenarios_open(r, v, "eval");
	const struct json *tools = fields_object_if(&e, "tool_constraints");

	if (tools != NULL)
		tool_constraints(r, tools);
	tool_sequence(r, &e);
	scenarios_read_assertions(r,
	    fields_list_if(&e, "tool_input_assertions"), &mcplab_input_forms);
	scenarios_read_assertions(r, fields_list_if(&e, "response_assertions"),
	    &mcplab_response_forms);
	agent_assertions(r, &e, prompt);
	scenarios_end_object(r, &e);
}

/* ---- extract ---- */

static void
extract_rule(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "extract");
	struct str from = fields_str_if(&e, "from");
	struct capture c = { .name = fields_str(&e, "name"),
		.pattern = fields_str(&e, "regex"),
		.at = scenarios_locate(r, v) };
	struct str wrong = { 0 };

	if (from.s != NULL && !str_is(from, "final_text"))
		fields_mistake(&e, json_get(v, "from"),
		    "from: expected final_text, found '%.*s'", STR_FMT(from));
	c.regex = mcplab_compile(r->arena, c.pattern, 0, &wrong);
	if (wrong.s != NULL)
		fields_mistake(
		    &e, json_get(v, "regex"), "regex: %.*s", STR_FMT(wrong));
	if (!fields_close(&e, NULL)) {
		regex_free(c.regex);
		c.regex = NULL; /* captures nothing */
	}
	if (c.name.s != NULL)
		scenarios_add_capture(r, c);
}

/* ---- scenarios ---- */

static const char unused_keys[] =
    "name description agent servers mcp_servers attachments snapshot_eval "
    "snapshot_eval_enabled scenario_exec_id $schema";

static void
read_scenario_parts(struct scenarios *r, struct fields *e, struct str id)
{
	struct str prompt = fields_str_if(e, "prompt");
	const struct json *eval = fields_object_if(e, "eval");
	const struct json *rules = fields_list_if(e, "extract");

	fields_ignore(e, unused_keys);
	scenarios_begin(r, e->object, id, prompt);
	if (eval != NULL)
		read_eval(r, eval, prompt);
	for (json_each(rule, rules))
		extract_rule(r, rule);
	scenarios_end_object(r, e);
}

/* Reads a file that is one scenario, or an eval block without a scenario. */
static void
read_bare(struct scenarios *r, const struct json *root)
{
	struct fields e = scenarios_open(r, root, "scenario");

	fields_ignore(&e, "scenarios"); /* for suggestions */
	read_scenario_parts(r, &e, str_trim(fields_name_if(&e, "id")));
}

struct config {
	struct scenarios *scenarios;
	struct hash_table ids; /* to the scenarios so far */
	struct mcplab_bundle bundle;
};

static bool
has_same(const struct json *a, const struct json *b, const char *key)
{
	const struct json *x = json_get(a, key);
	const struct json *y = json_get(b, key);

	return x == NULL || y == NULL ? x == y : json_equal(x, y);
}

/* Returns whether these are the same scenario run by two agents: the
 * configuration that a run leaves (resolved-config.yaml) has it once for
 * each. */
static bool
is_same_test(const struct json *a, const struct json *b)
{
	return !has_same(a, b, "scenario_exec_id") &&
	    has_same(a, b, "prompt") && has_same(a, b, "eval") &&
	    has_same(a, b, "extract");
}

static void
read_scenario(struct config *c, const struct json *v)
{
	struct scenarios *r = c->scenarios;
	struct fields e = scenarios_open(r, v, "scenario");
	struct str id = str_trim(fields_name_if(&e, "id"));
	const struct json **known;
	void **slot;

	if (id.s == NULL) {
		fields_remark(&e, NULL, "missing id");
		id = str_printf(r->arena, "scenarios[%zu]", r->n);
	} else if (id.n == 0) {
		fields_mistake(
		    &e, json_get(v, "id"), "id: expected a name, found blanks");
	} else {
		slot = hash_put(&c->ids, id);
		known = *slot;
		if (known != NULL && is_same_test(*known, v))
			return;
		if (known != NULL)
			fields_mistake(&e, json_get(v, "id"),
			    "another scenario has the id '%.*s'", STR_FMT(id));
		*slot = known = arena_new(r->arena, const struct json *);
		*known = v;
	}
	read_scenario_parts(r, &e, id);
}

/* Reads the scenario of this id from the folder of test cases; the value `at`
 * names the id. */
static void
read_test_case(
    struct config *c, struct fields *e, const struct json *at, struct str id)
{
	struct scenarios *r = c->scenarios;
	const struct document *config = r->doc, *found;
	struct suggest near = suggest_for(id);
	struct str why;

	found = mcplab_bundle_find(&c->bundle, id, &near);
	/* A file that could not be read was reported, and may have the id. */
	if (found == NULL && (!c->bundle.unread || near.best.s != NULL))
		fields_mistake(e, at, "ref: no scenario '%.*s' in %s%s",
		    STR_FMT(id), c->bundle.folder,
		    suggest_text(&near, r->arena));
	if (found != NULL && c->bundle.other != NULL)
		fields_mistake(e, at, "ref: two scenarios '%.*s': %s and %s",
		    STR_FMT(id), found->file, c->bundle.other->file);
	if (fields_close(e, &why) && found != NULL) {
		r->doc = found;
		read_scenario(c, found->roots[0]);
		r->doc = config;
	} else {
		if (why.s == NULL)
			why = STR("ref: its file cannot be read");
		scenarios_begin(r, NULL, id, (struct str){ 0 });
		scenarios_add_check(
		    r, check_broken(r->arena, e->where, why), at);
	}
}

static void
read_ref(struct config *c, const struct json *v)
{
	struct fields e = scenarios_open(c->scenarios, v, "scenarios");
	struct str id = str_trim(fields_name(&e, "ref"));

	fields_ignore(&e, "mcp_servers");
	read_test_case(c, &e, json_get(v, "ref"), id);
}

/* Reads the refs of the first versions, which are apart from the scenarios. A
 * scenario in the configuration that has the same id has precedence. */
static void
read_older_refs(
    struct config *c, struct fields *config, const struct json *list)
{
	struct str_list refs = fields_strs(config, list, "scenario_refs");
	size_t i = 0;

	for (json_each(v, list)) {
		struct fields e = { .arena = config->arena,
			.doc = config->doc,
			.where = STR("scenario_refs") };
		struct str id = str_trim(refs.list[i++]);

		if (id.s != NULL && hash_get(&c->ids, id) == NULL)
			read_test_case(c, &e, v, id);
	}
}

static void
read_config(struct scenarios *r, const struct json *root)
{
	struct config c = { .scenarios = r,
		.ids = { .arena = r->arena },
		.bundle = { .arena = r->arena,
		    .config = r->doc->file,
		    .policy = r->doc->policy } };
	struct fields e = scenarios_open(r, root, "configuration");
	const struct json *refs = fields_list_if(&e, "scenario_refs"), *list;

	list = refs == NULL ? fields_list(&e, "scenarios")
			    : fields_list_if(&e, "scenarios");
	fields_ignore(&e,
	    "name description servers server_refs agents agent_refs "
	    "run_defaults snapshot_eval $schema");
	for (json_each(v, list)) {
		fields_note(r->doc, v, "ref", IS(NAME));
		if (json_get(v, "ref") != NULL)
			read_ref(&c, v);
		else
			read_scenario(&c, v);
	}
	read_older_refs(&c, &e, refs);
	fields_close(&e, NULL);
}

/* ---- the file ---- */

static const char config_keys[] = "scenarios scenario_refs agents run_defaults";
static const char scenario_keys[] = "eval extract";
static const char eval_keys[] =
    "tool_constraints tool_sequence tool_input_assertions response_assertions "
    "agent_assertions";

/* Returns whether the value is a scenario without assertions: it has an id, a
 * prompt, and only such keys as a run of MCPLab needs. */
static bool
is_unchecked(const struct json *v)
{
	if (!json_has(v, "id") || !json_has(v, "prompt"))
		return false;
	for (json_members(key, v))
		if (!json_str_is(key, "id") && !json_str_is(key, "prompt") &&
		    !str_is_one_of(json_raw(key), unused_keys))
			return false;
	return true;
}

/* Returns whether the value has a list of scenarios of another system. */
static bool
has_foreign_scenarios(const struct json *v)
{
	const struct json *first = json_first(json_get(v, "scenarios"));

	return first != NULL &&
	    scenarios_any(first, "ref id prompt eval extract") == NULL;
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);

	if (has_foreign_scenarios(root))
		return false;
	return scenarios_any(root, config_keys) != NULL ||
	    scenarios_any(root, scenario_keys) != NULL ||
	    scenarios_any(root, eval_keys) != NULL || is_unchecked(root);
}

static void
read_file(struct scenarios *r)
{
	const struct json *root = r->doc->roots[0];

	if (r->doc->n > 1)
		document_report(r->doc, MISTAKE_REFUSES, r->doc->roots[1],
		    "expected one document in a file, found another");
	if (!json_is(root, JSON_OBJECT))
		document_report(r->doc, MISTAKE_REFUSES, root,
		    "expected a mapping that has scenarios or eval, found %s",
		    json_type_name(root));
	else if (scenarios_any(root, config_keys) != NULL)
		read_config(r, root);
	else if (scenarios_any(root, eval_keys) != NULL &&
	    scenarios_any(root, scenario_keys) == NULL) {
		scenarios_begin_all(r, root);
		read_eval(r, root, (struct str){ 0 });
	} else
		read_bare(r, root);
}

static const struct key_level levels[] = {
	{ "eval extract", "in a scenario that is no 'ref'" },
	{ "tool_constraints tool_sequence tool_input_assertions "
	  "response_assertions agent_assertions agent_context",
	    "under 'eval'" },
	{ "forbidden_tools required_tools", "under 'tool_constraints'" },
	{ "allow", "under 'tool_sequence'" },
	{ NULL, NULL },
};

const struct dialect dialect_mcplab = {
	.name = "mcplab",
	.advised = true,
	.families = FAMILIES_OF_CALLS,
	.caseless = true,
	.what = "MCPLab: eval blocks, scenarios and configurations",
	.schema = TYPES_CORE,
	.levels = levels,
	.owns = owns,
	.types = mcplab_types,
	.read = read_file,
};
