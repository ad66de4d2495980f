#include "check/kind/kind.h"

#include "check/got.h"
#include "check/kind/order.h"
#include "text/caseless.h"

/* ---- steps ---- */

/* A call as a step of promptfoo's trajectories, and the names that it has. */
struct step {
	bool command;
	struct str names[5];
	size_t n;
	const struct json *args;
};

static void
add_name(struct step *s, struct str name)
{
	if (name.n != 0)
		s->names[s->n++] = name;
}

/* Returns the parts of a list as one command. */
static struct str
join_command(const struct json *list, const char *between, struct arena *a)
{
	struct str *parts = arena_new_n(a, struct str, json_count(list) + 1);
	size_t n = 0;

	for (json_each(v, list)) {
		struct str part = str_trim(
		    json_is(v, JSON_STRING) ? json_text(v, a) : v->text);

		if (part.n != 0)
			parts[n++] = part;
	}
	return str_join(a, parts, n, str_of(between));
}

/* Returns the command that the call of a shell runs; absent if the call is
 * another one. */
static struct str
command_of(const struct trace_call *call, struct arena *a)
{
	static const char *const keys[] = { "cmd", "command", "commands" };
	struct str name =
	    str_trim(call->name.s != NULL ? call->name : call->tool);

	if (!caseless_is_one_of(name, "exec_command local_shell shell"))
		return (struct str){ 0 };
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const struct json *v = json_get(call->args, str_of(keys[i]));

		if (v == NULL)
			continue;
		if (json_is(v, JSON_ARRAY))
			return join_command(v, i == 2 ? "; " : " ", a);
		return str_trim(json_text(v, a));
	}
	return (struct str){ 0 };
}

static struct step
step_of(const struct trace_call *call, struct arena *a)
{
	struct step s = { .args = call->args };
	struct str command = command_of(call, a), rest = command;

	s.command = command.n != 0;
	add_name(&s, call->tool);
	if (call->name.s != NULL) {
		add_name(&s, call->name);
		add_name(&s,
		    str_printf(a, "mcp__%.*s__%.*s", STR_FMT(call->server),
			STR_FMT(call->name)));
	}
	add_name(&s, command);
	if (s.command)
		add_name(&s, str_cut(&rest, ' '));
	return s;
}

static bool
fits(const struct step *s, const struct step_match *m)
{
	if (!(s->command ? m->commands : m->tools))
		return false;
	for (size_t i = 0; m->name != NULL && i < s->n; i++)
		if (regex_search(m->name, s->names[i], NULL, NULL) == REGEX_YES)
			return true;
	return m->name == NULL;
}

/* Returns the skill that the call activated; absent if it did not. Sets *unknown if the
 * name of the skill is not recorded. */
static struct str
skill_of(const struct trace_call *call, struct arena *a, bool *unknown)
{
	const char *key = "skill";

	if (trace_call_is(call, STR("skill__activate")))
		key = "name";
	else if (!trace_call_is(call, STR("Skill")))
		return (struct str){ 0 };
	if (json_is(call->is_error, JSON_TRUE))
		return (struct str){ 0 };
	*unknown |=
	    call->args == NULL || trace_step_cut(call->step, STR("args"));
	return str_trim(json_text(json_get(call->args, str_of(key)), a));
}

struct steps {
	struct step *list;
	size_t n;
	struct str shown; /* for readers */
	bool unknown;     /* a skill's name is not recorded */
};

static struct steps
steps_of(const struct steps_want *w, struct trace_calls calls, struct arena *a)
{
	struct steps s = { .list = arena_new_n(a, struct step, calls.n + 1) };
	struct str *names = arena_new_n(a, struct str, calls.n + 1);

	for (size_t i = 0; i < calls.n; i++) {
		struct str skill;

		if (!w->skills) {
			s.list[s.n++] = step_of(&calls.list[i], a);
			continue;
		}
		skill = skill_of(&calls.list[i], a, &s.unknown);
		if (skill.n == 0)
			continue;
		names[s.n] = skill;
		add_name(&s.list[s.n++], skill);
	}
	if (s.n == 0)
		s.shown = w->skills ? STR("no skills") : STR("no calls");
	else
		s.shown = w->skills ? str_join(a, names, s.n, STR(", "))
				    : got_sequence(calls, a);
	return s;
}

/* ---- deciding ---- */

static size_t
count(const struct step_match *m, const struct step *steps, size_t n)
{
	size_t fitting = 0;

	for (size_t i = 0; i < n; i++)
		fitting += fits(&steps[i], m);
	return fitting;
}

/* Decides whether each, or any, of the wanted steps was made. */
static struct finding
find_used(const struct steps_want *w, const struct step *steps, size_t n)
{
	bool any = w->how == STEPS_ANY;

	for (size_t i = 0; i < w->n; i++)
		if ((count(&w->list[i], steps, n) != 0) == any)
			return (struct finding){
				.found = any ? FOUND_YES : FOUND_NO,
				.cause = w->list[i].pattern,
			};
	return (struct finding){ .found = any ? FOUND_NO : FOUND_YES };
}

/* Returns the tools that must not be called, or only so often. */
static struct str_list
globs_of(const void *want, struct arena *a)
{
	const struct steps_want *w = want;
	struct str *list = arena_new_n(a, struct str, w->n);
	size_t n = 0;

	if (w->how != STEPS_ANY && w->most == NULL)
		return (struct str_list){ 0 };
	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].tools && w->list[i].name != NULL)
			list[n++] = w->list[i].pattern;
	return (struct str_list){ list, n };
}

