#include "check/kind/kind.h"
#include "check/kind/order.h"

/* A message of the run; its calls are those of the search from `first` on. */
struct said {
	const char *role;
	size_t first, n;
	const struct json *number; /* of the model's message, or NULL */
};

struct search {
	const struct trajectory_want *want;
	struct arena *arena;
	struct trace_call *calls; /* of the run's own agent */
	size_t ncalls;
	struct said *said;
	size_t nsaid;
	bool unsure;  /* which steps are of one message is not recorded */
	bool unknown; /* arguments that decide were not recorded */
	struct str why;
};

/* ---- the run ---- */

static void
say(struct search *s, const char *role, const struct json *number)
{
	*arena_push(s->arena, s->said, s->nsaid) =
	    (struct said){ .role = role, .first = s->ncalls, .number = number };
}

/* Returns whether the step is of the model's message that was said last; sets s->unsure if
 * that is not recorded. */
static bool
continues(struct search *s, const struct json *number, bool call)
{
	const struct said *last = s->nsaid == 0 ? NULL : &s->said[s->nsaid - 1];

	if (last == NULL || strcmp(last->role, "assistant") != 0)
		return false;
	if (number != NULL && last->number != NULL)
		return json_equal(number, last->number);
	s->unsure |= call;
	return call;
}

/* Adds the results of the last message of the assistant, each of which is a message. */
static void
add_results(struct search *s)
{
	struct said last = { 0 };

	if (s->nsaid != 0)
		last = s->said[s->nsaid - 1];
	for (size_t i = 0; i < last.n; i++)
		if (s->calls[last.first + i].result != NULL)
			say(s, "tool", NULL);
}

static void
add_steps(struct search *s, const struct json *steps, struct trace_calls all,
    size_t *next)
{
	for (json_each(step, steps)) {
		const struct json *number = json_get(step, "message");
		bool call = false;

		while (*next < all.n && all.list[*next].depth != 0)
			++*next;
		if (*next < all.n && all.list[*next].step == step)
			call = true;
		else if (!json_has(step, "text"))
			continue;
		if (!continues(s, number, call)) {
			add_results(s);
			say(s, "assistant", number);
		}
		if (!call)
			continue;
		*arena_push(s->arena, s->calls, s->ncalls) = all.list[*next];
		s->said[s->nsaid - 1].n++;
		++*next;
	}
	add_results(s);
}

/* Finds the run's messages, or only its calls if no turns were recorded. */
static void
read_run(struct search *s, struct view *v)
{
	struct trace_calls all = view_calls(v);
	const struct json *turns = v->trace->member[TRACE_TURNS];
	size_t next = 0;

	for (json_each(turn, turns)) {
		if (json_has(turn, "prompt"))
			say(s, "user", NULL);
		add_steps(s, json_get(turn, "steps"), all, &next);
	}
	for (; next < all.n; next++)
		if (all.list[next].depth == 0) {
			*arena_push(s->arena, s->calls, s->ncalls) =
			    all.list[next];
			s->unsure = true;
		}
}

/* ---- calls ---- */

/* Calls that take each other. With `flipped`, what is expected of the call's arguments is
 * expected of the other ones. */
struct pairs {
	struct search *search;
	const struct trace_call *calls;
	const struct call_match *list;
	bool flipped;
};

static enum order_fit
fit(void *arg, size_t expected, size_t made)
{
	struct pairs *p = arg;
	struct call_match c = p->list[expected];
	const struct trace_call *call = &p->calls[made];
	struct finding f;

	if (!trace_call_is(call, c.tool))
		return ORDER_OTHER;
	if (p->flipped && c.how == EXPECTED_SUPERSET)
		c.how = EXPECTED_SUBSET;
	else if (p->flipped && c.how == EXPECTED_SUBSET)
		c.how = EXPECTED_SUPERSET;
	f = call_match_fit(&c, call, p->search->arena);
	p->search->unknown |= f.found == FOUND_CANNOT;
	return f.found == FOUND_YES ? ORDER_FITS : ORDER_OTHER;
}

static enum order_fit
fit_call(void *arg, size_t made, size_t expected)
{
	return fit(arg, expected, made);
}

/* Returns whether each call takes an expected call that fits and was not taken. */
static bool
all_expected(struct pairs p, size_t n, size_t nlist)
{
	struct search *s = p.search;
	size_t k =
	    order_each(&(struct order){ n, nlist, fit_call, &p }, s->arena);

	if (k < n)
		s->why =
		    str_printf(s->arena, "a call of %.*s that is not expected",
			STR_FMT(p.calls[k].tool));
	return k == n;
}

