#include "check/answer/answer_kinds.h"

#include <math.h>

#include "emulate/lang/go.h"

enum { BYTES_PER_TOKEN = 4 };

/* Counts sentences: the parts between full stops, exclamation marks and
 * question marks that are more than white space. A text of nothing but such
 * marks is one sentence. */
static int64_t
sentences(struct str text)
{
	struct str rest = go_trim(text);
	int64_t n = 0;
	size_t from = 0;

	for (size_t i = 0; i <= rest.n; i++) {
		if (i < rest.n && rest.s[i] != '.' && rest.s[i] != '!' &&
		    rest.s[i] != '?')
			continue;
		n += go_trim(str_slice(rest, from, i)).n != 0;
		from = i + 1;
	}
	return n == 0 && rest.n != 0 ? 1 : n;
}

/* Writes the length and its limit. Returns which part of the limit is kept: 1
 * if the length is within the limit. */
static double
compare(struct out *o, const char *names[2], int64_t n, const int64_t *limit,
    bool least)
{
	int64_t part = least ? n
	    : limit == NULL  ? 0
			     : *limit,
		whole = least && limit != NULL ? *limit : n;

	if (limit == NULL)
		return 1;
	out_member_int(o, names[0], n);
	out_member_int(o, names[1], *limit);
	return part >= whole ? 1 : part <= 0 ? 0 : (double)part / (double)whole;
}

static struct finding
max_length_find(const void *want, struct view *v)
{
	static const char *names[][2] = {
		{ "character_count", "max_characters" },
		{ "token_count", "max_tokens" },
		{ "count", "max" },
		{ "character_count", "min_characters" },
	};
	const struct max_length_want *w = want;
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	int64_t n = (int64_t)text.n;
	double share;
	struct out o;

	out_open_memory(&o);
	share = compare(&o, names[0], n, w->bytes, false);
	share = fmin(share,
	    compare(&o, names[1], n / BYTES_PER_TOKEN, w->tokens, false));
	share = fmin(share, compare(&o, names[3], n, w->least, true));
	if (w->sentences != NULL)
		share = fmin(share,
		    compare(
			&o, names[2], sentences(text), w->sentences, false));
	return (struct finding){
		.found = share == 1 ? FOUND_YES : FOUND_NO,
		.open =
		    (share == 1) == (w->least == NULL) && v->cut & VIEW_TEXT,
		.graded = true,
		.share = share,
		.why = out_keep(&o, v->arena),
	};
}

static const struct check_kind max_length_check_kind = { .name = "length",
	.find = max_length_find,
	WANTS(WANT("least_bytes", WANT_INT | WANT_AT, max_length_want, least),
	    WANT("most_bytes", WANT_INT | WANT_AT, max_length_want, bytes),
	    WANT("most_tokens", WANT_INT | WANT_AT, max_length_want, tokens),
	    WANT("most_sentences", WANT_INT | WANT_AT, max_length_want,
		sentences)) };

struct check
max_length_check(struct arena *a, const struct max_length_want *want)
{
	return check_new(
	    a, &max_length_check_kind, want, sizeof *want, VIEW_TEXT);
}
