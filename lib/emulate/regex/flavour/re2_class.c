/* Sets in Go's patterns: escapes, classes, properties, (?i). */
#include "base/ascii.h"
#include "emulate/regex/flavour/re2.h"
#include "emulate/regex/tree/fold.h"
#include "text/unicode.h"

static const struct range digits[] = { { '0', '9' } };
static const struct range spaces[] = { { '\t', '\n' }, { '\f', '\r' },
	{ ' ', ' ' } };
static const struct range words[] = { { '0', '9' }, { 'A', 'Z' }, { '_', '_' },
	{ 'a', 'z' } };
static const struct range alnum[] = { { '0', '9' }, { 'A', 'Z' },
	{ 'a', 'z' } };
static const struct range alpha[] = { { 'A', 'Z' }, { 'a', 'z' } };
static const struct range ascii[] = { { 0, 0x7f } };
static const struct range blank[] = { { '\t', '\t' }, { ' ', ' ' } };
static const struct range cntrl[] = { { 0, 0x1f }, { 0x7f, 0x7f } };
static const struct range graph[] = { { '!', '~' } };
static const struct range lower[] = { { 'a', 'z' } };
static const struct range print[] = { { ' ', '~' } };
static const struct range punct[] = { { '!', '/' }, { ':', '@' }, { '[', '`' },
	{ '{', '~' } };
static const struct range posix_space[] = { { '\t', '\r' }, { ' ', ' ' } };
static const struct range upper[] = { { 'A', 'Z' } };
static const struct range xdigit[] = { { '0', '9' }, { 'A', 'F' },
	{ 'a', 'f' } };

struct group {
	const char *name;
	const struct range *ranges;
	size_t n;
};

static const struct group perl_groups[] = {
	{ "d", SET_RANGES(digits) },
	{ "s", SET_RANGES(spaces) },
	{ "w", SET_RANGES(words) },
};

static const struct group posix_groups[] = {
	{ "alnum", SET_RANGES(alnum) },
	{ "alpha", SET_RANGES(alpha) },
	{ "ascii", SET_RANGES(ascii) },
	{ "blank", SET_RANGES(blank) },
	{ "cntrl", SET_RANGES(cntrl) },
	{ "digit", SET_RANGES(digits) },
	{ "graph", SET_RANGES(graph) },
	{ "lower", SET_RANGES(lower) },
	{ "print", SET_RANGES(print) },
	{ "punct", SET_RANGES(punct) },
	{ "space", SET_RANGES(posix_space) },
	{ "upper", SET_RANGES(upper) },
	{ "word", SET_RANGES(words) },
	{ "xdigit", SET_RANGES(xdigit) },
};

/* ---- making sets ---- */

/* Finishes a set: closes it over case if (?i) is on, then inverts it if asked
 * to. */
static const struct set *
complete(struct re2 *p, struct set *set, bool invert)
{
	if (p->flags & RE2_FOLD)
		fold_simple(p->arena, set);
	set_finish(set);
	if (invert)
		set_invert(p->arena, set, UNICODE_MAX);
	return set;
}

const struct set *
re2_character(struct re2 *p, uint32_t c)
{
	return complete(
	    p, set_new(p->arena, &(struct range){ c, c }, 1), false);
}

const struct set *
re2_newline(struct re2 *p)
{
	struct set *set = set_new(p->arena, &(struct range){ '\n', '\n' }, 1);

	set_finish(set);
	return set;
}

static const struct set *
group_set(struct re2 *p, const struct group *g, bool invert)
{
	return complete(p, set_new(p->arena, g->ranges, g->n), invert);
}

/* \b is ASCII's whatever the flags are. */
const struct set *
re2_word(struct re2 *p)
{
	struct set *set = set_new(p->arena, SET_RANGES(words));

	set_finish(set);
	return set;
}

const struct set *
re2_dot(struct re2 *p)
{
	struct set *set = arena_new(p->arena, struct set);

	if (!(p->flags & RE2_DOT_ALL))
		set_add(p->arena, set, '\n', '\n');
	set_finish(set);
	set_invert(p->arena, set, UNICODE_MAX);
	return set;
}

/* ---- properties ---- */

/* Returns the name in lower case without blanks, '_' and '-', which comparisons
 * ignore. */
static struct str
canonical(struct arena *a, struct str name)
{
	char *copy = str_c(a, name);
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		if (c != ' ' && c != '_' && c != '-')
			copy[n++] = c;
	}
	return (struct str){ copy, n };
}

/* Long names of general categories; the short name may be the first letter of
 * several (L of Ll, Lm, ...). */
