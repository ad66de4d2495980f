/* Sets of characters in Go's patterns: escapes, classes, properties, (?i). */
#include "base/ascii.h"
#include "regex/flavour/re2.h"
#include "regex/tree/fold.h"
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

/* NOLINTNEXTLINE(bugprone-macro-parentheses): two values */
#define LIST(ranges) ranges, sizeof ranges / sizeof ranges[0]

struct group {
	const char *name;
	const struct range *ranges;
	size_t n;
};

static const struct group perl_groups[] = {
	{ "d", LIST(digits) },
	{ "s", LIST(spaces) },
	{ "w", LIST(words) },
};

static const struct group posix_groups[] = {
	{ "alnum", LIST(alnum) },
	{ "alpha", LIST(alpha) },
	{ "ascii", LIST(ascii) },
	{ "blank", LIST(blank) },
	{ "cntrl", LIST(cntrl) },
	{ "digit", LIST(digits) },
	{ "graph", LIST(graph) },
	{ "lower", LIST(lower) },
	{ "print", LIST(print) },
	{ "punct", LIST(punct) },
	{ "space", LIST(posix_space) },
	{ "upper", LIST(upper) },
	{ "word", LIST(words) },
	{ "xdigit", LIST(xdigit) },
};

/* ---- making sets ---- */

/* Done with adding: closes the set over case where (?i) holds, then turns it
 * into what it lacks if asked to. */
const struct set *
re2_complete(struct re2 *p, struct set *set, bool invert)
{
	if (p->flags & RE2_FOLD)
		fold_simple(p->arena, set);
	set_finish(set);
	if (invert)
		set_invert(p->arena, set, UNICODE_MAX);
	return set;
}

static struct set *
new_set(struct re2 *p)
{
	return arena_new(p->arena, struct set);
}

const struct set *
re2_character(struct re2 *p, uint32_t c)
{
	struct set *set = new_set(p);

	set_add(p->arena, set, c, c);
	return re2_complete(p, set, false);
}

const struct set *
re2_newline(struct re2 *p)
{
	struct set *set = new_set(p);

	set_add(p->arena, set, '\n', '\n');
	set_finish(set);
	return set;
}

static const struct set *
group_set(struct re2 *p, const struct group *g, bool invert)
{
	struct set *set = new_set(p);

	for (size_t i = 0; i < g->n; i++)
		set_add(p->arena, set, g->ranges[i].low, g->ranges[i].high);
	return re2_complete(p, set, invert);
}

/* \b is ASCII's whatever the flags. */
const struct set *
re2_word(struct re2 *p)
{
	struct set *set = new_set(p);

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		set_add(p->arena, set, words[i].low, words[i].high);
	set_finish(set);
	return set;
}

const struct set *
re2_dot(struct re2 *p)
{
	struct set *set = new_set(p);

	if (!(p->flags & RE2_DOT_ALL))
		set_add(p->arena, set, '\n', '\n');
	set_finish(set);
	set_invert(p->arena, set, UNICODE_MAX);
	return set;
}

/* ---- escapes ---- */

const struct set *
re2_shorthand(struct re2 *p)
{
	int letter = re2_peek(p, 1);

	if (re2_peek(p, 0) != '\\')
		return NULL;
	if (letter == 'p' || letter == 'P')
		return re2_property(p);
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

/* Two hexadecimal digits, behind \x. */
static uint32_t
short_hex(struct re2 *p, size_t from)
{
	int high = ascii_hex(re2_peek(p, 0)), low = ascii_hex(re2_peek(p, 1));

	re2_next(p);
	re2_next(p);
	return high < 0 || low < 0 ? bad_escape(p, from)
				   : (uint32_t)(high * 16 + low);
}

/* As many as stand between braces, behind \x. */
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

/* [:name:] at the cursor, whose set is added; false if it is none. */
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
	struct set *set = new_set(p);
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
	return re2_complete(p, set, invert);
}
