#include "extract/mixed.h"

#include <string.h>

enum {
	FIRST_MEMBERS = 5, /* of a record, which give its shape */
	SHAPES = 256,      /* a power of two */
	MEMBERS = 1024,    /* a power of two */
};

/* The records of one format in a log. */
struct stream {
	struct log_reader *reader;
	/* Notes the members of the records that the format claimed, by the
	 * hashes of the members' names. */
	bool members[MEMBERS];
};

/* A shape of records that was examined. */
struct shape {
	uint64_t hash;
	/* The stream of these records; NULL: that of the record before. */
	struct stream *stream;
};

struct mixed {
	struct shape shapes[SHAPES];
	struct stream **streams; /* the first is of the log's own format */
	size_t n;
	struct stream *current; /* that of the record before */
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
		hash = mix(hash, key->text);
		if (key->text.n == 6 && memcmp(key->text.s, "\"type\"", 6) == 0)
			hash = mix(hash, json_value(key)->text);
		if (++n == FIRST_MEMBERS)
			break;
	}
	return hash;
}

/* Returns the format that claims the record, or NULL. */
static const struct log_format *
claimed_by(const struct log_reader *x, const struct json *record)
{
	struct log_format_guess guess = { .table = x->job->formats };

	return log_format_guess(&guess, record);
}

/* Returns the stream of the format, which begins here if there is none. All
 * shapes are to be examined again then. */
static struct stream *
stream_of(struct log_reader *x, const struct log_format *format)
{
	struct mixed *m = x->mixed;
	struct stream *stream;

	for (size_t i = 0; i < m->n; i++)
		if (m->streams[i]->reader->format == format)
			return m->streams[i];
	stream = arena_new(&x->arena, struct stream);
	stream->reader = arena_new(&x->arena, struct log_reader);
	log_reader_open_stream(stream->reader, x, format);
	*arena_push(&x->arena, m->streams, m->n) = stream;
	memset(m->shapes, 0, sizeof m->shapes);
	return stream;
}

static struct mixed *
new_mixed(struct log_reader *x)
{
	struct mixed *m = arena_new(&x->arena, struct mixed);
	struct stream *own = arena_new(&x->arena, struct stream);

	own->reader = x;
	*arena_push(&x->arena, m->streams, m->n) = m->current = own;
	return m;
}

static bool *
member(struct stream *stream, const struct json *key)
{
	return &stream->members[mix(0, key->text) >> 32 & (MEMBERS - 1)];
}

static void
note_members(struct stream *stream, const struct json *record)
{
	for (json_members(key, record))
		*member(stream, key) = true;
}

/* Returns how many of the record's members records of the stream have, too. */
static size_t
common_members(struct stream *stream, const struct json *record)
{
	size_t n = 0;

	for (json_members(key, record))
		n += *member(stream, key);
	return n;
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

/* Returns the stream of records of this shape, or NULL if that is unknown. */
static struct stream *
examine(struct log_reader *x, const struct json *record)
{
	struct mixed *m = x->mixed;
	const struct log_format *other;
	struct stream *stream = m->streams[0];

	if (log_format_score(x->format, record) <= 0) {
		other = claimed_by(x, record);
		stream = most_similar(m, record);
		if (other == NULL || (other->common && stream != NULL))
			return stream;
		stream = stream_of(x, other);
	}
	note_members(stream, record);
	return stream;
}

struct log_reader *
mixed_reader(struct log_reader *x, const struct json *record)
{
	uint64_t hash = shape_of(record);
	struct shape *known;
	struct stream *stream;

	if (x->mixed == NULL)
		x->mixed = new_mixed(x);
	known = &x->mixed->shapes[hash >> 32 & (SHAPES - 1)];
	if (known->hash != hash) {
		stream = examine(x, record);
		known->hash = hash;
		known->stream = stream;
	}
	if (known->stream != NULL)
		x->mixed->current = known->stream;
	return x->mixed->current->reader;
}

bool
mixed_has_streams(const struct log_reader *x)
{
	return x->mixed != NULL && x->mixed->n > 1;
}

void
mixed_end(struct log_reader *x)
{
	for (size_t i = 1; x->mixed != NULL && i < x->mixed->n; i++) {
		struct log_reader *reader = x->mixed->streams[i]->reader;

		log_reader_end_stream(reader);
		x->builder.written += reader->builder.written;
		x->builder.left_out += reader->builder.left_out;
	}
	mixed_forget(x);
}

void
mixed_forget(struct log_reader *x)
{
	for (size_t i = 1; x->mixed != NULL && i < x->mixed->n; i++)
		log_reader_close(x->mixed->streams[i]->reader);
	x->mixed = NULL;
}
