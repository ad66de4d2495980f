#include "extract/mixed.h"

#include "extract/value/name_hash.h"

enum {
	FIRST_MEMBERS = 5, /* of a record, which give its shape */
	SHAPES = 64,       /* a power of two */
	MEMBERS = 1024,    /* a power of two */
	WORD_BITS = 64,
	WRAPPER_MEMBERS = 3, /* of a record whose members hold what counts */
	NAMES_MAX = 64,      /* of a record, which are compared */
};

/* The records of one format in a log. */
struct stream {
	const struct log_format *format;
	/* A bit for each member of the records that the format claimed, by the
	 * hash of its name. */
	uint64_t members[MEMBERS / WORD_BITS];
};

/* A shape of records that was examined. */
struct shape {
	uint64_t hash;
	/* The stream of these records; NULL: that of the record before, or if
	 * `strange`, not decided yet. */
	struct stream *stream;
	bool strange;
	/* The format that claims these records, if another one reads them that
	 * knows nothing of them; else NULL. */
	const struct log_format *looks_like;
};

/* Records that are read by another format than the one that claims them. */
struct doubt {
	size_t n;
	struct place first;
	const struct log_format *looks_like, *read_as; /* of the first */
};

struct mixed {
	struct arena *arena;
	const struct format_index *formats;
	struct shape shapes[SHAPES];
	struct stream **streams; /* the first is of the log's own format */
	size_t n;
	struct stream *current; /* that of the record before */
	bool waits;             /* the record before is strange */
	struct doubt doubt;
};

/* Adds a member's name, or a value, to the hash: its length and first bytes. */
static inline uint64_t
add(uint64_t hash, struct str text)
{
	uint32_t first = 0;

	if (text.n >= sizeof first)
		memcpy(&first, text.s, sizeof first);
	return (hash << 11 | hash >> 53) + ((uint64_t)text.n << 32 ^ first);
}

/* Returns a hash of the names of the object's first members, and of the type or
 * method among these. It is computed for every record of a log. */
static inline uint64_t
shape_of_object(const struct json *object)
{
	const struct str type = STR("\"type\""), method = STR("\"method\"");
	const struct json *key = object + 1, *end = object + object->span;
	uint64_t hash = 0;

	for (int n = 0; n < FIRST_MEMBERS && key < end; n++) {
		hash = add(hash, key->text);
		if ((key->text.n == type.n &&
			str_same(key->text.s, type.s, type.n)) ||
		    (key->text.n == method.n &&
			str_same(key->text.s, method.s, method.n)))
			hash = name_hash(hash, json_value(key)->text);
		key += 1 + json_value(key)->span;
	}
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Returns whether the record is a wrapper, such as {"request": {...}, "response":
 * {...}}: the members of its objects say what it is. */
static bool
is_wrapper(const struct json *record)
{
	if (json_count(record) > WRAPPER_MEMBERS)
		return false;
	for (json_members(key, record))
		if (!json_is(json_value(key), JSON_OBJECT))
			return false;
	return true;
}

static uint64_t
shape_of_wrapper(const struct json *record)
{
	uint64_t hash = shape_of_object(record);

	for (json_members(key, record))
		hash = hash * 31 + shape_of_object(json_value(key));
	return hash;
}

static uint64_t
shape_of_other(const struct json *record)
{
	uint64_t hash = 1;

	for (; json_is(record, JSON_ARRAY) && record->span != 1; hash++)
		record = json_first(record);
	return record->type == JSON_OBJECT ? shape_of_object(record) + hash
					   : record->type;
}

/* Returns the stream of the format, or NULL if there is none. */
static struct stream *
stream_with(const struct mixed *m, const struct log_format *format)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->streams[i]->format == format)
			return m->streams[i];
	return NULL;
}

/* Returns the stream of the format, which begins here if there is none. All
 * shapes are to be examined again then. */
static struct stream *
stream_of(struct mixed *m, const struct log_format *format)
{
	struct stream *stream = stream_with(m, format);

	if (stream != NULL)
		return stream;
	stream = arena_new(m->arena, struct stream);
	stream->format = format;
	*arena_push(m->arena, m->streams, m->n) = stream;
	memset(m->shapes, 0, sizeof m->shapes);
	return stream;
}

