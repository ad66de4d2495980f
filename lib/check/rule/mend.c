/*
 * Mends a rule that its author wrote in English. Where the parser stopped, a row of
 * the table replaces the words that stand there, and the parser tries the rule again:
 * only what is a rule is suggested.
 */
#include "check/rule/parse.h"

enum {
	FORMS = 4,       /* of a row */
	TEXT_MAX = 1000, /* bytes of a rule that is mended */
};

/* Words, with semicolons between, and what is tried in their place, in this order. In
 * a form L is the claim up to the words, and R is all that follows; T is the text in
 * quotes that follows, as a pattern that matches just this text, and P the same text
 * taken as a pattern. */
static const struct row {
	const char *words, *forms[FORMS];
} rows[] = {
	{ "is;was;are;be;equals;equal;equal to;equals to;is equal to;is "
	  "exactly;"
	  "must be;should be;must equal;should equal;==;===;eq;:",
	    { "L = R", "L ~ /^T$/", "= R L" } },
	{ "is not;was not;isn't;not equal to;is not equal to;must not be;"
	  "should not be;does not equal;!=;!==;<>",
	    { "L != R", "not L = R", "L !~ /^T$/" } },
	{ "contains;contain;containing;includes;include;including;has;have;"
	  "mentions;mention;says;say;must contain;must include;must have;"
	  "must mention;must say;should contain;should include;should have;"
	  "should mention;should say;always contains;always has",
	    { "L has R", "L ~ /T/", "L(@args ~ /T/)" } },
	{ "\"", { "L has R", "L ~ /T/", "L /P/" } },
	{ "does not contain;does not include;does not have;does not mention;"
	  "does not say;doesn't contain;doesn't include;doesn't have;"
	  "doesn't mention;doesn't say;must not contain;must not include;"
	  "must not have;must not mention;must not say;should not contain;"
	  "should not include;should not have;should not mention;"
	  "should not say;must never contain;never contains;never includes;"
	  "never has;never mentions;never says;not contains;not contain;"
	  "not include;not includes;not has;not have;has no;not;lacks;without;"
	  "excludes;!has;!contains",
	    { "L lacks R", "L !~ /T/" } },
	{ "matches;match;matching;like;must match;should match;=~;~=",
	    { "L ~ R", "L ~ /P/", "L(@args ~ R)" } },
	{ "does not match;doesn't match;must not match;should not match;"
	  "never matches;not matches;not match;not like;!~",
	    { "L !~ R", "L !~ /P/", "not L ~ R", "not L ~ /P/" } },
	{ "starts with;begins with;must start with;should start with",
	    { "L ~ /^T/" } },
	{ "ends with;must end with;should end with", { "L ~ /T$/" } },
	{ "not in;is not in", { "L !in R" } },
	{ "is in;is one of;one of", { "L in R" } },
	{ "is called;was called;called;is used;was used;used;must be called;"
	  "must be used;should be called;should be used;is made;is required;"
	  "required;always;must happen;happens",
	    { "L R" } },
	{ "is not called;was not called;not called;is not used;was not used;"
	  "not used;isn't called;isn't used;wasn't called;never;is never "
	  "called;never called;is never used;must not be called;must not be "
	  "used;must never be called;must never be used;should not be called;"
	  "should not be used;should never be called;must not happen;"
	  "is forbidden;forbidden;not allowed;is not allowed",
	    { "no L R" } },
	{ "less than;is less than;fewer than;under;is under;below;is below;"
	  "must be below;must be under;must be less than;should be under",
	    { "L < R" } },
	{ "more than;is more than;over;is over;above;is above;greater than;"
	  "is greater than;must be above;must be more than",
	    { "L > R" } },
	{ "at most;is at most;no more than;up to;max;must be at most;"
	  "should be at most;not more than",
	    { "L <= R", "<= R L" } },
	{ "at least;is at least;no less than;min;must be at least;"
	  "should be at least;no fewer than",
	    { "L >= R", ">= R L" } },
	{ "followed by;is followed by;are followed by;must be followed by;"
	  "should be followed by;must then;must;, then;->;=>;→;before",
	    { "L then R" } },
	{ "comes before;must come before;should come before;is before;"
	  "must be before;happens before;must happen before;is called before;"
	  "must be called before;should be called before;must precede;precedes",
	    { "no R before L", "L before R" } },
	{ "comes after;must come after;should come after;is after;"
	  "must be after;happens after;must happen after;is called after;"
	  "must be called after;should be called after;needs;requires;"
	  "depends on",
	    { "no L before R", "L after R", "L then R" } },
	{ "where;with;whose;when", { "L(R)", "L if R" } },
	{ ",", { "L and R" } },
	{ "$;|", { "L R" } },
};

