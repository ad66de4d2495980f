#include "trace/filter.h"

#include "base/diag.h"
#include "trace/trace.h"

enum { FOUND_BITS = 64 };

bool
trace_filter_add(struct trace_filter_list *l, struct arena *a, const char *text)
{
	struct str rest = str_of(text), member = str_cut(&rest, '=');

	*arena_push(a, l->list, l->n) =
	    (struct trace_filter){ str_c(a, member), rest };
	return member.n != 0 && rest.s != NULL;
}

/* Returns whether the text is the number, in any spelling. */
static bool
is_number(const struct json *number, struct str text)
{
	struct json_reader reader = { 0 };
	const struct json *v = json_read(&reader, text, NULL, NULL);
	bool same = json_is(v, JSON_NUMBER) && json_equal(v, number);

	json_reader_free(&reader);
	return same;
}

static bool
holds(const struct trace_filter *w, const struct json *record)
{
	const struct json *v = json_path(record, w->member);

	if (v == NULL)
		return false;
	if (v->type == JSON_STRING)
		return json_str_is(v, w->value);
	if (v->type == JSON_NUMBER)
		return is_number(v, w->value);
	return str_eq(v->text, w->value);
}

static void
note_other(const struct trace_filter_list *l, const struct json *record,
    struct trace_filter_count *c)
{
	c->others++;
	for (size_t i = 0; i < l->n && i < FOUND_BITS; i++)
		if (json_path(record, l->list[i].member) != NULL)
			c->found |= (uint64_t)1 << i;
}

bool
trace_filter_holds(const struct trace_filter_list *l, const struct json *record,
    struct trace_filter_count *c)
{
	for (size_t i = 0; i < l->n; i++) {
		if (!holds(&l->list[i], record)) {
			note_other(l, record, c);
			return false;
		}
	}
	c->meant++;
	return true;
}

void
trace_filter_add_count(
    struct trace_filter_count *to, const struct trace_filter_count *from)
{
	to->meant += from->meant;
	to->others += from->others;
	to->found |= from->found;
}

void
trace_filter_warn(const struct trace_filter_list *l,
    const struct trace_filter_count *c, bool error, struct arena *a)
{
	void (*report)(struct place, const char *, ...) =
	    error ? diag_error : diag_warn;
	const struct place nowhere = { 0 };
	size_t i = 0;

	if (c->meant != 0 || c->others == 0)
		return;
	while (i < l->n && i < FOUND_BITS && c->found >> i & 1)
		i++;
	if (i < l->n && i < FOUND_BITS)
		report(nowhere,
		    "--where: no run has the member '%s'%s; passed through "
		    "unchecked: %zu",
		    l->list[i].member,
		    trace_member_near(str_of(l->list[i].member), a), c->others);
	else
		report(nowhere,
		    "--where: no run has %s; passed through unchecked: %zu",
		    l->n == 1 ? "this value" : "all these values", c->others);
}
