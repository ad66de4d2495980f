/* PromptKit Arena's files: scenarios, their parts, and the files that Arena
 * runs by. */
#include "check/dialect/promptkit.h"

#include "base/hash.h"
#include "check/dialect/dialect.h"

/* ---- Arena files ---- */

/* The scenarios and evals that a file with kind: Arena lists. Each is in a file
 * of its own, whose path begins at the folder of the Arena file, or is in the
 * Arena file. */
struct arena_files {
	const struct document **files; /* resolved; each has a value */
	size_t n;
	const struct json *specs;  /* scenarios by their names; NULL: none */
	const struct json *global; /* assertions about every run; or NULL */
};

/* Returns a path; a relative path begins at the folder of the file that names
 * it. */
static const char *
beside(struct arena *a, const char *file, struct str path)
{
	if (str_starts(path, "/"))
		return str_c(a, path);
	return str_cat(a, str_folder(str_of(file)), path).s;
}

static struct str
name_of(const struct document *doc, struct arena *a)
{
	const struct json *metadata = json_get(doc->roots[0], "metadata");

	return json_text(json_get(metadata, "name"), a);
}

/* Reports a second scenario of a name. PromptKit keeps the last one without a
 * message. */
static void
take_name(struct hash_table *names, struct str name, struct fields *e,
    const struct json *at)
{
	void **slot;

	if (name.s == NULL)
		return;
	slot = hash_put(names, name);
	if (*slot != NULL)
		fields_mistake(e, at, "another scenario has the name '%.*s'",
		    STR_FMT(name));
	*slot = names;
}

static void
add_file(struct arena_files *arena, struct scenarios *r,
    struct hash_table *names, const struct json *v, const char *key)
{
	struct fields e = scenarios_open(r, v, key);
	struct str path = fields_str(&e, "file");
	struct document *doc = NULL;

	if (path.s != NULL)
		doc = document_read_regular(r->arena,
		    beside(r->arena, r->doc->file, path), r->doc->policy);
	if (doc != NULL && doc->n == 0) {
		fields_mistake(
		    &e, json_get(v, "file"), "file: nothing in %s", doc->file);
		doc = NULL;
	}
	if (doc != NULL) {
		document_resolve(doc, TYPES_GO);
		take_name(
		    names, name_of(doc, r->arena), &e, json_get(v, "file"));
		*arena_push(r->arena, arena->files, arena->n) = doc;
	}
	fields_close(&e, NULL);
}

/* Reads which scenarios there are. What cannot be read is reported and left
 * out. Other keys are ignored: they differ between versions, and none of them
 * matters for a recorded run. */
static struct arena_files
read_arena_files(struct scenarios *r, const struct json *root)
{
	struct arena_files arena = { 0 };
	struct hash_table names = { .arena = r->arena };
	struct fields top = scenarios_open(r, root, "arena");
	const struct json *spec = fields_need(&top, "spec");
	struct fields e = scenarios_open(r, spec, "spec");

	e.any_key = top.any_key = true;
	for (json_each(v, fields_list_if(&e, "scenarios")))
		add_file(&arena, r, &names, v, "scenarios");
	for (json_each(v, fields_list_if(&e, "evals")))
		add_file(&arena, r, &names, v, "evals");
	arena.specs = fields_object_if(&e, "scenario_specs");
	for (json_members(key, arena.specs))
		take_name(&names, json_text(key, r->arena), &e, key);
	arena.global = json_get(
	    fields_object_if(&e, "globals"), "conversation_assertions");
	if (spec != NULL && arena.specs == NULL &&
	    json_get(spec, "scenarios") == NULL &&
	    json_get(spec, "evals") == NULL)
		fields_remark(&e, spec, "no scenarios and no evals");
	fields_close(&top, NULL);
	if (spec != NULL)
		fields_close(&e, NULL);
	return arena;
}

/* ---- turns and steps ---- */

/* The state while a list of turns is read. */
struct turns {
	struct scenarios *scenarios;
	size_t n;  /* inputs of the user so far */
	bool bare; /* a list by itself: turns are found by their prompts */
	bool open; /* the scenario of the turns is begun */
	struct hash_table *prompts; /* of a bare list */
};

enum { TURNS_MOST = 10000 }; /* of a simulated user; each is a place */

/* Returns how many of the run's turns an entry of the list is: 0 for a scripted
 * answer, 1 for an input, `turns` for a simulated user. The role of a simulated
 * user is a name from the Arena file; its persona distinguishes that name from
 * a misspelt role. */
