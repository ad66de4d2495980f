#include "emulate/regex/engine/pcre2.h"

#include <stdio.h>
#include <string.h>

#include "emulate/regex/tree/text.h"

struct emitter {
	struct arena *arena;
	char *s;
	size_t n, size;
	bool bytes;
	bool utf16;   /* the tree's units are UTF-16 code units */
	uint32_t max; /* the greatest unit that PCRE2 sees */
};

static void emit(struct emitter *, const struct tree *);

static void
put_bytes(struct emitter *e, const char *s, size_t n)
{
	if (e->s == NULL || e->size - e->n < n) {
		char *bigger = arena_alloc(e->arena, 2 * e->size + n);

		if (e->s != NULL)
			memcpy(bigger, e->s, e->n);
		e->s = bigger;
		e->size = 2 * e->size + n;
	}
	memcpy(e->s + e->n, s, n);
	e->n += n;
}

static void
put(struct emitter *e, const char *s)
{
	put_bytes(e, s, strlen(s));
}

static void
put_unit(struct emitter *e, uint32_t unit)
{
	char buf[] = "\\x{------}";
	char letter = (char)unit;
	bool plain = (unit >= '0' && unit <= '9') ||
	    (unit >= 'A' && unit <= 'Z') || (unit >= 'a' && unit <= 'z');

	if (plain) {
		put_bytes(e, &letter, 1);
		return;
	}
	for (size_t i = 9; i-- > 3; unit >>= 4)
		buf[i] = "0123456789abcdef"[unit & 0xf];
	put(e, buf);
}

/* Adds the part of the set `from` that lies in the range. */
static void
add_part(struct emitter *e, struct set *set, const struct set *from,
    struct range part)
{
	for (size_t i = 0; i < from->n; i++) {
		struct range r = from->ranges[i];

		if (r.low <= part.high && r.high >= part.low)
			set_add(e->arena, set,
			    r.low > part.low ? r.low : part.low,
			    r.high < part.high ? r.high : part.high);
	}
}

/*
 * Returns the set in the characters, or bytes, that PCRE2 sees. Surrogates mean
 * something to PCRE2 only if all of them are in the set: then it also gets
 * every character beyond U+FFFF. A set with only some of them is used only on
 * texts without such characters.
 */
static struct set
visible_set(struct emitter *e, const struct set *from)
{
	struct set set = { 0 };

	if (e->bytes) {
		add_part(e, &set, from, (struct range){ 0, 0x7f });
		if (set_has(from, 0x80))
			set_add(e->arena, &set, 0x80, e->max);
	} else {
		add_part(
		    e, &set, from, (struct range){ 0, SURROGATE_FIRST - 1 });
		add_part(e, &set, from,
		    (struct range){ SURROGATE_LAST + 1, e->max });
		if (set_share(from, SURROGATE_FIRST, SURROGATE_LAST) ==
		    SET_ALL) {
			set_add(
			    e->arena, &set, SURROGATE_FIRST, SURROGATE_LAST);
			if (e->utf16)
				set_add(e->arena, &set, 0x10000, e->max);
		}
	}
	set_finish(&set);
	return set;
}

static void
put_ranges(struct emitter *e, const struct set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		put_unit(e, set->ranges[i].low);
		if (set->ranges[i].low == set->ranges[i].high)
			continue;
		put(e, "-");
		put_unit(e, set->ranges[i].high);
	}
}

/* Writes a class. An empty class has no other spelling than the complement of
 * everything. */
static void
put_class(struct emitter *e, struct set *set)
{
	bool invert = set->n == 0 || set_has(set, e->max);

	if (invert)
		set_invert(e->arena, set, e->max);
	if (set->n == 0) {
		put(e, "(?s:.)");
		return;
	}
	put(e, invert ? "[^" : "[");
	put_ranges(e, set);
	put(e, "]");
}

static void
emit_set(struct emitter *e, const struct set *from)
{
	struct set set = visible_set(e, from);

	if (set.n == 1 && set.ranges[0].low == set.ranges[0].high)
		put_unit(e, set.ranges[0].low);
	else
		put_class(e, &set);
}

/* Writes the condition of a position before or after a unit of the set, or at
 * that end of the text. */
static void
emit_line(struct emitter *e, const char *open, const struct set *from)
{
	struct set set = visible_set(e, from);

	put(e, open);
	set_invert(e->arena, &set, e->max);
	put_class(e, &set);
	put(e, ")");
}