static const struct {
	const char *name, *category;
} aliases[] = {
	{ "casedletter", "LC" },
	{ "closepunctuation", "Pe" },
	{ "cntrl", "Cc" },
	{ "combiningmark", "M" },
	{ "connectorpunctuation", "Pc" },
	{ "control", "Cc" },
	{ "currencysymbol", "Sc" },
	{ "dashpunctuation", "Pd" },
	{ "decimalnumber", "Nd" },
	{ "digit", "Nd" },
	{ "enclosingmark", "Me" },
	{ "finalpunctuation", "Pf" },
	{ "format", "Cf" },
	{ "initialpunctuation", "Pi" },
	{ "letter", "L" },
	{ "letternumber", "Nl" },
	{ "lineseparator", "Zl" },
	{ "lowercaseletter", "Ll" },
	{ "mark", "M" },
	{ "mathsymbol", "Sm" },
	{ "modifierletter", "Lm" },
	{ "modifiersymbol", "Sk" },
	{ "nonspacingmark", "Mn" },
	{ "number", "N" },
	{ "openpunctuation", "Ps" },
	{ "other", "C" },
	{ "otherletter", "Lo" },
	{ "othernumber", "No" },
	{ "otherpunctuation", "Po" },
	{ "othersymbol", "So" },
	{ "paragraphseparator", "Zp" },
	{ "privateuse", "Co" },
	{ "punct", "P" },
	{ "punctuation", "P" },
	{ "separator", "Z" },
	{ "spaceseparator", "Zs" },
	{ "spacingmark", "Mc" },
	{ "surrogate", "Cs" },
	{ "symbol", "S" },
	{ "titlecaseletter", "Lt" },
	{ "unassigned", "Cn" },
	{ "uppercaseletter", "Lu" },
};

/* Adds the categories of this name; returns false if there is none. */
static bool
add_category(struct re2 *p, struct set *set, struct str name)
{
	size_t n;
	const struct unicode_set *row = unicode_categories(&n);
	bool found = false, cased = str_is(name, "lc");

	for (; n-- > 0; row++) {
		struct str full = canonical(p->arena, str_of(row->name));
		bool same = str_eq(full, name) ||
		    (name.n == 1 && full.s[0] == name.s[0]) ||
		    (cased &&
			(str_is(full, "lu") || str_is(full, "ll") ||
			    str_is(full, "lt")));

		if (same)
			set_add_unicode(p->arena, set, row);
		found |= same;
	}
	return found;
}

static bool
add_script(struct re2 *p, struct set *set, struct str name)
{
	size_t n;
	const struct unicode_set *row = unicode_scripts(&n);

	for (; n-- > 0; row++) {
		if (str_eq(canonical(p->arena, str_of(row->name)), name)) {
			set_add_unicode(p->arena, set, row);
			return true;
		}
	}
	return false;
}

static bool
add_property(struct re2 *p, struct set *set, struct str name)
{
	name = canonical(p->arena, name);
	if (str_is(name, "any") || str_is(name, "ascii")) {
		set_add(
		    p->arena, set, 0, str_is(name, "any") ? UNICODE_MAX : 0x7f);
		return true;
	}
	if (str_is(name, "assigned")) {
		add_category(p, set, STR("cn"));
		set_finish(set);
		set_invert(p->arena, set, UNICODE_MAX);
		return true;
	}
	for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
		if (str_is(name, aliases[i].name))
			name = canonical(p->arena, str_of(aliases[i].category));
	return add_category(p, set, name) || add_script(p, set, name);
}

/* Reads \pL, \p{Name}, \p{^Name} or \P, with the cursor on the backslash. */
static const struct set *
property(struct re2 *p)
{
	size_t from = p->at;
	bool invert = re2_peek(p, 1) == 'P';
	struct set *set = arena_new(p->arena, struct set);
	struct str name;

	p->at += 2;
	if (re2_peek(p, 0) == '{') {
		struct str rest = str_from(p->pattern, p->at + 1);

		name = str_slice(rest, 0, str_find_char(rest, '}'));
		if (name.n == rest.n) {
			re2_fail(p, "invalid character class range", from,
			    p->pattern.n);
			return set;
		}
		p->at += name.n + 2;
	} else {
		size_t start = p->at;

		re2_next(p);
		name = str_slice(p->pattern, start, p->at);
	}
	if (str_starts(name, "^")) {
		name = str_from(name, 1);
		invert = !invert;
	}
	if (!add_property(p, set, name))
		re2_fail(p, "invalid character class range", from, p->at);
	return complete(p, set, invert);
}

/* ---- escapes ---- */

const struct set *
re2_shorthand(struct re2 *p)
{
	int letter = re2_peek(p, 1);

	if (re2_peek(p, 0) != '\\')
		return NULL;
	if (letter == 'p' || letter == 'P')
		return property(p);
	for (size_t i = 0; i < 3; i++) {
		const struct group *g = &perl_groups[i];

		if ((letter | 0x20) == g->name[0]) {
			p->at += 2;
			return group_set(p, g, letter != g->name[0]);
		}
	}
	return NULL;
}

