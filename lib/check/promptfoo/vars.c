#include "check/promptfoo/vars.h"

#include <stdlib.h>

#include "emulate/lang/js.h"
#include "io/out.h"

/* ---- variables ---- */

static struct promptfoo_var *
find_var(const struct promptfoo_vars *vars, struct str name)
{
	for (size_t i = 0; i < vars->n; i++)
		if (str_eq(vars->list[i].name, name))
			return &vars->list[i];
	return NULL;
}

const struct promptfoo_var *
promptfoo_var(const struct promptfoo_vars *vars, struct str name)
{
	return find_var(vars, name);
}

void
promptfoo_set_var(
    struct promptfoo_vars *vars, struct promptfoo_var var, struct arena *a)
{
	struct promptfoo_var *old = find_var(vars, var.name);

	if (old == NULL)
		old = arena_push(a, vars->list, vars->n);
	*old = var;
}

const struct json *
promptfoo_quoted(struct str text, struct arena *a)
{
	struct json *v = arena_new(a, struct json);

	v->text = out_quote(a, text);
	v->span = 1;
	v->type = JSON_STRING;
	v->flags = JSON_ESCAPED;
	return v;
}

void
promptfoo_put_member(struct out *o, const struct json *key, struct arena *a)
{
	out_key_str(o, json_text(key, a));
	out_json_raw(o, json_value(key)->text);
}

/* Finds the first {{ name }}, of which only the name may be between the braces.
 * Returns false if there is none. */
static bool
find_placeholder(struct str text, struct str *placeholder, struct str *name)
{
	for (size_t at = str_find(text, "{{"); at < text.n;
	     at += 1 + str_find(str_from(text, at + 1), "{{")) {
		size_t from = at + 2, to;

		while (from < text.n && json_is_space(text.s[from]))
			from++;
		for (to = from;
		     to < text.n && promptfoo_is_of_name(text.s[to]);)
			to++;
		*name = str_slice(text, from, to);
		while (to < text.n && json_is_space(text.s[to]))
			to++;
		*placeholder = str_slice(text, at, to + 2);
		if (name->n != 0 && str_ends(*placeholder, "}}"))
			return true;
	}
	return false;
}

/* Replaces the first placeholder in the variable's text. Returns false if there
 * is none of a variable that is set. */
static bool
resolve_once(
    struct promptfoo_vars *vars, struct promptfoo_var *var, struct arena *a)
{
	struct str text = json_text(var->value, a), placeholder, name;
	const struct promptfoo_var *of;
	size_t at;

	if (text.s == NULL || !find_placeholder(text, &placeholder, &name))
		return false;
	of = promptfoo_var(vars, name);
	if (of == NULL)
		return false;
	if (of->value == NULL) {
		*var = (struct promptfoo_var){ .name = var->name,
			.unknown = of->unknown };
		return true;
	}
	at = (size_t)(placeholder.s - text.s);
	var->value = promptfoo_quoted(
	    str_cat3(a, str_slice(text, 0, at), promptfoo_string(of->value, a),
		str_from(text, at + placeholder.n)),
	    a);
	return true;
}

void
promptfoo_resolve_vars(struct promptfoo_vars *vars, struct arena *a)
{
	enum { PASSES = 5, LONGEST = 1 << 20 };
	bool changed = true;

	for (size_t i = 0; i < vars->n; i++) {
		struct str text = json_text(vars->list[i].value, a);

		if (str_ends(text, "\n")) {
			text.n--;
			vars->list[i].value = promptfoo_quoted(text, a);
		}
	}
	for (int pass = 0; pass < PASSES && changed; pass++) {
		changed = false;
		for (size_t i = 0; i < vars->n; i++) {
			struct promptfoo_var *var = &vars->list[i];

			if (json_is(var->value, JSON_STRING) &&
			    var->value->text.n < LONGEST)
				changed |= resolve_once(vars, var, a);
		}
	}
}

/* ---- keys ---- */

static int
compare_names(const void *x, const void *y)
{
	const struct promptfoo_var *a = x, *b = y;

	return str_cmp(a->name, b->name);
}

/* Writes a value as a part of a key. A text of JSON is its value: promptfoo logs such a
 * text without its blanks. */
static void
put_key(struct out *o, const struct json *v, struct arena *a)
{
	struct str text = str_trim(json_text(v, a));
	const struct json *inner = NULL;

	if (text.n != 0 && (*text.s == '{' || *text.s == '['))
		inner = json_parse(a, text);
	js_stringify(o, inner == NULL ? v : inner, a);
}

struct str
promptfoo_key(const struct promptfoo_vars *vars, struct arena *a)
{
	struct promptfoo_var *list =
	    arena_new_n(a, struct promptfoo_var, vars->n + 1);
	struct out o;

	for (size_t i = 0; i < vars->n; i++) {
		list[i] = vars->list[i];
		if (list[i].value == NULL)
			return (struct str){ 0 };
	}
	qsort(list, vars->n, sizeof *list, compare_names);
	out_open_memory(&o);
	out_char(&o, '{');
	for (size_t i = 0; i < vars->n; i++) {
		if (str_starts(list[i].name, "_") ||
		    str_is(list[i].name, "sessionId"))
			continue;
		out_quoted(&o, list[i].name);
		o.comma = false;
		put_key(&o, list[i].value, a);
	}
	return out_keep(&o, a);
}

struct str
promptfoo_key_of(const struct json *object, struct arena *a)
{
	struct promptfoo_vars vars = { 0 };

	if (!json_is(object, JSON_OBJECT))
		return (struct str){ 0 };
	for (json_members(key, object)) {
		struct promptfoo_var *var = arena_push(a, vars.list, vars.n);

		var->name = json_text(key, a);
		var->value = json_value(key);
	}
	return promptfoo_key(&vars, a);
}

/* ---- values as text ---- */

static void
put_string(struct out *o, const struct json *v, struct arena *a)
{
	char digits[JS_NUMBER_SIZE];
	bool first = true;

	switch (v == NULL ? JSON_NULL : (enum json_type)v->type) {
	case JSON_NULL:
		break;
	case JSON_NUMBER:
		out_str(o, js_number(json_double(v), digits));
		break;
	case JSON_STRING:
		out_str(o, json_text(v, a));
		break;
	case JSON_ARRAY:
		for (json_each(item, v)) {
			if (!first)
				out_char(o, ',');
			put_string(o, item, a);
			first = false;
		}
		break;
	case JSON_OBJECT:
		out_text(o, "[object Object]");
		break;
	default:
		out_str(o, v->text);
	}
}

struct str
promptfoo_string(const struct json *v, struct arena *a)
{
	struct out o;

	if (json_is(v, JSON_STRING))
		return json_text(v, a);
	out_open_memory(&o);
	put_string(&o, v, a);
	return out_keep(&o, a);
}
