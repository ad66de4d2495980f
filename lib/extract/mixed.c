#include "extract/mixed.h"

#include <string.h>

enum {
	FIRST_MEMBERS = 5,   /* of a record, which give its shape */
	SHAPES = 256,        /* a power of two */
	MEMBERS = 1024,      /* a power of two */
	WRAPPER_MEMBERS = 3, /* of a record whose members hold what counts */
	NAMES_MAX = 64,      /* of a record, which are compared */
};

/* The records of one format in a log. */
struct stream {
	const struct log_format *format;
	/* Notes the members of the records that the format claimed, by the
	 * hashes of the members' names. */
	bool members[MEMBERS];
};

/* A shape of records that was examined. */
struct shape {
	uint64_t hash;
	/* The stream of these records; NULL: that of the record before, or if
	 * `strange`, not decided yet. */
	struct stream *stream;
	bool strange;
};

struct mixed {
	struct arena *arena;
	const struct log_format *const *table;
	struct shape shapes[SHAPES];
	struct stream **streams; /* the first is of the log's own format */
	size_t n;
	struct stream *current; /* that of the record before */
	bool waits;             /* the record before is strange */
};

/* Adds the length, the first and the last bytes of a text to the hash. */
static inline uint64_t
mix(uint64_t hash, struct str text)
{
	uint32_t first, last;

	if (text.n < sizeof first)
		return hash * 31 + text.n;
	memcpy(&first, text.s, sizeof first);
	memcpy(&last, text.s + text.n - sizeof last, sizeof last);
	hash = (hash ^ first ^ (uint64_t)last << 32 ^ text.n << 16) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

/* Adds the names of the object's first members, and the type among these. */
static uint64_t
mix_members(uint64_t hash, const struct json *object)
{
	int n = 0;

	for (json_members(key, object)) {
		hash = mix(hash, key->text);
		if (key->text.n == 6 && memcmp(key->text.s, "\"type\"", 6) == 0)
			hash = mix(hash, json_value(key)->text);
		if (++n == FIRST_MEMBERS)
			break;
	}
	return hash;
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

/* Returns a hash of the record's shape. */
static uint64_t
shape_of(const struct json *record)
{
	uint64_t hash;

	if (json_is(record, JSON_ARRAY) && json_first(record) != NULL)
		return shape_of(json_first(record)) + 1;
	if (!json_is(record, JSON_OBJECT))
		return record->type;
	hash = mix_members(record->type, record);
	if (is_wrapper(record))
		for (json_members(key, record))
			hash = mix_members(hash, json_value(key));
	return hash;
}

/* Returns the format that claims the record, or NULL. */
static const struct log_format *
claimed_by(const struct mixed *m, const struct json *record)
{
	struct log_format_guess guess = { .table = m->table };

	return log_format_guess(&guess, record);
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
    const struct log_format *const *table)
{
	struct mixed *m = arena_new(a, struct mixed);

	m->arena = a;
	m->table = table;
	m->current = stream_of(m, own);
	return m;
}

/* The names of a record's members, or of a wrapper's objects, as places in the table of a stream. */
struct names {
	size_t places[NAMES_MAX];
	size_t n;
};

static void
add_names(struct names *names, uint64_t in, const struct json *object)
{
	for (json_members(key, object))
		if (names->n < NAMES_MAX)
			names->places[names->n++] =
			    mix(in, key->text) >> 32 & (MEMBERS - 1);
}

static void
names_of(struct names *names, const struct json *record)
{
	names->n = 0;
	if (json_is(record, JSON_OBJECT) && is_wrapper(record))
		for (json_members(key, record))
			add_names(names, mix(0, key->text), json_value(key));
	if (names->n == 0)
		add_names(names, 0, record);
}

static void
note_members(struct stream *stream, const struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		stream->members[names->places[i]] = true;
}

/* Returns how many of the names records of the stream have, too. */
static size_t
common_members(const struct stream *stream, const struct names *names)
{
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++)
		n += stream->members[names->places[i]];
	return n;
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
	if (log_format_score(m->current->format, record) > 0)
		return m->current->format;
	for (size_t i = 0; i < m->n; i++)
		if (log_format_score(m->streams[i]->format, record) > 0)
			return m->streams[i]->format;
	return NULL;
}

/* Returns whether the record is rather one of the stream that it resembles than
 * one of the format that claims it. */
static bool
stays(const struct stream *similar, const struct json *record,
    const struct names *names, const struct log_format *claims)
{
	return claims->common ||
	    log_format_score(similar->format, record) > 0 ||
	    common_members(similar, names) == names->n;
}

/* Returns the stream of records of this shape, or NULL if that is unknown. */
static struct stream *
examine(struct mixed *m, const struct json *record)
{
	struct stream *of = m->streams[0], *similar;
	struct names names;
	int score = log_format_score(of->format, record);
	const struct log_format *claims =
	    score >= LOG_FORMAT_SURE ? of->format : claimed_by(m, record);

	if (claims == NULL)
		claims = known_to(m, record);
	names_of(&names, record);
	if (claims == NULL && !m->waits &&
	    common_members(m->current, &names) >= (names.n + 1) / 2)
		return m->current;
	if (claims == NULL)
		return most_similar(m, &names, names.n * 2 / 3);
	if (stream_with(m, claims) == NULL) {
		similar = most_similar(
		    m, &names, names.n == 0 ? 0 : (names.n - 1) / 2);
		if (similar != NULL && stays(similar, record, &names, claims))
			return similar;
	}
	of = stream_of(m, claims);
	note_members(of, &names);
	return of;
}

const struct log_format *
mixed_format(struct mixed *m, const struct json *record)
{
	uint64_t hash;
	struct shape *known;
	struct stream *stream;

	if (record == NULL)
		return m->current->format;
	hash = shape_of(record);
	known = &m->shapes[hash >> 32 & (SHAPES - 1)];
	if (known->hash != hash) {
		stream = examine(m, record);
		*known = (struct shape){ hash, stream,
			stream == NULL && json_is(record, JSON_OBJECT) &&
			    json_first(record) != NULL };
	}
	m->waits = known->strange;
	if (known->strange)
		return NULL;
	if (known->stream != NULL)
		m->current = known->stream;
	return m->current->format;
}

void
mixed_settle(struct mixed *m)
{
	for (size_t i = 0; i < SHAPES; i++)
		m->shapes[i].strange = false;
}
