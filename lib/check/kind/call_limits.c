/* Decides whether the number of calls, and of those that failed, is within limits. */
#include "check/kind/names.h"

#include "base/hash.h"

struct tally {
	size_t calls, meant, failed; /* failed: of those that are meant */
};

static struct tally
count(const struct call_limits_want *w, const struct names_seen *all)
{
	struct tally t = { .calls = all->n };

	for (size_t i = 0; i < all->n; i++) {
		bool meant = names_is_among(&all->list[i], w->names);

		t.meant += meant;
		t.failed += meant && all->list[i].failed;
	}
	return t;
}

static struct finding
find_count(const struct call_limits_want *w, struct tally t, struct arena *a)
{
	int64_t n = (int64_t)t.meant;
	struct finding f =
	    finding_of(n >= w->least && (w->most == NULL || n <= *w->most));

	f.why = str_int(a, n);
	return f;
}

/* The share is what is left of all calls, also if only calls of some tools
 * count, as in PromptKit. */
static struct finding
find_clean(const struct call_limits_want *w, struct tally t,
    const struct names_seen *all, struct arena *a)
{
	struct finding f = finding_graded(t.calls - t.failed, t.calls);
	struct str *list = arena_new_n(a, struct str, t.failed);
	struct hash_table seen = { .arena = a };

	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].failed &&
		    names_is_among(&all->list[i], w->names) &&
		    hash_is_new(&seen, all->list[i].name))
			list[f.decisive.n++] = all->list[i].name;
	f.decisive.list = list;
	return f;
}

/* A run with calls has less than the full score if their number is limited, as
 * in PromptKit. */
static struct finding
find_efficient(
    const struct call_limits_want *w, struct tally t, struct arena *a)
{
	double n = (double)t.calls, failed = (double)t.failed;
	double rate = n == 0 ? 0 : failed / n;
	double most = w->most == NULL ? -1 : (double)*w->most;
	struct finding f = { .graded = true, .share = 1 };

	if (most > 0)
		f.share = n > most ? 0 : 1 - n / most;
	if ((most == 0 && n > 0) ||
	    (w->errors != NULL && failed > *w->errors) ||
	    (w->rate != NULL && rate > *w->rate))
		f.share = 0;
	f.found = f.share == 1 ? FOUND_YES : FOUND_NO;
	f.why = str_printf(a, "%.15g calls, %.15g of them failed", n, failed);
	return f;
}

/* Returns whether the calls are too many, or too many of them failed, however many more
 * of them there are. */
static bool
is_beyond(const struct call_limits_want *w, struct tally t, struct arena *a)
{
	struct call_limits_want limits = *w;

	limits.rate = NULL;
	limits.least = 0;
	return (w->how == LIMITS_COUNT ? find_count(&limits, t, a)
				       : find_efficient(&limits, t, a))
		   .found == FOUND_NO;
}

static struct finding
call_limits_find(const void *want, struct view *v)
{
	const struct call_limits_want *w = want;
	struct names_seen all = names_find(v, NAMES_TOOLS, false, false);
	struct tally t = count(w, &all);
	struct finding f = { 0 };
	bool settled = false;

	switch (w->how) {
	case LIMITS_COUNT:
		f = find_count(w, t, v->arena);
		settled = f.found == FOUND_YES ? w->most == NULL
					       : is_beyond(w, t, v->arena);
		break;
	case LIMITS_CLEAN:
		f = find_clean(w, t, &all, v->arena);
		settled = f.found == FOUND_NO;
		break;
	case LIMITS_EFFICIENT:
		f = find_efficient(w, t, v->arena);
		settled = f.found == FOUND_NO &&
		    (!(v->cut & VIEW_CALLS) || is_beyond(w, t, v->arena));
		break;
	}
	return names_settle(&all, f, settled, v);
}

static const struct check_kind call_limits_check_kind = { .name = "occurrences",
	.find = call_limits_find,
	WANTS(WANT("of tools tools tools", WANT_WORD, call_limits_want, how),
	    WANT("how count clean efficient", WANT_WORD, call_limits_want, how),
	    WANT("names", WANT_STRS | WANT_IF, call_limits_want, names),
	    WANT("least", WANT_INT | WANT_IF, call_limits_want, least),
	    WANT("most", WANT_INT | WANT_AT, call_limits_want, most),
	    WANT(
		"most_errors", WANT_DOUBLE | WANT_AT, call_limits_want, errors),
	    WANT("most_rate", WANT_DOUBLE | WANT_AT, call_limits_want, rate)) };

struct check
call_limits_check(struct arena *a, const struct call_limits_want *want)
{
	return check_new(
	    a, &call_limits_check_kind, want, sizeof *want, VIEW_CALLS);
}
