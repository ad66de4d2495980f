#include "check/answer/answer_kinds.h"

#include "emulate/lang/js.h"
#include "text/unicode.h"

/* Counts the words between JavaScript's white space. */
static size_t
count_words(struct str text)
{
	bool within = false;
	size_t n = 0;

	while (text.n != 0) {
		size_t length;
		bool word = !js_is_space(unicode_decode(text, &length));

		n += word && !within;
		within = word;
		text = str_from(text, length);
	}
	return n;
}

static struct finding
words_find(const void *want, struct view *v)
{
	const struct words_want *w = want;
	double n = (double)count_words(view_text(v, VIEW_AS_WRITTEN));
	bool few = w->least != NULL && n < *w->least,
	     many = w->most != NULL && n > *w->most;

	return (struct finding){
		.found = few || many ? FOUND_NO : FOUND_YES,
		.open = v->cut & VIEW_TEXT && !many,
		.why = str_printf(v->arena, "%.0f", n),
	};
}

static const struct check_kind words_check_kind = { .name = "words",
	.find = words_find,
	WANTS(WANT("least", WANT_DOUBLE | WANT_AT, words_want, least),
	    WANT("most", WANT_DOUBLE | WANT_AT, words_want, most)) };

struct check
words_check(struct arena *a, const struct words_want *want)
{
	return check_new(a, &words_check_kind, want, sizeof *want, VIEW_TEXT);
}
