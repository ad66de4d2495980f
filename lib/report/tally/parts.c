#include "report/tally/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clamp.h"
#include "base/hash.h"

static void
take_file(struct part *p, struct str file, struct arena *a)
{
	if (file.n == 0)
		return;
	if (p->first.n == 0 || str_cmp(file, p->first) < 0)
		p->first = str_dup(a, file);
	if (p->last.n == 0 || str_cmp(file, p->last) > 0)
		p->last = str_dup(a, file);
}

void
part_add(struct part *p, struct str record, struct str file, struct arena *a)
{
	p->id += hash_add(HASH_START, record);
	p->in++;
	take_file(p, file, a);
}

void
part_merge(struct part *p, const struct part *more, struct arena *a)
{
	p->id += more->id;
	p->in += more->in;
	p->out += more->out;
	take_file(p, more->first, a);
	take_file(p, more->last, a);
}

void
parts_add(struct parts *all, const struct part *p, struct arena *a)
{
	struct part *copy = arena_push(a, all->list, all->n);

	*copy = *p;
	copy->name = str_dup(a, p->name);
	copy->first = str_dup(a, p->first);
	copy->last = str_dup(a, p->last);
}

static bool
read_count(const struct json *part, const char *key, size_t *n)
{
	int64_t value;

	if (!json_int(json_get(part, str_of(key)), &value) || value < 0)
		return false;
	*n = clamp_size(value);
	return true;
}

static bool
read_id(const struct json *v, uint64_t *id)
{
	struct str digits = json_raw(v);

	*id = 0;
	for (size_t i = 0; i < digits.n; i++) {
		const char *all = "0123456789abcdef";
		size_t digit = str_find_char(str_of(all), digits.s[i]);

		if (digit == 16)
			return false;
		*id = *id << 4 | digit;
	}
	return digits.n == 16;
}

bool
part_read(struct part *p, const struct json *v, struct arena *a)
{
	p->known = true;
	p->name = json_text(json_get(v, "name"), a);
	p->first = json_text(json_get(v, "first"), a);
	p->last = json_text(json_get(v, "last"), a);
	return read_id(json_get(v, "id"), &p->id) &&
	    read_count(v, "in", &p->in) && read_count(v, "out", &p->out) &&
	    read_count(v, "errors", &p->errors);
}

bool
parts_read(struct parts *all, const struct json *partial, struct place at,
    struct arena *a)
{
	const struct json *list = json_get(partial, "parts");

	if (list == NULL)
		parts_add(all, &(struct part){ .at = at }, a);
	for (json_each(v, list)) {
		struct part p = { .at = at };

		if (!part_read(&p, v, a) && json_has(v, "id"))
			return false;
		p.known = json_has(v, "id");
		parts_add(all, &p, a);
	}
	return list == NULL || json_first(list) != NULL;
}

/* ---- order ---- */

