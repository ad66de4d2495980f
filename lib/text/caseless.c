#include "text/caseless.h"

#include "base/swar.h"

enum { BLOCK = 16 };

/* Bytes that the compiler compares at once where the processor can. */
struct block {
	unsigned char at __attribute__((vector_size(BLOCK)));
};

/* Returns the bit that makes a capital small if c is a small letter, else 0. */
static unsigned char
small_bit(unsigned char c)
{
	return c >= 'a' && c <= 'z' ? 0x20 : 0;
}

/* Returns all ones for each byte of the block at s that is c, in either
 * case. */
static inline struct block
same(const char *s, unsigned char c)
{
	struct block b;

	memcpy(&b, s, sizeof b);
	b.at = (b.at | small_bit(c)) == c;
	return b;
}

/* Returns all ones for each place of the block at s where both the first and the
 * last character of the literal match. */
static inline struct block
likely(const char *s, struct str literal)
{
	size_t last = literal.n - 1;
	struct block b = same(s, (unsigned char)literal.s[0]);

	b.at &= same(s + last, (unsigned char)literal.s[last]).at;
	return b;
}

static inline bool
has_any(struct block b)
{
	const char *s = (const char *)&b;

	return (swar(s) | swar(s + sizeof(uint64_t))) != 0;
}

static bool
is_here(const char *s, struct str literal)
{
	for (size_t i = 0; i < literal.n; i++) {
		unsigned char c = (unsigned char)literal.s[i];

		if (((unsigned char)s[i] | small_bit(c)) != c)
			return false;
	}
	return true;
}

static bool
is_any_here(const char *s, const char *end, struct str_list literals)
{
	for (size_t i = 0; i < literals.n; i++)
		if (literals.list[i].n <= (size_t)(end - s) &&
		    is_here(s, literals.list[i]))
			return true;
	return false;
}

/* Returns whether a literal is at one of these places of the block at s. */
static bool
is_near(
    const char *s, const char *end, struct block b, struct str_list literals)
{
	const size_t half = sizeof(uint64_t);

	for (size_t i = 0; i < BLOCK; i += half) {
		uint64_t places = swar((const char *)&b + i) & swar_times(0x80);

		for (; places != 0; places &= places - 1)
			if (is_any_here(s + i + __builtin_ctzll(places) / 8,
				end, literals))
				return true;
	}
	return false;
}

bool
caseless_has(struct str text, struct str literal)
{
	const struct str_list list = { &literal, 1 };
	const size_t pair = sizeof(struct block) * 2;
	const char *s = text.s, *end;
	size_t places;

	if (text.n < literal.n)
		return false;
	end = s + text.n;
	places = text.n - literal.n + 1;
	for (; places >= pair; places -= pair, s += pair) {
		struct block one = likely(s, literal);
		struct block next = likely(s + BLOCK, literal);
		struct block both = { one.at | next.at };

		if (has_any(both) &&
		    (is_near(s, end, one, list) ||
			is_near(s + BLOCK, end, next, list)))
			return true;
	}
	for (; places >= BLOCK; places -= BLOCK, s += BLOCK)
		if (is_near(s, end, likely(s, literal), list))
			return true;
	for (; places > 0; places--)
		if (is_here(s++, literal))
			return true;
	return false;
}

static bool
is_ascii(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if ((unsigned char)text.s[i] >= 0x80)
			return false;
	return true;
}

/* Returns whether the text has this character, whose first byte is rare. */
static bool
has_rare(struct str text, struct str c)
{
	const char *first = text.n == 0 ? NULL : memchr(text.s, c.s[0], text.n);

	return first != NULL &&
	    caseless_has(str_from(text, (size_t)(first - text.s)), c);
}

static bool
has_letter(struct str text, char c)
{
	return str_find_char(text, c) < text.n;
}

/* Returns whether a character beyond ASCII may complete a literal with an i or a
 * k. Two such characters become ASCII in lower case: U+0130 becomes "i" (with a
 * dot in JavaScript), and U+212A becomes "k". */