/* Returns whether each expected call takes a call that fits and was not taken. */
static bool
all_made(struct search *s, const struct call_match *list, size_t n)
{
	struct pairs p = { .search = s, .calls = s->calls, .list = list };
	size_t i =
	    order_each(&(struct order){ n, s->ncalls, fit, &p }, s->arena);

	if (i < n)
		s->why = str_printf(
		    s->arena, "no such call of %.*s", STR_FMT(list[i].tool));
	return i == n;
}

/* ---- messages ---- */

static bool
strict(struct search *s)
{
	const struct trajectory_want *w = s->want;

	for (size_t i = 0; i < w->n && i < s->nsaid; i++) {
		const struct trajectory_message *m = &w->list[i];
		const struct said *said = &s->said[i];
		struct str why = { 0 };

		if (!str_is(m->role, said->role))
			why = str_printf(s->arena,
			    "expected one of %.*s, found one of %s",
			    STR_FMT(m->role), said->role);
		else if (m->n != said->n)
			why = str_printf(s->arena,
			    "expected %zu calls, found %zu", m->n, said->n);
		else if (!all_expected(
			     (struct pairs){
				 s, s->calls + said->first, m->calls, false },
			     said->n, m->n))
			why = s->why;
		if (why.s == NULL)
			continue;
		s->why = str_printf(
		    s->arena, "message %zu: %.*s", i + 1, STR_FMT(why));
		return false;
	}
	s->why = str_printf(
	    s->arena, "expected %zu messages, found %zu", w->n, s->nsaid);
	return w->n == s->nsaid;
}

static bool
decide(struct search *s)
{
	const struct trajectory_want *w = s->want;
	struct call_match *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		for (size_t k = 0; k < w->list[i].n; k++)
			*arena_push(s->arena, list, n) = w->list[i].calls[k];
	switch (w->mode) {
	case TRAJECTORY_STRICT:
		return strict(s);
	case TRAJECTORY_SUBSET:
		return all_expected(
		    (struct pairs){ s, s->calls, list, true }, s->ncalls, n);
	case TRAJECTORY_SUPERSET:
		return all_made(s, list, n);
	case TRAJECTORY_UNORDERED:
		return all_made(s, list, n) &&
		    all_expected((struct pairs){ s, s->calls, list, true },
			s->ncalls, n);
	}
	return false;
}

static size_t
count_expected(const struct trajectory_want *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		n += w->list[i].n;
	return n;
}

static struct finding
trajectory_find(const void *want, struct view *v)
{
	struct search s = { .want = want, .arena = v->arena };
	bool yes;

	read_run(&s, v);
	yes = decide(&s);
	if (!yes && s.unknown)
		return finding_skip("not recorded: the arguments of a call");
	if (s.want->mode == TRAJECTORY_STRICT && s.unsure &&
	    s.ncalls == count_expected(want))
		return finding_skip(
		    "not recorded: which calls are of one message");
	return (struct finding){
		.found = yes ? FOUND_YES : FOUND_NO,
		.open = (yes ? s.want->mode != TRAJECTORY_SUPERSET
			     : s.want->mode != TRAJECTORY_SUBSET) &&
		    v->cut & VIEW_CALLS,
		.why = yes ? STR("these calls") : s.why,
	};
}

static void
trajectory_show(const void *want, struct out *o)
{
	static const char *const modes[] = {
		[TRAJECTORY_STRICT] = "strict",
		[TRAJECTORY_UNORDERED] = "unordered",
		[TRAJECTORY_SUBSET] = "subset",
		[TRAJECTORY_SUPERSET] = "superset",
	};
	const struct trajectory_want *w = want;

	out_member_begin(o, modes[w->mode], '[');
	for (size_t i = 0; i < w->n; i++) {
		out_begin(o, '{');
		out_member_str(o, "role", w->list[i].role);
		if (w->list[i].n != 0)
			out_member_begin(o, "calls", '[');
		for (size_t k = 0; k < w->list[i].n; k++)
			call_match_show(&w->list[i].calls[k], o);
		if (w->list[i].n != 0)
			out_end(o, ']');
		out_end(o, '}');
	}
	out_end(o, ']');
}

struct check
trajectory_check(struct arena *a, const struct trajectory_want *want)
{
	static const struct check_kind kind = { .name = "trajectory",
		.find = trajectory_find,
		.show = trajectory_show };

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
