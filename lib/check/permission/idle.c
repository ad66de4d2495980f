/* Finds the lines that no call of any run needs. */
#include "base/diag.h"
#include "check/permission/run.h"

enum {
	LINES_SHOWN = 8,
	WRITTEN_SHOWN = 60, /* bytes of a line */
};

struct permission_applied {
	struct permission_applied *next;
	const struct permission_set *set;
	bool *lines; /* by number: applied to a call */
	size_t ncalls;
};

/* Returns the list's element for the set, which is added if the list lacks it. */
static struct permission_applied *
applied_of(struct permission_applied **list, const struct permission_set *set,
    struct arena *a)
{
	struct permission_applied *p = *list;

	while (p != NULL && p->set != set)
		p = p->next;
	if (p != NULL)
		return p;
	p = arena_new(a, struct permission_applied);
	p->set = set;
	p->lines = arena_new_n(a, bool, set->n);
	p->next = *list;
	return *list = p;
}

void
permission_note_applied(const struct permission_run *run, struct view *v)
{
	struct permission_applied *list = v->lasting.of_permissions;
	struct permission_applied *p =
	    applied_of(&list, run->set, &v->lasting.arena);

	v->lasting.of_permissions = list;
	p->ncalls += run->ncalls;
	for (size_t i = 0; i < run->set->n; i++)
		p->lines[i] |= run->uses[i].call != 0;
}

struct permission_applied *
permission_applied_add(
    struct permission_applied *sum, struct arena *a, const struct view *v)
{
	const struct permission_applied *of = v->lasting.of_permissions;

	for (; of != NULL; of = of->next) {
		struct permission_applied *p = applied_of(&sum, of->set, a);

		p->ncalls += of->ncalls;
		for (size_t i = 0; i < of->set->n; i++)
			p->lines[i] |= of->lines[i];
	}
	return sum;
}

static void
warn_idle(const struct permission_applied *p, struct arena *a)
{
	const struct permission_line *first = NULL;
	struct str *shown = arena_new_n(a, struct str, LINES_SHOWN);
	size_t n = 0;

	for (size_t i = 0; i < p->set->n; i++) {
		const struct permission_line *line = &p->set->lines[i];

		if (p->lines[i] || line->skipped)
			continue;
		if (n == 0)
			first = line;
		if (n < LINES_SHOWN)
			shown[n] = str_printf(a, "%s '%.*s'",
			    permission_name(line->decision),
			    STR_FMT(str_ellipsize(
				a, line->written, WRITTEN_SHOWN)));
		n++;
	}
	if (n == 0)
		return;
	diag_warn(first->place,
	    "lines that apply to no call: %zu of %zu: %.*s%s", n, p->set->n,
	    STR_FMT(str_join(
		a, shown, n < LINES_SHOWN ? n : LINES_SHOWN, STR(", "))),
	    n > LINES_SHOWN ? ", ..." : "");
}

void
permission_warn_idle(const struct permission_applied *list)
{
	struct arena a = { 0 };

	for (; list != NULL; list = list->next)
		if (list->ncalls != 0)
			warn_idle(list, &a);
	arena_free(&a);
}
