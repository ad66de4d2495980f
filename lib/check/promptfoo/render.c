#include "check/promptfoo/vars.h"

#include "emulate/lang/js.h"
#include "io/out.h"
#include "text/unicode.h"

/* ---- expressions ---- */

struct expression {
	struct str rest;          /* what was not read yet */
	const struct json *value; /* NULL: undefined */
	const struct promptfoo_vars *vars;
	struct arena *arena;
	struct str why; /* absent: understood so far */
};

static void
refuse(struct expression *e, const char *what, struct str detail)
{
	if (e->why.s == NULL)
		e->why = str_printf(
		    e->arena, "%s '%.*s'", what, STR_FMT(str_trim(detail)));
}

static void
skip_blanks(struct expression *e)
{
	while (e->rest.n != 0 && json_is_space(*e->rest.s))
		e->rest = str_from(e->rest, 1);
}

/* Takes the character, behind blanks. Returns false if another one follows. */
static bool
take(struct expression *e, char c)
{
	skip_blanks(e);
	if (e->rest.n == 0 || *e->rest.s != c)
		return false;
	e->rest = str_from(e->rest, 1);
	return true;
}

static struct str
take_name(struct expression *e)
{
	size_t n = 0;
	struct str name;

	skip_blanks(e);
	while (n < e->rest.n && promptfoo_is_of_name(e->rest.s[n]))
		n++;
	name = str_slice(e->rest, 0, n);
	e->rest = str_from(e->rest, n);
	return name;
}

/* Takes a text in quotes of either kind. Returns false if there is none. */
static bool
take_text(struct expression *e, struct str *text)
{
	char quote, *copy;
	size_t n = 0, at = 1;

	skip_blanks(e);
	if (e->rest.n == 0 || (*e->rest.s != '"' && *e->rest.s != '\''))
		return false;
	quote = *e->rest.s;
	copy = arena_alloc(e->arena, e->rest.n + 1);
	for (; at < e->rest.n && e->rest.s[at] != quote; at++) {
		if (e->rest.s[at] == '\\' && at + 1 < e->rest.n) {
			char c = e->rest.s[++at];

			if (c == 'n')
				c = '\n';
			else if (c == 't')
				c = '\t';
			copy[n++] = c;
		} else
			copy[n++] = e->rest.s[at];
	}
	if (at >= e->rest.n)
		return false;
	*text = (struct str){ copy, n };
	e->rest = str_from(e->rest, at + 1);
	return true;
}

static const struct json *
literal(struct str word, enum json_type type, struct arena *a)
{
	struct json *v = arena_new(a, struct json);

	v->text = word;
	v->span = 1;
	v->type = (uint8_t)type;
	return v;
}

/* Reads a name, a number or a text. */
static void
read_primary(struct expression *e)
{
	struct str text;
	const struct promptfoo_var *var;

	if (take_text(e, &text)) {
		e->value = promptfoo_quoted(text, e->arena);
		return;
	}
	text = take_name(e);
	if (text.n == 0) {
		refuse(e, "expression", e->rest);
		return;
	}
	if (text.s[0] >= '0' && text.s[0] <= '9')
		e->value = literal(text, JSON_NUMBER, e->arena);
	else if (str_is(text, "true") || str_is(text, "false"))
		e->value = literal(text,
		    str_is(text, "true") ? JSON_TRUE : JSON_FALSE, e->arena);
	else if (str_is(text, "none") || str_is(text, "null"))
		e->value = NULL;
	else if (str_is(text, "env"))
		refuse(e, "environment variable", e->rest);
	else {
		if (e->vars->prefixed && str_is(text, "vars") && take(e, '.'))
			text = take_name(e);
		var = promptfoo_var(e->vars, text);
		e->value = var == NULL ? NULL : var->value;
		if (var != NULL && var->value == NULL)
			e->why = var->unknown;
	}
}

