#include "extract/map/emit.h"

#include "extract/format/unread.h"

/* ---- what is unread ---- */

static bool
is_silent(const struct map_emitter *t, const struct json *v)
{
	const struct str_list *kinds = &t->map->nothing;
	struct str kind = { 0 };

	if (kinds->n != 0)
		kind = unread_kind(t->find.arena, v);
	for (size_t i = 0; i < kinds->n; i++)
		if (str_eq(kind, kinds->list[i]))
			return true;
	return false;
}

/* Begins a value within another one; returns what was found in the other one so
 * far. */
static unsigned
begin_value(struct map_emitter *t)
{
	unsigned around = t->found;

	t->found = t->builder->reported = 0;
	return around;
}

/* Ends a value, and counts the value if no rule read it; `known`: a rule is for
 * the value. A call that a map without rules for calls does not read is not
 * lost. */
static void
end_value(
    struct map_emitter *t, const struct json *v, bool known, unsigned around)
{
	const struct map_step *s = t->map->steps;
	unsigned may = known ? 0 : RUN_LOST_TEXT;
	unsigned found = t->builder->reported | t->found;

	if (s[MAP_CALL].given || s[MAP_RESULT].given)
		may |= RUN_LOST_CALL;

	if (is_silent(t, v))
		found |= BUILDER_NOTHING;
	t->builder->reported = found;
	if (unread_account(t->builder, t->find.arena, v, known, may) &
	    RUN_LOST_CALL)
		found |= BUILDER_UNREAD;
	/* The value around is known to be read in part. */
	t->found = around | found | BUILDER_SAID;
}

void
map_emit_unread(struct map_emitter *t, const struct json *v)
{
	end_value(t, v, false, begin_value(t));
}

/* ---- steps ---- */

/* Reports a text. An empty answer that was set before no longer counts. */
static void
emit_said(struct map_emitter *t, struct str body)
{
	builder_set(t->builder, RUN_FINAL, NULL);
	builder_text(t->builder, builder_str(t->builder, body));
}

static void
emit_prompt(
    struct map_emitter *t, const struct map_step *s, const struct json *v)
{
	struct str body = map_find_text(&t->find, &s->paths[STEP_TEXT], v);

	if (body.s != NULL)
		builder_prompt_body(t->builder, body);
}

static void
emit_text(struct map_emitter *t, const struct map_step *s, const struct json *v)
{
	struct str body = map_find_text(&t->find, &s->paths[STEP_TEXT], v);

	if (body.s != NULL)
		emit_said(t, body);
}

static struct builder_result
result_in(
    const struct map_emitter *t, const struct map_step *s, const struct json *v)
{
	const struct map_path *p = s->paths;

	return (struct builder_result){
		.id = map_find_name(&t->find, &p[STEP_ID], v),
		.tool = map_find_name(&t->find, &p[STEP_TOOL], v),
		.server = map_find_name(&t->find, &p[STEP_SERVER], v),
		.name = map_find_name(&t->find, &p[STEP_NAME], v),
		.value = map_find_first(&t->find, &p[STEP_RESULT], v),
		.is_error = map_find_flag(&t->find, &s->is_error, v),
		.duration = map_find_duration(
		    &t->find, &p[STEP_DURATION_MS], &p[STEP_DURATION_S], v),
	};
}

/* Reports a result. Without a condition, a step is a result if it has a
 * value. */
static void
emit_result(
    struct map_emitter *t, const struct map_step *s, const struct json *v)
{
	struct builder_result r = result_in(t, s, v);

	if (s->when != NULL || r.value != NULL)
		builder_add_result(t->builder, &r);
}

/* Reports the result that a call contains, which is the result of no other call.
 * If the rule names a result and the call has none, is_error = false alone means
 * nothing. */
static void
emit_own_result(
    struct map_emitter *t, const struct map_step *s, const struct json *v)
{
	struct builder_result r = result_in(t, s, v);

	if (r.value == NULL && s->paths[STEP_RESULT].n != 0 &&
	    json_is(r.is_error, JSON_FALSE))
		r.is_error = NULL;
	r.last = true;
	if (r.value != NULL || r.is_error != NULL || r.duration != NULL)
		builder_add_result(t->builder, &r);
}

