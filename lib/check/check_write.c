/* Checks and their results as JSON. */
#include "check/check.h"

#include <string.h>

static void
put_result(struct out *o, const struct check_result *r)
{
	const struct check *c = r->check;

	out_written(o, out_copy(out_next(o, c->head.n), c->head));
	out_str(o, status_quoted(r->status));
	o->comma = true;
	out_member_str(o, "reason", r->reason);
	out_member_str(o, "got", r->got);
	if (c->kind->counts)
		out_member_size(o, "applied", r->applied);
	if (r->status == STATUS_SKIPPED)
		out_member_str(o, "skipped_by", str_of(r->skipped_by));
	out_str(o, c->tail);
	if (c->severity == NULL)
		out_member_str(o, "severity", str_of(r->severity));
	if (r->of_turn)
		out_member_size(o, "turn", r->turn);
	if (r->call.s != NULL) {
		out_member_raw(o, "call", r->call);
	}
	if (r->metadata.s != NULL || c->metadata.s != NULL) {
		out_key(o, "metadata");
		out_json_raw(
		    o, r->metadata.s != NULL ? r->metadata : c->metadata);
	}
	if (r->status == STATUS_PENDING || r->offered) {
		const char *folder =
		    r->status == STATUS_PENDING ? r->folder : NULL;

		out_member_begin(o, "judge", '{');
		out_str(o, c->judge[folder != NULL]);
		o->comma = true;
		out_member_str(o, "answer", r->answer);
		out_member_str(o, "workspace", str_of(folder));
		out_end(o, '}');
	}
	out_end(o, '}');
}

void
check_seal(struct check *c, struct arena *a)
{
	struct out o;

	out_open_json(&o, '{');
	out_member_str(&o, "type", c->type);
	out_member_str(&o, "label", c->label);
	out_key(&o, "status");
	c->head = str_dup(a, out_memory(&o));
	out_clear(&o);
	o.comma = true;
	out_member_str(&o, "dialect", c->dialect);
	out_member_str(&o, "scenario", c->scenario);
	out_member_str(&o, "at", c->at);
	out_member_str(&o, "severity", str_of(c->severity));
	c->tail = str_dup(a, out_memory(&o));
	for (size_t i = 0; i < 2; i++) {
		out_clear(&o);
		if (c->kind != NULL && c->kind->ask != NULL)
			c->kind->ask(c->want, i == 1, &o);
		c->judge[i] = str_dup(a, out_memory(&o));
	}
	(void)out_keep(&o, a);
}

/* Returns whether the check passes if its kind `holds`. */
static bool
asks_kind(const struct check *c)
{
	return c->kind->holds != NULL && c->scope.part == SCOPE_RUN &&
	    !c->negate && c->nwhen == 0 && c->needs == 0 && c->bounds == NULL &&
	    c->tools.n == 0;
}

void
check_prepare_passes(struct check *list, size_t n, struct arena *a)
{
	static const char applied[] = ",\"applied\":";
	struct out o;
	size_t from = 0;
	struct str all;

	out_open_memory(&o);
	for (size_t i = 0; i < n; i++) {
		put_result(&o,
		    &(struct check_result){
			.check = &list[i], .status = STATUS_PASSED });
		list[i].passed.n = out_memory(&o).n - from;
		if (list[i].kind->counts)
			list[i].number = list[i].head.n +
			    status_quoted(STATUS_PASSED).n + strlen(applied);
		list[i].asks_kind = asks_kind(&list[i]);
		out_char(&o, ',');
		o.comma = false;
		from = out_memory(&o).n;
	}
	all = out_keep(&o, a);
	for (size_t i = 0; i < n; i++) {
		list[i].passed.s = all.s;
		all = str_from(all, list[i].passed.n + 1);
	}
}

/* Returns how many of the first results passed and have their prepared texts one behind
 * the other. */
static size_t
count_passes(const struct check_result *r, size_t n)
{
	const char *next = r->check->passed.s;
	size_t i = 0;

	while (
	    next != NULL && i < n && r[i].plain && r[i].check->passed.s == next)
		next += r[i++].check->passed.n + 1;
	return i;
}

/* Copies the prepared texts from `from` to `to` and sets the digits of the results that
 * are in them. Returns the end. */
static char *
put_digits(char *p, const char *from, const char *to,
    const struct check_result *r, size_t n)
{
	memcpy(p, from, (size_t)(to - from));
	for (size_t i = 0; i < n; i++) {
		const struct check *c = r[i].check;

		if (c->number != 0)
			p[c->passed.s + c->number - from] =
			    (char)('0' + r[i].applied);
	}
	return p + (to - from);
}

/* Copies the prepared texts of the results, with their numbers: at once up to the next
 * number that has several digits. */
static void
put_passes(struct out *o, const struct check_result *r, size_t n)
{
	struct str last = r[n - 1].check->passed;
	const char *from = r->check->passed.s, *end = last.s + last.n;
	char *p = out_next(o, (size_t)(end - from) + n * STR_DIGITS);

	for (size_t i, first = 0; first < n; first = i + 1) {
		const char *to = end;

		for (i = first; i < n && r[i].applied < 10;)
			i++;
		if (i < n)
			to = r[i].check->passed.s + r[i].check->number;
		p = put_digits(p, from, to, &r[first], i - first);
		if (i < n)
			p = str_digits(p, (int64_t)r[i].applied);
		from = to + (i < n);
	}
	p = put_digits(p, from, end, r, 0);
	out_written(o, p);
	o->comma = true;
}

void
check_write(struct out *o, const struct check_result *r, size_t n)
{
	size_t passed;

	for (size_t i = 0; i < n; i += passed) {
		passed = count_passes(r + i, n - i);
		if (passed != 0)
			put_passes(o, r + i, passed);
		else
			put_result(o, &r[i + passed++]);
	}
}

static void
show_bounds(const struct check *c, struct out *o)
{
	if (c->bounds != NULL && c->bounds->least != NULL)
		out_member_double(o, "min_score", *c->bounds->least);
	if (c->bounds != NULL && c->bounds->most != NULL)
		out_member_double(o, "max_score", *c->bounds->most);
}

static void
show_conditions(const struct check *c, struct out *o)
{
	if (c->nwhen == 0)
		return;
	out_member_begin(o, "when", '[');
	for (size_t i = 0; i < c->nwhen; i++)
		out_json_str(o, c->when[i].label);
	out_end(o, ']');
}

void
check_show(struct out *o, const struct check *c)
{
	out_begin(o, '{');
	out_member_str(o, "dialect", c->dialect);
	out_member_str(o, "scenario", c->scenario);
	out_member_str(o, "at", c->at);
	out_member_str(o, "type", c->type);
	out_member_str(o, "label", c->label);
	out_member_str(o, "severity", str_of(c->severity));
	if (c->scope.part != SCOPE_RUN) {
		out_key(o, "turn");
		if (c->scope.part == SCOPE_LAST)
			out_json_str(o, STR("last"));
		else if (c->scope.part == SCOPE_OPENING)
			out_json_str(o, STR("opening"));
		else
			out_json_int(o, (int64_t)c->scope.turn);
	}
	if (c->scope.until)
		out_member_bool(o, "until", true);
	out_member_str(o, "rule", c->rule);
	out_member_str(o, "kind", str_of(c->kind->name));
	if (c->negate) {
		out_member_bool(o, "negate", true);
	}
	out_member_begin(o, "wants", '{');
	check_show_wanted(c, o);
	out_end(o, '}');
	show_bounds(c, o);
	show_conditions(c, o);
	out_end(o, '}');
}