/* Returns how many bytes of the text the words are, in letters of any case; 0: the text
 * does not begin with them. */
static size_t
begins(struct str text, struct str words)
{
	char last = words.s[words.n - 1];

	if (text.n < words.n ||
	    !str_eq_ascii_nocase(str_slice(text, 0, words.n), words))
		return 0;
	return rules_is_letter(last) && text.n > words.n &&
		rules_is_of_name(text.s[words.n])
	    ? 0
	    : words.n;
}

/* Returns the row of the longest words with which the text begins, and how many bytes
 * these are; NULL if there is none. A quote is only looked at. */
static const struct row *
row_of(struct str text, size_t *length)
{
	const struct row *found = NULL;

	*length = 0;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct str rest = str_of(rows[i].words);

		while (rest.s != NULL) {
			struct str words = str_cut(&rest, ';');
			size_t n = begins(text, words);

			if (n <= *length)
				continue;
			*length = n;
			found = &rows[i];
		}
	}
	if (*length == 1 && *text.s == '"')
		*length = 0;
	return found;
}

/* Takes the text in quotes that begins here, as a pattern: one that matches just the
 * text, or the text itself. Returns an absent text if there is none. */
static struct str
take_pattern(struct rules_parser *p, struct str *rest, bool literal)
{
	struct rules_parser q = { .arena = p->arena, .line = *rest };
	struct str text, pattern = STR("");

	if (rules_peek(&q) != '"')
		return (struct str){ 0 };
	text = rules_string(&q, "");
	if (!rules_ok(&q) || text.n == 0)
		return (struct str){ 0 };
	*rest = str_from(*rest, q.at);
	for (size_t i = 0; literal && i < text.n; i++)
		pattern = str_printf(p->arena, "%.*s%s%c", STR_FMT(pattern),
		    str_find_char(STR("\\^$.|?*+()[]{}"), text.s[i]) < 14 ? "\\"
									  : "",
		    text.s[i]);
	return rules_pattern(p->arena, literal ? pattern : text);
}

/* Returns the rule as the form writes it; absent if it lacks the text that the form
 * wants. */
static struct str
write_form(
    struct rules_parser *p, const char *form, struct str left, struct str rest)
{
	struct str text = STR("");

	for (const char *c = form; *c != '\0'; c++) {
		struct str part = str_slice(str_of(c), 0, 1);

		if (*c == 'L')
			part = left;
		else if (*c == 'R')
			part = rest, rest = STR("");
		else if (*c == 'T' || *c == 'P')
			part = take_pattern(p, &rest, *c == 'T');
		if (part.s == NULL)
			return (struct str){ 0 };
		text = str_cat(p->arena, text, part);
	}
	return str_trim(str_cat(p->arena, text, rest));
}

struct str
rules_mended(struct rules_parser *p, struct str text, size_t places)
{
	struct str left, rest, found = { 0 };
	const struct row *row;
	size_t at, length;

	if (text.n > TEXT_MAX || rules_is(p, text, &at))
		return text.n > TEXT_MAX ? found : text;
	rest = str_from(text, at);
	row = row_of(rest, &length);
	if (row == NULL || places == 0)
		return found;
	left = str_trim(str_slice(text, 0, at));
	rest = str_trim(str_from(rest, length));
	for (size_t i = 0;
	     i < FORMS && row->forms[i] != NULL && found.s == NULL; i++) {
		struct str next = write_form(p, row->forms[i], left, rest);

		if (next.s != NULL)
			found =
			    rules_mended(p, next, length == 0 ? 0 : places - 1);
	}
	return found;
}

struct str
rules_english(struct str text)
{
	size_t length;

	row_of(text, &length);
	return str_slice(text, 0, length);
}
