/* The methods that scripts can call: JavaScript's methods of texts, lists,
 * patterns and objects. Positions count UTF-16 code units. */
#include <math.h>

#include "emulate/jsonpath/property.h"
#include "emulate/jsonpath/script.h"
#include "emulate/lang/js.h"
#include "text/unicode.h"

/* Returns the argument as a position in a value of this length. A negative
 * position counts from the end if from_end is set; otherwise it is 0. */
static double
position(
    struct path_run *run, const struct value *arg, double length, bool from_end)
{
	double at = trunc(script_value_to_number(run, arg));

	if (isnan(at))
		at = 0;
	if (at < 0 && from_end)
		at += length;
	return fmin(fmax(at, 0), length);
}

struct part {
	double from, to; /* the whole length at first */
	bool from_end;   /* negative positions count from the end */
};

/* Reduces the part to what the arguments, at most two, select of it. */
static void
cut(struct path_run *run, struct part *part, const struct value *args, size_t n)
{
	double length = part->to;

	if (n > 0)
		part->from = position(run, &args[0], length, part->from_end);
	if (n > 1 && args[1].type != VALUE_UNDEFINED)
		part->to = position(run, &args[1], length, part->from_end);
}

/* Returns the number of units of the text. The count is not cached, so it costs
 * work each time. */
static double
length_of(struct path_run *run, struct str text)
{
	jsonpath_spend(run, text.n / 16);
	return (double)jsonpath_units(text);
}

static struct str
units(struct path_run *run, struct str text, double from, double to)
{
	return jsonpath_cut_units(run->arena, text, (size_t)from, (size_t)to);
}

/* ---- texts and lists ---- */

static struct value
slice_list(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct value v = { .type = VALUE_LIST };
	const struct value *items = script_value_items(run, self, &v.n);
	struct part part = { 0, (double)v.n, true };

	cut(run, &part, args, n);
	v.n = part.from < part.to ? (size_t)(part.to - part.from) : 0;
	if (v.n > 0)
		v.items = items + (size_t)part.from;
	return v;
}

static struct value
slice(struct path_run *run, const struct value *self, const struct value *args,
    size_t n)
{
	struct part part = { .from_end = true };

	if (script_value_is_list(self))
		return slice_list(run, self, args, n);
	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	part.to = length_of(run, self->text);
	cut(run, &part, args, n);
	return script_value_text(part.from < part.to
		? units(run, self->text, part.from, part.to)
		: STR(""));
}

static struct value
substring(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct part part = { 0 };

	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	part.to = length_of(run, self->text);
	cut(run, &part, args, n);
	return script_value_text(units(run, self->text,
	    fmin(part.from, part.to), fmax(part.from, part.to)));
}

static struct value
char_at(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	double at = n > 0 ? trunc(script_value_to_number(run, &args[0])) : 0;

	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	if (isnan(at))
		at = 0;
	if (at < 0 || at >= length_of(run, self->text))
		return script_value_text(STR(""));
	return script_value_text(units(run, self->text, at, at + 1));
}

/* Returns the position given by the second argument; 0 if there is none. */
static double
begin(struct path_run *run, const struct value *args, size_t n, double length,
    bool from_end)
{
	return n > 1 ? position(run, &args[1], length, from_end) : 0;
}

/* Returns the index of the first argument in the list, at or after the position
 * of the second argument; -1 if it is not there. With `nan` (includes) NaN
 * equals NaN. */
static double
find_item(struct path_run *run, const struct value *list,
    const struct value *args, size_t n, bool nan)
{
	const struct value nothing = script_value_undefined();
	const struct value *value = n > 0 ? args : &nothing;
	size_t count;
	const struct value *items = script_value_items(run, list, &count);
	size_t i = (size_t)begin(run, args, n, (double)count, true);

	for (; i < count && jsonpath_spend(run, 1); i++)
		if (script_value_same(&items[i], value) ||
		    (nan && value->type == VALUE_NUMBER &&
			isnan(value->number) && items[i].type == VALUE_NUMBER &&
			isnan(items[i].number)))
			return (double)i;
	return -1;
}

/* Returns the text from the position of the second argument on; *from is this
 * position. */
static struct str
rest_of(struct path_run *run, struct str text, const struct value *args,
    size_t n, double *from)
{
	double length = n > 1 ? length_of(run, text) : 0;

	*from = begin(run, args, n, length, false);
	return n > 1 ? units(run, text, *from, length) : text;
}