static void
emit_edge(struct emitter *e, const struct tree *t)
{
	static struct range words[] = {
		{ '0', '9' },
		{ 'A', 'Z' },
		{ '_', '_' },
		{ 'a', 'z' },
	};
	struct set ascii = { words, sizeof words / sizeof words[0], { 0 } };
	bool no = t->at == AT_NO_EDGE;

	if (set_eq(t->set, &ascii)) {
		put(e, no ? "\\B" : "\\b");
		return;
	}
	put(e, "(?:(?<=");
	emit_set(e, t->set);
	put(e, no ? ")(?=" : ")(?!");
	emit_set(e, t->set);
	put(e, ")|(?<!");
	emit_set(e, t->set);
	put(e, no ? ")(?!" : ")(?=");
	emit_set(e, t->set);
	put(e, "))");
}

static void
emit_at(struct emitter *e, const struct tree *t)
{
	switch (t->at) {
	case AT_START:
		put(e, "\\A");
		break;
	case AT_END:
		put(e, "\\z");
		break;
	case AT_LINE_START:
		emit_line(e, "(?<!", t->set);
		break;
	case AT_LINE_END:
		emit_line(e, "(?!", t->set);
		break;
	case AT_LAST_END:
		put(e, "(?=");
		emit_set(e, t->set);
		put(e, "?\\z)");
		break;
	case AT_EDGE:
	case AT_NO_EDGE:
		if (t->negate)
			put(e, "(?!\\A\\z)");
		emit_edge(e, t);
	}
}

static void
emit_repeat(struct emitter *e, const struct tree *t)
{
	bool wrap = t->child->kind != TREE_SET && t->child->kind != TREE_GROUP;
	char buf[32];

	if (t->max == 0) {
		/* PCRE2 10.42 looks for the "S" of S{0}(?=b)b */
		put(e, "(?(DEFINE)");
		emit(e, t->child);
		put(e, ")");
		return;
	}
	if (wrap)
		put(e, "(?:");
	emit(e, t->child);
	if (wrap)
		put(e, ")");
	if (t->max == TREE_FOREVER)
		snprintf(buf, sizeof buf, "{%u,}", (unsigned)t->min);
	else
		snprintf(buf, sizeof buf, "{%u,%u}", (unsigned)t->min,
		    (unsigned)t->max);
	put(e, buf);
	if (t->lazy)
		put(e, "?");
}

static void
emit_list(struct emitter *e, const struct tree *t, const char *between)
{
	for (tree_each(c, t)) {
		emit(e, c);
		if (c->next != NULL)
			put(e, between);
	}
}

static void
emit_look(struct emitter *e, const struct tree *t)
{
	put(e, t->behind ? "(?<" : "(?");
	put(e, t->negate ? "!" : "=");
	emit(e, t->child);
	put(e, ")");
}

static void
emit(struct emitter *e, const struct tree *t)
{
	char buf[32];

	switch (t->kind) {
	case TREE_EMPTY:
		put(e, "(?:)");
		break;
	case TREE_SET:
		emit_set(e, t->set);
		break;
	case TREE_CAT:
		emit_list(e, t, "");
		break;
	case TREE_ALT:
		put(e, "(?:");
		emit_list(e, t, "|");
		put(e, ")");
		break;
	case TREE_REPEAT:
		emit_repeat(e, t);
		break;
	case TREE_GROUP:
		put(e, "(");
		emit(e, t->child);
		put(e, ")");
		break;
	case TREE_AT:
		emit_at(e, t);
		break;
	case TREE_LOOK:
		emit_look(e, t);
		break;
	case TREE_BACKREF:
		snprintf(buf, sizeof buf, "\\g{%zu}", t->group);
		put(e, buf);
		break;
	case TREE_ATOMIC:
		put(e, "(?>");
		emit(e, t->child);
		put(e, ")");
		break;
	case TREE_COND:
		snprintf(buf, sizeof buf, "(?(%zu)", t->group);
		put(e, buf);
		emit_list(e, t, "|");
		put(e, ")");
	}
}

struct str
emit_pcre2(struct arena *a, const struct pattern *p, bool bytes)
{
	struct emitter e = {
		.arena = a,
		.bytes = bytes,
		.utf16 = p->unit_max == UNIT_MAX_UTF16,
		.max = bytes ? 0xff : 0x10ffff,
	};

	emit(&e, p->root);
	return (struct str){ e.s, e.n };
}
