#include "extract/format/format_index.h"

#include <pthread.h>
#include <stdatomic.h>

#include "extract/format/log_condition.h"
#include "extract/value/name_hash.h"

enum {
	LISTS = 1024,  /* a power of two */
	WORD_MAX = 64, /* bytes of a value that a sign may have */
	NAMES_MAX = 2, /* of a sign: a member of a member */
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
	 * lists, members of the value or of a list's first element, members of
	 * each element. */
	bool values, prefixes, lists, inner, each;
	struct log_format_set texts; /* formats that have signs of texts */
	/* The value, or a list's elements, may be what these formats' conditions
	 * hold for. */
	bool nests;
	struct log_format_set nested;
};

/* The conditions of a format (struct log_format), prepared when a record asks for
 * them: most formats are never asked. */
struct format_conditions {
	atomic_bool prepared;
	struct log_condition sure, hint;
	const struct log_paths *nested;
};

/* Conditions of an index that any thread may prepare. */
struct format_lazy {
	pthread_mutex_t lock;
	struct arena *arena;
	struct format_conditions of[];
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

/* Returns whether the word of a condition is a text, the beginning of one, or a
 * list. */
static bool
is_hashed(struct str word)
{
	return *word.s == '[' ||
	    (ascii_is_alnum((unsigned char)*word.s) && !str_is(word, "true") &&
		!str_is(word, "false"));
}

/* Adds a value of the name, which ends the sign. Of values that are not hashed,
 * any value counts. */
static void
add_value(struct format_index *x, struct arena *a, size_t i,
    struct format_sign *name, struct str value)
{
	int kind = VALUE;

	if (str_ends(value, "*")) {
		value = prefix_of(str_slice(value, 0, value.n - 1));
		kind = PREFIX;
	}
	if (value.n == 0 || value.n > WORD_MAX || !is_hashed(value)) {
		set_add(&name->formats, i);
		return;
	}
	name->prefixes |= kind == PREFIX;
	name->lists |= str_is(value, "[");
	if (kind == VALUE && *value.s != '[') {
		name->values = true;
		set_add(&name->texts, i);
	}
	set_add(&put(x, a, hash_of(kind, name->hash, value))->formats, i);
}

/* A sign while the names of its paths are added. */
struct path_sign {
	struct format_sign *at; /* of the last name; NULL: none yet */
	size_t names;
	bool list; /* the value is a list, and the path continues in it */
	bool each; /* in each of its elements */
	bool cut;  /* the path has more names */
};

/* Adds the names of the path. */
static struct path_sign
add_path(struct format_index *x, struct arena *a, const struct log_path *path)
{
	struct path_sign s = { 0 };

	for (size_t i = 0; i < path->n && !s.cut; i++) {
		struct str name = path->names[i];

		if (str_is(name, "0") || str_is(name, "*")) {
			s.list = true;
			s.each |= *name.s == '*';
			continue;
		}
		s.cut = s.names == NAMES_MAX || (s.at == NULL && s.each);
		if (s.cut)
			break;
		if (s.at != NULL) {
			s.at->inner = true;
			s.at->each |= s.each;
		}
		s.at = put(x, a,
		    hash_of(s.at == NULL ? NAME : INNER,
			s.at == NULL ? 0 : s.at->hash, name));
		s.list = s.each = false;
		s.names++;
	}
	return s;
}

/* Adds the sign of a term of the format's conditions: the first names of the path,
 * and the values if there are no more names. */
static void
add_term(
    struct format_index *x, struct arena *a, size_t i, const struct log_term *t)
{
	struct path_sign s = add_path(x, a, &t->path);
	struct str words = t->words;

	if (s.cut || s.list || s.names == 0)
		words = s.each || s.list || (!s.cut && str_is(words, "["))
		    ? STR("[")
		    : (struct str){ 0 };
	if (s.at == NULL)
		set_add(words.n == 0 ? &x->any_record : &x->any_list, i);
	else if (words.n == 0)
		set_add(&s.at->formats, i);
	while (s.at != NULL && words.n != 0)
		add_value(x, a, i, s.at, str_cut(&words, '|'));
}

/* Adds the signs of the conditions: of each alternative, the first term that
 * asks for something. */
static void
add_signs(
    struct format_index *x, struct arena *a, size_t i, const char *conditions)
{
	struct log_term terms[LOG_CONDITION_MAX];
	size_t n;

	while ((n = log_condition_first(&conditions, terms)) != 0)
		for (size_t k = 0; k < n; k++)
			add_term(x, a, i, &terms[k]);
}

/* Adds the paths of values for which the conditions of the format may hold: the signs
 * of these are sought there as well, in the first element of a list at the top
 * anyway. */
static void
add_nested(
    struct format_index *x, struct arena *a, size_t i, const char *nested)
{
	struct log_compiled compiled = { .arena = a };
	const struct log_paths *paths = log_paths_of(&compiled, nested);

