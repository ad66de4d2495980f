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
	_Atomic(struct format_sign *) next; /* in the list */
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
	/* The paths that begin with the name, which become signs when a record has the
	 * name: most are never asked for. */
	_Atomic(struct format_path *) paths;
};

/* A path of a format's conditions. */
struct format_path {
	struct format_path *next;
	size_t format;
	const char *path;
	bool nested; /* of a value for which conditions may hold */
};

/* The conditions of a format (struct log_format), prepared when a record asks for
 * them. */
struct format_conditions {
	atomic_bool prepared, has_hint;
	struct log_condition sure, hint;
	const struct log_paths *nested;
};

/* Any thread may add signs and prepare conditions. */
struct format_signs {
	struct log_format_set all, any_record, any_list, nested_list;
	_Atomic(struct format_sign *) lists[LISTS]; /* by hashes of signs */
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

/* Returns the sign with this hash, or NULL. */
static inline struct format_sign *
find(const struct format_signs *x, uint64_t hash)
{
	struct format_sign *sign = x->lists[hash >> 32 & (LISTS - 1)];

	while (sign != NULL && sign->hash != hash)
		sign = sign->next;
	return sign;
}

/* Returns the sign with this hash, which is added if there is none. */
static struct format_sign *
put(struct format_signs *x, uint64_t hash)
{
	_Atomic(struct format_sign *) *end =
	    &x->lists[hash >> 32 & (LISTS - 1)];
	struct format_sign *sign;

	while ((sign = *end) != NULL && sign->hash != hash)
		end = &sign->next;
	if (sign == NULL) {
		sign = arena_new(x->arena, struct format_sign);
		sign->hash = hash;
		*end = sign;
	}
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
add_value(struct format_signs *x, size_t i, struct format_sign *name,
    struct str value)
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
	set_add(&put(x, hash_of(kind, name->hash, value))->formats, i);
}

/* A sign while the names of its paths are added. */
struct path_sign {
	struct format_sign *at; /* of the last name; NULL: none yet */
	size_t names;
	bool list; /* the value is a list, and the path continues in it */
	bool each; /* in each of its elements */
	bool cut;  /* the path has more names */
};

/* Adds a name to the path. */
static inline void
add_name(struct format_signs *x, struct path_sign *s, struct str name)
{
	s->cut = s->names == NAMES_MAX || (s->at == NULL && s->each);
	if (s->cut)
		return;
	if (s->at != NULL) {
		s->at->inner = true;
		s->at->each |= s->each;
	}
	s->at = put(x,
	    s->at == NULL ? hash_of(NAME, 0, name)
			  : hash_of(INNER, s->at->hash, name));
	s->list = s->each = false;
	s->names++;
}

/* Adds the names of the path, which continues behind the lead, unless that is NULL. */
static struct path_sign
add_path(struct format_signs *x, struct format_sign *lead, const char *path)
{
	struct path_sign s = { .at = lead, .names = lead != NULL };

	if (lead != NULL && *path++ != '.')
		return s;
	do {
		struct str name = log_condition_word(&path, true);

		if (name.n == 0 || s.cut)
			continue;
		if (name.n == 1 && (*name.s == '0' || *name.s == '*')) {
			s.list = true;
			s.each |= *name.s == '*';
		} else {
			add_name(x, &s, name);
		}
	} while (*path++ == '.');
	return s;
}

/* Adds what a term asks of the path: the words behind the equals sign, if the path has
 * no more names. */
static void
add_words(struct format_signs *x, size_t i, const struct path_sign *s,
    const char *equals)
{
	bool whole = !s->cut && !s->list && s->names != 0;
	bool listed = s->each || s->list ||
	    (!s->cut && s->names == 0 && equals[0] == '=' && equals[1] == '[');

	if (s->at == NULL)
		set_add(listed ? &x->any_list : &x->any_record, i);
	else if (!whole && listed)
		add_value(x, i, s->at, STR("["));
	else if (!whole || *equals != '=')
		set_add(&s->at->formats, i);
	else
		do {
			equals++;
			add_value(
			    x, i, s->at, log_condition_word(&equals, false));
		} while (*equals == '|');
}

/* Adds the path of a value for which the conditions of the format may hold: the signs
 * of these are sought there as well, in the first element of a list at the top
 * anyway. */
static void
add_nested(struct format_signs *x, size_t i, const struct path_sign *s)
{
	if (s->at == NULL && (s->cut || s->each))
		set_add(&x->nested_list, i);
	else if (s->cut)
		set_add(&s->at->formats, i);
	else if (s->at != NULL) {
		set_add(&s->at->nested, i);
		s->at->nests = true;
		s->at->each |= s->each;
	}
}

static void
add(struct format_signs *x, struct format_sign *lead,
    const struct format_path *p)
{
	struct path_sign s = add_path(x, lead, p->path);

	if (p->nested)
		add_nested(x, p->format, &s);
	else
		add_words(x, p->format, &s, p->path + strcspn(p->path, "= ,"));
}

/* Adds the path when a record asks for the path's first name; at once, if the path
 * has none. */
static inline void
add_later(struct format_signs *x, size_t i, const char *path, bool nested)
{
	struct format_path now = { NULL, i, path, nested }, *later;
	struct format_sign *lead;
	struct str name;

	while (path[0] == '0' && path[1] == '.')
		path += 2;
	name = log_condition_word(&path, true);
	if (name.n == 0 || *name.s == '0' || *name.s == '*') {
		add(x, NULL, &now);
		return;
	}
	lead = put(x, hash_of(NAME, 0, name));
	later = arena_room(x->arena, sizeof *later);
	*later = (struct format_path){ lead->paths, i, path, nested };
	lead->paths = later;
}

/* Adds the signs of the conditions: of each alternative, the first term that
 * asks for something. */
static void
add_signs(struct format_signs *x, size_t i, const char *conditions)
{
	const char *path;

	while ((path = log_condition_first(&conditions)) != NULL)
		do {
			add_later(x, i, path, false);
			path += strcspn(path, "|= ,");
		} while (*path++ == '|');
}

/* Adds a format. */
static void
add_format(struct format_signs *x, size_t i, const struct log_format *f)
{
	bool has_code = f->score != NULL || f->score_by != NULL;
	const char *const when[] = { f->asked, f->sure, f->hint };
	const char *path = f->nested;

	if (f->sure == NULL && f->hint == NULL && !has_code)
		return;
	set_add(&x->all, i);
	if (has_code && f->asked == NULL)
		set_add(&x->any_record, i);
	for (size_t k = 0; k < sizeof when / sizeof *when; k++)
		if (when[k] != NULL)
			add_signs(x, i, when[k]);
	for (; path != NULL; path = *path == '\0' ? NULL : path + 1) {
		add_later(x, i, path, true);
		path += strcspn(path, " ");
	}
}

struct format_index
format_index_of(struct arena *a, const struct log_format *const *table)
{
	struct format_signs *x;
	size_t n = 0;

	while (table[n] != NULL)
		n++;
	x = arena_alloc(a, sizeof *x + n * sizeof *x->of);
	pthread_mutex_init(&x->lock, NULL);
	x->arena = a;
	for (size_t i = 0; i < n; i++)
		add_format(x, i, table[i]);
	return (struct format_index){ table, x };
}

/* ---- scores ---- */

/* Returns the conditions of the format at this place in the table, with its hint or
 * without. */
static const struct format_conditions *
conditions_of(const struct format_index *x, size_t i, bool hint)
{
	struct format_conditions *c = &x->signs->of[i];
	const struct log_format *f = x->table[i];
	struct log_compiled paths = { .arena = x->signs->arena };

	if (hint ? c->has_hint : c->prepared)
		return c;
	diag_lock(&x->signs->lock);
	if (!c->prepared) {
		c->sure = log_condition_of(paths.arena, f->sure);
		c->nested = log_paths_of(&paths, f->nested);
		c->prepared = true;
	}
	if (hint && !c->has_hint) {
		c->hint = log_condition_of(paths.arena, f->hint);
		c->has_hint = true;
	}
	diag_unlock(&x->signs->lock);
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

/* Returns whether the format's condition `sure` holds. */
static bool
is_certain(const struct format_index *x, size_t i, const struct json *record)
{
	const struct format_conditions *c = conditions_of(x, i, false);

	if (c->sure.n == 0)
		return false;
	if (is_sure(&c->sure, record))
		return true;
	for (size_t k = 0; c->nested != NULL && k < c->nested->n; k++)
		if (log_path_any(
			&c->nested->list[k], record, is_sure, &c->sure))
			return true;
	return false;
}

bool
format_index_is_sure(
    const struct format_index *x, size_t i, const struct json *record)
{
	return is_certain(x, i, record) ||
	    score_in_code(x->table[i], record) >= LOG_FORMAT_SURE;
}

int
format_index_score(
    const struct format_index *x, size_t i, const struct json *record)
{
	const struct log_format *f = x->table[i];
	int score;

	if (is_certain(x, i, record))
		return LOG_FORMAT_SURE;
	score = score_in_code(f, record);
	return score != 0 || f->hint == NULL
	    ? score
	    : log_condition_score(&conditions_of(x, i, true)->hint, record);
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

/* Returns the sign of the name at the top of a record, with all signs of its values, or
 * NULL. */
static const struct format_sign *
find_lead(struct format_signs *x, uint64_t hash)
{
	struct format_sign *sign = find(x, hash);

	if (sign == NULL || sign->paths == NULL)
		return sign;
	diag_lock(&x->lock);
	for (struct format_path *p = sign->paths; p != NULL; p = p->next)
		add(x, sign, p);
	sign->paths = NULL;
	diag_unlock(&x->lock);
	return sign;
}

static void
merge(struct format_signs *x, uint64_t hash, struct log_format_set *found)
{
	const struct format_sign *sign = find(x, hash);

	if (sign != NULL)
		set_merge(found, &sign->formats);
}

/* Adds the formats that have a sign with this text as the value of the name. Texts
 * with escapes may be any; conditions on the beginning of a text are on its source. */
static void
find_text(struct format_signs *x, const struct format_sign *name,
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

static bool find_members(struct format_signs *, uint64_t hash,
    const struct json *object, struct log_format_set *);

/* Adds the formats whose conditions may hold for the value of the name. Returns false
 * if the value has escapes. */
static bool
find_nested(struct format_signs *x, const struct format_sign *name,
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
find_inner(struct format_signs *x, const struct format_sign *name,
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
find_value(struct format_signs *x, const struct format_sign *name,
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
find_members(struct format_signs *x, uint64_t hash, const struct json *object,
    struct log_format_set *found)
{
	for (json_members(key, object)) {
		const struct format_sign *sign;

		if (key->flags & JSON_ESCAPED)
			return false;
		sign = hash == 0 ? find_lead(x, hash_of(NAME, 0, json_raw(key)))
				 : find(x, hash_of(INNER, hash, json_raw(key)));
		if (sign == NULL)
			continue;
		set_merge(found, &sign->formats);
		if (!find_value(x, sign, json_value(key), found))
			return false;
	}
	return true;
}

struct log_format_set
format_index_find(const struct format_index *index, const struct json *record)
{
	struct format_signs *x = index->signs;
	struct log_format_set found = x->any_record;

	if (json_is(record, JSON_ARRAY)) {
		set_merge(&found, &x->any_list);
		set_merge(&found, &x->nested_list);
	}
	while (json_is(record, JSON_ARRAY))
		record = json_first(record);
	return find_members(x, 0, record, &found) ? found : x->all;
}