static bool
may_become(struct str text, bool has_i, bool has_k)
{
	return (has_i && has_rare(text, STR("\xc4\xb0"))) ||
	    (has_k && has_rare(text, STR("\xe2\x84\xaa")));
}

enum caseless
caseless_find(struct str text, struct str literal)
{
	if (!is_ascii(literal))
		return CASELESS_UNSURE;
	if (literal.n == 0 || caseless_has(text, literal))
		return CASELESS_YES;
	if (may_become(
		text, has_letter(literal, 'i'), has_letter(literal, 'k')))
		return CASELESS_UNSURE;
	return CASELESS_NO;
}

/* ---- several literals ---- */

enum { SET_MOST = 8 };

struct caseless_set {
	struct str_list literals;
	bool has_i, has_k; /* see may_become */
	/* By literal, the first two bytes as small_block makes them. */
	struct block first[SET_MOST], second[SET_MOST];
};

/* Returns the block at s, with letters in lower case. A few other characters
 * become each other too, as @ and `. */
static inline struct block
small_block(const char *s)
{
	struct block b;

	memcpy(&b, s, sizeof b);
	b.at |= 0x20;
	return b;
}

/* Returns the byte c in each place, as small_block makes it. */
static struct block
small_byte(char c)
{
	char bytes[BLOCK];

	memset(bytes, c, sizeof bytes);
	return small_block(bytes);
}

struct caseless_set *
caseless_set_of(struct arena *a, struct str_list literals)
{
	struct caseless_set *set;

	if (literals.n == 0 || literals.n > SET_MOST)
		return NULL;
	for (size_t i = 0; i < literals.n; i++)
		if (literals.list[i].n < 2 || !is_ascii(literals.list[i]))
			return NULL;
	set = arena_new(a, struct caseless_set);
	set->literals = literals;
	for (size_t i = 0; i < literals.n; i++) {
		struct str l = literals.list[i];

		set->has_i |= has_letter(l, 'i');
		set->has_k |= has_letter(l, 'k');
		set->first[i] = small_byte(l.s[0]);
		set->second[i] = small_byte(l.s[1]);
	}
	return set;
}

/* Returns all ones for each place of the block at s where a literal may begin.
 * The block has one byte more. */
static inline struct block
beginnings(const struct caseless_set *set, const char *s)
{
	struct block one = small_block(s), next = small_block(s + 1);
	struct block found = { 0 };

	for (size_t i = 0; i < set->literals.n; i++)
		found.at |= (one.at == set->first[i].at) &
		    (next.at == set->second[i].at);
	return found;
}

/* Returns whether a literal begins in the last places of a text, which are no
 * more than a block. */
static bool
is_in_rest(const struct caseless_set *set, const char *s, const char *end)
{
	char copy[BLOCK + 1] = { 0 };
	struct block places;

	memcpy(copy, s, (size_t)(end - s));
	places = beginnings(set, copy);
	return has_any(places) && is_near(s, end, places, set->literals);
}

bool
caseless_set_misses(const struct caseless_set *set, struct str text)
{
	const char *s = text.s, *end;

	if (text.n == 0)
		return true;
	end = s + text.n;
	for (; end - s > BLOCK; s += BLOCK) {
		struct block places = beginnings(set, s);

		if (has_any(places) && is_near(s, end, places, set->literals))
			return false;
	}
	if (s != end && is_in_rest(set, s, end))
		return false;
	return !may_become(text, set->has_i, set->has_k);
}

/* ---- words ---- */

bool
caseless_is_one_of(struct str word, const char *names)
{
	for (; word.n != 0 && names != NULL; names = strchr(names, ' ')) {
		names += *names == ' ';
		/* Most words differ in the first letter already. */
		if (((*names ^ word.s[0]) & ~0x20) == 0 &&
		    str_eq_ascii_nocase(
			(struct str){ names, strcspn(names, " ") }, word))
			return true;
	}
	return false;
}
