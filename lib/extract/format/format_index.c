#include "extract/format/format_index.h"

#include "extract/value/name_hash.h"

enum {
	LISTS = 1024,  /* a power of two */
	WORD_MAX = 64, /* bytes of a value that a sign may have */
	/* Kinds of signs, which are hashed differently. */
	NAME = 1,
	VALUE = 2,
	PREFIX = 3,
	INNER = 4, /* a name in the value of another */
};

struct format_sign {
	struct format_sign *next; /* in the list */
	uint64_t hash;
	struct log_format_set formats;
	/* There are signs of values of this name: texts, beginnings of texts,
	 * lists, members of the value. */
	bool values, prefixes, lists, inner;
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

/* Adds a value of the name, which ends the sign. A value that is too long is any
 * value. */
static void
add_value(struct format_index *x, struct arena *a, size_t i,
    struct format_sign *name, struct str value)
{
	int kind = VALUE;

	if (value.n == 0 || value.n > WORD_MAX) {
		set_add(&name->formats, i);
		return;
	}
	if (str_is(value, "[")) {
		name->lists = true;
	} else if (value.s[value.n - 1] == '*') {
		name->prefixes = true;
		kind = PREFIX;
		value.n--;
	} else {
		name->values = true;
	}
	set_add(&put(x, a, hash_of(kind, name->hash, value))->formats, i);
}

/* Adds the sign at s of the format at this place in the table: a name at the top or,
 * with a hash, in the value of the name with that hash. Returns the sign's end. */
static const char *
add_sign(struct format_index *x, struct arena *a, size_t i, uint64_t hash,
    const char *s)
{
	struct str name = { s, 0 }, value = { 0 };
	struct format_sign *sign;

	while (*s > ' ' && *s != '=')
		s++;
	name.n = (size_t)(s - name.s);
	sign = put(x, a, hash_of(hash == 0 ? NAME : INNER, hash, name));
	if (s[0] == '=' && s[1] == '/') {
		sign->inner = true;
		return add_sign(x, a, i, sign->hash, s + 2);
	}
	if (*s == '=') {
		value.s = ++s;
		while (*s > ' ')
			s++;
		value.n = (size_t)(s - value.s);
	}
	add_value(x, a, i, sign, value);
	return s;
}

/* Adds the signs of the format at this place in the table. */
static void
add_signs(struct format_index *x, struct arena *a, size_t i)
{
	for (const char *s = x->table[i]->signs; *s != '\0'; s += *s == ' ') {
		if (*s != '[') {
			s = add_sign(x, a, i, 0, s);
			continue;
		}
		set_add(&x->any_list, i);
		s++;
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

/* Adds the formats that have a sign with this text as the value of the name. Returns
 * false if the text has escapes. */
static bool
find_text(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	struct str text = json_raw(value);

	if (value->flags & JSON_ESCAPED)
		return false;
	if (name->values && text.n <= WORD_MAX)
		merge(x, hash_of(VALUE, name->hash, text), found);
	text = prefix_of(text);
	if (name->prefixes && text.n != 0)
		merge(x, hash_of(PREFIX, name->hash, text), found);
	return true;
}

static bool find_members(const struct format_index *, uint64_t hash,
    const struct json *object, struct log_format_set *);

/* Adds the formats that have a sign in the members of the value, or of each
 * element of a list. Returns false if these have escapes. */
static bool
find_inner(const struct format_index *x, uint64_t hash,
    const struct json *value, struct log_format_set *found)
{
	if (!find_members(x, hash, value, found))
		return false;
	for (json_each(element, value))
		if (!find_inner(x, hash, element, found))
			return false;
	return true;
}

/* Adds the formats that have a sign with this value of the name. Returns false if
 * the value has escapes. */
static bool
find_value(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	if (json_is(value, JSON_STRING))
		return !(name->values || name->prefixes) ||
		    find_text(x, name, value, found);
	if (name->lists && json_is(value, JSON_ARRAY))
		merge(x, hash_of(VALUE, name->hash, STR("[")), found);
	return !name->inner || find_inner(x, name->hash, value, found);
}

/* Adds the formats that have a sign in the members of the object, which is the
 * value of the name with that hash, or at the top. Returns false if these have
 * escapes. */
static bool
find_members(const struct format_index *x, uint64_t hash,
    const struct json *object, struct log_format_set *found)
{
	int kind = hash == 0 ? NAME : INNER;

	for (json_members(key, object)) {
		const struct format_sign *sign;

		if (key->flags & JSON_ESCAPED)
			return false;
		sign = find(x, hash_of(kind, hash, json_raw(key)));
		if (sign == NULL)
			continue;
		set_merge(found, &sign->formats);
		if (!find_value(x, sign, json_value(key), found))
			return false;
	}
	return true;
}

struct log_format_set
format_index_find(const struct format_index *x, const struct json *record)
{
	struct log_format_set found = x->any_record;

	if (json_is(record, JSON_ARRAY))
		set_merge(&found, &x->any_list);
	while (json_is(record, JSON_ARRAY))
		record = json_first(record);
	return find_members(x, 0, record, &found) ? found : x->all;
}
