/*
 * Aider's .aider.chat.history.md: Markdown, in which lines "#### text" are the user's
 * (a command begins with /), lines "> text" are the program's, and the others are the
 * model's answer. A block of the user becomes {"user"} or {"command"}, an answer
 * {"answer"}, a header {"started"}; a line of the program {"edited"}, {"ran"}, {"model"},
 * {"version"}, {"error"}, {"sent", "received", ...} or {"note"}. The lines are those of
 * aider/io.py and aider/coders/base_coder.py.
 */
#include "extract/notation/notation.h"
#include "json/json.h"

#include <stdlib.h>
#include <string.h>

static const struct str header = STR_CONST("# aider chat started at ");

enum kind { ANSWER, USER, PROGRAM };

/* A block of lines, as it is read. */
struct block {
	struct out *to;
	struct arena arena;
	struct str *lines;
	size_t n;
	enum kind kind;
	bool
	    spaced; /* the program's lines end in two blanks: nobody took them off */
};

enum converter_owns
aider_history_owns(struct str start)
{
	while (start.n > 0 && json_is_space(*start.s))
		start = str_from(start, 1);
	return converter_begins(start, header);
}

/* Begins an object, which may follow another on the line. */
static void
begin_record(struct out *o)
{
	o->comma = false;
	out_begin(o, '{');
}

static void
write_text(struct out *o, const char *key, struct str text)
{
	begin_record(o);
	out_member_str(o, key, text);
	out_end(o, '}');
}

/* Writes the lines of the block, without the empty ones at its ends. */
static void
end_block(struct block *b)
{
	struct str text;

	while (b->n > 0 && str_trim(b->lines[b->n - 1]).n == 0)
		b->n--;
	while (b->n > 0 && str_trim(*b->lines).n == 0)
		b->lines++, b->n--;
	if (b->n > 0) {
		text = str_join(&b->arena, b->lines, b->n, STR("\n"));
		write_text(b->to,
		    b->kind == ANSWER           ? "answer"
			: str_starts(text, "/") ? "command"
						: "user",
		    text);
	}
	b->lines = NULL;
	b->n = 0;
	arena_reset(&b->arena);
}

static struct str
without_blanks_behind(struct str line)
{
	while (line.n > 0 &&
	    (line.s[line.n - 1] == ' ' || line.s[line.n - 1] == '\r'))
		line.n--;
	return line;
}

/* Returns the kind of a line, and takes the mark from it. An answer may have headings
 * "#### x" itself, but without two blanks behind them. */
static enum kind
kind_of(const struct block *b, struct str *line)
{
	bool two = str_ends(*line, "  ") || str_ends(*line, "  \r");

	if (str_starts(*line, "####") && (two || !b->spaced) &&
	    (line->n == 4 || line->s[4] == ' ')) {
		*line = without_blanks_behind(str_from(*line, 5));
		return USER;
	}
	if (str_starts(*line, ">") && (line->n == 1 || line->s[1] == ' ') &&
	    (two || !b->spaced || line->n == 1)) {
		*line = without_blanks_behind(str_from(*line, 2));
		return PROGRAM;
	}
	*line = without_blanks_behind(*line);
	return ANSWER;
}

/* Returns whether the first line of the program in the text ends in two blanks. */
static bool
is_spaced(struct str text)
{
	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');

		if (str_starts(line, "> "))
			return str_ends(line, "  ") || str_ends(line, "  \r");
	}
	return true;
}

/* Writes a call of the program. */
static void
write_call(
    struct out *o, const char *tool, const char *argument, struct str value)
{
	begin_record(o);
	out_member_str(o, "tool", str_of(tool));
	out_member_begin(o, "args", '{');
	out_member_str(o, argument, value);
	out_end(o, '}');
	out_end(o, '}');
}

/* Returns the number before a word of a report on tokens, such as 2.4k or $0.01; -1 if
 * the word is not there. */
static double
number_before(struct str text, const char *word)
{
	size_t at = str_find(text, word), from = at;
	char digits[32], *end;
	double n;

	while (from > 0 && text.s[from - 1] != ' ' && text.s[from - 1] != '$')
		from--;
	if (at == text.n || at - from >= sizeof digits || from == at)
		return -1;
	memcpy(digits, text.s + from, at - from);
	digits[at - from] = '\0';
	n = strtod(digits, &end);
	return *end == 'k' ? n * 1e3 : *end == 'M' ? n * 1e6 : n;
}

/* Writes "Tokens: 2.4k sent, 104 received. Cost: $0.01 message, $0.02 session." */
static void
write_usage(struct out *o, struct str line)
{
	static const struct {
		const char *key, *word;
	} rows[] = {
		{ "sent", " sent" },
		{ "cache_write", " cache write" },
		{ "cache_hit", " cache hit" },
		{ "received", " received" },
		{ "cost", " message" },
	};

	begin_record(o);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		double n = number_before(line, rows[i].word);

		if (n >= 0)
			out_member_double(o, rows[i].key, n);
	}
	out_end(o, '}');
}

/* Returns whether the line is an error of the model's API. */
static bool
is_error(struct str line)
{
	size_t at = str_find(line, "Error: ");

	return str_starts(line, "litellm.") && at < line.n;
}

/* Returns the model in "Model: NAME with diff edit format", or "Main model: ...". */
static struct str
model_in(struct str line)
{
	struct str name = { 0 };

	if (str_starts(line, "Model: "))
		name = str_from(line, 7);
	else if (str_starts(line, "Main model: "))
		name = str_from(line, 12);
	return str_slice(name, 0, str_find_char(name, ' '));
}

/* Writes a line of the program. */
static void
write_program(struct out *o, struct str line)
{
	struct str model = model_in(line);

	if (str_starts(line, "Applied edit to "))
		write_call(o, "edit", "path", str_from(line, 16));
	else if (str_starts(line, "Running "))
		write_call(o, "shell", "command", str_from(line, 8));
	else if (str_starts(line, "Tokens: "))
		write_usage(o, line);
	else if (model.n > 0)
		write_text(o, "model", model);
	else if (str_starts(line, "Aider v"))
		write_text(o, "version", str_from(line, 7));
	else if (is_error(line))
		write_text(o, "error", line);
	else
		write_text(o, "note", line);
}

static void
read_line(struct block *b, struct str line)
{
	enum kind kind;

	if (str_starts(line, header)) {
		end_block(b);
		write_text(
		    b->to, "started", str_trim(str_from(line, header.n)));
		return;
	}
	kind = kind_of(b, &line);
	if (kind == PROGRAM) {
		end_block(b);
		write_program(b->to, line);
		return;
	}
	/* An empty line ends a block of the user, but not an answer. */
	if (kind != b->kind &&
	    (kind != ANSWER || line.n > 0 || b->kind == USER))
		end_block(b);
	if (b->n == 0)
		b->kind = kind;
	if (kind == b->kind)
		*arena_push(&b->arena, b->lines, b->n) = line;
}

bool
aider_history_convert(struct out *o, struct str text, const char *file)
{
	struct block b = { .to = o, .spaced = is_spaced(text) };

	(void)file;
	if (str_starts(text, "\xef\xbb\xbf"))
		text = str_from(text, 3);
	while (text.s != NULL) {
		read_line(&b, str_cut(&text, '\n'));
		out_line(o);
	}
	end_block(&b);
	out_line(o);
	arena_free(&b.arena);
	return true;
}
