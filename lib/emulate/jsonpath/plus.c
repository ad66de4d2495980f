/*
 * Parses paths as jsonpath-plus 10 does. jsonpath-plus cuts a path into tokens
 * without a grammar, and the text of each token decides what the token is:
 *
 *	. [ ;        begin a token; two or three of them mean `..`
 *	] ']         are left out
 *	^ ~ @x()     are tokens of their own, and the last two end the path
 *	[?(x)] [(x)] contain scripts
 *
 * So `store.book[0` is a path, and blanks belong to names. RFC 9535's meaning
 * takes precedence where jsonpath-plus misreads a path whose meaning is plain:
 * lists of names in quotes, filters without parentheses, negative indices, the
 * ends of slices.
 */
#include "emulate/jsonpath/plus.h"

#include <string.h>

#include "emulate/jsonpath/parse.h"
#include "emulate/jsonpath/property.h"
#include "emulate/jsonpath/script.h"

/* ---- tokens ---- */

/* Reads -?[0-9]*; *has is false if there are no digits. */
static void
slice_part(struct str part, bool *has, int64_t *value)
{
	const int64_t most = (int64_t)1 << 53;
	size_t i = part.n > 0 && *part.s == '-';

	*value = 0;
	*has = i < part.n;
	for (; i < part.n; i++)
		if (*value < most)
			*value = *value * 10 + (part.s[i] - '0');
	if (part.n > 0 && *part.s == '-')
		*value = -*value;
}

static bool
is_slice(struct str text, struct selector *s)
{
	struct str rest = text, parts[3] = { { 0 }, { 0 }, { 0 } };
	size_t n = 0;
	bool has_step;

	while (rest.s != NULL && n < 3)
		parts[n++] = str_cut(&rest, ':');
	if (rest.s != NULL || n < 2)
		return false;
	for (size_t i = 0; i < n; i++) {
		size_t minus = parts[i].n > 0 && *parts[i].s == '-';

		for (size_t k = minus; k < parts[i].n; k++)
			if (parts[i].s[k] < '0' || parts[i].s[k] > '9')
				return false;
	}
	s->kind = SELECT_SLICE;
	slice_part(parts[0], &s->has_start, &s->start);
	slice_part(parts[1], &s->has_end, &s->end);
	slice_part(parts[2], &has_step, &s->step);
	if (!has_step)
		s->step = 1;
	return true;
}

/* Returns whether the text is a negative integer without leading zero, such as
 * -1. */
static bool
is_negative_index(struct str text, int64_t *index)
{
	bool has;

	if (text.n < 2 || text.n > 15 || *text.s != '-' || text.s[1] == '0')
		return false;
	for (size_t i = 1; i < text.n; i++)
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
	slice_part(text, &has, index);
	return true;
}

static void
token_selector(struct selector *s, struct str text, bool quoted)
{
	if (str_is(text, "*")) {
		s->kind = SELECT_ALL;
	} else if (str_is(text, "$")) {
		s->kind = SELECT_SELF;
	} else if (!is_slice(text, s)) {
		s->kind = SELECT_PROPERTY;
		s->name = text;
		if (text.n > 0 && *text.s == '`')
			s->first = str_from(text, 1);
		s->has_index = !quoted && is_negative_index(text, &s->index);
	}
}

void
jsonpath_token_segment(
    struct segment *s, struct arena *a, struct str text, bool quoted)
{
	struct str rest = text;

	s->kind = str_is(text, "..") ? SEGMENT_DEEP
	    : str_is(text, "^")      ? SEGMENT_PARENT
	    : str_is(text, "~")      ? SEGMENT_KEY
				     : SEGMENT_CHILDREN;
	while (rest.s != NULL && s->kind == SEGMENT_CHILDREN) {
		struct str part = rest;

		if (!quoted && !str_starts(text, "`"))
			part = str_cut(&rest, ',');
		else
			rest.s = NULL;
		token_selector(arena_push(a, s->selectors, s->n), part, quoted);
	}
}

/* ---- reading ---- */

