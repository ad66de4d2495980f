#include "yaml/scalar_types.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/date.h"
#include "io/out.h"

/* The rules of a schema: which numbers it accepts besides decimals, and
 * more. */
enum {
	HEX = 1 << 0,         /* 0x1f */
	OCTAL_O = 1 << 1,     /* 0o17 */
	OCTAL_0 = 1 << 2,     /* 017 */
	BINARY = 1 << 3,      /* 0b11 */
	SIGNED = 1 << 4,      /* a sign may precede these */
	UPPER = 1 << 5,       /* 0X1F, 0O17, 0B11 */
	UNDERSCORES = 1 << 6, /* 1_000 */
	MINUTES = 1 << 7,     /* 1:30 is 90 */
	STRICT = 1 << 8,      /* also: fractions need a point, exponents a
			      * sign */
	SHORTEST = 1 << 9,    /* fractions pass through a double: 1.0 is 1 */
	WITHIN = 1 << 10,     /* a number that is too large is text */
	FINITE = 1 << 11,     /* .inf is a mistake */
	INSTANTS = 1 << 12,   /* 2024-1-2 is 2024-01-02T00:00:00Z */
	MERGES = 1 << 13,     /* <<: *base */
	TEXT_KEYS = 1 << 14,  /* a key that is not text is a mistake */
	DECODES = 1 << 15,    /* !!binary aGk= is hi */
};

static const struct schema {
	const char *trues, *falses;
	unsigned rules;
} schemas[] = {
	[TYPES_CORE] = { "true True TRUE", "false False FALSE", HEX | OCTAL_O },
	[TYPES_GO] = { "true True TRUE", "false False FALSE",
	    HEX | OCTAL_O | OCTAL_0 | BINARY | SIGNED | MERGES | UPPER |
		UNDERSCORES | WITHIN | DECODES },
	[TYPES_EVOLVE] = { "true True TRUE", "false False FALSE",
	    HEX | OCTAL_O | OCTAL_0 | BINARY | SIGNED | MERGES | UPPER |
		UNDERSCORES | WITHIN | DECODES | SHORTEST | FINITE | INSTANTS |
		TEXT_KEYS },
	[TYPES_PYTHON] = { "true True TRUE yes Yes YES on On ON",
	    "false False FALSE no No NO off Off OFF",
	    HEX | OCTAL_0 | BINARY | SIGNED | MERGES | UNDERSCORES | MINUTES |
		STRICT },
	[TYPES_JS] = { "true True TRUE", "false False FALSE",
	    HEX | OCTAL_O | MERGES },
};

bool
scalar_types_word(struct str text, const char *words)
{
	struct str rest = str_of(words);

	while (rest.s != NULL)
		if (str_eq(str_cut(&rest, ' '), text))
			return true;
	return false;
}

/* ---- numbers ---- */

struct numeral {
	bool sign, minus;
	struct str digits; /* what follows the sign, without underscores */
};

static struct numeral
numeral(struct arena *a, struct str text, unsigned rules)
{
	struct numeral n = { 0 };
	char *copy = arena_alloc(a, text.n + 1);
	size_t length = 0;

	if (text.n > 0 && (*text.s == '+' || *text.s == '-')) {
		n.sign = true;
		n.minus = *text.s == '-';
		text = str_from(text, 1);
	}
	for (size_t i = 0; i < text.n; i++) {
		bool first = i == 0 || (i == 1 && text.s[0] == '.');
		char c = text.s[i];

		/* No underscore may begin the integer or the fraction, or be in
		 * minutes. */
		if (c == ':' || (c == '_' && first))
			rules &= ~(unsigned)UNDERSCORES;
		if (c != '_' || !(rules & UNDERSCORES))
			copy[length++] = c;
	}
	n.digits = (struct str){ copy, length };
	return n;
}

static bool
only(struct str text, const char *characters)
{
	return text.n > 0 && strspn(text.s, characters) >= text.n;
}

