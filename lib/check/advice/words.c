#include "check/advice/words.h"

#include "base/ascii.h"
#include "text/caseless.h"

const char words_of_errors[] =
    "error errors fail fails failed failing failure failures invalid missing "
    "unknown broken denied refuse refuses refused reject rejects rejected "
    "timeout unavailable wrong exception recover recovers recovery cannot "
    "unable sorry graceful gracefully",
	   words_of_speed[] =
	       "fast quick quickly efficient efficiently efficiency "
	       "performance performant latency slow speed optimal optimize";

static bool
is_of_word(char c, const char *signs)
{
	return ascii_is_alnum(c) || (unsigned char)c >= 0x80 ||
	    ascii_is_among(c, signs);
}

struct str
words_next(struct str *text, const char *signs)
{
	struct str all = *text;
	size_t start = 0, end;

	while (start < all.n && !is_of_word(all.s[start], signs))
		start++;
	end = start;
	while (end < all.n && is_of_word(all.s[end], signs))
		end++;
	*text = str_from(all, end);
	return str_slice(all, start, end);
}

bool
words_any(struct str text, const char *list)
{
	struct str word;

	while ((word = words_next(&text, "")).n != 0)
		if (caseless_is_one_of(word, list))
			return true;
	return false;
}

size_t
words_besides(struct str text, const char *list)
{
	struct str word;
	size_t n = 0;

	while ((word = words_next(&text, "")).n != 0)
		n += !caseless_is_one_of(word, list);
	return n;
}