static struct finding
find_count(const struct steps_want *w, const struct step *steps, size_t n)
{
	double fitting = (double)count(w->list, steps, n);
	bool few = w->least != NULL && fitting < *w->least,
	     many = w->most != NULL && fitting > *w->most;

	return (struct finding){
		.found = few || many ? FOUND_NO : FOUND_YES,
		.seen = (size_t)fitting,
	};
}

struct steps_search {
	const struct steps_want *want;
	const struct step *steps;
};

static enum order_fit
fit(void *arg, size_t wanted, size_t made)
{
	const struct steps_search *s = arg;

	return fits(&s->steps[made], &s->want->list[wanted]) ? ORDER_FITS
							     : ORDER_OTHER;
}

/* Commands do not count. */
static struct finding
find_order(const struct steps_want *w, struct step *steps, size_t n)
{
	struct steps_search s = { w, steps };
	struct order o = { .wanted = w->n, .fit = fit, .arg = &s };
	bool exactly = w->how == STEPS_EXACT, yes;

	for (size_t i = 0; i < n; i++)
		if (!steps[i].command)
			steps[o.made++] = steps[i];
	yes = (exactly ? order_exactly(&o) : order_within(&o)) == w->n &&
	    (!exactly || o.made == w->n);
	return finding_of(yes);
}

static struct finding
find_arguments(const struct steps_want *w, const struct step *steps, size_t n,
    struct arena *a)
{
	bool unknown = false;

	for (size_t i = 0; i < n; i++) {
		if (!fits(&steps[i], w->list))
			continue;
		if (steps[i].args == NULL)
			unknown = true;
		else if (call_match_object(&w->call, steps[i].args, a))
			return finding_of(true);
	}
	if (unknown)
		return finding_skip("not recorded: the arguments of a call");
	return finding_of(false);
}

/* Returns whether calls that the log lacks could change the finding. */
static bool
is_open(const struct steps_want *w, const struct finding *f)
{
	switch (w->how) {
	case STEPS_ANY:
	case STEPS_ALL:
	case STEPS_ORDER:
	case STEPS_ARGUMENTS:
		return f->found == FOUND_NO;
	case STEPS_COUNT:
		return w->most == NULL ? f->found == FOUND_NO
				       : (double)f->seen <= *w->most;
	default:
		return true;
	}
}

static struct finding
steps_find(const void *want, struct view *v)
{
	const struct steps_want *w = want;
	struct steps s = steps_of(w, view_calls(v), v->arena);
	struct finding f;

	if (w->how == STEPS_COUNT)
		f = find_count(w, s.list, s.n);
	else if (w->how == STEPS_ORDER || w->how == STEPS_EXACT)
		f = find_order(w, s.list, s.n);
	else if (w->how == STEPS_ARGUMENTS)
		f = find_arguments(w, s.list, s.n, v->arena);
	else
		f = find_used(w, s.list, s.n);
	if (f.found == FOUND_SKIP)
		return f;
	if (s.unknown && is_open(w, &f))
		return finding_skip("not recorded: the arguments of a call");
	f.open = v->cut & VIEW_CALLS && is_open(w, &f);
	f.why = s.shown;
	if (w->how == STEPS_COUNT)
		f.why =
		    str_printf(v->arena, "%zu (%.*s)", f.seen, STR_FMT(f.why));
	return f;
}

/* ---- the kind ---- */

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct steps_want *w = want;

	for (size_t i = 0; i < w->n; i++)
		each(w->list[i].name, arg);
	call_match_patterns(&w->call, each, arg);
}

static void
show_names(
    struct out *o, const char *key, const struct step_match *list, size_t n)
{
	out_member_begin(o, key, '[');
	for (size_t i = 0; i < n; i++)
		out_json_str(o, list[i].pattern);
	out_end(o, ']');
}

static void
steps_show(const void *want, struct out *o)
{
	static const char *const names[] = {
		[STEPS_ALL] = "all",
		[STEPS_ANY] = "any",
		[STEPS_COUNT] = "count",
		[STEPS_ORDER] = "order",
		[STEPS_EXACT] = "exact",
		[STEPS_ARGUMENTS] = "arguments",
	};
	const struct steps_want *w = want;

	show_names(o, names[w->how], w->list, w->n);
	if (w->least != NULL)
		out_member_double(o, "least", *w->least);
	if (w->most != NULL)
		out_member_double(o, "most", *w->most);
	if (w->call.args == NULL)
		return;
	out_member_raw(o, "args", w->call.args->text);
	out_member_bool(o, "exact", w->call.how == EXPECTED_COUNTED);
	if (w->call.nignored != 0)
		out_member_begin(o, "ignore", '[');
	for (size_t i = 0; i < w->call.nignored; i++)
		out_json_str(o, w->call.ignored[i].pattern);
	if (w->call.nignored != 0)
		out_end(o, ']');
	if (w->call.defaults != NULL)
		out_member_raw(o, "defaults", w->call.defaults->text);
}

struct check
steps_check(struct arena *a, const struct steps_want *want)
{
	static const struct check_kind kind = {
		.name = "steps",
		.find = steps_find,
		.show = steps_show,
		.patterns = patterns,
		.globs = globs_of,
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
