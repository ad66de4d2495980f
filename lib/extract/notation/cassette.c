/* Cassettes of HTTP traffic in YAML, as vcrpy and pytest-recording write them: an object
 * with the list `interactions`, and `version`. */
#include "extract/notation/notation.h"
#include "yaml/document.h"

/* Returns whether a line is the key of a mapping's value. */
static bool
is_key(struct str line, const char *key)
{
	return str_starts(line, str_of(key)) && line.n > strlen(key) &&
	    line.s[strlen(key)] == ':';
}

enum converter_owns
cassette_owns(struct str start)
{
	while (start.s != NULL) {
		struct str line = str_cut(&start, '\n');

		if (is_key(line, "interactions") ||
		    is_key(line, "http_interactions"))
			return CONVERTER_OWNS;
		if (start.s != NULL && str_trim(line).n != 0 &&
		    !str_starts(line, "#") && !str_starts(line, "---") &&
		    !str_starts(line, "%") && !is_key(line, "version") &&
		    !is_key(line, "recorded_with"))
			return CONVERTER_OWNS_NOT;
	}
	return CONVERTER_NEEDS_MORE;
}

/* Writes the value, and before each element of the list in `lists` the ends of lines
 * that give it the number of its line. */
static void
write_cassette(struct out *o, const struct document *d, const struct json *v)
{
	size_t line = 1;
	bool first = true;

	out_char(o, '{');
	for (json_members(key, v)) {
		const struct json *list = json_value(key);
		bool any = false;

		out_printf(o, "%s%.*s:", first ? "" : ",", STR_FMT(key->text));
		first = false;
		if (!json_is(list, JSON_ARRAY)) {
			out_str(o, list->text);
			continue;
		}
		out_char(o, '[');
		for (json_each(element, list)) {
			if (any)
				out_char(o, ',');
			for (; line < document_place(d, element).line; line++)
				out_char(o, '\n');
			out_str(o, element->text);
			any = true;
		}
		out_char(o, ']');
	}
	out_char(o, '}');
	out_line(o);
}

/* Returns the text with !!str in place of !!binary: bytes stay in base64, of which JSON
 * has no other form (http_body.h). */
static struct str
without_binary(struct arena *a, struct str text)
{
	static const struct str tag = STR_CONST(": !!binary");

	return str_contains(text, tag)
	    ? str_replace(a, text, tag, STR(": !!str   "))
	    : text;
}

bool
cassette_convert(struct out *o, struct str text, const char *file)
{
	struct arena a = { 0 };
	struct document *d =
	    document_read_text(&a, file, without_binary(&a, text), NULL);

	for (size_t i = 0; d != NULL && i < d->n; i++) {
		if (i == 0)
			document_resolve(d, TYPES_CORE);
		if (json_is(d->roots[i], JSON_OBJECT))
			write_cassette(o, d, d->roots[i]);
	}
	arena_free(&a);
	return d != NULL;
}