/* The state of cutting a path into tokens; "the token" is the current one. */
struct reader {
	struct path_parser *p;
	struct query *query;
	char *token; /* its text so far */
	size_t n;
	size_t tokens;     /* the number of tokens that ended before this one */
	bool filled;       /* the token has become a segment already */
	bool quoted;       /* the token is a text in brackets and quotes */
	size_t quote_end;  /* where these quotes end; 0: there are none */
	size_t bracket;    /* the next bracket from here on; see in_bracket */
	size_t signs;      /* signs that begin a token, since the last text */
	bool after_parent; /* the next such sign belongs to `^` */
	bool parent_sign;  /* the last such sign belonged to `^` */
	bool ended;        /* the path was ended by `~` or `@x()` */
};

static struct segment *
new_segment(struct reader *r, enum segment_kind kind)
{
	struct segment *s =
	    arena_push(r->p->arena, r->query->segments, r->query->n);

	if (r->query->n > PATH_SEGMENTS_MAX)
		jsonpath_fail(r->p, r->p->at, "the path is too long");
	s->kind = kind;
	return s;
}

static bool
is_script(struct str text)
{
	return str_starts(text, "(") || str_starts(text, "?(");
}

/* Parses a token that is a script, as in `[(x) ]` or `[a,?(x)]`: text that does
 * not look like a script in the path may be one as a token. */
static void
script_token(struct reader *r, struct selector *s, struct str text)
{
	bool test = *text.s == '?';
	struct path_parser part = *r->p;

	part.text = text;
	part.at = 0;
	if (test && str_ends(text, ")"))
		part.text = str_slice(text, 2, text.n - 1);
	*s = (struct selector){ .kind = test ? SELECT_IF : SELECT_COMPUTED };
	s->script = jsonpath_parse_script(&part);
	if (s->script == NULL)
		jsonpath_fail(r->p, r->p->at, "%.*s", STR_FMT(part.why));
}

/* Turns the text of the token into a segment. */
static void
end_token(struct reader *r)
{
	struct str text = str_dup(r->p->arena, (struct str){ r->token, r->n });
	bool first = r->tokens++ == 0, filled = r->filled;
	struct segment *s;

	r->n = 0;
	r->filled = false;
	if (filled || (first && str_is(text, "$")))
		return;
	s = new_segment(r, SEGMENT_CHILDREN);
	s->literal = text;
	if (!r->quoted && is_script(text)) {
		script_token(
		    r, arena_push(r->p->arena, s->selectors, s->n), text);
		return;
	}
	jsonpath_token_segment(s, r->p->arena, text, r->quoted);
	for (size_t i = 0; i < s->n && !r->quoted; i++)
		if (is_script(s->selectors[i].name))
			script_token(r, &s->selectors[i], s->selectors[i].name);
}

/* ---- cutting the path ---- */

/* Counts a sign that begins a token. */
static void
count_sign(struct reader *r)
{
	if (!r->after_parent)
		r->signs++;
	r->parent_sign = r->after_parent;
	r->after_parent = false;
}

/* Ends the token before the signs that were counted. */
static void
end_pending(struct reader *r)
{
	while (r->signs > 0) {
		size_t n = r->signs > 3 ? 3 : r->signs;

		end_token(r);
		if (n > 1) {
			new_segment(r, SEGMENT_DEEP)->literal = STR("..");
			r->tokens++;
		}
		r->signs -= n;
		r->quoted = false;
	}
	r->after_parent = r->parent_sign = false;
}

/* Makes the token a segment of this kind; the text around it does not
 * matter. */
static struct segment *
fill_token(struct reader *r, enum segment_kind kind, size_t from)
{
	struct segment *s;

	end_pending(r);
	s = new_segment(r, kind);
	s->literal = str_slice(r->p->text, from, r->p->at);
	r->filled = true;
	return s;
}

static void
add_character(struct reader *r)
{
	end_pending(r);
	r->quoted = (r->quoted || r->n == 0) && r->p->at < r->quote_end;
	r->token[r->n++] = r->p->text.s[r->p->at++];
}

