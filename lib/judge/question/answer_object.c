#include "judge/question/answer_object.h"

#include <string.h>

#include "base/ascii.h"
#include "judge/provider/error.h"

enum { SENTENCE_MAX = 200 }; /* bytes */

static const struct str fence = { "```", 3 };

/* Returns whether a sentence ends in the text before the text's end. */
static bool
has_full_stop(struct str text)
{
	static const char *const wide[] = { "\u3002", "\uff01", "\uff1f" };

	for (size_t i = 0; i + 1 < text.n; i++)
		if ((text.s[i] == '.' || text.s[i] == '!' ||
			text.s[i] == '?') &&
		    json_is_space(text.s[i + 1]))
			return true;
	for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
		if (str_find(text, str_of(wide[i])) + strlen(wide[i]) < text.n)
			return true;
	return false;
}

/* Returns whether the text is empty or one short sentence without a bracket
 * of JSON. */
static bool
is_sentence(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (strchr("{}[]\n\r", text.s[i]) != NULL)
			return false;
	return text.n <= SENTENCE_MAX && !has_full_stop(text);
}

/* Returns whether the text after an opening fence is the name of a language or
 * nothing. */
static bool
is_language(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.s[i]))
			return false;
	return true;
}

/* Returns whether the text behind a fence leaves the answer as it stands: prose
 * without a bracket, a fence or the end of thoughts, and without a word that may
 * take the answer back or call it a quotation. */
static bool
is_afterword(struct str text)
{
	static const char *const stems[] = { "actual", "correction", "fabricat",
		"fake", "forge", "however", "ignor", "inject", "instead",
		"invalid", "mistak", "quot", "reconsider", "retract", "sorry",
		"wait", "written", "wrong", "wrote" };

	for (size_t i = 0; i < text.n; i++) {
		if (strchr("{}[]<`", text.s[i]) != NULL)
			return false;
		if (i != 0 && ascii_is_letter((uint8_t)text.s[i - 1]))
			continue;
		for (size_t k = 0; k < sizeof stems / sizeof stems[0]; k++)
			if (str_eq_ascii_nocase(
				str_slice(text, i, i + strlen(stems[k])),
				str_of(stems[k])))
				return false;
	}
	return true;
}

/* Returns the place of the needle's last occurrence in the text; text.n if it
 * does not occur. */
static size_t
find_last(struct str text, struct str needle)
{
	size_t last = text.n;

	for (size_t at = 0; at + needle.n <= text.n; at += needle.n) {
		at += str_find(str_from(text, at), needle);
		if (at < text.n)
			last = at;
	}
	return last;
}

/* Returns the text in the code fence of the text, before which there is at most
 * one sentence, and after which there is nothing but an afterword; an absent
 * text if there is no such fence. */
static struct str
fenced(struct str text)
{
	size_t open = str_find(text, fence);
	struct str inner = str_from(text, open + fence.n);
	struct str name = str_trim(str_cut(&inner, '\n'));
	size_t close = find_last(inner, fence);

	if (inner.s == NULL || close >= inner.n || !is_language(name) ||
	    !is_sentence(str_trim(str_slice(text, 0, open))) ||
	    !is_afterword(str_from(inner, close + fence.n)))
		return (struct str){ 0 };
	return str_slice(inner, 0, close);
}

/* Returns the JSON value that the text is, alone or in a code fence; NULL if the
 * text is anything else. */
static const struct json *
whole_value(struct json_reader *reader, struct str text)
{
	struct json_error error;
	const struct json *value = json_read(reader, text, NULL, &error);

	if (value == NULL && (text = fenced(text)).s != NULL)
		value = json_read(reader, text, NULL, &error);
	return value;
}

const struct json *
answer_object(struct json_reader *reader, struct str text, struct str *why,
    struct arena *a)
{
	/* Thoughts end with their first mark, or with their last, if the
	 * thoughts name the mark; servers whose prompt ends with <think> return
	 * thoughts without it. */
	static const char *const ends[] = { "</think>", "</thinking>",
		"</thought>", "</reasoning>", "[/THINK]" };
	const struct json *answer = whole_value(reader, str_trim(text));

	for (size_t i = 0; answer == NULL && i < sizeof ends / sizeof ends[0];
	     i++) {
		struct str end = str_of(ends[i]);
		size_t at[] = { str_find(text, end), find_last(text, end) };

		for (size_t k = 0; answer == NULL && k < 2; k++)
			if (at[k] < text.n)
				answer = whole_value(reader,
				    str_trim(str_from(text, at[k] + end.n)));
	}
	if (json_is(answer, JSON_OBJECT))
		return answer;
	text = str_trim(text);
	*why = text.n == 0   ? STR("the answer is empty")
	    : answer == NULL ? STR("the answer is not JSON")
			     : str_printf(a, "the answer is %s, not an object",
				   json_type_name(answer));
	if (text.n != 0)
		*why = provider_error_begins(a, *why, text);
	return NULL;
}
