/* Finds the values that conditions look at: an argument, all of them, the result or a part
 * of the result, the duration, the names of the tool and of the sub-agent. */
#include "check/rule/roles.h"
#include "check/rule/run.h"

const struct json *
rule_text_value(struct arena *a, struct str text)
{
	return json_parse(a, out_quote(a, text));
}

/* ---- paths ---- */

/* The values to which a path leads. */
struct values {
	struct rule_run *run;
	const struct rule_cond *cond;
	const struct json **list;
	size_t n;
};

/* Adds the values to which the path leads from step i on; NULL for each element that
 * lacks the rest of the path. An empty list has no element. */
static void
follow(struct values *o, const struct json *v, size_t i)
{
	const struct rule_step *step = &o->cond->path[i];

	if (v == NULL || i == o->cond->nsteps) {
		*arena_push(o->run->arena, o->list, o->n) =
		    v != NULL && o->cond->is_path ? rule_path_value(o->run, v)
						  : v;
	} else if (!step->any) {
		follow(o,
		    step->name.s == NULL ? json_at(v, step->index)
					 : json_get(v, step->name),
		    i + 1);
	} else if (!json_is(v, JSON_ARRAY)) {
		follow(o, NULL, i);
	} else {
		for (json_each(element, v))
			follow(o, element, i + 1);
	}
}

struct str_list
rule_patch_files(const struct json *args, struct arena *a)
{
	static const char *const heads[] = { "*** Update File: ",
		"*** Add File: ", "*** Delete File: ", "*** Move to: " };
	struct str text = rule_text_of(args, false, a);
	struct str_list files = { 0 };

	while (text.s != NULL) {
		struct str line = str_trim(str_cut(&text, '\n'));

		for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
			if (str_starts(line, heads[i]))
				str_list_add(a, &files,
				    str_from(line, strlen(heads[i])));
	}
	return files;
}

/* Adds the files that a patch names. */
static void
follow_patch(struct values *o, const struct json *args)
{
	struct arena *a = o->run->arena;
	struct str_list files = rule_patch_files(args, a);

	for (size_t i = 0; i < files.n; i++)
		follow(o, rule_text_value(a, files.list[i]), 1);
}

/* Adds the values of the arguments that a name of a role stands for. */
static void
follow_arguments(struct values *o, const struct json *args)
{
	const struct rule_cond *c = o->cond;
	const struct json *value;

	for (size_t i = 0; i < c->arguments.n && o->n == 0; i++)
		if (str_is(c->arguments.list[i], "@patch"))
			follow_patch(o, args);
		else if ((value = json_get(args, c->arguments.list[i])) != NULL)
			follow(o, value, 1);
	if (c->arguments.n == 0)
		follow(o, args, 0);
}

/* Returns the result as a JSON value, also if the log has the value as text; NULL if
 * the text is no JSON. */
static const struct json *
json_result(struct rule_run *run, size_t call)
{
	struct rule_texts *kept = rule_texts_of(run, call);
	const struct json *result = run->calls.list[call].result;
	struct str text;

	if (kept->read)
		return kept->json;
	kept->read = true;
	text = rule_result_text(result, run->arena);
	if (text.s == result->text.s && !json_is(result, JSON_STRING))
		return kept->json = result;
	return kept->json = json_parse(run->arena, text);
}

/* ---- texts and values ---- */

struct rule_texts *
rule_texts_of(struct rule_run *run, size_t call)
{
	if (run->texts == NULL)
		run->texts =
		    arena_new_n(run->arena, struct rule_texts, run->calls.n);
	return &run->texts[call];
}

struct str
rule_subject_text(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s)
{
	struct str *kept;

	if (s->value == NULL)
		return STR("");
	if (c->of > RULE_RESULT || c->nsteps > 0)
		return rule_text_of(s->value, false, run->arena);
	kept = c->of == RULE_ARGS ? &rule_texts_of(run, s->call)->args
				  : &rule_texts_of(run, s->call)->result;
	if (kept->s == NULL)
		*kept = c->of == RULE_ARGS
		    ? rule_text_of(s->value, false, run->arena)
		    : rule_result_text(s->value, run->arena);
	return *kept;
}

/* Returns JSON text without the white space between its signs, but for a blank behind
 * each ':' and ','. */
static struct str
print(struct str json, bool blank, struct arena *a)
{
	char *room = arena_room(a, 2 * json.n + 1), *to = room;
	bool quoted = false;

	for (size_t i = 0; i < json.n; i++) {
		char c = json.s[i];

		if (quoted && c == '\\')
			*to++ = json.s[i++];
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && (unsigned char)c <= ' ')
			continue;
		*to++ = json.s[i];
		if (blank && !quoted && (c == ':' || c == ','))
			*to++ = ' ';
	}
	return (struct str){ room, (size_t)(to - room) };
}

struct str
rule_result_printed(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s, bool blank)
{
	struct str text, *kept;
	const struct json *v;

	if (!c->minds_blanks || c->of != RULE_RESULT || c->nsteps > 0 ||
	    s->value == NULL || s->cut)
		return (struct str){ 0 };
	kept = &rule_texts_of(run, s->call)->printed[blank];
	text = rule_subject_text(run, c, s);
	if (kept->s == NULL) {
		v = json_result(run, s->call);
		*kept = json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT)
		    ? print(text, blank, run->arena)
		    : text;
	}
	return !str_eq(*kept, text) ? *kept : (struct str){ 0 };
}

