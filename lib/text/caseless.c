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

/* Returns which of these places are left where the character in the middle matches. */
static inline struct block
likelier(struct block b, const char *s, struct str literal)
{
	size_t middle = literal.n / 2;

	b.at &= same(s + middle, (unsigned char)literal.s[middle]).at;
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

/* Literals that are looked for in the text from begin to end. */
struct sought {
	struct str_list literals;
	const size_t
	    *places; /* by literal: the place in it that is found first */
	const char *begin, *end;
};

static bool
is_any_here(const struct sought *o, const char *s)
{
	for (size_t i = 0; i < o->literals.n; i++) {
		struct str literal = o->literals.list[i];
		size_t place = o->places[i];

		if (place <= (size_t)(s - o->begin) &&
		    (ptrdiff_t)(literal.n - place) <= o->end - s &&
		    is_here(s - place, literal))
			return true;
	}
	return false;
}

/* Returns whether a literal is at one of these places of the block at s. */
static bool
is_near(const struct sought *o, const char *s, struct block b)
{
	const size_t half = sizeof(uint64_t);

	for (size_t i = 0; i < BLOCK; i += half) {
		uint64_t places = swar((const char *)&b + i) & swar_times(0x80);

		for (; places != 0; places &= places - 1)
			if (is_any_here(o, s + i + __builtin_ctzll(places) / 8))
				return true;
	}
	return false;
}

bool
caseless_has(struct str text, struct str literal)
{
	const size_t place = 0;
	struct sought o = { { &literal, 1 }, &place, text.s, NULL };
	const size_t pair = sizeof(struct block) * 2;
	const char *s = text.s;
	size_t places;

	if (text.n < literal.n || text.n == 0)
		return literal.n == 0;
	o.end = text.s + text.n;
	places = text.n - literal.n + 1;
	for (; places >= pair; places -= pair, s += pair) {
		struct block one = likely(s, literal);
		struct block next = likely(s + BLOCK, literal);
		struct block both = { one.at | next.at };

		if (!has_any(both))
			continue;
		one = likelier(one, s, literal);
		next = likelier(next, s + BLOCK, literal);
		both.at = one.at | next.at;
		if (!has_any(both))
			continue;
		if (is_near(&o, s, one) || is_near(&o, s + BLOCK, next))
			return true;
	}
	for (; places >= BLOCK; places -= BLOCK, s += BLOCK)
		if (is_near(&o, s, likely(s, literal)))
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
	/* By literal, the place of two rare bytes, and these as small_block makes
	 * them. */
	size_t rare[SET_MOST];
	struct block first[SET_MOST], second[SET_MOST];
};

/* Returns the place of the two bytes that are rarest in most texts. */
static size_t
rare_pair(struct str literal)
{
	const struct str often = STR(" etaoinsrhldcumfpgwybvkxjqz");
	size_t best = 0, most = 0;

	for (size_t i = 0; i + 1 < literal.n; i++) {
		size_t rank = str_find_char(often, literal.s[i]) +
		    str_find_char(often, literal.s[i + 1]);

		if (rank > most) {
			most = rank;
			best = i;
		}
	}
	return best;
}

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
		set->rare[i] = rare_pair(l);
		set->first[i] = small_byte(l.s[set->rare[i]]);
		set->second[i] = small_byte(l.s[set->rare[i] + 1]);
	}
	return set;
}

enum { STEP = 2 * BLOCK };

/* Returns whether a literal is at one of the next places of the text, from s on. The
 * bytes of these places are at `from`, with one more. Sets the bits of all in *seen. */
static inline bool
is_in_step(const struct caseless_set *set, const struct sought *o,
    const char *s, const char *from, struct block *seen)
{
	struct block a = small_block(from), b = small_block(from + 1);
	struct block c = small_block(from + BLOCK),
		     d = small_block(from + BLOCK + 1);
	struct block one = { 0 }, next = { 0 }, both;

	seen->at |= a.at | c.at | d.at;
	for (size_t i = 0; i < set->literals.n; i++) {
		struct block first = set->first[i], second = set->second[i];

		one.at |= (a.at == first.at) & (b.at == second.at);
		next.at |= (c.at == first.at) & (d.at == second.at);
	}
	both.at = one.at | next.at;
	return has_any(both) &&
	    (is_near(o, s, one) || is_near(o, s + BLOCK, next));
}

static bool
is_in_short(
    const struct caseless_set *set, const struct sought *o, struct block *seen)
{
	char copy[STEP + 1] = { 0 };

	memcpy(copy, o->begin, (size_t)(o->end - o->begin));
	return is_in_step(set, o, o->begin, copy, seen);
}

bool
caseless_set_misses(const struct caseless_set *set, struct str text)
{
	const char *s = text.s, *end;
	struct block seen = { 0 };
	struct sought o = { set->literals, set->rare, text.s, NULL };

	if (text.n == 0)
		return true;
	o.end = end = s + text.n;
	if (text.n <= STEP && is_in_short(set, &o, &seen))
		return false;
	while (end - s > STEP) {
		if (is_in_step(set, &o, s, s, &seen))
			return false;
		s += STEP;
		if (end - s > 1 && end - s <= STEP)
			s = end - STEP - 1; /* some places once more */
	}
	seen.at &= 0x80;
	return !has_any(seen) || !may_become(text, set->has_i, set->has_k);
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
