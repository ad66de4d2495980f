#include "yaml/values.h"

#include <string.h>
#include <yaml.h> /* libyaml's: NOLINT(readability-duplicate-include) */

#include "base/diag.h"
#include "base/utf8.h"
#include "yaml/text.h"

enum {
	/* Each repaired scalar makes libyaml read the text again; this limits
	 * the bytes of all readings. */
	MENDED_MAX = 256 * 1024 * 1024,
};

enum outcome { READ, REFUSED, NO_YAML, ODD_ESCAPE };

/* ---- errors ---- */

/* Reported at the opening quote, not at the end of the text. */
#define UNCLOSED "quotes that are never closed"

/* Clearer wordings for libyaml's messages. */
static const struct {
	const char *theirs, *ours;
} words[] = {
	{ "mapping values are not allowed in this context",
	    "unexpected ':' (keys of one mapping begin in one column; "
	    "a text with ':' in it needs quotes)" },
	{ "did not find expected key",
	    "expected a key: wrong indentation or a stray quote" },
	{ "did not find expected '-' indicator",
	    "expected '-': wrong indentation in a list" },
	{ "could not find expected ':'", "expected ':' after a key" },
	{ "did not find expected <document start>",
	    "more text after the document (a line '---' begins another)" },
	{ "did not find expected node content", "expected a value" },
	{ "did not find expected ',' or ']'", "expected ',' or ']'" },
	{ "did not find expected ',' or '}'", "expected ',' or '}'" },
	{ "block sequence entries are not allowed in this context",
	    "a list may not begin here" },
	{ "mapping keys are not allowed in this context",
	    "a mapping may not begin here" },
	{ "found unexpected end of stream", UNCLOSED },
	{ "found unexpected document indicator", UNCLOSED },
	{ "found incompatible YAML document", "expected %YAML 1.1 or 1.2" },
	{ "found unknown escape character", "unknown escape" },
	{ "found undefined tag handle",
	    "a tag handle that no %TAG directive defines" },
	{ "found a tab character where an indentation space is expected",
	    "tabs are not allowed in indentation" },
	{ "found a tab character that violates indentation",
	    "tabs are not allowed in indentation" },
};

static struct yaml_notice
parser_error(
    const yaml_parser_t *parser, struct yaml_text *text, struct arena *a)
{
	const char *problem =
	    parser->problem == NULL ? "cannot be read" : parser->problem;
	struct yaml_notice error = { 0, str_dup(a, str_of(problem)) };
	size_t character = parser->problem_mark.index;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (strcmp(problem, words[i].theirs) != 0)
			continue;
		error.what = str_of(words[i].ours);
	}
	if (str_is(error.what, UNCLOSED))
		character = parser->context_mark.index;
	error.offset = parser->error == YAML_READER_ERROR
	    ? yaml_text_restore(text, parser->problem_offset)
	    : yaml_text_offset(text, character);
	if (str_is(error.what, "found character that cannot start any token")) {
		struct str at = str_from(text->original, error.offset);

		error.what = str_starts(at, "\t")
		    ? STR("tabs are not allowed in indentation")
		    : str_printf(a, "a text that begins with %.*s needs quotes",
			  STR_FMT(str_slice(at, 0, 1)));
	}
	return error;
}

/* ---- events ---- */

static struct str
text_of(const yaml_char_t *s)
{
	return str_of((const char *)s);
}

static bool
build(struct yaml_builder *b, const yaml_event_t *e, struct str source)
{
	struct yaml_item item = { .source = source };

	switch (e->type) {
	case YAML_DOCUMENT_START_EVENT:
		yaml_build_document(b);
		return true;
	case YAML_SCALAR_EVENT:
		item.anchor = text_of(e->data.scalar.anchor);
		item.tag = text_of(e->data.scalar.tag);
		item.quoted = e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
		item.scalar.s = (const char *)e->data.scalar.value;
		item.scalar.n = e->data.scalar.length;
		return yaml_build_scalar(b, &item);
	case YAML_ALIAS_EVENT:
		item.anchor = text_of(e->data.alias.anchor);
		return yaml_build_alias(b, &item);
	case YAML_SEQUENCE_START_EVENT:
		item.anchor = text_of(e->data.sequence_start.anchor);
		item.tag = text_of(e->data.sequence_start.tag);
		return yaml_build_open(b, JSON_ARRAY, &item);
	case YAML_MAPPING_START_EVENT:
		item.anchor = text_of(e->data.mapping_start.anchor);
		item.tag = text_of(e->data.mapping_start.tag);
		return yaml_build_open(b, JSON_OBJECT, &item);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT:
		return yaml_build_close(b, source);
	default:
		return true;
	}
}