	for (size_t k = 0; paths != NULL && k < paths->n; k++) {
		struct path_sign s = add_path(x, a, &paths->list[k]);

		if (s.at == NULL && (s.cut || s.each))
			set_add(&x->nested_list, i);
		else if (s.cut)
			set_add(&s.at->formats, i);
		else if (s.at != NULL) {
			set_add(&s.at->nested, i);
			s.at->nests = true;
			s.at->each |= s.each;
		}
	}
}

/* Adds a format. */
static void
add_format(struct format_index *x, struct arena *a, size_t i)
{
	const struct log_format *f = x->table[i];
	bool has_code = f->score != NULL || f->score_by != NULL;

	if (f->sure == NULL && f->hint == NULL && !has_code)
		return;
	set_add(&x->all, i);
	if (has_code && f->asked == NULL)
		set_add(&x->any_record, i);
	add_signs(x, a, i, f->asked);
	add_signs(x, a, i, f->sure);
	add_signs(x, a, i, f->hint);
	add_nested(x, a, i, f->nested);
}

struct format_index
format_index_of(struct arena *a, const struct log_format *const *table)
{
	struct format_index x = { .table = table };
	size_t n = 0;

	while (table[n] != NULL)
		n++;
	x.signs = arena_new_n(a, struct format_sign *, LISTS);
	x.lazy = arena_alloc(a, sizeof *x.lazy + n * sizeof *x.lazy->of);
	pthread_mutex_init(&x.lazy->lock, NULL);
	x.lazy->arena = a;
	for (size_t i = 0; i < n; i++)
		add_format(&x, a, i);
	return x;
}

/* ---- scores ---- */

/* Returns the conditions of the format at this place in the table. */
static const struct format_conditions *
conditions_of(const struct format_index *x, size_t i)
{
	struct format_conditions *c = &x->lazy->of[i];
	const struct log_format *f = x->table[i];
	struct log_compiled paths = { .arena = x->lazy->arena };

	if (atomic_load(&c->prepared))
		return c;
	pthread_mutex_lock(&x->lazy->lock);
	if (!atomic_load(&c->prepared)) {
		c->sure = log_condition_of(paths.arena, f->sure);
		c->hint = log_condition_of(paths.arena, f->hint);
		c->nested = log_paths_of(&paths, f->nested);
		atomic_store(&c->prepared, true);
	}
	pthread_mutex_unlock(&x->lazy->lock);
	return c;
}

/* Returns whether the conditions hold for the record or for a value in it. */
static bool
is_sure(const void *conditions, const struct json *v)
{
	return log_condition_holds(conditions, 0, v, true);
}

static int
score_in_code(const struct log_format *f, const struct json *record)
{
	if (f->score_by != NULL)
		return f->score_by(f->context, record);
	return f->score == NULL ? 0 : f->score(record);
}

int
format_index_score(
    const struct format_index *x, size_t i, const struct json *record)
{
	const struct format_conditions *c = conditions_of(x, i);
	const struct log_format *f = x->table[i];
	int score;

	if (c->sure.n != 0) {
		if (is_sure(&c->sure, record))
			return LOG_FORMAT_SURE;
		for (size_t k = 0; c->nested != NULL && k < c->nested->n; k++)
			if (log_path_any(
				&c->nested->list[k], record, is_sure, &c->sure))
				return LOG_FORMAT_SURE;
	}
	score = score_in_code(f, record);
	return score != 0 ? score : log_condition_score(&c->hint, record);
}

int
format_index_score_of(const struct format_index *x, const struct log_format *f,
    const struct json *record)
{
	for (size_t i = 0; x->table != NULL && x->table[i] != NULL; i++)
		if (x->table[i] == f)
			return format_index_score(x, i, record);
	return score_in_code(f, record);
}

/* ---- the formats of a record ---- */

static void
merge(const struct format_index *x, uint64_t hash, struct log_format_set *found)
{
	const struct format_sign *sign = find(x, hash);

	if (sign != NULL)
		set_merge(found, &sign->formats);
}

/* Adds the formats that have a sign with this text as the value of the name. Texts
 * with escapes may be any; conditions on the beginning of a text are on its source. */
static void
find_text(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	struct str text = json_raw(value);

	if (name->values && value->flags & JSON_ESCAPED)
		set_merge(found, &name->texts);
	else if (name->values && text.n <= WORD_MAX)
		merge(x, hash_of(VALUE, name->hash, text), found);
	if (!name->prefixes)
		return;
	text = prefix_of(text);
	if (text.n != 0)
		merge(x, hash_of(PREFIX, name->hash, text), found);
}

static bool find_members(const struct format_index *, uint64_t hash,
    const struct json *object, struct log_format_set *);

/* Adds the formats whose conditions may hold for the value of the name. Returns false
 * if the value has escapes. */
static bool
find_nested(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	bool list = json_is(value, JSON_ARRAY);
	struct log_format_set inner =
	    list ? x->any_list : (struct log_format_set){ 0 };
	bool known = list || find_members(x, 0, value, &inner);

	for (size_t i = 0; i < LOG_FORMAT_WORDS; i++)
		found->words[i] |= inner.words[i] & name->nested.words[i];
	return known;
}

/* Adds the formats that have a sign in the members of the value, or of a list's
 * first element, or of each. Returns false if these have escapes. */
static bool
find_inner(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	if (name->nests && !find_nested(x, name, value, found))
		return false;
	if (!json_is(value, JSON_ARRAY))
		return !name->inner ||
		    find_members(x, name->hash, value, found);
	for (json_each(element, value)) {
		if (!find_inner(x, name, element, found))
			return false;
		if (!name->each)
			break;
	}
	return true;
}

/* Adds the formats that have a sign with this value of the name. Returns false if
 * the value has escapes. */
static bool
find_value(const struct format_index *x, const struct format_sign *name,
    const struct json *value, struct log_format_set *found)
{
	if (json_is(value, JSON_STRING)) {
		find_text(x, name, value, found);
		return true;
	}
	if (name->lists && json_is(value, JSON_ARRAY))
		merge(x, hash_of(VALUE, name->hash, STR("[")), found);
	return !(name->inner || name->nests) ||
	    find_inner(x, name, value, found);
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

	if (json_is(record, JSON_ARRAY)) {
		set_merge(&found, &x->any_list);
		set_merge(&found, &x->nested_list);
	}
	while (json_is(record, JSON_ARRAY))
		record = json_first(record);
	return find_members(x, 0, record, &found) ? found : x->all;
}
