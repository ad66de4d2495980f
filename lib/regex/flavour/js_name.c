/* Groups of JavaScript's patterns: how many, their names, and what refers
 * back to them. */
#include "regex/flavour/js.h"
#include "text/unicode.h"

/* A reference by a name that no group had yet. */
struct js_reference {
	struct str name;
	size_t at;
	struct tree *tree;
};

/* From "[" to behind "]". */
static void
skip_class(struct js *p)
{
	while (js_peek(p) != JS_END && !js_skip(p, ']')) {
		if (js_peek(p) == '\\')
			js_advance(p);
		js_advance(p);
	}
}

/* The cursor is behind a "(": whether it opens a group that captures. */
static bool
captures(struct js *p)
{
	if (!js_skip(p, '?'))
		return true;
	if (!js_skip(p, '<') || js_peek(p) == '=' || js_peek(p) == '!')
		return false;
	p->has_names = true;
	return true;
}

void
js_survey(struct js *p)
{
	while (js_peek(p) != JS_END) {
		uint32_t unit = js_peek(p);

		js_advance(p);
		if (unit == '\\')
			js_advance(p);
		else if (unit == '[')
			skip_class(p);
		else if (unit == '(')
			p->groups += captures(p);
	}
	p->at = 0;
	p->names = arena_new_n(p->arena, struct str, p->groups + 1);
	p->by_name.arena = p->arena;
}

static bool
fits(uint32_t character, bool first)
{
	if (character == '$' || character == '_')
		return true;
	if (first)
		return unicode_id_start(character);
	return unicode_id_continue(character) || character == 0x200c ||
	    character == 0x200d;
}

/* In names a character is a character, whether written out or escaped. */
static uint32_t
name_character(struct js *p)
{
	size_t start = p->at, length;
	uint32_t c;

	if (p->at >= p->pattern.n)
		return JS_END;
	c = unicode_decode((struct str){ (const char *)p->pattern.s + start,
			       p->pattern.n - start },
	    &length);
	p->at += length;
	if (c == '\\' && js_skip(p, 'u') && !js_unicode_escape(p, true, &c))
		js_fail(p, start, "invalid unicode escape");
	return c;
}

struct str
js_name(struct js *p)
{
	const struct str rest = { (const char *)p->pattern.s + p->at,
		p->pattern.n - p->at };
	/* an escape is never shorter than what it stands for */
	char *name = arena_alloc(p->arena, str_find_char(rest, '>'));
	size_t start = p->at, n = 0;

	while (n == 0 || js_peek(p) != '>') {
		uint32_t c = name_character(p);

		if (c == JS_END || !fits(c, n == 0)) {
			js_fail(p, start, "invalid capture group name");
			break;
		}
		n += unicode_encode(c, name + n);
	}
	js_advance(p);
	return (struct str){ name, n };
}

/* 0 if no group that was opened so far has the name. */
static size_t
find(const struct js *p, struct str name)
{
	const struct str *place = hash_get(&p->by_name, name);

	return place == NULL ? 0 : (size_t)(place - p->names);
}

void
js_declare(struct js *p, size_t group, struct str name, size_t at)
{
	if (p->failed)
		return;
	if (find(p, name) != 0)
		js_fail(p, at, "duplicate capture group name");
	p->names[group] = name;
	*hash_put(&p->by_name, name) = &p->names[group];
}

/*
 * What refers to a group around it, or to one that comes later, finds nothing
 * captured, and so matches nothing: each turn of a repetition begins without
 * captures. Only a lookbehind, read from right to left, meets the later group
 * first.
 */
struct tree *
js_backref(struct js *p, size_t group)
{
	struct tree *t = tree_new(p->arena, TREE_BACKREF);

	t->group = group;
	t->caseless = p->flags & REGEX_CASELESS;
	if (group > p->opened && p->behind == 0)
		t->kind = TREE_EMPTY;
	for (const struct js_group *g = p->open; g != NULL; g = g->around)
		if (g->number == group)
			t->kind = TREE_EMPTY;
	return t;
}

struct tree *
js_named_backref(struct js *p)
{
	size_t start = p->at, at, group;
	struct str name;
	struct tree *t;

	js_advance(p);
	js_advance(p);
	if (!js_skip(p, '<')) {
		js_fail(p, start, "invalid named reference");
		return tree_new(p->arena, TREE_EMPTY);
	}
	at = p->at;
	name = js_name(p);
	group = find(p, name);
	t = js_backref(p, group != 0 ? group : p->opened + 1);
	if (group == 0)
		*arena_push(p->arena, p->forward, p->nforward) =
		    (struct js_reference){ name, at, t };
	return t;
}

void
js_resolve(struct js *p)
{
	for (size_t i = 0; i < p->nforward; i++) {
		struct js_reference *r = &p->forward[i];

		r->tree->group = find(p, r->name);
		if (r->tree->group == 0)
			js_fail(p, r->at, "invalid named capture referenced");
	}
}
