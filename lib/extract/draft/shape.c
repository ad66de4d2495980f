#include "extract/draft/shape.h"

enum { LONG = 64, DEPTH_MOST = 12, RUN_OF_NAMES = 64 };

/* ---- adding values ---- */

static struct shape *
member(struct arena *a, struct shape *of, struct str name)
{
	struct shape *m;

	for (m = of->first; m != NULL; m = m->next)
		if (!m->column && str_eq(m->name, name))
			return m;
	m = arena_new(a, struct shape);
	m->name = str_dup(a, name);
	m->parent = of;
	if (of->first == NULL)
		of->first = m;
	else
		of->last->next = m;
	return of->last = m;
}

static struct shape *
column(struct arena *a, struct shape *of, size_t index, struct str name)
{
	struct shape *m;

	for (m = of->first; m != NULL; m = m->next)
		if (m->column && m->index == index)
			return m;
	m = member(a, of, str_printf(a, "%zu", index));
	m->column = true;
	m->index = index;
	m->name = name;
	return m;
}

/* Returns whether a map can hold the text: control characters and line
 * separators break the lines of YAML, or are not allowed there. */
static bool
is_writable(struct str text)
{
	static const char *const not_written[] = { "\xe2\x80\xa8",
		"\xe2\x80\xa9", "\xef\xbb\xbf", "\xef\xbf\xbe",
		"\xef\xbf\xbf" };

	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.s[i];

		if (c < ' ' || c == 0x7f ||
		    (c == 0xc2 && (unsigned char)text.s[i + 1] < 0xa0))
			return false;
	}
	for (size_t i = 0; i < sizeof not_written / sizeof *not_written; i++)
		if (str_contains(text, not_written[i]))
			return false;
	return true;
}

/* Texts that report an error: a part of the text, which a quotation mark may not
 * follow, and the regular expression that a map has. */
static const struct {
	const char *part, *expression;
} failures[] = {
	{ "{\"error\": \"", "[{]\"error\": ?\"[^\"]" },
	{ "{\"error\":\"", "[{]\"error\": ?\"[^\"]" },
	{ "isError=True", "isError=True" },
	{ "<tool_error>", "<tool_error>" },
};

const char *
shape_failure_of(const struct shape *s)
{
	size_t i = 0;

	while (!(s->failures & 1U << i))
		i++;
	return failures[i].expression;
}

static void
note_failures(struct shape *s, struct str text)
{
	for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
		size_t n = strlen(failures[i].part);
		size_t at = str_find(text, failures[i].part);

		if (at < text.n && (at == 0 || i == 2) &&
		    !str_starts(str_from(text, at + n), "\""))
			s->failures |= 1U << i;
	}
}

static void
add_string(struct arena *a, struct shape *s, const struct json *v)
{
	struct str text = json_text(v, a);

	if (text.n == 0) {
		s->empty++;
		return;
	}
	note_failures(s, text);
	if (text.n > LONG || str_find_char(text, ' ') < text.n ||
	    !is_writable(text)) {
		s->spaced++;
		return;
	}
	if (str_find_char(text, '_') < text.n ||
	    str_find_char(text, '.') < text.n)
		s->joined++;
	for (size_t i = 0; i < s->n_values; i++)
		if (str_eq(s->values[i], text))
			return;
	if (s->n_values == SHAPE_VALUES)
		s->more = true;
	else
		s->values[s->n_values++] = str_dup(a, text);
}

/* Returns whether the list holds rows, of which the first holds the titles. */
static bool
is_table(const struct json *list)
{
	const struct json *titles = json_first(list);
	size_t n = json_count(titles);

	if (!json_is(titles, JSON_ARRAY) || n < 2 || n > RUN_OF_NAMES ||
	    json_count(list) < 2)
		return false;
	for (json_each(title, titles))
		if (json_raw(title).n == 0 || json_raw(title).n > LONG)
			return false;
	for (json_each(row, list))
		if (!json_is(row, JSON_ARRAY) || json_count(row) != n)
			return false;
	return true;
}

static struct shape *
items_of(struct arena *a, struct shape *s)
{
	if (s->items == NULL) {
		s->items = arena_new(a, struct shape);
		s->items->parent = s;
		s->items->element = true;
	}
	return s->items;
}

static void add(
    struct arena *a, struct shape *s, const struct json *v, int depth);

