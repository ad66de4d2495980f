#include "base/hash.h"
#include "check/kind/kind.h"
#include "check/kind/order.h"

struct occurrence {
	struct str name;
	const struct trace_call *call; /* NULL: not a tool's name */
	bool failed;
};

struct occurrences {
	struct occurrence *list;
	size_t n;
	struct str unknown; /* why some may be missing; absent: none are */
};

/* ---- collecting ---- */

static bool
has_arguments(const struct trace_call *call)
{
	return json_is(call->args, JSON_OBJECT) && json_count(call->args) != 0;
}

static bool
counts(const struct occurrences_want *w, const struct occurrence *o)
{
	return !(w->succeeded && o->failed) &&
	    !(w->given && !has_arguments(o->call));
}

static void
add_calls(
    struct occurrences *all, const struct occurrences_want *w, struct view *v)
{
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];
		struct occurrence o = { .name = call->tool,
			.call = call,
			.failed = json_is(call->is_error, JSON_TRUE) };

		if (w->of == OCCUR_SKILLS) {
			if (!trace_call_is(call, STR("skill__activate")))
				continue;
			if (call->args == NULL)
				all->unknown = STR(
				    "not recorded: the arguments of a call");
			o.name =
			    json_text(json_get(call->args, "name"), v->arena);
		}
		if (w->given && call->args == NULL)
			all->unknown =
			    STR("not recorded: the arguments of a call");
		if (counts(w, &o) && o.name.n != 0)
			*arena_push(v->arena, all->list, all->n) = o;
	}
}

static void
add_states(struct occurrences *all, struct view *v)
{
	const struct json *flow = v->trace->member[TRACE_WORKFLOW];

	for (json_each(t, json_get(flow, "transitions")))
		if (state_transition_made(v, t))
			*arena_push(
			    v->arena, all->list, all->n) = (struct occurrence){
				.name = json_text(json_get(t, "to"), v->arena)
			};
	if (!state_transitions_known(v))
		all->unknown = STR("not recorded: the turn of a transition");
}

static bool
is_named(const struct occurrences_want *w, const struct occurrence *o,
    struct str name)
{
	return w->of == OCCUR_TOOLS ? trace_call_is(o->call, name)
				    : str_eq(o->name, name);
}

/* Returns whether the occurrence has one of the names; any, if there are
 * none. */
static bool
is_meant(const struct occurrences_want *w, const struct occurrence *o,
    struct str_list names)
{
	for (size_t i = 0; i < names.n; i++)
		if (is_named(w, o, names.list[i]))
			return true;
	return names.n == 0;
}

/* ---- deciding ---- */

static struct finding
decided(bool yes)
{
	return (struct finding){ .found = yes ? FOUND_YES : FOUND_NO };
}

static struct finding
graded(size_t part, size_t whole)
{
	struct finding f = decided(part == whole);

	f.graded = true;
	f.share = whole == 0 ? 1 : (double)part / (double)whole;
	return f;
}

static int64_t
times(const struct occurrences_want *w, const struct occurrences *all,
    struct str name)
{
	int64_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += is_named(w, &all->list[i], name);
	return n;
}

static struct finding
find_each(const struct occurrences_want *w, const struct occurrences *all,
    struct arena *a)
{
	struct str *wrong = arena_new_n(a, struct str, w->names.n);
	size_t n = 0, lacking = 0;
	struct finding f;

	for (size_t i = 0; i < w->names.n; i++) {
		int64_t seen = times(w, all, w->names.list[i]);

		lacking += seen < w->least;
		if (seen < w->least || (w->most >= 0 && seen > w->most))
			wrong[n++] = w->names.list[i];
	}
	f = graded(w->names.n - lacking, w->names.n);
	if (n > lacking) {
		f.found = FOUND_NO;
		f.share = 0;
	}
	f.decisive = (struct str_list){ wrong, n };
	return f;
}

struct sought {
	const struct occurrences_want *want;
	const struct occurrence *list;
	struct str_list names;
};

static enum order_fit
fit(void *arg, size_t wanted, size_t made)
{
	const struct sought *s = arg;

	return is_named(s->want, &s->list[made], s->names.list[wanted])
	    ? ORDER_FITS
	    : ORDER_OTHER;
}

/* Returns how many of the names occurred in their order. */
static size_t
in_order(const struct occurrences_want *w, const struct occurrences *all,
    struct str_list names)
{
	struct sought s = { w, all->list, names };

	return order_within(&(struct order){ names.n, all->n, fit, &s });
}

static struct finding
find_order(const struct occurrences_want *w, const struct occurrences *all)
{
	size_t n = in_order(w, all, w->names);
	struct finding f = graded(n, w->names.n);

	if (n < w->names.n)
		f.decisive = (struct str_list){ &w->names.list[n], 1 };
	return f;
}