/* Removes a quote that comes before a sign. */
static void
drop_quote(struct reader *r, const char *quotes)
{
	if (r->signs == 0 && r->n > 0 &&
	    r->token[r->n - 1] == r->p->text.s[r->p->at - 1] &&
	    strchr(quotes, r->token[r->n - 1]) != NULL)
		r->n--;
}

static void
skip_quote(struct reader *r)
{
	char c = jsonpath_peek(r->p);

	if (c == '\'' || c == '"')
		r->p->at++;
}

/* ---- brackets ---- */

/* Returns where the script ends that begins with this bracket or quote: the
 * first ')' before a bracket or quote. Returns 0 if there is no script. */
static size_t
script_end(const struct reader *r, size_t at)
{
	struct str s = r->p->text;
	size_t i = at + 1;

	i += i < s.n && s.s[i] == '?';
	if (i >= s.n || s.s[i] != '(')
		return 0;
	for (i++; i + 1 < s.n; i++)
		if (s.s[i] == ')' &&
		    (s.s[i + 1] == ']' || s.s[i + 1] == '\'') &&
		    !(i + 3 < s.n && s.s[i + 3] == ']'))
			return i;
	return 0;
}

static bool
fail_as(struct path_parser *p, const struct path_parser *other)
{
	p->failed = true;
	p->wrong_at = other->wrong_at;
	p->why = other->why;
	return false;
}

/* Reads a bracket as RFC 9535 defines it, if it is one; with only_names, only a
 * list of selectors with a name in quotes. */
static bool
standard_bracket(struct reader *r, bool only_names, struct path_parser *after)
{
	struct segment bracket = { .kind = SEGMENT_CHILDREN };
	bool names = false;

	*after = *r->p;
	if (!jsonpath_parse_bracket(after, &bracket))
		return false;
	for (size_t i = 0; i < bracket.n; i++)
		names = names || bracket.selectors[i].kind == SELECT_NAME;
	if (only_names && (!names || bracket.n < 2))
		return false;
	count_sign(r);
	r->p->at = after->at;
	bracket.literal = (struct str){ 0 };
	*fill_token(r, SEGMENT_CHILDREN, r->p->at) = bracket;
	return true;
}

/* Reads [?(x)] or [(x)], also between quotes. */
static bool
script(struct reader *r, size_t end)
{
	struct path_parser *p = r->p, after = *p, standard;
	size_t from = p->at + 1;
	bool test = p->text.s[from] == '?';
	const struct script *made;
	struct selector *s;
	struct segment *segment;

	after.text.n = end;
	after.at = from + (test ? 2 : 1);
	made = jsonpath_parse_script(&after);
	if (made == NULL && test && p->text.s[p->at] == '[' &&
	    standard_bracket(r, false, &standard))
		return true;
	if (made == NULL)
		return fail_as(p, &after);
	count_sign(r);
	p->at = end + 1;
	segment = fill_token(r, SEGMENT_CHILDREN, from);
	s = arena_push(p->arena, segment->selectors, segment->n);
	s->kind = test ? SELECT_IF : SELECT_COMPUTED;
	s->script = made;
	if (jsonpath_peek(p) == '\'')
		p->at++;
	return true;
}

/* Returns the position of the closing quote, before a bracket, of the quoted
 * text that begins here. Returns 0 if the text contains an apostrophe or a
 * bracket, and so is not taken as quoted. */
static size_t
quote_end(const struct reader *r, size_t from)
{
	struct str s = r->p->text;
	size_t i = from;

	while (i < s.n && s.s[i] != '\'' && s.s[i] != ']')
		i++;
	if (i + 1 < s.n && s.s[i] == '\'' && s.s[i + 1] == ']')
		return i;
	return i < s.n && s.s[i] == ']' && i > from && s.s[i - 1] == '"' ? i - 1
									 : 0;
}

static bool
bracket(struct reader *r)
{
	struct path_parser *p = r->p, after;
	size_t at = p->at, end = script_end(r, at);
	struct str rest = str_from(p->text, at + 1);

	if (end > 0)
		return script(r, end);
	if (str_starts(rest, "?")) {
		if (standard_bracket(r, false, &after))
			return true;
		return fail_as(p, &after);
	}
	if (standard_bracket(r, true, &after))
		return true;
	count_sign(r);
	p->at++;
	if (script_end(r, p->at) > 0)
		return true;
	r->quote_end = 0;
	if (str_starts(rest, "'") || str_starts(rest, "\""))
		r->quote_end = quote_end(r, ++p->at);
	return true;
}

