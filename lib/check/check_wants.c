#include "check/check.h"

/* Returns where the member of the row stands; NULL for a pointer that is NULL. */
static const void *
member_of(const struct check_want *f, const void *want)
{
	const void *at = (const char *)want + f->at;

	return f->how & WANT_AT ? *(const void *const *)at : at;
}

/* Returns the word of this number among those with blanks between them. */
static struct str
nth_word(const char *words, unsigned n)
{
	struct str rest = str_of(words);

	while (n-- > 0)
		str_cut(&rest, ' ');
	return str_cut(&rest, ' ');
}

/* Returns the word of the value, an enum. */
static struct str
word_of(const struct check_want *f, const void *at)
{
	return nth_word(f->key, 1 + *(const unsigned *)at);
}

/* Returns whether the value is more than nothing. */
static bool
has_more(unsigned type, const void *at)
{
	switch (type) {
	case WANT_STR:
		return ((const struct str *)at)->n != 0;
	case WANT_STRS:
		return ((const struct str_list *)at)->n != 0;
	case WANT_INT:
		return *(const int64_t *)at > 0;
	case WANT_DOUBLE:
		return *(const double *)at > 0;
	default:
		return *(const bool *)at;
	}
}

static bool
is_shown(const struct check_want *f, const void *at)
{
	unsigned type = f->how & WANT_TYPE;

	if (at == NULL || type == WANT_REGEX)
		return false;
	if (type == WANT_WORD)
		return !str_is(word_of(f, at), "-");
	if (f->how & WANT_IF)
		return has_more(type, at);
	if (type == WANT_STR)
		return ((const struct str *)at)->s != NULL;
	if (type == WANT_CHARS || type == WANT_JSON || type == WANT_CHECK)
		return *(const void *const *)at != NULL;
	return true;
}

static void
show_value(const struct check_want *f, const void *at, struct out *o)
{
	switch (f->how & WANT_TYPE) {
	case WANT_STR:
		out_json_str(o, *(const struct str *)at);
		break;
	case WANT_STRS:
		out_json_strs(o, *(const struct str_list *)at);
		break;
	case WANT_INT:
		out_json_int(o, *(const int64_t *)at);
		break;
	case WANT_DOUBLE:
		out_json_double(o, *(const double *)at);
		break;
	case WANT_BOOL:
		out_json_bool(o, *(const bool *)at);
		break;
	case WANT_CHARS:
		out_json_str(o, str_of(*(const char *const *)at));
		break;
	case WANT_JSON:
		out_json_raw(o, (*(const struct json *const *)at)->text);
		break;
	case WANT_WORD:
		out_json_str(o, word_of(f, at));
		break;
	}
}

void
check_wants_show(const struct check_want *f, const void *want, struct out *o)
{
	struct str key = { 0 };

	for (; f->how != WANT_END; f++) {
		const void *at = member_of(f, want);
		unsigned type = f->how & WANT_TYPE;

		if (type == WANT_KEY) {
			key = nth_word(f->key, *(const unsigned *)at);
			continue;
		}
		if (!is_shown(f, at))
			continue;
		if (type == WANT_CHECK) {
			if (f->key != NULL)
				out_member_begin(o, f->key, '{');
			check_show_wanted(*(const void *const *)at, o);
			if (f->key != NULL)
				out_end(o, '}');
			continue;
		}
		out_plain_key(o, f->key == NULL ? key : nth_word(f->key, 0));
		show_value(f, at, o);
	}
}

struct str_list
check_wants_tools(const struct check_want *f, const void *want, unsigned bits,
    struct arena *a)
{
	struct str *all = NULL;
	size_t n = 0;

	for (; f->how != WANT_END; f++) {
		const void *at = member_of(f, want);
		const struct str_list *list = at;
		const struct str_list one = { at, 1 };

		if (!(f->how & bits))
			continue;
		if ((f->how & WANT_TYPE) == WANT_STR)
			list = &one;
		for (size_t i = 0; i < list->n; i++)
			if (list != &one || list->list[i].n != 0)
				*arena_push(a, all, n) = list->list[i];
	}
	return (struct str_list){ all, n };
}

void
check_wants_patterns(const struct check_want *f, const void *want,
    check_pattern *each, void *arg)
{
	for (; f->how != WANT_END; f++)
		if (f->how == WANT_REGEX)
			each(*(struct regex *const *)member_of(f, want), arg);
}

const struct check *
check_wants_inner(const struct check_want *f, const void *want)
{
	while (f->how != WANT_END && f->how != WANT_CHECK)
		f++;
	return f->how == WANT_CHECK
	    ? *(const struct check *const *)member_of(f, want)
	    : NULL;
}
