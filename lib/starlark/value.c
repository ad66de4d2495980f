/* Values, and operators between them. */
#include "starlark/run.h"

struct starlark_value
sl_of(enum starlark_type type, int64_t number)
{
	return (struct starlark_value){ .type = type, .number = number };
}

struct starlark_value
sl_of_text(struct str text)
{
	return (struct starlark_value){ .type = STARLARK_STRING, .text = text };
}

struct starlark_value
sl_of_list(struct starlark *s, enum starlark_type type,
    struct starlark_value *items, size_t n)
{
	struct starlark_list *list = arena_new(s->arena, struct starlark_list);

	*list = (struct starlark_list){ .items = items, .n = n };
	return (struct starlark_value){ .type = type, .list = list };
}

const char *
starlark_type_name(const struct starlark_value *v)
{
	static const char *const names[] = {
		[STARLARK_ABSENT] = "nothing",
		[STARLARK_UNREAD] = "a value that is not read",
		[STARLARK_NONE] = "None",
		[STARLARK_BOOL] = "a bool",
		[STARLARK_INT] = "a number",
		[STARLARK_STRING] = "a string",
		[STARLARK_LIST] = "a list",
		[STARLARK_TUPLE] = "a tuple",
		[STARLARK_FUNCTION] = "a function",
	};

	return names[v->type];
}

bool
sl_is_list(const struct starlark_value *v)
{
	return v->type == STARLARK_LIST || v->type == STARLARK_TUPLE;
}

bool
sl_truth(const struct starlark_value *v)
{
	if (sl_is_list(v))
		return v->list->n > 0;
	if (v->type == STARLARK_STRING)
		return v->text.n > 0;
	return v->type == STARLARK_FUNCTION ||
	    (v->type != STARLARK_NONE && v->number != 0);
}

struct starlark_value
sl_show(struct starlark *s, const struct starlark_value *v, struct place place)
{
	if (v->type == STARLARK_STRING)
		return *v;
	if (v->type == STARLARK_INT)
		return sl_of_text(str_int(s->arena, v->number));
	return sl_unread(
	    s, place, "the text of a value that is no string or number");
}

/* ---- operators ---- */

static bool
equal(const struct starlark_value *a, const struct starlark_value *b)
{
	return a->type == b->type &&
	    (a->type == STARLARK_STRING ? str_eq(a->text, b->text)
					: a->number == b->number);
}

static bool
is_in(const struct starlark_value *a, const struct starlark_value *b)
{
	if (b->type == STARLARK_STRING)
		return str_contains(b->text, a->text);
	for (size_t i = 0; i < b->list->n; i++)
		if (equal(a, &b->list->items[i]))
			return true;
	return false;
}

/* Returns the sum of two texts, or of two lists. */
static struct starlark_value
add(struct starlark *s, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	struct starlark_value all = *a, *items;
	size_t n;

	if (a->type == STARLARK_STRING) {
		if (sl_spend(s, a->text.n + b->text.n, place))
			all.text = str_cat(s->arena, a->text, b->text);
		return all;
	}
	n = a->list->n + b->list->n;
	if (!sl_spend(s, n, place))
		return all;
	items = arena_new_n(s->arena, struct starlark_value, n + 1);
	for (size_t i = 0; i < n; i++)
		items[i] = i < a->list->n ? a->list->items[i]
					  : b->list->items[i - a->list->n];
	return sl_of_list(s, a->type, items, n);
}

/* Returns the format with its only %, a %s, replaced by the value. */
static struct starlark_value
percent(struct starlark *s, struct str format, const struct starlark_value *v,
    struct place place)
{
	size_t at = str_find(format, "%s");
	struct starlark_value head = sl_of_text(str_slice(format, 0, at));
	struct starlark_value tail = sl_of_text(str_from(format, at + 2));
	struct starlark_value text = sl_show(s, v, place);

	if (str_count_char(format, '%') != 1 || at == format.n)
		return sl_unread(s, place, "a % other than one %s");
	text = add(s, &head, &text, place);
	return add(s, &text, &tail, place);
}

struct starlark_value
sl_operate(struct starlark *s, struct str sign, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	bool same = a->type == b->type, list = sl_is_list(a);
	bool text = a->type == STARLARK_STRING;

	if (str_is_one_of(sign, "== !=") && !(same && list))
		return sl_of(STARLARK_BOOL, equal(a, b) == str_is(sign, "=="));
	if ((str_is(sign, "in") || str_is(sign, "not in")) && !list &&
	    (sl_is_list(b) || (same && text)) &&
	    sl_spend(s, sl_is_list(b) ? b->list->n : b->text.n, place))
		return sl_of(STARLARK_BOOL, is_in(a, b) == str_is(sign, "in"));
	if (same && (text || list) && str_is(sign, "+"))
		return add(s, a, b, place);
	if (text && str_is(sign, "%"))
		return percent(s, a->text, b, place);
	return sl_unread(s, place, "an operator, with these operands");
}