/* ---- signs ---- */

/* Reads `@number()`, which ends the path. */
static bool
type(struct reader *r)
{
	struct path_parser *p = r->p;
	struct str rest = str_from(p->text, p->at + 1);
	size_t n = str_find(rest, "()");
	const struct path_type *type = jsonpath_type(str_slice(rest, 0, n));
	size_t from = p->at;

	if (type == NULL || n == rest.n)
		return false;
	count_sign(r);
	p->at += n + 3;
	fill_token(r, SEGMENT_TYPE, from)->type = type;
	r->ended = true;
	return true;
}

static void
parents(struct reader *r)
{
	if (r->signs == 0 || r->parent_sign)
		r->signs++;
	while (jsonpath_peek(r->p) == '^') {
		r->p->at++;
		fill_token(r, SEGMENT_PARENT, r->p->at - 1);
		r->signs = 1;
	}
	r->after_parent = true;
}

/* Returns whether a dot is inside a bracket: whether the next bracket closes
 * one. */
static bool
in_bracket(struct reader *r)
{
	struct str s = r->p->text;

	if (r->bracket < r->p->at)
		r->bracket = r->p->at;
	while (r->bracket < s.n && s.s[r->bracket] != '[' &&
	    s.s[r->bracket] != ']')
		r->bracket++;
	return r->bracket < s.n && s.s[r->bracket] == ']';
}

static void
dot(struct reader *r)
{
	if (r->p->at < r->quote_end || in_bracket(r)) {
		add_character(r);
		return;
	}
	drop_quote(r, "'\"");
	count_sign(r);
	r->p->at++;
	skip_quote(r);
}

/* Returns whether the sign is all that these quotes contain. */
static bool
is_whole_token(const struct reader *r)
{
	struct str after = str_from(r->p->text, r->p->at + 1);

	return r->signs > 0 && r->p->at + 1 == r->quote_end &&
	    (after.n < 3 || strchr(".[;^~", after.s[2]) != NULL);
}

static void
property_name(struct reader *r)
{
	bool quoted = r->p->at < r->quote_end;

	if (quoted && !is_whole_token(r)) {
		add_character(r);
		return;
	}
	if (!quoted)
		count_sign(r);
	r->p->at++;
	fill_token(r, SEGMENT_KEY, r->p->at - 1);
	r->ended = true;
}

static bool
next_piece(struct reader *r)
{
	struct path_parser *p = r->p;

	if (r->quote_end > 0 && p->at == r->quote_end) {
		p->at++;
		return true;
	}
	switch (jsonpath_peek(p)) {
	case '[':
		return bracket(r);
	case ']':
		drop_quote(r, "'");
		end_pending(r);
		p->at++;
		return true;
	case '\'':
		if (script_end(r, p->at) > 0)
			return script(r, script_end(r, p->at));
		add_character(r);
		return true;
	case '.':
		dot(r);
		return true;
	case ';':
		count_sign(r);
		p->at++;
		return true;
	case '^':
		parents(r);
		return true;
	case '~':
		property_name(r);
		return true;
	default:
		if (jsonpath_peek(p) != '@' || !type(r))
			add_character(r);
		return true;
	}
}

bool
jsonpath_parse_plus(struct path_parser *p, struct query *query)
{
	struct reader r = { .p = p, .query = query };

	if (p->text.n > PATH_PLUS_MAX)
		return jsonpath_fail(p, PATH_PLUS_MAX, "the path is too long");
	r.token = arena_alloc(p->arena, p->text.n);
	while (p->at < p->text.n && !r.ended && !p->failed)
		if (!next_piece(&r))
			return false;
	if (r.signs > 0) {
		end_pending(&r);
		return !p->failed;
	}
	drop_quote(&r, "'");
	if (!r.ended)
		end_token(&r);
	return !p->failed;
}