static size_t
exchanges(struct fields *e)
{
	struct str role = fields_str_if(e, "role");
	bool simulated = fields_get(e, "persona") != NULL;
	int64_t n = fields_int_if(e, "turns");

	if (str_is(role, "assistant"))
		return 0;
	if (role.s != NULL && !simulated && !str_ends(role, "user"))
		fields_mistake(e, json_get(e->object, "role"),
		    "unknown role '%.*s'", STR_FMT(role));
	if (n > TURNS_MOST)
		fields_mistake(e, json_get(e->object, "turns"),
		    "turns: expected at most %d, found %lld", TURNS_MOST,
		    (long long)n);
	return n < 1 ? 1 : n < TURNS_MOST ? (size_t)n : TURNS_MOST;
}

/* Sets the prompt by which an entry of a bare list finds its turn. An entry
 * whose prompt is in no turn does not take the turn of another entry. */
static void
set_prompt(struct turns *t, struct scope *scope, struct str said)
{
	struct arena *a = t->scenarios->arena;

	if (!t->bare || said.s == NULL)
		return;
	if (t->prompts == NULL)
		t->prompts = arena_new(a, struct hash_table);
	t->prompts->arena = a;
	scope->prompt = str_squeeze(a, said);
	scope->listed = t->prompts;
	*hash_put(t->prompts, scope->prompt) = t;
}

static void
read_turn(struct turns *t, const struct json *v)
{
	struct scenarios *r = t->scenarios;
	struct fields e = scenarios_open(r, v, "turn");
	struct promptkit_place place = { .level = PROMPTKIT_TURN,
		.scope = { .part = SCOPE_TURN } };
	size_t n = exchanges(&e);
	struct str said = fields_str_if(&e, "content");
	const struct json *list = fields_list_if(&e, "assertions");

	fields_ignore(&e,
	    "parts max_turns assistant_temp user_temp seed tts streaming "
	    "consent_overrides perturbations chaos");
	if (n == 1)
		set_prompt(t, &place.scope, said);
	if (n == 0 && t->n == 0) { /* before the first input */
		place.scope.part = SCOPE_OPENING;
		promptkit_assertions(r, list, &place);
	} else if (n == 0) { /* about the answer to the last input */
		t->n--, n = 1;
	}
	for (; n > 0; n--) {
		place.scope.turn = t->n++;
		promptkit_assertions(r, list, &place);
	}
	scenarios_end_object(r, &e);
}

static void
read_step(struct turns *t, const struct json *v)
{
	struct scenarios *r = t->scenarios;
	struct fields e = scenarios_open(r, v, "step");
	struct promptkit_place place = { .level = PROMPTKIT_STEP,
		.scope = { .part = SCOPE_TURN, .turn = t->n++ } };
	struct str type = fields_str_if(&e, "type"),
		   said = fields_str_if(&e, "content");
	const struct json *list = fields_list_if(&e, "assertions");

	if (type.s != NULL && !str_is(type, "input"))
		fields_mistake(&e, json_get(v, "type"),
		    "type: expected 'input', found '%.*s'", STR_FMT(type));
	set_prompt(t, &place.scope, said);
	promptkit_assertions(r, list, &place);
	scenarios_end_object(r, &e);
}

/* ---- scenarios ---- */

/* Assertions of an Arena file about the runs of each scenario. */
struct global {
	const struct document *doc;
	const struct json *list; /* or NULL */
};

/* Returns the user's first input. */
static struct str
first_prompt(const struct json *spec, struct arena *a)
{
	for (json_each(turn, json_get(spec, "turns")))
		if (json_str_is(json_get(turn, "role"), "user"))
			return json_text(json_get(turn, "content"), a);
	return json_text(
	    json_get(json_at(json_get(spec, "steps"), 0), "content"), a);
}

static void
read_globals(struct scenarios *r, const struct global *global)
{
	const struct promptkit_place run = { .level = PROMPTKIT_CONVERSATION };
	const struct document *own = r->doc;

	if (global == NULL)
		return;
	r->doc = global->doc;
	promptkit_assertions(r, global->list, &run);
	r->doc = own;
}

/* Reads the members of spec; `bare` members are in a file by themselves. */
static void
read_spec(struct scenarios *r, const struct json *spec, bool bare)
{
	struct fields e = fields_open(
	    r->arena, r->doc, spec, bare ? STR("scenario") : STR("spec"));
	struct promptkit_place run = { .level = PROMPTKIT_CONVERSATION };
	struct turns t = { .scenarios = r, .bare = bare };
	const struct json *turns = fields_list_if(&e, "turns"),
			  *steps = fields_list_if(&e, "steps"),
			  *list = fields_list_if(&e, "conversation_assertions");

	fields_ignore(&e,
	    "id description task_type mode labels context_metadata context "
	    "constraints tool_policy providers provider_group "
	    "required_capabilities streaming context_policy duplex voice "
	    "variables trials seed_memories pack context_carry_forward "
	    "$schema");
	for (json_each(v, turns))
		read_turn(&t, v);
	for (json_each(v, steps))
		read_step(&t, v);
	promptkit_assertions(r, list, &run);
	scenarios_end_object(r, &e);
}