static bool
is_octal(int c)
{
	return c >= '0' && c <= '7';
}

static uint32_t
bad_escape(struct re2 *p, size_t from)
{
	re2_fail(p, "invalid escape sequence", from, p->at);
	return 0;
}

/* Reads two hexadecimal digits, behind \x. */
static uint32_t
short_hex(struct re2 *p, size_t from)
{
	int high = ascii_hex(re2_peek(p, 0)), low = ascii_hex(re2_peek(p, 1));

	re2_next(p);
	re2_next(p);
	return high < 0 || low < 0 ? bad_escape(p, from)
				   : (uint32_t)(high * 16 + low);
}

/* Reads any number of hexadecimal digits between braces, behind \x. */
static uint32_t
long_hex(struct re2 *p, size_t from)
{
	uint32_t value = 0;

	p->at++;
	for (size_t n = 0; p->at < p->pattern.n; n++) {
		int digit = ascii_hex(re2_peek(p, 0));
		uint32_t c = re2_next(p);

		if (c == '}' && n > 0)
			return value;
		if (digit < 0)
			break;
		value = value * 16 + (uint32_t)digit;
		if (value > UNICODE_MAX)
			break;
	}
	return bad_escape(p, from);
}

static uint32_t
octal(struct re2 *p, uint32_t first)
{
	uint32_t value = first - '0';

	for (int i = 0; i < 2 && is_octal(re2_peek(p, 0)); i++)
		value = value * 8 + (re2_next(p) - '0');
	return value;
}

uint32_t
re2_escape(struct re2 *p)
{
	static const char letters[] = "afnrtv", values[] = "\a\f\n\r\t\v";
	size_t from = p->at++;
	uint32_t c;

	if (re2_peek(p, 0) < 0) {
		re2_fail(
		    p, "trailing backslash at end of expression", from, from);
		return 0;
	}
	c = re2_next(p);
	if (c == 'x')
		return re2_peek(p, 0) == '{' ? long_hex(p, from)
					     : short_hex(p, from);
	if (c == '0' ||
	    (c < 0x80 && is_octal((int)c) && is_octal(re2_peek(p, 0))))
		return octal(p, c);
	for (size_t i = 0; letters[i] != '\0'; i++)
		if (c == (uint32_t)letters[i])
			return (uint32_t)values[i];
	if (c >= 0x80 || (c >= '0' && c <= '9') ||
	    ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
		return bad_escape(p, from);
	return c;
}

/* ---- classes ---- */

/* Reads [:name:] at the cursor, and adds its set; returns false if there is
 * none. */
static bool
posix(struct re2 *p, struct set *set)
{
	struct str rest = str_from(p->pattern, p->at), name;
	size_t end;
	bool invert;

	if (!str_starts(rest, "[:"))
		return false;
	rest = str_from(rest, 2);
	end = str_find(rest, ":]");
	if (end == rest.n)
		return false;
	name = str_slice(rest, 0, end);
	invert = str_starts(name, "^");
	name = str_from(name, invert);
	for (size_t i = 0; i < sizeof posix_groups / sizeof posix_groups[0];
	     i++) {
		if (str_is(name, posix_groups[i].name)) {
			set_add_all(p->arena, set,
			    group_set(p, &posix_groups[i], invert));
			p->at += end + 4;
			return true;
		}
	}
	re2_fail(p, "invalid character class range", p->at, p->at + end + 4);
	return true;
}

static uint32_t
class_character(struct re2 *p, size_t open)
{
	if (re2_peek(p, 0) < 0) {
		re2_fail(p, "missing closing ]", open, p->pattern.n);
		return 0;
	}
	return re2_peek(p, 0) == '\\' ? re2_escape(p) : re2_next(p);
}

static void
class_range(struct re2 *p, struct set *set, size_t open)
{
	size_t from = p->at;
	uint32_t low = class_character(p, open), high = low;

	if (re2_peek(p, 0) == '-' && re2_peek(p, 1) >= 0 &&
	    re2_peek(p, 1) != ']') {
		p->at++;
		high = class_character(p, open);
	}
	if (high < low)
		re2_fail(p, "invalid character class range", from, p->at);
	else
		set_add(p->arena, set, low, high);
}

const struct set *
re2_class(struct re2 *p)
{
	size_t open = p->at++;
	bool invert = re2_peek(p, 0) == '^', first = true;
	struct set *set = arena_new(p->arena, struct set);
	const struct set *part;

	p->at += invert;
	for (; !p->failed && (first || re2_peek(p, 0) != ']'); first = false) {
		if (posix(p, set))
			continue;
		part = re2_shorthand(p);
		if (part != NULL)
			set_add_all(p->arena, set, part);
		else
			class_range(p, set, open);
	}
	p->at += !p->failed;
	return complete(p, set, invert);
}