/* Reads .name, [0] and ["name"]. */
static void
read_path(struct expression *e)
{
	for (;;) {
		struct str name;

		if (take(e, '.'))
			name = take_name(e);
		else if (take(e, '[')) {
			if (!take_text(e, &name))
				name = take_name(e);
			if (!take(e, ']'))
				refuse(e, "expression", e->rest);
		} else
			return;
		if (json_is(e->value, JSON_ARRAY)) {
			double index;

			e->value = js_to_number(name, &index, e->arena) &&
				index >= 0 && index < 1e9
			    ? json_at(e->value, (size_t)index)
			    : NULL;
		} else
			e->value = json_get(e->value, name);
		if (e->why.s != NULL)
			return;
	}
}

/* ---- filters ---- */

enum { ARGUMENTS = 2 };

/* Returns the text of the value with ASCII letters in upper case; other letters
 * are refused. */
static struct str
upper(struct expression *e, struct str text)
{
	char *copy = arena_alloc(e->arena, text.n + 1);

	for (size_t i = 0; i < text.n; i++) {
		if ((unsigned char)text.s[i] >= 0x80)
			refuse(e, "filter", STR("upper of other letters"));
		copy[i] = text.s[i];
		if (copy[i] >= 'a' && copy[i] <= 'z')
			copy[i] &= (char)~0x20;
	}
	return (struct str){ copy, text.n };
}

static struct str
capitalized(struct expression *e, struct str text)
{
	struct str low = unicode_lower_js(e->arena, text);

	return str_cat(e->arena, upper(e, str_slice(low, 0, low.n != 0)),
	    str_from(low, 1));
}

static struct str
dumped(struct expression *e)
{
	struct out o;

	out_open_memory(&o);
	if (e->value != NULL)
		js_stringify(&o, e->value, e->arena);
	return out_keep(&o, e->arena);
}

static struct str
joined(struct expression *e, struct str between)
{
	struct str_list all = { 0 };

	for (json_each(v, e->value))
		str_list_add(e->arena, &all, promptfoo_string(v, e->arena));
	return str_join(e->arena, all.list, all.n, between);
}

/* Applies a filter whose result is text. Returns false if it is no such
 * filter. */
static bool
apply_to_text(
    struct expression *e, struct str name, const struct str *args, size_t n)
{
	struct str text = promptfoo_string(e->value, e->arena);

	if (str_is(name, "trim") && n == 0)
		text = js_trim(text);
	else if (str_is(name, "upper") && n == 0)
		text = upper(e, text);
	else if (str_is(name, "lower") && n == 0)
		text = unicode_lower_js(e->arena, text);
	else if (str_is(name, "capitalize") && n == 0)
		text = capitalized(e, text);
	else if (str_is(name, "dump") && n == 0)
		text = dumped(e);
	else if (str_is(name, "join") && json_is(e->value, JSON_ARRAY))
		text = joined(e, n == 0 ? STR("") : args[0]);
	else if (str_is(name, "replace") && n == 2 && args[0].n != 0)
		text = str_replace(e->arena, text, args[0], args[1]);
	else if ((str_is(name, "safe") || str_is(name, "string")) && n == 0)
		;
	else
		return false;
	e->value = promptfoo_quoted(text, e->arena);
	return true;
}

static void
apply(struct expression *e, struct str name, const struct str *args, size_t n)
{
	bool list = json_is(e->value, JSON_ARRAY);

	if ((str_is(name, "default") || str_is(name, "d")) && n == 1) {
		if (e->value == NULL)
			e->value = promptfoo_quoted(args[0], e->arena);
	} else if (str_is(name, "first") && n == 0 && list)
		e->value = json_first(e->value);
	else if (str_is(name, "last") && n == 0 && list)
		e->value = json_last(e->value);
	else if (str_is(name, "length") && n == 0 && list)
		e->value =
		    literal(str_int(e->arena, (int64_t)json_count(e->value)),
			JSON_NUMBER, e->arena);
	else if (!apply_to_text(e, name, args, n))
		refuse(e, "filter", name);
}

static void
read_filters(struct expression *e)
{
	while (e->why.s == NULL && take(e, '|')) {
		struct str name = take_name(e), args[ARGUMENTS];
		size_t n = 0;

		if (take(e, '('))
			while (!take(e, ')')) {
				if (n == ARGUMENTS || !take_text(e, &args[n])) {
					refuse(e, "filter", name);
					return;
				}
				n++;
				(void)take(e, ',');
			}
		apply(e, name, args, n);
	}
}