/* Reports a manifest of another kind (provider, tool, prompt), which has no
 * assertions. */
static void
refuse_kind(struct scenarios *r, struct fields *e, struct str kind)
{
	fields_mistake(e, json_get(e->object, "kind"),
	    "kind: expected 'Scenario', 'Eval' or 'Arena', found '%.*s'",
	    STR_FMT(kind));
	e->any_key = true;
	scenarios_begin_all(r, NULL);
	scenarios_end_object(r, e);
}

/* Begins the scenario. A run finds it by its name; a run of the newest
 * PromptKit, which logs spec.id, by that, unless another scenario has this
 * name. */
static void
read_name(
    struct scenarios *r, const struct json *metadata, const struct json *spec)
{
	struct fields e = scenarios_open(r, metadata, "metadata");
	struct str id = fields_str(&e, "name");

	fields_ignore(&e, "labels annotations namespace");
	scenarios_begin(r, spec, id, first_prompt(spec, r->arena));
	scenarios_set_logged_name(r, json_text(json_get(spec, "id"), r->arena));
	if (metadata != NULL)
		scenarios_end_object(r, &e);
}

/* ---- evals ---- */

static void
read_eval_turn(struct scenarios *r, const struct json *v)
{
	struct fields e = scenarios_open(r, v, "turn"), all;
	const struct json *object = fields_object_if(&e, "all_turns");

	if (object != NULL) {
		all = scenarios_open(r, object, "all_turns");
		promptkit_assertions(r, fields_list_if(&all, "assertions"),
		    &(struct promptkit_place){ 0 });
		scenarios_end_object(r, &all);
	}
	scenarios_end_object(r, &e);
}

/* Reads the members of an eval's spec: assertions about the run that was
 * recorded in a file. PromptKit judges each message of the assistant by the
 * whole conversation. */
static void
read_eval_spec(struct scenarios *r, const struct json *spec)
{
	struct fields e = scenarios_open(r, spec, "spec");
	const struct promptkit_place run = { .level = PROMPTKIT_CONVERSATION };
	const struct json *recording = fields_object_if(&e, "recording");

	fields_ignore(&e, "id description tags mode speed");
	scenarios_set_recording(
	    r, json_text(json_get(recording, "path"), r->arena));
	for (json_each(turn, fields_list_if(&e, "turns")))
		read_eval_turn(r, turn);
	promptkit_assertions(
	    r, fields_list_if(&e, "conversation_assertions"), &run);
	scenarios_end_object(r, &e);
}

static void
read_scenario(
    struct scenarios *r, const struct json *root, const struct global *global)
{
	struct fields e = scenarios_open(r, root, "scenario");
	struct str kind = fields_str(&e, "kind");
	bool eval = json_str_is(json_get(root, "kind"), "Eval");
	const struct json *spec, *metadata;

	if (!eval && kind.s != NULL && !str_is(kind, "Scenario")) {
		refuse_kind(r, &e, kind);
		return;
	}
	spec = fields_need(&e, "spec");
	metadata = fields_need(&e, "metadata");
	(void)fields_str(&e, "apiVersion");
	(void)fields_get(&e, "$schema");
	read_name(r, metadata, spec);
	read_globals(r, global);
	if (spec != NULL && eval)
		read_eval_spec(r, spec);
	else if (spec != NULL)
		read_spec(r, spec, false);
	scenarios_end_object(r, &e);
}

/* Reads the scenarios of an Arena file; of a scenario's file, as PromptKit
 * does, only the first document. */
static void
read_arena(struct scenarios *r, const struct json *root)
{
	const struct document *own = r->doc;
	struct arena_files arena = read_arena_files(r, root);
	const struct global global = { own, arena.global };

	for (size_t i = 0; i < arena.n; i++) {
		r->doc = arena.files[i];
		read_scenario(r, r->doc->roots[0], &global);
	}
	r->doc = own;
	for (json_members(key, arena.specs)) {
		const struct json *spec = json_value(key);

		scenarios_begin(r, spec, json_text(key, r->arena),
		    first_prompt(spec, r->arena));
		read_globals(r, &global);
		read_spec(r, spec, false);
	}
}

/* ---- the file ---- */

enum shape {
	SHAPE_NONE,
	SHAPE_SCENARIO,
	SHAPE_SPEC,
	SHAPE_TURN,
	SHAPE_STEP,
	SHAPE_ASSERTIONS, /* an object with nothing but them */
	SHAPE_ASSERTION,
	SHAPE_PATTERNS, /* `pattern: ...`, once or more often */
};

