/* Logs that AgentV keeps of the program that it ran: a header, of lines that begin with
 * #, and what the program printed, each line behind its time, as "[+00:04] [stdout]
 * TEXT"; JSON may be spread over several lines. In transcript-raw.jsonl each line of
 * such a log is an object, and the text is its `content`. The JSON remains, which is a
 * log of the program's own format, and so do texts that are not JSON, but not those of
 * standard error. */
#include "extract/notation/notation.h"
#include "json/json.h"

#define OBJECT "{\"schema_version\":\"agentv.raw_provider_log_line.v1\""

enum converter_owns
raw_log_owns(struct str start)
{
	enum converter_owns object = converter_begins(start, STR(OBJECT));
	struct str line = str_cut(&start, '\n');

	if (object != CONVERTER_OWNS_NOT || !str_starts(line, "# "))
		return object;
	if (start.s == NULL)
		return CONVERTER_NEEDS_MORE;
	return str_ends(line, " stream log")
	    ? converter_begins(start, STR("# target: "))
	    : CONVERTER_OWNS_NOT;
}

/* Returns the text without the time and the name of the stream in front of it. */
static struct str
without_time(struct str text)
{
	bool timed = str_starts(text, "[+");

	while (timed && str_starts(text, "[") && str_contains(text, "] ") &&
	    !json_is_space(text.s[1]))
		text = str_from(text, str_find(text, "] ") + 2);
	return text;
}

/* Writes the text of a line. */
static void
write_line(struct out *o, struct str text)
{
	struct str behind = str_from(text, str_find_char(text, ' '));

	if (!str_starts(text, "# ") &&
	    !(str_starts(text, "[+") && str_starts(behind, " [stderr] ")))
		out_str(o, without_time(text));
}

bool
raw_log_convert(struct out *o, struct str text, const char *file)
{
	bool objects = str_starts(text, "{");
	struct json_reader reader = { 0 };
	struct arena a = { 0 };

	(void)file;
	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');
		const struct json *content = NULL;
		struct json_error error;
		size_t end;

		if (objects)
			content =
			    json_get(json_read(&reader, line, &end, &error),
				STR("content"));
		if (json_is(content, JSON_STRING))
			line = json_text(content, &a);
		else if (content != NULL)
			line = content->text;
		write_line(o, line);
		out_char(o, '\n');
		arena_reset(&a);
	}
	json_reader_free(&reader);
	arena_free(&a);
	return true;
}