static struct finding
find_orders(const struct occurrences_want *w, const struct occurrences *all)
{
	for (size_t i = 0; i < w->n; i++)
		if (in_order(w, all, w->lists[i]) == w->lists[i].n)
			return (struct finding){ .found = FOUND_YES,
				.decisive = w->lists[i] };
	return decided(false);
}

static struct finding
find_count(const struct occurrences_want *w, const struct occurrences *all,
    struct arena *a)
{
	int64_t n = 0;
	struct finding f;

	for (size_t i = 0; i < all->n; i++)
		n += is_meant(w, &all->list[i], w->names);
	f = decided(n >= w->least && (w->most < 0 || n <= w->most));
	f.why = str_int(a, n);
	return f;
}

static struct finding
find_same(const struct occurrences_want *w, const struct occurrences *all)
{
	for (size_t i = 0; i < all->n; i++)
		if (w->names.n == 0 || !is_meant(w, &all->list[i], w->names))
			return decided(false);
	for (size_t i = 0; i < w->names.n; i++)
		if (times(w, all, w->names.list[i]) == 0)
			return decided(false);
	return decided(true);
}

/* Lists each name once that `is` picks. */
static struct finding
find_those(const struct occurrences_want *w, const struct occurrences *all,
    struct arena *a,
    bool (*is)(
	const struct occurrences_want *, const struct occurrences *, size_t at))
{
	struct hash_table seen = { .arena = a };
	struct str *list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++) {
		void **slot;

		if (!is(w, all, i))
			continue;
		slot = hash_put(&seen, all->list[i].name);
		if (*slot == NULL)
			*arena_push(a, list, n) = all->list[i].name;
		*slot = list;
	}
	return (struct finding){ .found = n != 0 ? FOUND_YES : FOUND_NO,
		.decisive = { list, n } };
}

static bool
is_there(
    const struct occurrences_want *w, const struct occurrences *all, size_t at)
{
	return w->names.n != 0 && is_meant(w, &all->list[at], w->names);
}

static bool
is_repeated(
    const struct occurrences_want *w, const struct occurrences *all, size_t at)
{
	const struct occurrence *o = &all->list[at];
	int64_t n = 1;

	while (n <= w->most && (size_t)n <= at &&
	    str_eq(all->list[at - (size_t)n].name, o->name))
		n++;
	return at != 0 && n > w->most && is_meant(w, o, w->names);
}

static bool
has_failed(
    const struct occurrences_want *w, const struct occurrences *all, size_t at)
{
	return all->list[at].failed && is_meant(w, &all->list[at], w->names);
}

static size_t
failures(const struct occurrences_want *w, const struct occurrences *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->n; i++)
		n += has_failed(w, all, i);
	return n;
}

/* The share is what is left of all calls, also if only calls of some tools
 * count, as in PromptKit. */
static struct finding
find_clean(const struct occurrences_want *w, const struct occurrences *all,
    struct arena *a)
{
	struct finding f = graded(all->n - failures(w, all), all->n);

	f.decisive = find_those(w, all, a, has_failed).decisive;
	return f;
}

/* A run with calls has less than the full score if their number is limited, as
 * in PromptKit. */
static struct finding
find_efficient(const struct occurrences_want *w, const struct occurrences *all,
    struct arena *a)
{
	double n = (double)all->n, failed = (double)failures(w, all);
	double rate = n == 0 ? 0 : failed / n;
	struct finding f = { .graded = true, .share = 1 };

	if (w->most > 0)
		f.share = n > (double)w->most ? 0 : 1 - n / (double)w->most;
	if ((w->most == 0 && n > 0) ||
	    (w->errors != NULL && failed > *w->errors) ||
	    (w->rate != NULL && rate > *w->rate))
		f.share = 0;
	f.found = f.share == 1 ? FOUND_YES : FOUND_NO;
	f.why = str_printf(a, "%.15g calls, %.15g of them failed", n, failed);
	return f;
}

/* PromptKit takes all calls for made in the state that was entered last. */
static struct finding
find_allowed(const struct occurrences_want *w, const struct occurrences *all,
    struct view *v)
{
	struct occurrences states = { 0 };
	struct str *list = NULL, now;
	size_t n = 0;

	add_states(&states, v);
	if (states.n == 0)
		return decided(true);
	now = states.list[states.n - 1].name;
	for (size_t i = w->n; i-- > 0;) {
		if (!str_eq(w->names.list[i], now))
			continue;
		for (size_t k = 0; k < all->n; k++)
			if (w->lists[i].n == 0 ||
			    !is_meant(w, &all->list[k], w->lists[i]))
				*arena_push(v->arena, list, n) =
				    all->list[k].name;
		break;
	}
	return (struct finding){ .found = n == 0 ? FOUND_YES : FOUND_NO,
		.decisive = { list, n } };
}