/* Removes the prefix of a base and returns the base; 10 without a prefix. */
static int
cut_base(struct numeral *n, unsigned rules)
{
	static const struct {
		char letter;
		int base;
		unsigned rule;
	} prefixes[] = {
		{ 'x', 16, HEX },
		{ 'o', 8, OCTAL_O },
		{ 'b', 2, BINARY },
	};
	char letter;

	if (n->digits.n < 2 || *n->digits.s != '0' ||
	    (n->sign && !(rules & SIGNED)))
		return 10;
	letter = n->digits.s[1];
	if ((rules & UPPER) && letter < 'a')
		letter |= 0x20;
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (letter == prefixes[i].letter &&
		    (rules & prefixes[i].rule)) {
			n->digits = str_from(n->digits, 2);
			return prefixes[i].base;
		}
	return (rules & OCTAL_0) && only(n->digits, "01234567") ? 8 : 10;
}

static double
nearest(struct str digits, int base)
{
	double value = 0;

	for (size_t i = 0; i < digits.n; i++)
		value = value * base + ascii_hex(digits.s[i]);
	return value;
}

/* Reads a number with a base. Go has 64 bits for such a number. */
static bool
based(struct arena *a, const struct numeral *n, int base, unsigned rules,
    struct str *json)
{
	const char *minus = n->minus ? "-" : "";
	unsigned long long value;

	if (!only(n->digits,
		base == 16      ? "0123456789abcdefABCDEF"
		    : base == 8 ? "01234567"
				: "01"))
		return false;
	errno = 0;
	value = strtoull(n->digits.s, NULL, base);
	if ((rules & WITHIN) &&
	    (errno == ERANGE || (n->minus && value > 1ULL << 63)))
		return false;
	if (errno != ERANGE)
		*json = str_printf(a, "%s%llu", minus, value);
	else if (isinf(nearest(n->digits, base)))
		*json = str_printf(a, "%s1e999", minus);
	else
		*json =
		    str_printf(a, "%s%.17g", minus, nearest(n->digits, base));
	return true;
}

/* Splits [whole][.fraction][e exponent]; whole and fraction may not both be
 * empty. */
static bool
split_decimal(const struct numeral *n, unsigned rules, struct str *whole,
    struct str *fraction, struct str *exponent)
{
	const char *p = n->digits.s;
	size_t length = strspn(p, "0123456789");
	bool point = p[length] == '.';

	*whole = (struct str){ p, length };
	p += length;
	*fraction = (struct str){ p + point, 0 };
	if (point)
		fraction->n = strspn(++p, "0123456789");
	p += fraction->n;
	*exponent = (struct str){ 0 };
	if (*p == 'e' || *p == 'E') {
		size_t sign = p[1] == '-' || p[1] == '+';
		size_t count = strspn(p + 1 + sign, "0123456789");

		if (count == 0 || ((rules & STRICT) && (!point || sign == 0)))
			return false;
		*exponent = (struct str){ p + 1, sign + count };
		p += 1 + sign + count;
	}
	if ((rules & STRICT) &&
	    ((whole->n == 0 && n->sign) ||
		(!point && whole->n > 1 && *whole->s == '0')))
		return false;
	return whole->n + fraction->n > 0 && p == n->digits.s + n->digits.n;
}

static struct str
shortest(struct arena *a, struct str number)
{
	struct out o;

	out_open_memory(&o);
	out_json_double(&o, strtod(str_c(a, number), NULL));
	return out_keep(&o, a);
}

static bool
decimal(
    struct arena *a, const struct numeral *n, unsigned rules, struct str *json)
{
	struct str whole, fraction, exponent;

	if (!split_decimal(n, rules, &whole, &fraction, &exponent))
		return false;
	while (whole.n > 1 && *whole.s == '0')
		whole = str_from(whole, 1);
	*json = str_printf(a, "%s%.*s%s%.*s%s%.*s", n->minus ? "-" : "",
	    STR_FMT(whole.n == 0 ? STR("0") : whole), fraction.n > 0 ? "." : "",
	    STR_FMT(fraction), exponent.n > 0 ? "e" : "", STR_FMT(exponent));
	if ((rules & WITHIN) && isinf(strtod(str_c(a, *json), NULL)))
		return false;
	if ((rules & SHORTEST) && (fraction.n > 0 || exponent.n > 0))
		*json = shortest(a, *json);
	return true;
}