static int
by_number(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The place is what tells equal parts apart, whichever thread read them. */
static int
by_place(struct place a, struct place b)
{
	int order = str_cmp(str_of(a.file), str_of(b.file));

	if (order == 0)
		order = by_number(a.line, b.line);
	return order != 0 ? order : by_number(a.column, b.column);
}

static int
compare(const void *one, const void *other)
{
	const struct part *a = one, *b = other;
	int order = (a->known > b->known) - (a->known < b->known);

	if (order == 0)
		order = by_number(a->id, b->id);
	if (order == 0)
		order = by_number(a->in, b->in);
	if (order == 0)
		order = str_cmp(a->name, b->name);
	if (order == 0)
		order = by_number(a->out, b->out);
	if (order == 0)
		order = by_number(a->errors, b->errors);
	if (order == 0)
		order = str_cmp(a->first, b->first);
	if (order == 0)
		order = str_cmp(a->last, b->last);
	return order != 0 ? order : by_place(a->at, b->at);
}

static void
sort(struct parts *all)
{
	if (all->n > 1)
		qsort(all->list, all->n, sizeof *all->list, compare);
}

static bool
counts(const struct parts *all, const struct part *own)
{
	return all->n == 0 || own->in != 0 || own->errors != 0;
}

/* ---- writing ---- */

void
part_write(struct out *o, const struct part *p)
{
	out_begin(o, '{');
	if (p->name.n != 0)
		out_member_str(o, "name", p->name);
	if (p->known) {
		char id[17];

		snprintf(id, sizeof id, "%016llx", (unsigned long long)p->id);
		out_member_str(o, "id", str_of(id));
		out_member_size(o, "in", p->in);
		out_member_size(o, "out", p->out);
		out_member_size(o, "errors", p->errors);
	}
	if (p->first.n != 0)
		out_member_str(o, "first", p->first);
	if (p->last.n != 0)
		out_member_str(o, "last", p->last);
	out_end(o, '}');
}

void
parts_write(struct out *o, struct parts *all, const struct part *own)
{
	sort(all);
	out_member_begin(o, "parts", '[');
	for (size_t i = 0; i < all->n; i++)
		part_write(o, &all->list[i]);
	if (counts(all, own))
		part_write(o, own);
	out_end(o, ']');
}

/* ---- checking ---- */

enum { NUMBERED_MAX = 100000 }; /* parts, of which the missing ones are named */

/* Returns the part in words: "part 3 (20 runs, from a.jsonl to b.jsonl)". */
static struct str
words(const struct part *p, struct arena *a)
{
	struct str files = { 0 };

	if (p->first.n != 0)
		files = str_eq(p->first, p->last)
		    ? str_printf(a, ", of %.*s", STR_FMT(p->first))
		    : str_printf(a, ", from %.*s to %.*s", STR_FMT(p->first),
			  STR_FMT(p->last));
	return str_printf(a, "part%s%.*s (%zu run%s%.*s)",
	    p->name.n == 0 ? "" : " ", STR_FMT(p->name), p->in,
	    p->in == 1 ? "" : "s", STR_FMT(files));
}

static void
check_one(const struct part *p, bool strict, struct arena *a)
{
	struct str text = words(p, a);

	if (p->errors != 0)
		diag_error(p->at,
		    "partial: %.*s: the program that wrote it had trouble, "
		    "in %zu message%s",
		    STR_FMT(text), p->errors, p->errors == 1 ? "" : "s");
	else if (strict && p->known && p->in == 0)
		diag_error(p->at, "--parts: %.*s is empty", STR_FMT(text));
}

bool
part_same(const struct part *a, const struct part *b)
{
	return a->known && b->known && a->in == b->in && a->id == b->id;
}

static void
report_twice(
    const struct part *p, const struct part *q, bool strict, struct arena *a)
{
	struct str text = words(p, a);

	(strict ? diag_error : diag_warn)(p->at,
	    "partial: %.*s comes twice, also at %s:%zu", STR_FMT(text),
	    q->at.file == NULL ? "<stdin>" : q->at.file, q->at.line);
}

/* Returns the names of the parts that are missing, if the names are the numbers up to
 * `wanted`: " (no part 3, 5)"; else an empty text. */
static struct str
missing(const struct parts *all, size_t wanted, struct arena *a)
{
	struct str text = { 0 };
	size_t from = 1;
	bool *found;

	if (wanted > NUMBERED_MAX)
		return text;
	found = arena_new_n(a, bool, wanted + 1);
	for (size_t i = 0; i < all->n; i++) {
		struct str name = all->list[i].name;
		char *end;
		unsigned long n = strtoul(str_c(a, name), &end, 10);

		if (name.n == 0 || *end != '\0' || n > wanted)
			return (struct str){ 0 };
		found[n] = true;
		if (n == 0)
			from = 0;
	}
	for (size_t n = from; n < wanted + from; n++)
		if (!found[n])
			text = str_printf(a, "%.*s%s%zu", STR_FMT(text),
			    text.n == 0 ? "" : ", ", n);
	return text.n == 0 ? text
			   : str_printf(a, " (no part %.*s)", STR_FMT(text));
}

void
parts_check(struct parts *all, const struct part *own, size_t wanted)
{
	struct arena a = { 0 };
	size_t n;

	sort(all);
	n = all->n + (counts(all, own) && own->in != 0);
	for (size_t i = 0; i < all->n; i++) {
		const struct part *p = &all->list[i];

		check_one(p, wanted != 0, &a);
		if (i != 0 && p->in != 0 && part_same(p, p - 1)) {
			report_twice(p, p - 1, wanted != 0, &a);
			n--;
		}
	}
	if (wanted != 0 && n != wanted) {
		struct str which = missing(all, wanted, &a);

		diag_error((struct place){ 0 },
		    "--parts: expected %zu, found %zu%.*s", wanted, n,
		    STR_FMT(which));
	}
	arena_free(&a);
}