static void
emit_call(struct map_emitter *t, const struct map_step *s, const struct json *v)
{
	const struct map_path *p = s->paths;
	struct builder_call call = {
		.id = map_find_name(&t->find, &p[STEP_ID], v),
		.tool = map_find_name(&t->find, &p[STEP_TOOL], v),
		.server = map_find_name(&t->find, &p[STEP_SERVER], v),
		.name = map_find_name(&t->find, &p[STEP_NAME], v),
		.args = map_find_first(&t->find, &p[STEP_ARGS], v),
		.decode = true,
	};

	if (json_raw(call.tool).n == 0) {
		/* Without a condition, a step is a call if it names a tool. */
		if (s->when == NULL && call.tool == NULL)
			return;
		diag_error(t->find.at, "call: expected a tool's name, found %s",
		    json_type_name(call.tool));
		builder_unread(t->builder, unread_kind(t->find.arena, t->step),
		    RUN_LOST_CALL);
		return;
	}
	builder_add_call(t->builder, &call);
	emit_own_result(t, s, v);
}

/* Reports a value that `each` found. Instead of calls, a text may hold the JSON
 * of one call or of a list of calls. */
static void
emit_item(struct map_emitter *t, enum map_kind kind, const struct json *v)
{
	static void (*const emit[MAP_KINDS])(struct map_emitter *,
	    const struct map_step *, const struct json *) = {
		[MAP_PROMPT] = emit_prompt,
		[MAP_TEXT] = emit_text,
		[MAP_CALL] = emit_call,
		[MAP_RESULT] = emit_result,
	};
	const struct map_step *s = &t->map->steps[kind];
	const struct json *inner = NULL;

	if (kind == MAP_CALL && s->paths[STEP_EACH].n != 0)
		inner = field_decode(t->find.arena, v);
	for (json_each(one, inner))
		emit[kind](t, s, one);
	if (!json_is(inner, JSON_ARRAY))
		emit[kind](t, s, json_is(inner, JSON_OBJECT) ? inner : v);
}

/* Reports a step. Returns whether the condition of a rule holds for the step. */
static bool
emit_step(struct map_emitter *t, const struct json *v)
{
	bool known = false;

	t->step = v;
	builder_locate(t->builder,
	    .ts = map_find_number(&t->find, &t->map->paths[MAP_TS], v));
	for (int i = 0; i < MAP_KINDS; i++) {
		const struct map_step *s = &t->map->steps[i];
		struct jsonpath_list items;
		struct usage usage;

		if (!s->given ||
		    (s->when != NULL &&
			!jsonpath_holds(s->when, v, t->find.arena)))
			continue;
		known |= s->when != NULL;
		items = map_find_each(&t->find, &s->paths[STEP_EACH], v);
		for (size_t n = 0; n < items.n; n++)
			emit_item(t, (enum map_kind)i, items.values[n]);
		usage = map_find_usage(&t->find, &s->usage, v);
		if (usage.known != 0)
			builder_usage(
			    t->builder, (struct str){ 0 }, &usage, false);
	}
	return known;
}

static bool
has_steps(const struct map *m)
{
	for (int i = 0; i < MAP_KINDS; i++)
		if (m->steps[i].given)
			return true;
	return false;
}

/* Reports the steps in a turn or a run, or the turn or run as a step. Returns
 * whether the condition of a rule holds for the latter. */
static bool
emit_steps(struct map_emitter *t, const struct json *in)
{
	struct jsonpath_list steps;

	if (!has_steps(t->map))
		return false;
	if (t->map->paths[MAP_STEPS].n == 0)
		return emit_step(t, in);
	steps = map_find_list(&t->find, &t->map->paths[MAP_STEPS], in);
	for (size_t i = 0; i < steps.n; i++) {
		unsigned around = begin_value(t);
		bool known = emit_step(t, steps.values[i]);

		end_value(t, steps.values[i], known, around);
	}
	return false;
}

/* ---- turns ---- */

/* Reports the answer, unless it equals the last text of the steps. */
static void
emit_answer(struct map_emitter *t)
{
	const struct step *said;
	struct str last = { 0 };

	if (t->answer.s == NULL)
		return;
	said = run_last_text(builder_current_turn(t->builder));
	if (said != NULL)
		last = (struct str){ said->text.s, said->text.n };
	if (t->answer.n == 0)
		builder_set_body(t->builder, RUN_FINAL, t->answer);
	else if (!str_eq(last, t->answer)) {
		builder_locate(t->builder, 0);
		emit_said(t, t->answer);
	}
	t->answer = (struct str){ 0 };
}

static void
emit_turns(struct map_emitter *t, const struct json *in)
{
	const struct map_path *p = t->map->paths;
	struct jsonpath_list turns = map_find_list(&t->find, &p[MAP_TURNS], in);

	for (size_t i = 0; i < turns.n; i++) {
		struct str prompt = map_find_text(
		    &t->find, &p[MAP_FIRST_PROMPT], turns.values[i]);
		unsigned around;
		bool known;

		builder_locate(t->builder, 0);
		builder_turn(t->builder);
		around = begin_value(t);
		if (prompt.s != NULL)
			builder_prompt_body(t->builder, prompt);
		known = emit_steps(t, turns.values[i]);
		t->answer =
		    map_find_text(&t->find, &p[MAP_FINAL], turns.values[i]);
		known |= t->answer.s != NULL;
		emit_answer(t);
		end_value(t, turns.values[i], known, around);
	}
}

