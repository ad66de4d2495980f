#include "check/dialect/permissions.h"

struct permission_set *
permissions_begin(struct scenarios *s, const struct permission_product *product)
{
	struct permission_sets *sets = s->permissions;
	struct permission_set *set;

	scenarios_begin_all(s, NULL);
	for (size_t i = 0; i < sets->n; i++)
		if (sets->list[i]->product == product)
			return sets->list[i];
	set = arena_new(s->arena, struct permission_set);
	set->product = product;
	set->arena = s->arena;
	set->program = s->rules;
	rule_roles(s->rules); /* before threads share the program */
	*arena_push(s->arena, sets->list, sets->n) = set;
	return set;
}

static void
add_line(struct scenarios *s, const struct permission_set *set, size_t number)
{
	struct check c = permission_check_line(s->arena, set, number);

	c.source.place = set->lines[number].place;
	scenarios_add_check_at(s, c,
	    str_printf(
		s->arena, "%s:%zu", c.source.place.file, c.source.place.line));
}

/* Adds a check of all calls, whatever their lines. */
static void
add_sum(struct scenarios *s, struct check c)
{
	c.source.place.file = s->doc->file;
	scenarios_add_check_at(s, c, str_of(s->doc->file));
}

void
permissions_end(
    struct scenarios *s, struct permission_set *set, size_t first, bool decides)
{
	struct arena *a = s->arena;

	for (size_t i = first; i < set->n; i++)
		add_line(s, set, i);
	set->decides |= decides;
	if (set->n == first && !decides)
		document_report(s->doc, MISTAKE_REMARK, NULL,
		    "no line that allows a call, asks about one or denies one");
	if (set->summed)
		return;
	set->summed = true;
	add_sum(s, permission_check_rest(a, set, PERMISSION_DENY));
	add_sum(s, permission_check_rest(a, set, PERMISSION_NONE));
	add_sum(s, permission_check_count(a, set));
}

enum {
	WRITTEN_SHOWN = 120,   /* bytes of a line */
	LINES_COMPARED = 3000, /* with each other */
};

static void
warn_line(const struct permission_set *set, const struct permission_line *line,
    struct policy *policy)
{
	const struct permission_line *by = permission_idled_by(set, line);
	struct str idle =
	    str_ellipsize(set->arena, line->written, WRITTEN_SHOWN);
	struct str says;

	if (by == NULL)
		return;
	says = str_ellipsize(set->arena, by->written, WRITTEN_SHOWN);
	policy_report(policy, MISTAKE_REMARK, line->place,
	    "%s '%.*s' %s: %s '%.*s' (%s:%zu) covers it",
	    permission_name(line->decision), STR_FMT(idle),
	    by->decision == line->decision ? "adds nothing" : "never decides",
	    permission_name(by->decision), STR_FMT(says), by->place.file,
	    by->place.line);
}

void
permissions_warn(const struct permission_sets *sets, struct policy *policy)
{
	for (size_t i = 0; i < sets->n; i++) {
		const struct permission_set *set = sets->list[i];

		if (set->n > LINES_COMPARED)
			policy_report(policy, MISTAKE_REMARK,
			    (struct place){ .file = set->lines[0].place.file },
			    "lines that others cover are not looked for among "
			    "so many: %zu (at most %d)",
			    set->n, LINES_COMPARED);
		for (size_t k = 0; k < set->n && set->n <= LINES_COMPARED; k++)
			warn_line(set, &set->lines[k], policy);
	}
}