static void
add_rows(struct arena *a, struct shape *s, const struct json *list, int depth)
{
	const struct json *titles = json_first(list);
	struct shape *rows = items_of(a, s);

	s->table = true;
	for (json_each(row, list)) {
		const struct json *title = json_first(titles);
		size_t i = 0;

		if (row == titles)
			continue;
		rows->n++;
		rows->types[JSON_ARRAY]++;
		for (json_each(cell, row)) {
			add(a, column(a, rows, i++, json_text(title, a)), cell,
			    depth + 2);
			title = json_next(titles, title);
		}
	}
}

static void
add(struct arena *a, struct shape *s, const struct json *v, int depth)
{
	s->n++;
	s->types[v->type]++;
	if (depth > DEPTH_MOST)
		return;
	if (v->type == JSON_STRING)
		add_string(a, s, v);
	for (json_members(key, v))
		if (is_writable(json_text(key, a)))
			add(a, member(a, s, json_text(key, a)), json_value(key),
			    depth + 1);
	if (is_table(v)) {
		add_rows(a, s, v, depth);
		return;
	}
	for (json_each(one, v))
		add(a, items_of(a, s), one, depth + 1);
}

void
shape_add(struct arena *a, struct shape *s, const struct json *v)
{
	add(a, s, v, 0);
}

/* ---- places ---- */

bool
shape_within(const struct shape *s, const struct shape *of)
{
	while (s != NULL && s != of)
		s = s->parent;
	return s != NULL;
}

struct shape *
shape_element(struct shape *s)
{
	while (s->parent != NULL && !s->element)
		s = s->parent;
	return s;
}

void
shape_reset(struct shape *s)
{
	s->used = s->only_last = false;
	for (struct shape *m = s->first; m != NULL; m = m->next)
		shape_reset(m);
	if (s->items != NULL)
		shape_reset(s->items);
}

/* Returns whether a path may have the name without quotes. */
static bool
is_plain(struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') &&
		    (i == 0 || c < '0' || c > '9'))
			return false;
	}
	return name.n != 0;
}

struct str
shape_path(struct arena *a, const struct shape *s, const struct shape *from)
{
	struct str before, name = s->name;

	if (s == from || s->parent == NULL)
		return STR("$");
	before = shape_path(a, s->parent, from);
	if (s->element)
		return str_cat(a, before,
		    s->only_last           ? STR("[-1]")
			: s->parent->table ? STR("[1:]")
					   : STR("[*]"));
	if (s->column)
		return str_printf(a, "%.*s[%zu]", STR_FMT(before), s->index);
	if (is_plain(name))
		return str_printf(
		    a, "%.*s.%.*s", STR_FMT(before), STR_FMT(name));
	return str_printf(
	    a, "%.*s[%.*s]", STR_FMT(before), STR_FMT(shape_quoted(a, name)));
}

struct str
shape_top(struct arena *a, const struct shape *s, const struct shape *record)
{
	const struct shape *in = record;

	if (s == NULL)
		return (struct str){ 0 };
	if (in->items != NULL && shape_within(s, in->items))
		in = in->items;
	while (s->parent != NULL && s->parent != in)
		s = s->parent;
	if (s->parent == NULL || s->column || s->n < in->n)
		return (struct str){ 0 };
	return str_cat(a, in->element ? STR("$[0]") : STR("$"),
	    str_from(shape_path(a, s, in), 1));
}

struct str
shape_quoted(struct arena *a, struct str text)
{
	text = str_replace(a, text, STR("\\"), STR("\\\\"));
	text = str_replace(a, text, STR("'"), STR("\\'"));
	return str_printf(a, "'%.*s'", STR_FMT(text));
}

struct shape_values
shape_values(struct arena *a, const struct shape *s, const struct json *record)
{
	struct shape_values all = { 0 }, above;

	if (s->parent == NULL) {
		*arena_push(a, all.list, all.n) = record;
		return all;
	}
	above = shape_values(a, s->parent, record);
	for (size_t i = 0; i < above.n; i++) {
		const struct json *v = above.list[i], *found;

		found = s->column ? json_at(v, s->index) : json_get(v, s->name);
		if (!s->element && found != NULL)
			*arena_push(a, all.list, all.n) = found;
		if (!s->element)
			continue;
		for (json_each(one, v))
			if (!s->parent->table || one != json_first(v))
				*arena_push(a, all.list, all.n) = one;
	}
	return all;
}
