/* Values: what they are equal to, and how they are printed. */
#include "base/ascii.h"
#include "starlark/run.h"

struct starlark_value
starlark_of_bool(bool b)
{
	return (struct starlark_value){ .type = STARLARK_BOOL, .number = b };
}

struct starlark_value
starlark_of_int(int64_t i)
{
	return (struct starlark_value){ .type = STARLARK_INT, .number = i };
}

struct starlark_value
starlark_of_text(struct str text)
{
	return (struct starlark_value){ .type = STARLARK_STRING, .text = text };
}

struct starlark_value
starlark_of_list(struct starlark *s, enum starlark_type type,
    struct starlark_value *items, size_t n)
{
	struct starlark_list *list = arena_new(s->arena, struct starlark_list);

	*list = (struct starlark_list){ .items = items, .n = n };
	return (struct starlark_value){ .type = type, .list = list };
}

static bool
is_collection(const struct starlark_value *v)
{
	return v->type == STARLARK_LIST || v->type == STARLARK_TUPLE ||
	    v->type == STARLARK_DICT;
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
		[STARLARK_DICT] = "a dict",
		[STARLARK_FUNCTION] = "a function",
	};

	return names[v->type];
}

bool
starlark_truth(const struct starlark_value *v)
{
	if (is_collection(v))
		return v->list->n > 0;
	if (v->type == STARLARK_STRING)
		return v->text.n > 0;
	if (v->type == STARLARK_BOOL || v->type == STARLARK_INT)
		return v->number != 0;
	return v->type == STARLARK_FUNCTION;
}

/* Enters a value within a value. */
static bool
enter(struct starlark *s, struct place place)
{
	if (s->run->depth++ < STARLARK_NESTED)
		return starlark_spend(s, 1, place);
	starlark_unread(s, place, STR("a value that is nested too deeply"));
	return false;
}

static bool
equal_lists(struct starlark *s, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	bool same = a->list->n == b->list->n && enter(s, place);

	if (a->list->n != b->list->n)
		return false;
	for (size_t i = 0; same && i < a->list->n; i++) {
		const struct starlark_value *x = &a->list->items[i];
		const struct starlark_value *y = &b->list->items[i];

		if (a->type == STARLARK_DICT && i % 2 == 0) {
			y = starlark_find(s, b->list, x, place);
			x++;
			i++;
		}
		same = y != NULL && starlark_equal(s, x, y, place);
	}
	s->run->depth--;
	return same;
}

bool
starlark_equal(struct starlark *s, const struct starlark_value *a,
    const struct starlark_value *b, struct place place)
{
	if (a->type != b->type)
		return false;
	if (is_collection(a))
		return equal_lists(s, a, b, place);
	if (a->type == STARLARK_STRING)
		return str_eq(a->text, b->text);
	if (a->type == STARLARK_FUNCTION)
		return a->function == b->function;
	return a->type == STARLARK_NONE || a->number == b->number;
}

struct starlark_value *
starlark_find(struct starlark *s, const struct starlark_list *dict,
    const struct starlark_value *key, struct place place)
{
	for (size_t i = 0; i < dict->n && starlark_spend(s, 1, place); i += 2)
		if (starlark_equal(s, &dict->items[i], key, place))
			return &dict->items[i + 1];
	return NULL;
}

struct str
starlark_quote(struct arena *a, struct str text)
{
	static const char escaped[] = "\"\\\n\r\t";
	static const char letters[] = "\"\\nrt";
	char *start = arena_room(a, 2 * text.n + 2), *to = start;

	*to++ = '"';
	for (size_t i = 0; i < text.n; i++) {
		const char *e =
		    text.s[i] == '\0' ? NULL : strchr(escaped, text.s[i]);

		if (e != NULL)
			*to++ = '\\';
		*to++ = e != NULL ? letters[e - escaped] : text.s[i];
	}
	*to++ = '"';
	return (struct str){ start, (size_t)(to - start) };
}