/* Returns where the first argument is in the text, like find_item. */
static double
find_text(
    struct path_run *run, struct str text, const struct value *args, size_t n)
{
	double from;
	struct str rest = rest_of(run, text, args, n, &from);
	struct str what = script_value_arg(run, args, n, 0);
	size_t at = str_find(rest, what);

	jsonpath_spend(run, text.n / 16);
	if (at == rest.n && what.n > 0)
		return -1;
	return from + (double)jsonpath_units(str_slice(rest, 0, at));
}

static struct value
index_of(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	if (script_value_is_list(self))
		return script_value_number(
		    find_item(run, self, args, n, false));
	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	return script_value_number(find_text(run, self->text, args, n));
}

static double
find_last_item(struct path_run *run, const struct value *list,
    const struct value *args, size_t n)
{
	size_t count;
	const struct value *items = script_value_items(run, list, &count);
	double last = (double)count - 1, at = last;

	if (n > 1)
		at = trunc(script_value_to_number(run, &args[1]));
	if (isnan(at))
		at = 0;
	at = fmin(at < 0 ? at + (double)count : at, last);
	while (n > 0 && at >= 0 && jsonpath_spend(run, 1) &&
	    !script_value_same(&items[(size_t)at], args))
		at--;
	return n > 0 && at >= 0 ? at : -1;
}

static double
find_last_text(
    struct path_run *run, struct str text, const struct value *args, size_t n)
{
	struct str what = script_value_arg(run, args, n, 0);
	double at = n > 1 ? trunc(script_value_to_number(run, &args[1])) : NAN;

	if (!isnan(at))
		text = units(run, text, 0,
		    fmin(fmax(at, 0), (double)text.n) +
			(double)jsonpath_units(what));
	for (size_t i = text.n + 1; i-- > 0 && jsonpath_spend(run, 1);)
		if (str_starts(str_from(text, i), what))
			return (double)jsonpath_units(str_slice(text, 0, i));
	return -1;
}

static struct value
last_index_of(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	if (script_value_is_list(self))
		return script_value_number(find_last_item(run, self, args, n));
	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	return script_value_number(find_last_text(run, self->text, args, n));
}

static struct value
includes(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	if (script_value_is_list(self))
		return script_value_boolean(
		    find_item(run, self, args, n, true) >= 0);
	if (self->type != VALUE_TEXT || (n > 0 && args->type == VALUE_REGEX))
		return script_value_undefined();
	return script_value_boolean(find_text(run, self->text, args, n) >= 0);
}

static struct value
starts_with(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	double from;

	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	return script_value_boolean(
	    str_starts(rest_of(run, self->text, args, n, &from),
		script_value_arg(run, args, n, 0)));
}

static struct value
ends_with(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct str text = self->text;
	struct part part = { 0 };

	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	if (n > 1 && args[1].type != VALUE_UNDEFINED) {
		part.to = position(run, &args[1], length_of(run, text), false);
		text = units(run, text, 0, part.to);
	}
	return script_value_boolean(
	    str_ends(text, script_value_arg(run, args, n, 0)));
}

static struct value
to_lower_case(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	(void)args, (void)n;
	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	return script_value_text(unicode_lower_js(run->arena, self->text));
}

static struct value
trim(struct path_run *run, const struct value *self, const struct value *args,
    size_t n)
{
	(void)run, (void)args, (void)n;
	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	return script_value_text(js_trim(self->text));
}

static struct value
to_string(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	(void)args, (void)n;
	if (self->type == VALUE_UNDEFINED || self->type == VALUE_NULL)
		return script_value_undefined();
	return script_value_text(script_value_to_text(run, self));
}

/* Appends the value itself, or each item if it is a list. */
static void
add_items(struct path_run *run, struct value *list, struct value **items,
    const struct value *more)
{
	size_t n = 1;

	if (script_value_is_list(more))
		more = script_value_items(run, more, &n);
	for (size_t i = 0; i < n && jsonpath_spend(run, VALUE_WORK); i++)
		*arena_push(run->arena, *items, list->n) = more[i];
}

static struct value
concat_list(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct value list = { .type = VALUE_LIST }, *items = NULL;

	add_items(run, &list, &items, self);
	for (size_t i = 0; i < n; i++)
		add_items(run, &list, &items, &args[i]);
	list.items = items;
	return list;
}

