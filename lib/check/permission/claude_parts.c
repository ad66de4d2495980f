#include "check/permission/claude_parts.h"

#include "base/ascii.h"

/* The line that ends a here-document, as the operator has the line. */
struct document {
	struct str word;
	bool strips_tabs;
};

enum { DEEPEST = 200, DOCUMENTS = 16 };

/* A place in a text. */
struct scan {
	struct str text;
	size_t at;
	unsigned depth; /* of brackets and quotes */
	bool broken;    /* a bracket or a quote is not closed */
	bool
	    substitutes; /* a here-document of the outermost lines runs commands */
	struct document documents[DOCUMENTS]; /* below the line */
	size_t n;
};

static char
peek(const struct scan *s, size_t ahead)
{
	if (s->at + ahead < s->text.n)
		return s->text.s[s->at + ahead];
	return '\0';
}

static bool
at_end(const struct scan *s)
{
	return s->at >= s->text.n;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Returns the length of the separator at the place, or 0. */
static size_t
separator(const struct scan *s)
{
	char c = peek(s, 0), next = peek(s, 1);

	if (c == '\n' || c == ';')
		return 1;
	if (c == '|')
		return next == '|' || next == '&' ? 2 : 1;
	if (c == '&')
		return next == '>' ? 0 : next == '&' ? 2 : 1;
	return 0;
}

static void skip_unit(struct scan *, bool in_quotes);

/* Skips the word at the place, and returns the word as written. */
static struct str
skip_word(struct scan *s)
{
	size_t from;

	while (is_blank(peek(s, 0)))
		s->at++;
	from = s->at;
	if (ascii_is_among(peek(s, 0), "<>") && peek(s, 1) == '(')
		s->at++;
	while (!at_end(s) && !is_blank(peek(s, 0)) && separator(s) == 0 &&
	    !ascii_is_among(peek(s, 0), "<>)"))
		skip_unit(s, false);
	return str_slice(s->text, from, s->at);
}

/* ---- here-documents ---- */

/* Reads the end of a here-document if `<<` stands at the place. */
static bool
read_document(struct scan *s)
{
	struct document d;

	if (peek(s, 0) != '<' || peek(s, 1) != '<' || peek(s, 2) == '<')
		return false;
	s->at += 2;
	d.strips_tabs = peek(s, 0) == '-';
	s->at += d.strips_tabs;
	d.word = skip_word(s);
	s->broken |= s->n == DOCUMENTS;
	if (s->n < DOCUMENTS)
		s->documents[s->n++] = d;
	return true;
}

/* Returns whether the line is the word without the word's quotes. */
static bool
is_end(struct str line, struct str word)
{
	size_t n = 0;

	for (size_t i = 0; i < word.n; i++) {
		if (ascii_is_among(word.s[i], "'\"\\"))
			continue;
		if (n == line.n || line.s[n++] != word.s[i])
			return false;
	}
	return n == line.n;
}

/* Skips the body of a here-document. Returns whether a command is substituted in it. */
static bool
skip_document(struct scan *s, const struct document *d)
{
	bool quoted = str_find_char(d->word, '\'') < d->word.n ||
	    str_find_char(d->word, '"') < d->word.n ||
	    str_find_char(d->word, '\\') < d->word.n;
	bool substitutes = false;

	while (!at_end(s)) {
		struct str rest = str_from(s->text, s->at);
		struct str line = str_cut(&rest, '\n');

		s->at += line.n + (rest.s != NULL);
		while (d->strips_tabs && str_starts(line, "\t"))
			line = str_from(line, 1);
		if (is_end(line, d->word))
			break;
		substitutes |= !quoted &&
		    (str_contains(line, "$(") ||
			str_find_char(line, '`') < line.n);
	}
	return substitutes;
}

/* Skips the bodies of the here-documents from the index on, which begin at the place. */
static void
skip_documents(struct scan *s, size_t from)
{
	for (size_t i = from; i < s->n; i++)
		s->substitutes |= skip_document(s, &s->documents[i]);
	s->n = from;
}

/* ---- quotes and brackets ---- */

/* Skips what is up to the character, and the character. */
static void
skip_through(struct scan *s, char end, bool in_quotes)
{
	if (s->depth++ >= DEEPEST)
		s->at = s->text.n;
	while (!at_end(s) && peek(s, 0) != end)
		skip_unit(s, in_quotes);
	s->broken |= at_end(s);
	s->at++;
	s->depth--;
}

/* Skips commands in brackets or between backquotes, with their here-documents. */
static void
skip_commands(struct scan *s, char end)
{
	bool substitutes = s->substitutes;
	size_t n = s->n;

	if (s->depth++ >= DEEPEST)
		s->at = s->text.n;
	while (!at_end(s) && peek(s, 0) != end) {
		bool ends_line = peek(s, 0) == '\n';

		if (!read_document(s))
			skip_unit(s, false);
		if (ends_line)
			skip_documents(s, n);
	}
	s->broken |= at_end(s);
	s->at++;
	s->depth--;
	s->n = n;
	s->substitutes = substitutes;
}

static void
skip_single(struct scan *s)
{
	s->at += str_find_char(str_from(s->text, s->at), '\'');
	s->broken |= at_end(s);
	s->at++;
}

/* Skips a character, or all that a quote or a bracket at the place encloses. */
static void
skip_unit(struct scan *s, bool in_quotes)
{
	char c = peek(s, 0), next = peek(s, 1);

	s->at++;
	if (c == '\\') {
		s->at += !at_end(s);
	} else if (c == '\'' && !in_quotes) {
		skip_single(s);
	} else if (c == '"' && !in_quotes) {
		skip_through(s, '"', true);
	} else if (c == '`') {
		skip_commands(s, '`');
	} else if (c == '(' && !in_quotes) {
		skip_commands(s, ')');
	} else if (c == '$' && next == '(') {
		s->at++;
		skip_commands(s, ')');
	} else if (c == '$' && next == '{') {
		s->at++;
		skip_through(s, '}', true);
	} else if (c == '$' && next == '\'' && !in_quotes) {
		s->at++;
		skip_through(s, '\'', true);
	}
}

/* Returns the length of the word at the start of the text, quotes included. */
static size_t
word_length(struct str text)
{
	struct scan s = { .text = text };

	while (!at_end(&s) && !is_blank(peek(&s, 0)) && peek(&s, 0) != '\n')
		skip_unit(&s, false);
	return s.at < text.n ? s.at : text.n;
}

/* ---- parts ---- */

struct reading {
	struct arena *arena;
	struct scan s;
	struct claude_part *parts, part;
	struct str *pieces; /* of the part, between redirections */
	struct str *targets;
	size_t n, npieces, ntargets;
	size_t from, piece; /* where the part and its last piece begin */
	bool waits;         /* behind && || or | */
	bool unparsed;
};

static void
end_piece(struct reading *r, size_t at)
{
	struct str piece = str_trim(str_slice(r->s.text, r->piece, at));

	if (piece.n > 0)
		*arena_push(r->arena, r->pieces, r->npieces) = piece;
}

/* Ends the part before the index. */
static void
end_part(struct reading *r, size_t at)
{
	struct str text = str_trim(str_slice(r->s.text, r->from, at));

	if (text.n > 0) {
		end_piece(r, at);
		*arena_push(r->arena, r->parts, r->n) = (struct claude_part){
			.text = text,
			.plain =
			    str_join(r->arena, r->pieces, r->npieces, STR(" ")),
			.targets = r->targets,
			.ntargets = r->ntargets,
		};
		r->waits = false;
	}
	r->pieces = r->targets = NULL;
	r->npieces = r->ntargets = 0;
}

/* Ends a part at a separator, and begins the next. */
static void
separate(struct reading *r, size_t length)
{
	char c = peek(&r->s, 0);
	bool waits = c == '|' || (c == '&' && length == 2);

	end_part(r, r->s.at);
	r->unparsed |= waits && (r->waits || r->n == 0);
	r->waits |= waits;
	r->s.at += length;
	if (c == '\n')
		skip_documents(&r->s, 0);
	r->from = r->piece = r->s.at;
}

/* ---- redirections ---- */

static bool
at_word_start(const struct reading *r)
{
	return r->s.at == r->from ||
	    ascii_is_among(r->s.text.s[r->s.at - 1], " \t\n)");
}

/* Notes the target of a redirection of output, whose operator ends in &. */
static void
add_target(struct reading *r, struct str target, bool copies)
{
	bool number = target.n > 0;

	for (size_t i = 0; i < target.n; i++)
		number &= ascii_is_digit(target.s[i]) || target.s[i] == '-';
	if ((!copies || !number) && target.n > 0 &&
	    !str_is(target, "/dev/null"))
		*arena_push(r->arena, r->targets, r->ntargets) = target;
}

/* Reads a redirection if one stands at the place. */
static bool
read_redirection(struct reading *r)
{
	struct scan *s = &r->s;
	size_t from = s->at, digits = 0;
	struct str target;
	bool out, copies;
	char c;

	while (at_word_start(r) && ascii_is_digit(peek(s, digits)))
		digits++;
	c = peek(s, digits);
	out = c == '>' || (c == '&' && digits == 0 && peek(s, 1) == '>');
	if ((!out && c != '<') || (c != '&' && peek(s, digits + 1) == '('))
		return false;
	end_piece(r, from);
	s->at += digits;
	if (c == '<' && read_document(s)) {
		r->piece = s->at;
		return true;
	}
	s->at++;
	while (ascii_is_among(peek(s, 0), "<>&|"))
		out |= s->text.s[s->at++] == '>';
	copies = s->text.s[s->at - 1] == '&';
	target = skip_word(s);
	if (out)
		add_target(r, target, copies);
	r->piece = s->at;
	return true;
}

/* ---- the line ---- */

/* Skips a comment, which is part of nothing. */
static void
skip_comment(struct reading *r)
{
	end_part(r, r->s.at);
	r->s.at += str_find_char(str_from(r->s.text, r->s.at), '\n');
	r->from = r->piece = r->s.at;
}

struct claude_parts
claude_parts_read(struct arena *a, struct str command)
{
	struct reading r = { .arena = a, .s.text = command };

	while (!at_end(&r.s)) {
		size_t length = separator(&r.s);

		if (length > 0)
			separate(&r, length);
		else if (peek(&r.s, 0) == '#' && at_word_start(&r))
			skip_comment(&r);
		else if (!read_redirection(&r))
			skip_unit(&r.s, false);
	}
	end_part(&r, command.n);
	return (struct claude_parts){
		.list = r.parts,
		.n = r.n,
		.unparsed = r.unparsed || r.waits || r.s.broken ||
		    command.n > CLAUDE_LONGEST,
		.substitutes = r.s.substitutes,
	};
}

/* ---- what is taken off ---- */

/* A program that the agent takes off, with its flags. */
struct wrapper {
	struct str name;
	const char *takes; /* flags that take a word */
	const char *lacks; /* flags with which the program is not taken off */
	unsigned operands; /* before the command */
};

static const struct wrapper wrappers[] = {
	{ .name = STR_CONST("timeout"),
	    .takes = "-k -s --kill-after --signal",
	    .operands = 1 },
	{ .name = STR_CONST("time"), .takes = "-f -o --format --output" },
	{ .name = STR_CONST("nice"), .takes = "-n --adjustment" },
	{ .name = STR_CONST("nohup") },
	{ .name = STR_CONST("stdbuf"),
	    .takes = "-i -o -e --input --output --error" },
	{ .name = STR_CONST("command"), .lacks = "-v -V" },
	{ .name = STR_CONST("builtin") },
	{ .name = STR_CONST("noglob") },
	/* xargs is taken off only without flags. */
	{ .name = STR_CONST("xargs"), .lacks = "-" },
};

/* Variables whose assignment rules of allow pass over: those that the pages
 * "Configure permissions" and "Choose a permission mode" name. The agent knows more,
 * which are not documented. */
static const char safe_variables[] = "NODE_ENV LANG NO_COLOR";

/* Cuts the next word off. */
static struct str
next_word(struct str *rest)
{
	struct str word;

	*rest = str_trim(*rest);
	word = str_slice(*rest, 0, word_length(*rest));
	*rest = str_from(*rest, word.n);
	return word;
}

/* Returns what is behind the wrapper's name, flags and operands; empty if the wrapper
 * stays. */
static struct str
behind_wrapper(const struct wrapper *w, struct str rest)
{
	struct str left = rest, word;

	for (;;) {
		rest = str_trim(left);
		word = next_word(&left);
		if (word.n < 2 || word.s[0] != '-')
			break;
		if (w->lacks != NULL &&
		    (w->lacks[1] == '\0' || str_is_one_of(word, w->lacks)))
			return STR("");
		if (str_is_one_of(word, w->takes))
			next_word(&left);
	}
	for (unsigned i = 0; i < w->operands; i++)
		next_word(&rest);
	return str_trim(rest);
}

/* Returns what is behind an assignment; empty: there is none. */
static struct str
behind_assignment(struct str text, bool *safe)
{
	struct str word = str_slice(text, 0, word_length(text));
	struct str name = str_slice(word, 0, str_find_char(word, '='));

	if (name.n == word.n || name.n == 0 || ascii_is_digit(name.s[0]))
		return STR("");
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.s[i]) && name.s[i] != '_' &&
		    !(name.s[i] == '+' && i + 1 == name.n))
			return STR("");
	*safe = str_is_one_of(name, safe_variables) &&
	    str_find_char(word, '$') == word.n &&
	    str_find_char(word, '`') == word.n;
	return str_trim(str_from(text, word.n));
}

static struct str
behind_first(struct str text, bool *allows)
{
	bool safe = true;
	struct str rest = behind_assignment(text, &safe), word;

	*allows &= safe;
	if (rest.n > 0)
		return rest;
	rest = text;
	word = next_word(&rest);
	for (size_t i = 0; i < sizeof wrappers / sizeof wrappers[0]; i++)
		if (str_eq(word, wrappers[i].name))
			return behind_wrapper(&wrappers[i], rest);
	return STR("");
}

size_t
claude_starts(struct str part, struct claude_start *list)
{
	bool allows = true;
	size_t n = 0;

	while (n < CLAUDE_STARTS && (n == 0 || part.n > 0)) {
		list[n++] = (struct claude_start){ part, allows };
		part = behind_first(part, &allows);
	}
	return n;
}