/* Reports a turn. Rows of a table may repeat the prompt of the row before. Returns
 * whether a rule is for the value. */
static bool
emit_turn(struct map_emitter *t, const struct json *in)
{
	struct str prompt =
	    map_find_text(&t->find, &t->map->paths[MAP_FIRST_PROMPT], in);
	struct str answer;
	bool known;

	if (prompt.s != NULL &&
	    (t->prompt.s == NULL || !str_eq(prompt, t->prompt))) {
		emit_answer(t);
		builder_locate(t->builder,
		    .ts =
			map_find_number(&t->find, &t->map->paths[MAP_TS], in));
		builder_prompt_body(t->builder, prompt);
		t->prompt = prompt;
	}
	known = emit_steps(t, in);
	answer = map_find_text(&t->find, &t->map->paths[MAP_FINAL], in);
	if (answer.s != NULL)
		t->answer = answer;
	return known || prompt.s != NULL || answer.s != NULL;
}

/* ---- runs ---- */

/* Reports the members of a run. Returns whether the value has a member beside
 * those that each piece of a run may repeat. */
static bool
emit_members(struct map_emitter *t, const struct json *in)
{
	static const struct {
		enum map_run_path from;
		enum run_member to;
	} members[] = {
		{ MAP_ID, RUN_ID },
		{ MAP_SCENARIO, RUN_SCENARIO },
		{ MAP_AGENT, RUN_AGENT },
		{ MAP_PROVIDER, RUN_PROVIDER },
	};
	const struct map_path *p = t->map->paths;
	const struct json *v;
	bool any = false;

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		v = map_find_name(&t->find, &p[members[i].from], in);
		if (json_is(v, JSON_STRING))
			builder_set(t->builder, members[i].to, v);
	}
	v = map_find_number(&t->find, &p[MAP_INDEX], in);
	if (json_is(v, JSON_NUMBER))
		builder_set(t->builder, RUN_INDEX, v);
	builder_model(t->builder, map_find_first(&t->find, &p[MAP_MODEL], in));
	for (size_t i = 0; i < t->map->nmeta; i++) {
		v = map_find_first(&t->find, &t->map->meta[i].path, in);
		builder_meta(t->builder, t->map->meta[i].name, v);
		any |= v != NULL;
	}
	return any;
}

/* Reports how the run went. Returns whether the value says so. */
static bool
emit_outcome(struct map_emitter *t, const struct json *in)
{
	const struct map_path *p = t->map->paths;
	const struct json *start = map_find_number(&t->find, &p[MAP_START], in);
	const struct json *end = map_find_number(&t->find, &p[MAP_END], in);
	const struct json *error = map_find_first(&t->find, &p[MAP_ERROR], in);
	const struct json *ms = map_find_duration(
	    &t->find, &p[MAP_DURATION_MS], &p[MAP_DURATION_S], in);
	struct usage usage = map_find_usage(&t->find, &t->map->usage, in);

	builder_set_times(t->builder, start, end);
	if (error != NULL)
		builder_error(t->builder, error);
	if (ms != NULL)
		builder_set(t->builder, RUN_DURATION, ms);
	usage_forget(&t->usage, &usage);
	usage_add(&t->usage, &usage);
	return start != NULL || end != NULL || error != NULL || ms != NULL ||
	    usage.known != 0;
}

void
map_emit_piece(struct map_emitter *t, const struct json *in)
{
	bool known = emit_members(t, in);
	unsigned around = begin_value(t);

	if (t->map->paths[MAP_TURNS].n != 0)
		emit_turns(t, in);
	else
		known |= emit_turn(t, in);
	known |= emit_outcome(t, in);
	end_value(t, in, known, around);
}

void
map_emit_begin(struct map_emitter *t)
{
	builder_source(t->builder, t->find.at.file, t->find.at.line);
	builder_begin_run(t->builder);
	if (!t->map->steps[MAP_CALL].given && !t->map->steps[MAP_RESULT].given)
		builder_no_calls(t->builder);
}

void
map_emit_done(struct map_emitter *t)
{
	emit_answer(t);
	if (t->usage.known != 0)
		builder_usage_uncounted(t->builder, &t->usage);
	builder_end_run(t->builder);
}