/* Returns the value of the expression as text. */
static struct str
evaluate(struct str source, const struct promptfoo_vars *vars, struct arena *a,
    struct str *why)
{
	struct expression e = { .rest = source, .vars = vars, .arena = a };

	read_primary(&e);
	if (e.why.s == NULL)
		read_path(&e);
	read_filters(&e);
	skip_blanks(&e);
	if (e.why.s == NULL && e.rest.n != 0)
		refuse(&e, "expression", source);
	if (e.why.s != NULL)
		*why = e.why;
	return promptfoo_string(e.value, a);
}

/* ---- templates ---- */

/* Cuts the tag at the start of the text, which ends with `close`. Returns its
 * content without the dashes that take away white space, which *before and
 * *after become. */
static struct str
cut_tag(struct str *text, const char *close, bool *before, bool *after)
{
	size_t end = str_find(*text, close);
	struct str tag = str_slice(*text, 2, end);

	*text = str_from(*text, end == text->n ? end : end + 2);
	*before = str_starts(tag, "-");
	if (*before)
		tag = str_from(tag, 1);
	*after = str_ends(tag, "-");
	if (*after)
		tag.n--;
	return str_trim(tag);
}

/* Removes the white space at the end of what was written. */
static void
trim_end(struct out *o, struct arena *a)
{
	struct str text = str_dup(a, out_memory(o));

	while (text.n != 0 && json_is_space(text.s[text.n - 1]))
		text.n--;
	out_clear(o);
	out_str(o, text);
}

/* Writes the text up to {% endraw %} as it is. Returns false if the statement is
 * not raw. */
static bool
put_raw(struct out *o, struct str tag, struct str *rest)
{
	static const char *const ends[] = { "{% endraw %}", "{%endraw%}",
		"{%- endraw %}", "{%- endraw -%}" };

	if (!str_is(tag, "raw"))
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct str end = str_of(ends[i]);
		size_t at = str_find(*rest, end);

		if (at == rest->n)
			continue;
		out_str(o, str_slice(*rest, 0, at));
		*rest = str_from(*rest, at + end.n);
		return true;
	}
	return false;
}

/* Returns the index of the next tag, or the text's length. */
static size_t
find_tag(struct str text)
{
	for (size_t i = 0; i + 1 < text.n; i++)
		if (text.s[i] == '{' &&
		    (text.s[i + 1] == '{' || text.s[i + 1] == '%' ||
			text.s[i + 1] == '#'))
			return i;
	return text.n;
}

struct str
promptfoo_render(struct str template, const struct promptfoo_vars *vars,
    struct arena *a, struct str *why)
{
	struct str rest = template, tag, wrong = { 0 };
	bool before = false, after = false;
	struct out o;

	if (find_tag(template) == template.n)
		return template;
	out_open_memory(&o);
	while (rest.n != 0 && wrong.s == NULL) {
		size_t at = find_tag(rest);

		out_str(&o, str_slice(rest, 0, at));
		rest = str_from(rest, at);
		if (rest.n == 0)
			break;
		at = rest.s[1] == '{' ? 0 : rest.s[1] == '%' ? 1 : 2;
		tag = cut_tag(&rest,
		    at == 0       ? "}}"
			: at == 1 ? "%}"
				  : "#}",
		    &before, &after);
		if (before)
			trim_end(&o, a);
		if (at == 0)
			out_str(&o, evaluate(tag, vars, a, &wrong));
		else if (at == 1 && !put_raw(&o, tag, &rest))
			wrong = str_printf(a, "statement '%.*s'", STR_FMT(tag));
		while (after && rest.n != 0 && json_is_space(*rest.s))
			rest = str_from(rest, 1);
	}
	tag = out_keep(&o, a);
	if (wrong.s == NULL)
		return tag;
	*why = str_printf(
	    a, "a template that is not rendered: %.*s", STR_FMT(wrong));
	return (struct str){ 0 };
}