struct mixed *
mixed_new(struct arena *a, const struct log_format *own,
    const struct format_index *formats)
{
	struct mixed *m = arena_new(a, struct mixed);

	m->arena = a;
	m->formats = formats;
	m->current = stream_of(m, own);
	return m;
}

/* The names of a record's members, or of a wrapper's objects, as numbers. */
struct names {
	size_t list[NAMES_MAX];
	size_t n;
};

static void
add_names(struct names *names, uint64_t in, const struct json *object)
{
	for (json_members(key, object))
		if (names->n < NAMES_MAX)
			names->list[names->n++] =
			    name_hash(in, key->text) >> 32 & (MEMBERS - 1);
}

static void
names_of(struct names *names, const struct json *record)
{
	names->n = 0;
	if (json_is(record, JSON_OBJECT) && is_wrapper(record))
		for (json_members(key, record))
			add_names(
			    names, name_hash(0, key->text), json_value(key));
	if (names->n == 0)
		add_names(names, 0, record);
}

static void
note_members(struct stream *stream, const struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		stream->members[names->list[i] / WORD_BITS] |= UINT64_C(1)
		    << names->list[i] % WORD_BITS;
}

/* Returns how many of the names records of the stream have, too. */
static size_t
common_members(const struct stream *stream, const struct names *names)
{
	size_t common = 0;

	for (size_t i = 0; i < names->n; i++)
		common += stream->members[names->list[i] / WORD_BITS] >>
			names->list[i] % WORD_BITS &
		    1;
	return common;
}

/* Returns the stream that has most of the record's members, if more than `most`;
 * of several such streams, that of the record before. Returns NULL if there is
 * none. */
static struct stream *
most_similar(const struct mixed *m, const struct names *names, size_t most)
{
	size_t n = common_members(m->current, names);
	struct stream *best = n > most ? m->current : NULL;

	most = n > most ? n : most;
	for (size_t i = 0; i < m->n; i++) {
		n = common_members(m->streams[i], names);
		if (n <= most)
			continue;
		most = n;
		best = m->streams[i];
	}
	return best;
}

/* Returns the format of a stream that knows something of the record, first that
 * of the record before; or NULL. */
static const struct log_format *
known_to(const struct mixed *m, const struct json *record)
{
	if (format_index_score_of(m->formats, m->current->format, record) > 0)
		return m->current->format;
	for (size_t i = 0; i < m->n; i++)
		if (format_index_score_of(
			m->formats, m->streams[i]->format, record) > 0)
			return m->streams[i]->format;
	return NULL;
}

/* Returns whether a format that has no stream yet knows something of the record,
 * which may be the first of its log. */
static bool
may_begin(const struct mixed *m, const struct json *record)
{
	struct log_format_set asked = format_index_find(m->formats, record);
	size_t i;

	while (log_format_set_take(&asked, &i))
		if (format_index_score(m->formats, i, record) > 0)
			return true;
	return false;
}

/* Returns whether the record is rather one of the stream that it resembles than
 * one of the format that claims it: a log may hold the messages of an API. */
static bool
stays(const struct mixed *m, const struct stream *similar,
    const struct json *record, const struct log_format *claims)
{
	if (claims->common != similar->format->common)
		return claims->common;
	return format_index_score_of(m->formats, similar->format, record) > 0;
}

static bool
is_sure(const struct mixed *m, const struct log_format *format,
    const struct json *record)
{
	return format_index_score_of(m->formats, format, record) >=
	    LOG_FORMAT_SURE;
}

/* Returns the stream of records of this shape, or NULL if that is unknown. Sets
 * *looks_like to the format that claims them though another one, which knows nothing
 * of them, reads them. */
