#include "extract/mixed.h"

#include "extract/value/name_hash.h"

enum {
	FIRST_MEMBERS = 5, /* of a record, which give its shape */
	SHAPES = 64,       /* a power of two */
	MEMBERS = 1024,    /* a power of two */
	WORD_BITS = 64,
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
	/* The stream of these records; NULL: that of the record before. */
	struct stream *stream;
};

struct mixed {
	struct arena *arena;
	const struct format_index *formats;
	struct shape shapes[SHAPES];
	struct stream **streams; /* the first is of the log's own format */
	size_t n;
	struct stream *current; /* that of the record before */
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

/* Returns a hash of the names of the object's first members, and of the type
 * among these. It is computed for every record of a log. */
static inline uint64_t
shape_of_object(const struct json *object)
{
	const struct str type = STR("\"type\"");
	const struct json *key = object + 1, *end = object + object->span;
	uint64_t hash = 0;

	for (int n = 0; n < FIRST_MEMBERS && key < end; n++) {
		hash = add(hash, key->text);
		if (key->text.n == type.n &&
		    str_same(key->text.s, type.s, type.n))
			hash = name_hash(hash, json_value(key)->text);
		key += 1 + json_value(key)->span;
	}
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
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

/* Returns the stream of the format, which begins here if there is none. All
 * shapes are to be examined again then. */
static struct stream *
stream_of(struct mixed *m, const struct log_format *format)
{
	struct stream *stream;

	for (size_t i = 0; i < m->n; i++)
		if (m->streams[i]->format == format)
			return m->streams[i];
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

/* Returns the number of a member by its name. */
static size_t
number_of(const struct json *key)
{
	return name_hash(0, key->text) >> 32 & (MEMBERS - 1);
}

static void
note_members(struct stream *stream, const struct json *record)
{
	for (json_members(key, record)) {
		size_t n = number_of(key);

		stream->members[n / WORD_BITS] |= UINT64_C(1) << n % WORD_BITS;
	}
}

/* Returns how many of the record's members records of the stream have, too. */
static size_t
common_members(const struct stream *stream, const struct json *record)
{
	size_t common = 0;

	for (json_members(key, record)) {
		size_t n = number_of(key);

		common += stream->members[n / WORD_BITS] >> n % WORD_BITS & 1;
	}
	return common;
}

/* Returns the stream that has most of the record's members, if at least half; of
 * several such streams, that of the record before. Returns NULL if there is
 * none. */
static struct stream *
most_similar(const struct mixed *m, const struct json *record)
{
	size_t most = (json_count(record) - 1) / 2;
	size_t n = common_members(m->current, record);
	struct stream *best = n > most ? m->current : NULL;

	most = n > most ? n : most;
	for (size_t i = 0; i < m->n; i++) {
		n = common_members(m->streams[i], record);
		if (n <= most)
			continue;
		most = n;
		best = m->streams[i];
	}
	return best;
}

/* Returns whether the record is rather one of the stream that it resembles than
 * one of the format that claims it. */
static bool
stays(struct stream *similar, const struct json *record,
    const struct log_format *claims)
{
	return claims->common ||
	    log_format_score(similar->format, record) > 0 ||
	    common_members(similar, record) == json_count(record);
}

/* Returns the stream of records of this shape, or NULL if that is unknown. */
static struct stream *
examine(struct mixed *m, const struct json *record)
{
	struct stream *of = m->streams[0], *similar;
	int score = log_format_score(of->format, record);
	const struct log_format *claims = score >= LOG_FORMAT_SURE
	    ? of->format
	    : log_format_claims(m->formats, record);

	if (claims == NULL && score > 0)
		claims = of->format;
	if (claims != of->format) {
		similar = most_similar(m, record);
		if (claims == NULL ||
		    (similar != NULL && stays(similar, record, claims)))
			return similar;
		of = stream_of(m, claims);
	}
	note_members(of, record);
	return of;
}

/* Examines a record of a new shape. */
static __attribute__((noinline)) void
note_shape(
    struct mixed *m, const struct json *record, struct shape *to, uint64_t hash)
{
	struct stream *stream = examine(m, record);

	/* If a stream begins here, all shapes were forgotten. */
	to->hash = hash;
	to->stream = stream;
}

const struct log_format *
mixed_format(struct mixed *m, const struct json *record)
{
	struct shape *known;
	uint64_t hash;

	if (record == NULL)
		return m->current->format;
	hash = record->type == JSON_OBJECT ? shape_of_object(record)
					   : shape_of_other(record);
	known = &m->shapes[hash >> 32 & (SHAPES - 1)];
	if (known->hash != hash)
		note_shape(m, record, known, hash);
	if (known->stream != NULL)
		m->current = known->stream;
	return m->current->format;
}
