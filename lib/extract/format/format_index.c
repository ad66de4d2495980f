#include "extract/format/format_index.h"

#include "base/hash.h"

enum {
	WORD_MAX = 64, /* bytes of a value that a sign may have */
	/* Kinds of signs, which are hashed differently. */
	NAME = 1,
	VALUE = 2,
	PREFIX = 3,
};

struct format_sign {
	uint64_t hash; /* 0: the slot is free */
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

/* ---- the table of signs ---- */

/* Returns the hash of a sign: of a name, or of a value of the name with that
 * hash. */
static inline uint64_t
hash_of(int kind, uint64_t name, struct str text)
{
	return (name * 31 + hash_quick(text)) * 4 + (uint64_t)kind;
}

/* Returns the slot of the sign, or the free slot for it. Two signs with the same
 * hash share a slot, which only adds formats to ask. */
static inline struct format_sign *
slot_of(const struct format_index *x, uint64_t hash)
{
	size_t i = hash >> 32 & (x->size - 1);

	while (x->signs[i].hash != 0 && x->signs[i].hash != hash)
		i = (i + 1) & (x->size - 1);
	return &x->signs[i];
}

static struct format_sign *
put(struct format_index *x, uint64_t hash)
{
	struct format_sign *sign = slot_of(x, hash);

	sign->hash = hash;
	return sign;
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

/* Adds a sign of the format at this place in the table. */
static void
add_sign(struct format_index *x, size_t i, struct str value)
{
	struct str name = str_cut(&value, '=');
	uint64_t hash = hash_of(NAME, 0, name);
	struct format_sign *sign = put(x, hash);

	if (value.s == NULL || value.n > WORD_MAX) {
		set_add(&sign->formats, i);
	} else if (str_ends(value, "*")) {
		sign->prefixes = true;
		value.n--;
		set_add(&put(x, hash_of(PREFIX, hash, value))->formats, i);
	} else {
		sign->values = true;
		set_add(&put(x, hash_of(VALUE, hash, value))->formats, i);
	}
}

static void
add_signs(struct format_index *x, size_t i)
{
	struct str rest = str_of(x->table[i]->signs);

	while (rest.s != NULL) {
		struct str sign = str_cut(&rest, ' ');

		if (str_is(sign, "["))
			set_add(&x->any_list, i);
		else
			add_sign(x, i, sign);
	}
}

/* Returns an upper limit of the number of slots that the signs need. */
static size_t
count_signs(const struct log_format *const *table)
{
	size_t n = 1;

	for (; *table != NULL; table++) {
		struct str signs = str_of((*table)->signs);

		n +=
		    1 + str_count_char(signs, ' ') + str_count_char(signs, '=');
	}
	return n;
}

struct format_index
format_index_of(struct arena *a, const struct log_format *const *table)
{
	struct format_index x = { .table = table, .size = 64 };

	while (x.size < 2 * count_signs(table))
		x.size *= 2;
	x.signs = arena_new_n(a, struct format_sign, x.size);
	for (size_t i = 0; table[i] != NULL; i++) {
		if (table[i]->score == NULL && table[i]->score_by == NULL)
			continue;
		set_add(&x.all, i);
		if (table[i]->signs == NULL)
			set_add(&x.any_record, i);
		else
			add_signs(&x, i);
	}
	return x;
}

/* ---- the formats of a record ---- */

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
		set_merge(found,
		    &slot_of(x, hash_of(VALUE, name->hash, text))->formats);
	text = prefix_of(text);
	if (name->prefixes && text.n != 0)
		set_merge(found,
		    &slot_of(x, hash_of(PREFIX, name->hash, text))->formats);
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
		sign = slot_of(x, hash_of(NAME, 0, json_raw(key)));
		set_merge(&found, &sign->formats);
		if ((sign->values || sign->prefixes) &&
		    json_is(json_value(key), JSON_STRING))
			find_value(x, sign, json_value(key), &found);
	}
	return found;
}
