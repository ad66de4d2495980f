/* Decides which names occurred. */
#include "check/kind/names.h"

#include "base/hash.h"

/* ---- the names ---- */

static bool
has_arguments(const struct trace_call *call)
{
	return json_is(call->args, JSON_OBJECT) && json_count(call->args) != 0;
}

static void
add_calls(struct names_seen *all, struct view *v, bool succeeded, bool given)
{
	bool skills = all->of == NAMES_SKILLS;
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];
		struct name_seen one = { .name = call->tool,
			.call = skills ? NULL : call,
			.failed = json_is(call->is_error, JSON_TRUE) };

		if (skills && !trace_call_is(call, STR("skill__activate")))
			continue;
		if ((skills || given) && call->args == NULL)
			all->unknown =
			    STR("not recorded: the arguments of a call");
		if (skills)
			one.name =
			    json_text(json_get(call->args, "name"), v->arena);
		if (one.name.n != 0 && !(succeeded && one.failed) &&
		    !(given && !has_arguments(call)))
			*arena_push(v->arena, all->list, all->n) = one;
	}
}

static void
add_states(struct names_seen *all, struct view *v)
{
	const struct json *flow = v->trace->member[TRACE_WORKFLOW];

	for (json_each(t, json_get(flow, "transitions")))
		if (state_transition_made(v, t))
			*arena_push(
			    v->arena, all->list, all->n) = (struct name_seen){
				.name = json_text(json_get(t, "to"), v->arena)
			};
	if (!state_transitions_known(v))
		all->unknown = STR("not recorded: the turn of a transition");
}

struct names_seen
names_find(struct view *v, enum names_of of, bool succeeded, bool given)
{
	struct names_seen all = { .of = of };

	if (of == NAMES_STATES)
		add_states(&all, v);
	else
		add_calls(&all, v, succeeded, given);
	return all;
}

bool
names_is(const struct name_seen *one, struct str name)
{
	return one->call != NULL ? trace_call_is(one->call, name)
				 : str_eq(one->name, name);
}

bool
names_is_among(const struct name_seen *one, struct str_list names)
{
	for (size_t i = 0; i < names.n; i++)
		if (names_is(one, names.list[i]))
			return true;
	return names.n == 0;
}

/* Returns how often the name occurred. */
static int64_t
count(const struct names_seen *all, struct str name)
{
	int64_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += names_is(&all->list[i], name);
	return n;
}

struct finding
names_settle(const struct names_seen *all, struct finding f, bool settled,
    const struct view *v)
{
	if (settled)
		return f;
	if (all->unknown.s != NULL)
		return finding_skip(all->unknown);
	f.open = all->of != NAMES_STATES && v->cut & VIEW_CALLS;
	return f;
}

/* ---- deciding ---- */

static struct finding
find_each(
    const struct names_want *w, const struct names_seen *all, struct arena *a)
{
	struct str *wrong = arena_new_n(a, struct str, w->names.n);
	size_t n = 0, lacking = 0;
	struct finding f;

	for (size_t i = 0; i < w->names.n; i++) {
		int64_t seen = count(all, w->names.list[i]);

		lacking += seen < *w->least;
		if (seen < *w->least || (w->most != NULL && seen > *w->most))
			wrong[n++] = w->names.list[i];
	}
	f = finding_graded(w->names.n - lacking, w->names.n);
	if (n > lacking) {
		f.found = FOUND_NO;
		f.share = 0;
	}
	f.decisive = (struct str_list){ wrong, n };
	return f;
}

static bool
is_same(const struct names_want *w, const struct names_seen *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (w->names.n == 0 || !names_is_among(&all->list[i], w->names))
			return false;
	for (size_t i = 0; i < w->names.n; i++)
		if (count(all, w->names.list[i]) == 0)
			return false;
	return true;
}

/* Returns whether the name at this place is one of those that the check looks for. */
static bool
is_sought(const struct names_want *w, const struct names_seen *all, size_t at)
{
	const struct name_seen *one = &all->list[at];
	int64_t n = 1;

	if (w->how == NAMES_ANY)
		return w->names.n != 0 && names_is_among(one, w->names);
	while (n <= *w->most && (size_t)n <= at &&
	    str_eq(all->list[at - (size_t)n].name, one->name))
		n++;
	return at != 0 && n > *w->most && names_is_among(one, w->names);
}

/* Lists each name once that is looked for. */
static struct finding
find_any(
    const struct names_want *w, const struct names_seen *all, struct arena *a)
{
	struct hash_table seen = { .arena = a };
	struct finding f = finding_of(false);

	for (size_t i = 0; i < all->n; i++)
		if (is_sought(w, all, i) &&
		    hash_is_new(&seen, all->list[i].name))
			str_list_add(a, &f.decisive, all->list[i].name);
	f.found = f.decisive.n != 0 ? FOUND_YES : FOUND_NO;
	return f;
}

static struct finding
look(const struct names_want *w, struct view *v, bool succeeded)
{
	struct names_seen all = names_find(v, w->of, succeeded, w->given);
	struct finding f = { 0 };
	bool settled = false;

	switch (w->how) {
	case NAMES_EACH:
		f = find_each(w, &all, v->arena);
		settled = f.found == FOUND_YES && w->most == NULL;
		break;
	case NAMES_ANY:
		f = find_any(w, &all, v->arena);
		settled = f.found == FOUND_YES;
		break;
	case NAMES_REPEATED:
		f = find_any(w, &all, v->arena);
		settled = f.found == FOUND_YES && !v->holes;
		break;
	case NAMES_SAME:
		f = finding_of(is_same(w, &all));
		break;
	}
	return names_settle(&all, f, settled, v);
}

static struct finding
names_decide(const void *want, struct view *v)
{
	const struct names_want *w = want;
	struct finding f = look(w, v, w->succeeded);

	if (w->excused && w->succeeded && look(w, v, false).found != f.found)
		return finding_skip("not recorded: why a call failed");
	return f;
}

static const struct check_kind names_check_kind = { .name = "occurrences",
	.find = names_decide,
	WANTS(WANT("of tools skills states", WANT_WORD, names_want, of),
	    WANT("how each any same repeated", WANT_WORD, names_want, how),
	    WANT("names", WANT_STRS | WANT_IF, names_want, names),
	    WANT("least", WANT_INT | WANT_AT, names_want, least),
	    WANT("most", WANT_INT | WANT_AT, names_want, most),
	    WANT("succeeded", WANT_BOOL | WANT_IF, names_want, succeeded),
	    WANT("with_arguments", WANT_BOOL | WANT_IF, names_want, given)) };

struct check
names_check(struct arena *a, const struct names_want *want)
{
	return check_new(a, &names_check_kind, want, sizeof *want, VIEW_CALLS);
}