static struct finding
decide(const struct occurrences_want *w, const struct occurrences *all,
    struct view *v)
{
	switch (w->how) {
	case OCCUR_EACH:
		return find_each(w, all, v->arena);
	case OCCUR_ORDER:
		return find_order(w, all);
	case OCCUR_ORDERS:
		return find_orders(w, all);
	case OCCUR_COUNT:
		return find_count(w, all, v->arena);
	case OCCUR_SAME:
		return find_same(w, all);
	case OCCUR_REPEATED:
		return find_those(w, all, v->arena, is_repeated);
	case OCCUR_CLEAN:
		return find_clean(w, all, v->arena);
	case OCCUR_EFFICIENT:
		return find_efficient(w, all, v->arena);
	case OCCUR_ALLOWED:
		return find_allowed(w, all, v);
	default:
		return find_those(w, all, v->arena, is_there);
	}
}

/* Returns whether the calls are too many, or too many of them failed, whatever else
 * is wanted of them. */
static bool
is_beyond(const struct occurrences_want *w, const struct occurrences *all,
    struct view *v)
{
	struct occurrences_want limits = *w;

	limits.rate = NULL;
	limits.least = 0;
	return decide(&limits, all, v).found == FOUND_NO;
}

/* Returns whether more occurrences could not change the finding. */
static bool
is_settled(const struct occurrences_want *w, const struct finding *f,
    const struct occurrences *all, struct view *v)
{
	switch (w->how) {
	case OCCUR_EACH:
		return f->found == FOUND_YES && w->most < 0;
	case OCCUR_ANY:
	case OCCUR_ORDER:
	case OCCUR_ORDERS:
		return f->found == FOUND_YES;
	case OCCUR_REPEATED:
		return f->found == FOUND_YES && !v->holes;
	case OCCUR_COUNT:
		return f->found == FOUND_YES ? w->most < 0
					     : is_beyond(w, all, v);
	case OCCUR_EFFICIENT:
		return f->found == FOUND_NO &&
		    (!(v->cut & VIEW_CALLS) || is_beyond(w, all, v));
	case OCCUR_CLEAN:
	case OCCUR_ALLOWED:
		return f->found == FOUND_NO;
	default:
		return false;
	}
}

/* ---- the kind ---- */

static struct finding
look(const struct occurrences_want *w, struct view *v)
{
	struct occurrences all = { 0 };
	struct finding f;

	if (w->of == OCCUR_STATES)
		add_states(&all, v);
	else
		add_calls(&all, w, v);
	f = decide(w, &all, v);
	if (is_settled(w, &f, &all, v))
		return f;
	f.open = w->of != OCCUR_STATES && v->cut & VIEW_CALLS;
	if (all.unknown.s != NULL)
		return (
		    struct finding){ .found = FOUND_SKIP, .why = all.unknown };
	return f;
}

static struct finding
find(const void *want, struct view *v)
{
	const struct occurrences_want *w = want;
	struct occurrences_want lenient = *w;
	struct finding f = look(w, v);

	lenient.succeeded = false;
	if (w->excused && w->succeeded && look(&lenient, v).found != f.found)
		return (struct finding){ .found = FOUND_SKIP,
			.why = STR("not recorded: why a call failed") };
	return f;
}

static void
show_lists(const struct occurrences_want *w, struct out *o)
{
	out_member_begin(o, "lists", '[');
	for (size_t i = 0; i < w->n; i++)
		out_json_strs(o, w->lists[i]);
	out_end(o, ']');
}

static void
show(const void *want, struct out *o)
{
	static const char *const of[] = { "tools", "skills", "states" };
	static const char *const how[] = { "each", "any", "order", "orders",
		"count", "same", "repeated", "clean", "efficient", "allowed" };
	const struct occurrences_want *w = want;

	out_member_str(o, "of", str_of(of[w->of]));
	out_member_str(o, "how", str_of(how[w->how]));
	if (w->names.n != 0) {
		out_key(o, "names");
		out_json_strs(o, w->names);
	}
	if (w->n != 0)
		show_lists(w, o);
	if (w->how == OCCUR_EACH || w->least > 0)
		out_member_int(o, "least", w->least);
	if (w->most >= 0)
		out_member_int(o, "most", w->most);
	if (w->errors != NULL)
		out_member_double(o, "most_errors", *w->errors);
	if (w->rate != NULL)
		out_member_double(o, "most_rate", *w->rate);
	if (w->succeeded)
		out_member_bool(o, "succeeded", true);
	if (w->given)
		out_member_bool(o, "with_arguments", true);
}

struct check
occurrences_check(struct arena *a, const struct occurrences_want *want)
{
	static const struct check_kind kind = {
		.name = "occurrences", .find = find, .show = show
	};
	unsigned needs = want->of == OCCUR_STATES ? VIEW_WORKFLOW : VIEW_CALLS;

	if (want->how == OCCUR_ALLOWED)
		needs |= VIEW_WORKFLOW;
	return check_new(a, &kind, want, sizeof *want, needs);
}