static struct stream *
examine(struct mixed *m, const struct json *record,
    const struct log_format **looks_like)
{
	struct stream *of = m->streams[0], *similar;
	struct names names;
	const struct log_format *claims =
	    !of->format->common && is_sure(m, of->format, record)
	    ? of->format
	    : log_format_claims(m->formats, record);

	if (claims == NULL)
		claims = known_to(m, record);
	/* A list is often a whole log, so that no later record shows its format. */
	if (claims == NULL && json_is(record, JSON_ARRAY))
		claims = log_format_of(m->formats, record);
	if (claims == NULL && may_begin(m, record))
		return NULL;
	names_of(&names, record);
	if (claims == NULL && !m->waits &&
	    common_members(m->current, &names) >= (names.n + 1) / 2)
		return m->current;
	if (claims == NULL)
		return most_similar(m, &names, names.n * 2 / 3);
	if (stream_with(m, claims) == NULL) {
		similar = most_similar(
		    m, &names, names.n == 0 ? 0 : (names.n - 1) / 2);
		if (similar != NULL && stays(m, similar, record, claims)) {
			if (format_index_score_of(
				m->formats, similar->format, record) <= 0)
				*looks_like = claims;
			return similar;
		}
	}
	of = stream_of(m, claims);
	note_members(of, &names);
	return of;
}

/* Examines a record of a new shape. */
static __attribute__((noinline)) void
note_shape(
    struct mixed *m, const struct json *record, struct shape *to, uint64_t hash)
{
	const struct log_format *claims = NULL;
	struct stream *stream = examine(m, record, &claims);

	/* If a stream begins here, all shapes were forgotten. */
	to->looks_like = claims;
	to->hash = hash;
	to->stream = stream;
	to->strange = stream == NULL && json_is(record, JSON_OBJECT) &&
	    json_first(record) != NULL;
}

/* Counts a record that is read by another format than the one that claims it. */
static void
note_doubt(struct mixed *m, const struct shape *shape, struct place at)
{
	if (m->doubt.n++ == 0) {
		m->doubt.first = at;
		m->doubt.looks_like = shape->looks_like;
		m->doubt.read_as = shape->stream->format;
	}
}

static uint64_t
shape_of(const struct json *record)
{
	if (record->type != JSON_OBJECT)
		return shape_of_other(record);
	if (record->span != 1 &&
	    json_is(json_value(json_first(record)), JSON_OBJECT) &&
	    is_wrapper(record))
		return shape_of_wrapper(record);
	return shape_of_object(record);
}

const struct log_format *
mixed_format(struct mixed *m, const struct json *record, struct place at)
{
	struct shape *known;
	uint64_t hash;
	bool waited = m->waits;

	if (record == NULL)
		return m->current->format;
	hash = shape_of(record);
	known = &m->shapes[hash >> 32 & (SHAPES - 1)];
	if (known->hash != hash)
		note_shape(m, record, known, hash);
	m->waits = known->strange;
	if (known->strange)
		return NULL;
	if (known->looks_like != NULL)
		note_doubt(m, known, at);
	if (known->stream != NULL) {
		/* The records that waited were of this stream. */
		if (waited && known->stream == m->current)
			mixed_settle(m);
		m->current = known->stream;
	}
	return m->current->format;
}

void
mixed_begin(struct mixed *m, const struct json *record)
{
	uint64_t hash = shape_of(record);
	struct shape *shape = &m->shapes[hash >> 32 & (SHAPES - 1)];
	struct names names;

	names_of(&names, record);
	note_members(m->current, &names);
	*shape = (struct shape){ .hash = hash, .stream = m->current };
}

void
mixed_settle(struct mixed *m)
{
	for (size_t i = 0; i < SHAPES; i++)
		m->shapes[i].strange = false;
}

void
mixed_doubt(struct mixed *m, const struct json *record, struct place at)
{
	struct shape shape = { .looks_like = log_format_of(m->formats, record),
		.stream = m->current };

	if (shape.looks_like != NULL &&
	    stream_with(m, shape.looks_like) == NULL)
		note_doubt(m, &shape, at);
}

void
mixed_warn(const struct mixed *m)
{
	const struct doubt *doubt = &m->doubt;

	if (doubt->n != 0)
		diag_warn(doubt->first,
		    "%zu %s of %s, the first on this line, within a log of %s: "
		    "not read",
		    doubt->n, doubt->n == 1 ? "record" : "records",
		    doubt->looks_like->name, doubt->read_as->name);
}
