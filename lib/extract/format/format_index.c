#include "extract/format/format_index.h"

#include "extract/value/name_hash.h"

enum {
	LISTS = 1024,  /* a power of two */
	WORD_MAX = 64, /* bytes of a value that a sign may have */
	/* Kinds of signs, which are hashed differently. */
	NAME = 1,
	VALUE = 2,
	PREFIX = 3,
};

struct format_sign {
	struct format_sign *next; /* in the list */
	uint64_t hash;
	struct log_format_set formats;
	/* There are signs of values of this name. */
	bool values, prefixes;
};

static void
set_add(struct log_format_set *set, size_t i)
{
	set->words[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void
set_merge(struct log_format_set *to, const struct log_format_set *from)
{
	for (size_t i = 0; i < LOG_FORMAT_WORDS; i++)
		to->words[i] |= from->words[i];
}

bool
log_format_set_take(struct log_format_set *set, size_t *i)
{
	for (size_t w = 0; w < LOG_FORMAT_WORDS; w++) {
		uint64_t word = set->words[w];

		if (word == 0)
			continue;
		*i = w * 64 + (size_t)__builtin_ctzll(word);
		set->words[w] = word & (word - 1);
		return true;
	}
	return false;
}

/* ---- the signs ---- */

/* Returns the hash of a sign: of a name, or of a value of the name with that
 * hash. Signs with the same hash count as one, which only adds formats to
 * ask. */
static inline uint64_t
hash_of(int kind, uint64_t name, struct str text)
{
	return name_hash(name + (uint64_t)kind, text);
}

static inline struct format_sign **
list_of(const struct format_index *x, uint64_t hash)
{
	return &x->signs[hash >> 32 & (LISTS - 1)];
}

/* Returns the sign with this hash, or NULL. */
static inline const struct format_sign *
find(const struct format_index *x, uint64_t hash)
{
	const struct format_sign *sign = *list_of(x, hash);

	while (sign != NULL && sign->hash != hash)
		sign = sign->next;
	return sign;
}

/* Returns the sign with this hash, which is added if there is none. */
static struct format_sign *
put(struct format_index *x, struct arena *a, uint64_t hash)
{
	struct format_sign **end = list_of(x, hash);

	while (*end != NULL && (*end)->hash != hash)
		end = &(*end)->next;
	if (*end == NULL) {
		*end = arena_new(a, struct format_sign);
		(*end)->hash = hash;
	}
	return *end;
}

/* Returns the beginning of the text, up to and with the first byte that is
 * neither a letter nor a digit; or the empty text if there is no such byte. */
static struct str
prefix_of(struct str text)
{
	for (size_t i = 0; i < text.n && i < WORD_MAX; i++)
		if (!ascii_is_alnum((unsigned char)text.s[i]))
			return str_slice(text, 0, i + 1);
	return (struct str){ text.s, 0 };
}

/* Adds a sign of the format at this place in the table. An absent value, or one
 * that is too long, is any value. */
static void
add_sign(struct format_index *x, struct arena *a, size_t i, struct str name,
    struct str value)
{
	uint64_t hash = hash_of(NAME, 0, name);
	struct format_sign *sign = put(x, a, hash);

	if (value.n == 0 || value.n > WORD_MAX) {
		set_add(&sign->formats, i);
	} else if (value.s[value.n - 1] == '*') {
		sign->prefixes = true;
		value.n--;
		set_add(&put(x, a, hash_of(PREFIX, hash, value))->formats, i);
	} else {
		sign->values = true;
		set_add(&put(x, a, hash_of(VALUE, hash, value))->formats, i);
	}
}

/* Adds the signs of the format at this place in the table. */
static void
add_signs(struct format_index *x, struct arena *a, size_t i)
{
	for (const char *s = x->table[i]->signs; *s != '\0'; s += *s == ' ') {
		struct str name = { s, 0 }, value = { 0 };

		while (*s > ' ' && *s != '=')
			s++;
		name.n = (size_t)(s - name.s);
		if (*s == '=') {
			value.s = ++s;
			while (*s > ' ')
				s++;
			value.n = (size_t)(s - value.s);
		}
		if (str_is(name, "["))
			set_add(&x->any_list, i);
		else
			add_sign(x, a, i, name, value);
	}
}

struct format_index
format_index_of(struct arena *a, const struct log_format *const *table)
{
	struct format_index x = { .table = table };

	x.signs = arena_new_n(a, struct format_sign *, LISTS);
	for (size_t i = 0; table[i] != NULL; i++) {
		if (table[i]->score == NULL && table[i]->score_by == NULL)
			continue;
		set_add(&x.all, i);
		if (table[i]->signs == NULL)
			set_add(&x.any_record, i);
		else
			add_signs(&x, a, i);
	}
	return x;
}

/* ---- the formats of a record ---- */

static void
merge(const struct format_index *x, uint64_t hash, struct log_format_set *found)
{
	const struct format_sign *sign = find(x, hash);

	if (sign != NULL)
		set_merge(found, &sign->formats);
}

/* Adds the formats that have a sign with this value of the name. */
static void
find_value(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	struct str text = json_raw(value);

	if (value->flags & JSON_ESCAPED) {
		*found = x->all;
		return;
	}
	if (name->values && text.n <= WORD_MAX)
		merge(x, hash_of(VALUE, name->hash, text), found);
	text = prefix_of(text);
	if (name->prefixes && text.n != 0)
		merge(x, hash_of(PREFIX, name->hash, text), found);
}

struct log_format_set
format_index_find(const struct format_index *x, const struct json *record)
{
	struct log_format_set found = x->any_record;

	if (json_is(record, JSON_ARRAY))
		set_merge(&found, &x->any_list);
	while (json_is(record, JSON_ARRAY))
		record = json_first(record);
	for (json_members(key, record)) {
		const struct format_sign *sign;

		if (key->flags & JSON_ESCAPED)
			return x->all;
		sign = find(x, hash_of(NAME, 0, json_raw(key)));
		if (sign == NULL)
			continue;
		set_merge(&found, &sign->formats);
		if ((sign->values || sign->prefixes) &&
		    json_is(json_value(key), JSON_STRING))
			find_value(x, sign, json_value(key), &found);
	}
	return found;
}