static struct str
show_list(
    struct starlark *s, const struct starlark_value *v, struct place place)
{
	static const char *const brackets[] = {
		[STARLARK_LIST] = "[]",
		[STARLARK_TUPLE] = "()",
		[STARLARK_DICT] = "{}",
	};
	const char *b = brackets[v->type];
	bool dict = v->type == STARLARK_DICT;
	size_t n = dict ? v->list->n / 2 : v->list->n;
	struct str *parts = arena_new_n(s->arena, struct str, n + 1), all, of;

	for (size_t i = 0; i < n; i++) {
		size_t at = dict ? 2 * i : i;

		parts[i] = starlark_show(s, &v->list->items[at], true, place);
		if (dict) {
			of = starlark_show(
			    s, &v->list->items[at + 1], true, place);
			parts[i] = str_printf(s->arena, "%.*s: %.*s",
			    STR_FMT(parts[i]), STR_FMT(of));
		}
		if (starlark_stopped(s))
			return (struct str){ 0 };
	}
	all = str_join(s->arena, parts, n, STR(", "));
	return str_printf(s->arena, "%c%.*s%s%c", b[0], STR_FMT(all),
	    v->type == STARLARK_TUPLE && n == 1 ? "," : "", b[1]);
}

struct str
starlark_show(struct starlark *s, const struct starlark_value *v, bool quoted,
    struct place place)
{
	struct str text = { 0 };

	if (!enter(s, place))
		text = STR("");
	else if (is_collection(v))
		text = show_list(s, v, place);
	else if (v->type == STARLARK_STRING)
		text = quoted ? starlark_quote(s->arena, v->text) : v->text;
	else if (v->type == STARLARK_INT)
		text = str_int(s->arena, v->number);
	else if (v->type == STARLARK_BOOL)
		text = v->number ? STR("True") : STR("False");
	else if (v->type == STARLARK_NONE)
		text = STR("None");
	else
		starlark_unread(s, place, STR("the text of a function"));
	s->run->depth--;
	starlark_spend(s, text.n, place);
	return text;
}

/* Returns the item that is next, and spends it. */
static const struct starlark_value *
next_item(const struct starlark_value *v, size_t *used)
{
	size_t n = v->type == STARLARK_TUPLE ? v->list->n : 1;

	if (*used >= n)
		return NULL;
	return v->type == STARLARK_TUPLE ? &v->list->items[(*used)++]
					 : ((*used)++, v);
}

/* Returns what replaces the directive of this letter. */
static struct str
percent_part(struct starlark *s, char letter, const struct starlark_value *v,
    struct place place)
{
	if (letter == '\0' || strchr("srd", letter) == NULL)
		starlark_unread(
		    s, place, STR("a % other than %s, %r, %d and %%"));
	else if (v == NULL)
		starlark_mistake(s, place,
		    "expected a value for each %%%c, found too few", letter);
	else if (letter == 'd' && v->type != STARLARK_INT)
		starlark_mistake(s, place,
		    "expected a number for %%d, found %s",
		    starlark_type_name(v));
	else
		return starlark_show(s, v, letter == 'r', place);
	return STR("");
}

struct starlark_value
starlark_percent(struct starlark *s, struct str format, struct starlark_value v,
    struct place place)
{
	struct str *parts = NULL, rest = format;
	size_t n = 0, used = 0;

	while (rest.n > 0 && !starlark_stopped(s)) {
		size_t at = str_find_char(rest, '%');
		char letter = at + 1 < rest.n ? rest.s[at + 1] : '\0';

		*arena_push(s->arena, parts, n) = str_slice(rest, 0, at);
		if (at < rest.n)
			*arena_push(s->arena, parts, n) = letter == '%'
			    ? STR("%")
			    : percent_part(
				  s, letter, next_item(&v, &used), place);
		rest = str_from(rest, at + 2);
	}
	if (!starlark_stopped(s) && next_item(&v, &used) != NULL)
		return starlark_mistake(
		    s, place, "expected a %% for each value, found too few");
	starlark_spend(s, format.n, place);
	return starlark_of_text(str_join(s->arena, parts, n, STR("")));
}
