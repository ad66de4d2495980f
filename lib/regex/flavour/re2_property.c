/* \p{Name} in Go's patterns: categories and scripts of Unicode. */
#include "regex/flavour/re2.h"
#include "text/unicode.h"

/* Names are compared without case, blanks, '_' and '-'. */
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

/* Long names of general categories; the short one may be the start of more
 * (L of Ll, Lm, ...). */
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

/* Adds the categories that the name stands for; false if there is none. */
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

/* \pL, \p{Name}, \p{^Name}, and \P, with the cursor on the backslash. */
const struct set *
re2_property(struct re2 *p)
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
	return re2_complete(p, set, invert);
}
