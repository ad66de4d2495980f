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

/* Returns a hash of the names of the record's first members, and of the type
 * among these. */
static uint64_t
shape_of(const struct json *record)
{
	uint64_t hash = record->type;
	int n = 0;

	if (json_is(record, JSON_ARRAY) && json_first(record) != NULL)
		return shape_of(json_first(record)) + 1;
	if (!json_is(record, JSON_OBJECT))
		return hash;
	for (json_members(key, record)) {
		hash = name_hash(hash, key->text);
		if (key->text.n == 6 && memcmp(key->text.s, "\"type\"", 6) == 0)
			hash = name_hash(hash, json_value(key)->text);
		if (++n == FIRST_MEMBERS)
			break;
	}
	return hash;
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
		known->hash = hash;
		known->stream = stream;
	}
	if (known->stream != NULL)
		m->current = known->stream;
	return m->current->format;
}