/* Reads 1:30 and 1:30:00.5, digits to the base of 60. */
static bool
minutes(struct arena *a, const struct numeral *n, struct str *json)
{
	struct str rest = n->digits;
	double value = 0;

	if (str_find_char(rest, ':') == rest.n || *rest.s < '1')
		return false;
	for (bool first = true; rest.s != NULL; first = false) {
		struct str part = str_cut(&rest, ':');
		size_t whole =
		    rest.s == NULL ? str_find_char(part, '.') : part.n;

		if (!only(str_slice(part, 0, whole), "0123456789") ||
		    (whole + 1 < part.n &&
			!only(str_from(part, whole + 1), "0123456789")) ||
		    (!first && (whole > 2 || (whole == 2 && *part.s > '5'))))
			return false;
		value = value * 60 + strtod(str_c(a, part), NULL);
	}
	*json = shortest(a, str_printf(a, "%.17g", n->minus ? -value : value));
	return true;
}

static bool
number(struct arena *a, struct str text, unsigned rules, struct str *json)
{
	struct numeral n = numeral(a, text, rules), bare = n;
	int base = cut_base(&bare, rules);

	if (base != 10 && based(a, &bare, base, rules, json))
		return true;
	return decimal(a, &n, rules, json) ||
	    ((rules & MINUTES) && minutes(a, &n, json));
}

/* ---- other types ---- */

static struct typed_scalar
infinite(struct str text, unsigned rules)
{
	struct typed_scalar s = { .type = JSON_STRING };

	if (scalar_types_word(text, ".nan .NaN .NAN") ||
	    ((rules & FINITE) &&
		scalar_types_word(text,
		    ".inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF")))
		s.mistake = "JSON has no such number";
	else if (scalar_types_word(text, ".inf .Inf .INF +.inf +.Inf +.INF"))
		s = (struct typed_scalar){ JSON_NUMBER, STR("1e999"), NULL };
	else if (scalar_types_word(text, "-.inf -.Inf -.INF"))
		s = (struct typed_scalar){ JSON_NUMBER, STR("-1e999"), NULL };
	return s;
}

/* Returns an instant as JSON, absent if the text is not an instant. */
static struct str
date(struct arena *a, struct str text)
{
	struct date t;

	return date_read(&t, text)
	    ? str_printf(a, "\"%.*s\"", STR_FMT(date_print(a, &t)))
	    : (struct str){ 0 };
}

struct typed_scalar
scalar_types_read(struct arena *a, enum scalar_types schema, struct str text)
{
	const struct schema *of = &schemas[schema];
	struct typed_scalar s = infinite(text, of->rules);
	struct str json;

	if (s.type != JSON_STRING || s.mistake != NULL)
		return s;
	if (text.n == 0 || scalar_types_word(text, "~ null Null NULL"))
		return (struct typed_scalar){ JSON_NULL, STR("null"), NULL };
	if (scalar_types_word(text, of->trues))
		return (struct typed_scalar){ JSON_TRUE, STR("true"), NULL };
	if (scalar_types_word(text, of->falses))
		return (struct typed_scalar){ JSON_FALSE, STR("false"), NULL };
	if (number(a, text, of->rules, &json))
		return (struct typed_scalar){ JSON_NUMBER, json, NULL };
	if (of->rules & INSTANTS)
		s.json = date(a, text);
	return s;
}

const char *
scalar_types_key(struct arena *a, enum scalar_types schema, struct str key)
{
	struct typed_scalar s = scalar_types_read(a, schema, key);

	if (!(schemas[schema].rules & TEXT_KEYS) ||
	    (s.type == JSON_STRING && s.json.s == NULL && s.mistake == NULL))
		return NULL;
	return "expected text as key (quotes make the key text)";
}

bool
scalar_types_merges(enum scalar_types schema)
{
	return schemas[schema].rules & MERGES;
}

bool
scalar_types_decodes(enum scalar_types schema)
{
	return schemas[schema].rules & DECODES;
}