const struct json *
rule_subject_value(struct rule_run *run, const struct rule_cond *c,
    const struct rule_subject *s)
{
	const struct json *v = s->value;
	struct str text;

	if (c->of != RULE_RESULT || c->nsteps > 0 ||
	    (!json_is(v, JSON_ARRAY) && !json_is(v, JSON_OBJECT)))
		return v;
	text = rule_result_text(v, run->arena);
	return text.s == v->text.s ? v : rule_text_value(run->arena, text);
}

bool
rule_is_cut(struct rule_run *run, const struct trace_call *call, bool result)
{
	if (!run->steps_cut || call->step == NULL)
		return false;
	if (trace_step_cut(call->step, result ? STR("result") : STR("args")))
		return true;
	return result && run->view->unmarked &&
	    json_is(call->result, JSON_STRING) &&
	    str_ends(json_raw(call->result), "...");
}

/* ---- subjects ---- */

/* Returns whether the call has arguments, but none by a name that the condition's roles
 * know, so that it is open which is looked for. */
static bool
is_of_other_names(const struct rule_cond *c, const struct json *args)
{
	if (c->arguments.n == 0 || json_count(args) == 0)
		return false;
	for (size_t i = 0; i < c->nroles; i++)
		if (rule_role_knows(c->roles[i], args))
			return false;
	return true;
}

size_t
rule_subjects(struct rule_run *run, const struct rule_cond *c, size_t call,
    const struct json ***list)
{
	struct values o = { .run = run, .cond = c };

	if (c->of == RULE_RESULT)
		follow(&o, json_result(run, call), 0);
	else
		follow_arguments(&o, run->calls.list[call].args);
	*list = o.list;
	return o.n;
}

size_t
rule_trace_subjects(
    struct rule_run *run, const struct rule_cond *c, const struct json ***list)
{
	struct values o = { .run = run, .cond = c };

	follow(&o, run->view->trace->record, 0);
	*list = o.list;
	return o.n;
}

/* Returns the first value to which the path leads, or NULL. */
static const struct json *
first_value(struct rule_run *run, const struct rule_cond *c, size_t call)
{
	const struct json **list;

	return rule_subjects(run, c, call, &list) == 0 ? NULL : list[0];
}

/* Returns the call that started the sub-agent which made a call; SIZE_MAX: the run's own
 * agent made the call. */
static size_t
starter_of(struct rule_run *run, size_t call)
{
	const struct trace_call *list = run->calls.list;

	if (run->starters == NULL)
		run->starters = arena_new_n(run->arena, size_t, run->calls.n);
	for (; run->nstarters <= call; run->nstarters++) {
		size_t i = run->nstarters, k = i - 1;

		while (k != SIZE_MAX && list[k].depth >= list[i].depth)
			k = run->starters[k];
		run->starters[i] = k;
	}
	return run->starters[call];
}

/* Returns the name of the sub-agent that made the call: if the log has none, the tool of
 * the call that started the sub-agent. */
static const struct json *
agent_of(struct rule_run *run, size_t call)
{
	const struct trace_call *c = &run->calls.list[call];
	const struct json *name = json_get(c->step, "agent");
	size_t starter = SIZE_MAX;

	if (name == NULL && c->depth > 0)
		starter = starter_of(run, call);
	return starter == SIZE_MAX
	    ? name
	    : rule_text_value(run->arena, run->calls.list[starter].tool);
}

static bool
find_result(struct rule_run *run, const struct rule_cond *c,
    struct rule_subject *s, const char **lacking)
{
	const struct trace_call *call = &run->calls.list[s->call];

	*lacking = "not recorded: the result of a call";
	s->cut = rule_is_cut(run, call, true);
	s->value = call->result;
	if (s->value != NULL && c->nsteps > 0)
		s->value = first_value(run, c, s->call);
	return call->result != NULL;
}

/* Finds an argument, all of them, or a part of the result or of a name. */
static __attribute__((noinline)) bool
find_part(struct rule_run *run, const struct rule_cond *c,
    struct rule_subject *s, const char **lacking)
{
	const struct trace_call *call = &run->calls.list[s->call];

	if (c->of == RULE_RESULT)
		return find_result(run, c, s, lacking);
	if (c->of == RULE_TOOL)
		s->value = rule_text_value(run->arena, call->tool);
	if (c->of == RULE_AGENT)
		s->value = agent_of(run, s->call);
	if (c->of == RULE_TOOL || c->of == RULE_AGENT)
		return true;
	*lacking = "not recorded: the arguments of a call";
	s->cut = rule_is_cut(run, call, false);
	if (call->args == NULL)
		return false;
	s->value =
	    c->of == RULE_ARGS ? call->args : first_value(run, c, s->call);
	if (s->value != NULL || !is_of_other_names(c, call->args))
		return true;
	*lacking = "not known: the argument for which a role's name stands";
	return false;
}

/* The subjects that many rules have are found first, in few instructions. */
bool
rule_find_subject(struct rule_run *run, const struct rule_cond *c,
    struct rule_subject *s, const char **lacking)
{
	const struct rule_text *text = rule_text_at(run, s->call);
	const struct trace_call *call;

	if (text != NULL) {
		*lacking = "not recorded: an input of the user";
		s->cut = text->cut;
		s->value = text->text;
		return s->value != NULL;
	}
	call = &run->calls.list[s->call];
	if (c->of == RULE_MS) {
		*lacking = "not recorded: the duration of a call";
		s->value = call->duration_ms;
		return json_is(s->value, JSON_NUMBER);
	}
	if (c->of == RULE_ARGS && call->args != NULL && !run->steps_cut) {
		s->value = call->args;
		return true;
	}
	return find_part(run, c, s, lacking);
}