/* Returns whether the problem is an escape that may be repaired. */
static bool
is_escape(struct str problem)
{
	return str_is(problem, "found unknown escape character") ||
	    str_is(problem, "found invalid Unicode character escape code");
}

/* Reads all events. Without a builder, the text is only checked. */
static enum outcome
read_events(
    struct yaml_builder *b, yaml_parser_t *parser, struct yaml_text *text)
{
	yaml_event_t event;
	bool well = true, end = false;

	while (well && !end) {
		if (yaml_parser_parse(parser, &event) == 0)
			return is_escape(str_of(parser->problem)) ? ODD_ESCAPE
								  : NO_YAML;
		end = event.type == YAML_STREAM_END_EVENT;
		if (event.type == YAML_SCALAR_EVENT)
			yaml_breaks_restore(&text->breaks,
			    (char *)event.data.scalar.value,
			    event.data.scalar.length);
		if (b != NULL)
			well = build(b, &event,
			    str_slice(b->yaml.text,
				yaml_text_offset(text, event.start_mark.index),
				yaml_text_offset(text, event.end_mark.index)));
		yaml_event_delete(&event);
	}
	return well ? READ : REFUSED;
}

/* Reads the text as it is repaired so far. *scalar becomes the character where
 * the scalar with an unknown escape begins. */
static enum outcome
read_text(struct yaml_builder *b, struct yaml_text *text, size_t *scalar)
{
	yaml_parser_t parser;
	enum outcome outcome;

	if (yaml_parser_initialize(&parser) == 0)
		diag_die("out of memory");
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(
	    &parser, (const unsigned char *)text->mended.s, text->mended.n);
	outcome = read_events(b, &parser, text);
	if (parser.error == YAML_MEMORY_ERROR)
		diag_die("out of memory");
	if (b != NULL && outcome != READ && outcome != REFUSED)
		b->error = parser_error(&parser, text, b->yaml.arena);
	*scalar = parser.context_mark.index;
	yaml_parser_delete(&parser);
	return outcome;
}

static void
warn_of_escapes(struct yaml_builder *b, const struct yaml_text *text)
{
	for (size_t i = 0; i < text->n_mends; i++) {
		size_t at = text->mends[i].at, end = at + 2;

		if (text->mends[i].taken != 1)
			continue;
		while (
		    end < b->yaml.text.n && utf8_is_within(b->yaml.text.s[end]))
			end++;
		yaml_warn(&b->yaml, at,
		    str_printf(b->yaml.arena,
			"%.*s is not an escape in YAML: the backslash is "
			"kept (in single quotes a backslash is literal)",
			STR_FMT(str_slice(b->yaml.text, at, end))));
	}
}

struct yaml *
yaml_read(struct arena *a, struct str text, struct yaml_notice *error)
{
	struct yaml_builder *b = yaml_build(a, text);
	struct yaml_text mended;
	enum outcome outcome;
	size_t scalar;

	yaml_text_set(&mended, a, text);
	outcome = read_text(b, &mended, &scalar);
	if (outcome == ODD_ESCAPE) {
		for (size_t bytes = 0;
		     bytes < MENDED_MAX && outcome == ODD_ESCAPE &&
		     yaml_text_repair(&mended, a, scalar);
		     bytes += text.n)
			outcome = read_text(NULL, &mended, &scalar);
		b = yaml_build(a, text);
		outcome = read_text(b, &mended, &scalar);
		warn_of_escapes(b, &mended);
	}
	*error = b->error;
	return outcome == READ ? &b->yaml : NULL;
}