static bool
is_assertion(const struct json *v)
{
	struct arena a = { 0 };
	const struct json *type = json_get(v, "type");
	bool ours = json_is(type, JSON_STRING) &&
	    (json_has(v, "params") || promptkit_has_type(json_text(type, &a)));

	arena_free(&a);
	return ours;
}

static enum shape
shape_of(const struct json *v)
{
	const struct json *list = json_get(v, "assertions");

	if (json_has(v, "apiVersion") || json_has(v, "spec"))
		return SHAPE_SCENARIO;
	if (scenarios_any(v, "turns steps conversation_assertions") != NULL)
		return json_has(v, "role") ? SHAPE_TURN : SHAPE_SPEC;
	if (json_has(v, "role"))
		return SHAPE_TURN;
	if (json_str_is(json_get(v, "type"), "input"))
		return SHAPE_STEP;
	if (is_assertion(v))
		return SHAPE_ASSERTION;
	if (json_is(list, JSON_ARRAY) && is_assertion(json_first(list)))
		return SHAPE_ASSERTIONS;
	for (json_members(key, v))
		if (!json_str_is(key, "pattern"))
			return SHAPE_NONE;
	return json_has(v, "pattern") ? SHAPE_PATTERNS : SHAPE_NONE;
}

static bool
owns(const struct document *doc)
{
	const struct json *root = document_root(doc);

	if (json_is(root, JSON_ARRAY))
		root = json_first(root);
	return shape_of(root) != SHAPE_NONE;
}

/* Reads a part of a scenario, which is a value by itself or in a list. */
static void
read_part(struct turns *t, const struct json *v)
{
	const struct promptkit_place last = { .level = PROMPTKIT_ANYWHERE,
		.scope = { .part = SCOPE_LAST } };
	enum shape shape = shape_of(v);
	struct fields e;

	if (shape == SHAPE_NONE && json_has(v, "assertions"))
		shape = SHAPE_ASSERTIONS;
	switch (shape) {
	case SHAPE_SPEC:
		read_spec(t->scenarios, v, true);
		break;
	case SHAPE_TURN:
		read_turn(t, v);
		break;
	case SHAPE_STEP:
		read_step(t, v);
		break;
	case SHAPE_PATTERNS:
		for (json_members(key, v))
			promptkit_pattern(t->scenarios, json_value(key), &last);
		break;
	case SHAPE_ASSERTIONS:
		e = scenarios_open(t->scenarios, v, "assertions");
		(void)fields_get(&e, "$schema");
		promptkit_assertions(
		    t->scenarios, fields_list(&e, "assertions"), &last);
		if (json_first(json_get(v, "assertions")) == NULL)
			fields_mistake(
			    &e, v, "assertions: expected at least one");
		scenarios_end_object(t->scenarios, &e);
		break;
	default:
		promptkit_assertion(t->scenarios, v, &last);
		break;
	}
}

/* Reads a scenario, or a part of the scenario that has no name. */
static void
read_value(struct turns *t, const struct json *v)
{
	if (shape_of(v) == SHAPE_SCENARIO) {
		if (json_str_is(json_get(v, "kind"), "Arena"))
			read_arena(t->scenarios, v);
		else
			read_scenario(t->scenarios, v, NULL);
		t->open = false;
		return;
	}
	if (!t->open)
		scenarios_begin_all(t->scenarios, v);
	t->open = true;
	read_part(t, v);
}

static void
read_file(struct scenarios *r)
{
	struct turns t = { .scenarios = r, .bare = true };

	for (size_t i = 0; i < r->doc->n; i++) {
		const struct json *root = r->doc->roots[i];

		if (!json_is(root, JSON_ARRAY))
			read_value(&t, root);
		for (json_each(v, root))
			read_value(&t, v);
	}
}

static const struct key_level levels[] = {
	{ "turns steps conversation_assertions", "under 'spec'" },
	{ "assertions", "in a turn, a step or 'all_turns'" },
	{ NULL, NULL },
};

const struct dialect dialect_promptkit = {
	.name = "promptkit",
	.advised = true,
	.families = FAMILIES_OF_RUNS,
	.in = "params",
	.messages = true,
	.what = "PromptKit Arena: scenarios, their parts, Arena files",
	.schema = TYPES_GO,
	.levels = levels,
	.owns = owns,
	.types = promptkit_types,
	.read = read_file,
};

const struct dialect dialect_promptkit_2 = {
	.name = "promptkit-2",
	.types = promptkit_types,
	.advised = true,
	.families = FAMILIES_OF_RUNS | FAMILY_TIME,
	.in = "params",
	.messages = true,
	.what = "the same files, judged as the current PromptKit Arena does",
	.schema = TYPES_GO,
	.levels = levels,
	.read = read_file,
};
