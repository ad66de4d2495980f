/* Operators between values. */
#include "starlark/run.h"

static struct starlark_value
mistaken(struct starlark *s, struct str sign, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	if (a->type == STARLARK_UNREAD || b->type == STARLARK_UNREAD)
		return starlark_unread(
		    s, place, STR("a value that is not read"));
	return starlark_mistake(s, place,
	    "expected values that %.*s takes, found %s and %s", STR_FMT(sign),
	    starlark_type_name(a), starlark_type_name(b));
}

static struct starlark_value
add(struct starlark *s, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	struct starlark_value *items;
	size_t n;

	if (a->type == STARLARK_STRING) {
		starlark_spend(s, a->text.n + b->text.n, place);
		return starlark_stopped(s)
		    ? *a
		    : starlark_of_text(str_cat(s->arena, a->text, b->text));
	}
	n = a->list->n + b->list->n;
	if (!starlark_spend(s, n, place))
		return *a;
	items = arena_new_n(s->arena, struct starlark_value, n + 1);
	for (size_t i = 0; i < n; i++)
		items[i] = i < a->list->n ? a->list->items[i]
					  : b->list->items[i - a->list->n];
	return starlark_of_list(s, a->type, items, n);
}

/* Returns the text or list n times. */
static struct starlark_value
repeat(struct starlark *s, const struct starlark_value *a, int64_t times,
    struct place place)
{
	bool text = a->type == STARLARK_STRING;
	struct starlark_value all = text
	    ? starlark_of_text(STR(""))
	    : starlark_of_list(s, a->type, NULL, 0);

	for (; times > 0 && starlark_spend(s, 1, place); times--)
		all = add(s, &all, a, place);
	return all;
}

/* Returns what the sign gives for two integers. */
static struct starlark_value
count(struct starlark *s, struct str sign, int64_t a, int64_t b,
    struct place place)
{
	int64_t result = 0;
	bool over = false;

	if (str_is(sign, "+"))
		over = __builtin_add_overflow(a, b, &result);
	else if (str_is(sign, "-"))
		over = __builtin_sub_overflow(a, b, &result);
	else if (str_is(sign, "*"))
		over = __builtin_mul_overflow(a, b, &result);
	else if (!str_is(sign, "//") && !str_is(sign, "%"))
		return starlark_unread(s, place, sign);
	else if (b == 0)
		return starlark_mistake(
		    s, place, "expected a divisor, found 0");
	else if (b == -1)
		over =
		    str_is(sign, "//") && __builtin_sub_overflow(0, a, &result);
	else {
		int64_t rest = a % b;
		bool down = rest != 0 && (rest < 0) != (b < 0);

		result = str_is(sign, "%") ? rest + (down ? b : 0)
					   : a / b - (down ? 1 : 0);
	}
	if (over)
		return starlark_unread(
		    s, place, STR("a number of over 64 bits"));
	return starlark_of_int(result);
}

static struct starlark_value
is_in(struct starlark *s, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	size_t step = b->type == STARLARK_DICT ? 2 : 1;

	if (b->type == STARLARK_STRING && a->type == STARLARK_STRING)
		return starlark_of_bool(str_contains(b->text, a->text));
	if (b->type != STARLARK_LIST && b->type != STARLARK_TUPLE &&
	    b->type != STARLARK_DICT)
		return mistaken(s, STR("in"), a, b, place);
	for (size_t i = 0; i < b->list->n && starlark_spend(s, 1, place);
	     i += step)
		if (starlark_equal(s, a, &b->list->items[i], place))
			return starlark_of_bool(true);
	return starlark_of_bool(false);
}

/* Returns what == < and their kin give. */
static struct starlark_value
compare(struct starlark *s, struct str sign, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	int64_t order;

	if (str_is_one_of(sign, "== !="))
		return starlark_of_bool(
		    starlark_equal(s, a, b, place) == str_is(sign, "=="));
	if (a->type != b->type)
		return mistaken(s, sign, a, b, place);
	if (a->type == STARLARK_STRING)
		order = str_cmp(a->text, b->text);
	else if (a->type == STARLARK_INT || a->type == STARLARK_BOOL)
		order = (a->number > b->number) - (a->number < b->number);
	else
		return starlark_unread(s, place, sign);
	if (order == 0)
		return starlark_of_bool(str_is_one_of(sign, "<= >="));
	return starlark_of_bool((order < 0) == (sign.s[0] == '<'));
}

struct starlark_value
starlark_operate(struct starlark *s, struct str sign, struct starlark_value a,
    struct starlark_value b, struct place place)
{
	bool sequences = a.type == b.type &&
	    (a.type == STARLARK_STRING || a.type == STARLARK_LIST ||
		a.type == STARLARK_TUPLE);
	bool repeats = a.type == STARLARK_STRING || a.type == STARLARK_LIST ||
	    a.type == STARLARK_TUPLE;

	if (a.type == STARLARK_UNREAD || b.type == STARLARK_UNREAD)
		return mistaken(s, sign, &a, &b, place);
	if (str_is_one_of(sign, "== != < > <= >="))
		return compare(s, sign, &a, &b, place);
	if (str_is(sign, "in"))
		return is_in(s, &a, &b, place);
	if (str_is(sign, "not in")) {
		a = is_in(s, &a, &b, place);
		a.number = !a.number;
		return a;
	}
	if (a.type == STARLARK_INT && b.type == STARLARK_INT)
		return count(s, sign, a.number, b.number, place);
	if (sequences && str_is(sign, "+"))
		return add(s, &a, &b, place);
	if (repeats && b.type == STARLARK_INT && str_is(sign, "*"))
		return repeat(s, &a, b.number, place);
	if (a.type == STARLARK_INT && b.type == STARLARK_STRING &&
	    str_is(sign, "*"))
		return repeat(s, &b, a.number, place);
	if (a.type == STARLARK_STRING && str_is(sign, "%"))
		return starlark_percent(s, a.text, b, place);
	if (a.type == STARLARK_DICT && b.type == STARLARK_DICT)
		return starlark_unread(s, place, sign);
	return mistaken(s, sign, &a, &b, place);
}