static struct value
concat(struct path_run *run, const struct value *self, const struct value *args,
    size_t n)
{
	struct str text = self->text;

	if (script_value_is_list(self))
		return concat_list(run, self, args, n);
	if (self->type != VALUE_TEXT)
		return script_value_undefined();
	for (size_t i = 0; i < n; i++)
		text = str_cat(
		    run->arena, text, script_value_arg(run, args, n, i));
	jsonpath_spend(run, text.n / 16);
	return script_value_text(text);
}

/* Splits a text. An empty separator splits into code units, where halves of a
 * character are U+FFFD. */
static struct value
split(struct path_run *run, const struct value *self, const struct value *args,
    size_t n)
{
	struct value v = { .type = VALUE_LIST };
	struct value *items = NULL;
	struct str rest = self->text, by = script_value_arg(run, args, n, 0);

	if (self->type != VALUE_TEXT || (n > 0 && args->type == VALUE_REGEX))
		return script_value_undefined();
	while (rest.n > 0 && by.n == 0 && jsonpath_spend(run, VALUE_WORK)) {
		size_t length;
		bool pair = unicode_decode(rest, &length) > 0xffff;
		struct str unit =
		    pair ? STR("\xef\xbf\xbd") : str_slice(rest, 0, length);

		for (int halves = pair ? 2 : 1; halves > 0; halves--)
			*arena_push(run->arena, items, v.n) =
			    script_value_text(unit);
		rest = str_from(rest, length);
	}
	while (by.n > 0 && rest.s != NULL && jsonpath_spend(run, VALUE_WORK)) {
		size_t at = n > 0 ? str_find(rest, by) : rest.n;

		*arena_push(run->arena, items, v.n) =
		    script_value_text(str_slice(rest, 0, at));
		if (at == rest.n)
			break;
		rest = str_from(rest, at + by.n);
	}
	if (n > 1 && args[1].type != VALUE_UNDEFINED &&
	    v.n > (uint32_t)script_value_to_int32(run, &args[1]))
		v.n = (uint32_t)script_value_to_int32(run, &args[1]);
	v.items = items;
	return v;
}

static struct value
join(struct path_run *run, const struct value *self, const struct value *args,
    size_t n)
{
	size_t count;
	const struct value *items = script_value_items(run, self, &count);
	struct str *texts = arena_new_n(run->arena, struct str, count);
	struct str between =
	    n > 0 ? script_value_arg(run, args, n, 0) : STR(",");

	if (!script_value_is_list(self))
		return script_value_undefined();
	for (size_t i = 0; i < count; i++) {
		texts[i] = items[i].type <= VALUE_NULL
		    ? STR("")
		    : script_value_to_text(run, &items[i]);
		if (!jsonpath_spend(run, (texts[i].n + between.n) / 16))
			return script_value_undefined();
	}
	return script_value_text(str_join(run->arena, texts, count, between));
}

/* ---- objects ---- */

static struct value
has_own_property(struct path_run *run, const struct value *self,
    const struct value *args, size_t n)
{
	struct value found;

	if (self->type == VALUE_UNDEFINED || self->type == VALUE_NULL)
		return script_value_undefined();
	found =
	    script_value_member(run, self, script_value_arg(run, args, n, 0));
	return script_value_boolean(found.type != VALUE_UNDEFINED);
}

static const struct method methods[] = {
	{ "charAt", char_at },
	{ "concat", concat },
	{ "endsWith", ends_with },
	{ "exec", jsonpath_pattern_exec },
	{ "hasOwnProperty", has_own_property },
	{ "includes", includes },
	{ "indexOf", index_of },
	{ "join", join },
	{ "lastIndexOf", last_index_of },
	{ "match", jsonpath_pattern_match },
	{ "search", jsonpath_pattern_search },
	{ "slice", slice },
	{ "split", split },
	{ "startsWith", starts_with },
	{ "substring", substring },
	{ "test", jsonpath_pattern_test },
	{ "toLowerCase", to_lower_case },
	{ "toString", to_string },
	{ "trim", trim },
};

const struct method *
jsonpath_method(struct str name)
{
	for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
		if (str_is(name, methods[i].name))
			return &methods[i];
	return NULL;
}
