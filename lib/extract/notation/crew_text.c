/* CrewAI's output_log_file as text: entries such as
 *
 *	2026-03-01 10:00:00: task_name="None", task="...", agent="...", status="started"
 *
 * whose values have line breaks and quotes as they are. An entry becomes an object, as
 * CrewAI writes the entry to a file of JSON; what is no entry remains. */
#include <string.h>

#include "base/ascii.h"
#include "extract/notation/notation.h"

/* The keys, as they stand between two values. */
static const char *const marks[] = { "\", task_name=\"", "\", task=\"",
	"\", agent=\"", "\", status=\"", "\", output=\"" };

enum {
	MARKS = sizeof marks / sizeof marks[0],
	BEFORE_KEY = 3, /* bytes of a mark */
	BEHIND_KEY = 2,
	TIME = 19, /* bytes of the time */
};

enum converter_owns
crew_text_owns(struct str start)
{
	static const struct str time = STR_CONST("0000-00-00 00:00:00: ");
	enum converter_owns best = CONVERTER_OWNS_NOT;

	for (size_t i = 0; i < start.n && i < time.n; i++)
		if (time.s[i] == '0' ? !ascii_is_digit(start.s[i])
				     : start.s[i] != time.s[i])
			return CONVERTER_OWNS_NOT;
	for (size_t i = 0; i < MARKS; i++) {
		enum converter_owns owns =
		    converter_begins(str_from(start, time.n),
			str_from(str_of(marks[i]), BEFORE_KEY));

		best = owns > best ? owns : best;
	}
	return best;
}

/* Cuts off and returns the text of the entry at the start, which ends before a line that
 * begins another. */
static struct str
cut_entry(struct str *text)
{
	struct str all = *text;

	do
		(void)str_cut(text, '\n');
	while (text->s != NULL && crew_text_owns(*text) != CONVERTER_OWNS);
	return text->s == NULL ? all
			       : str_slice(all, 0, (size_t)(text->s - all.s));
}

/* Returns the index in the text of the key that stands first; text.n if there is none.
 * *mark becomes the key. */
static size_t
next_mark(struct str text, struct str *mark)
{
	size_t first = text.n;

	for (size_t i = 0; i < MARKS; i++) {
		size_t at = str_find(text, str_of(marks[i]));

		if (at < first) {
			first = at;
			*mark = str_of(marks[i]);
		}
	}
	return first;
}

/* Writes the entry, whose last value ends in the quote that ends the text. */
static void
write_entry(struct out *o, struct arena *a, struct str text)
{
	struct str mark = { 0 }, key;

	o->comma = false;
	out_begin(o, '{');
	out_member_str(o, "timestamp", str_slice(text, 0, TIME));
	text = str_slice(text, TIME + strlen(": "), text.n - 1);
	key = str_cut(&text, '=');
	for (text = str_from(text, 1); text.s != NULL;) {
		size_t end =
		    str_is(key, "output") ? text.n : next_mark(text, &mark);
		struct str value = str_slice(text, 0, end);

		if (!str_is(key, "task_name") || !str_is(value, "None"))
			out_member_str(o, str_c(a, key), value);
		text = end < text.n ? str_from(text, end + mark.n)
				    : (struct str){ 0 };
		key = str_slice(mark, BEFORE_KEY, mark.n - BEHIND_KEY);
	}
	out_end(o, '}');
}

bool
crew_text_convert(struct out *o, struct str text, const char *file)
{
	struct arena a = { 0 };

	(void)file;
	if (str_starts(text, "\xef\xbb\xbf"))
		text = str_from(text, 3);
	while (text.s != NULL) {
		struct str entry = cut_entry(&text), body = str_trim(entry);

		if (crew_text_owns(body) == CONVERTER_OWNS &&
		    str_ends(body, "\""))
			write_entry(o, &a, body);
		else
			out_str(o, body);
		for (size_t n = str_count_char(entry, '\n'); n > 0; n--)
			out_line(o);
		arena_reset(&a);
	}
	out_line(o);
	arena_free(&a);
	return true;
}
