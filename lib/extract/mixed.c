#include "extract/mixed.h"

#include <string.h>

#include "base/swar.h"

enum {
	SHAPES = 256,   /* a power of two */
	MEMBERS = 1024, /* a power of two */
};

/* A shape of records that was examined. */
struct shape {
	uint64_t hash;
	/* The reader of these records; NULL: no format claims them. */
	struct log_reader *reader;
};

struct mixed {
	struct shape shapes[SHAPES];
	/* Notes the members of the records that were claimed, by the hashes of
	 * the members' names. */
	bool members[MEMBERS];
	struct log_reader *current; /* the reader of the record before */
	struct log_reader **streams;
	size_t n;
};

static uint64_t
mix(uint64_t hash, struct str text)
{
	uint64_t first = 0, last = 0;

	if (text.n >= 8) {
		first = swar(text.s);
		last = swar(text.s + text.n - 8);
	} else {
		memcpy(&first, text.s, text.n);
	}
	hash = (hash ^ first ^ text.n << 56) * UINT64_C(0x9e3779b97f4a7c15);
	hash = (hash ^ hash >> 32 ^ last) * UINT64_C(0xd6e8feb86659fd93);
	return hash ^ hash >> 32;
}

/* Returns a hash of the names of the record's members, and of its type. */
static uint64_t
shape_of(const struct json *record)
{
	uint64_t hash = record->type;

	if (json_is(record, JSON_ARRAY) && json_first(record) != NULL)
		return shape_of(json_first(record)) + 1;
	if (!json_is(record, JSON_OBJECT))
		return hash;
	for (json_members(key, record)) {
		hash = mix(hash, key->text);
		if (str_is(key->text, "\"type\""))
			hash = mix(hash, json_value(key)->text);
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

static struct log_reader *
stream_of(struct log_reader *x, const struct log_format *format)
{
	struct mixed *m = x->mixed;
	struct log_reader *stream;

	for (size_t i = 0; i < m->n; i++)
		if (m->streams[i]->format == format)
			return m->streams[i];
	stream = arena_new(&x->arena, struct log_reader);
	log_reader_open_stream(stream, x, format);
	*arena_push(&x->arena, m->streams, m->n) = stream;
	return stream;
}

static bool *
member(struct mixed *m, const struct json *key)
{
	return &m->members[mix(0, key->text) % MEMBERS];
}

static void
note_members(struct mixed *m, const struct json *record)
{
	for (json_members(key, record))
		*member(m, key) = true;
}

/* Returns whether at least half of the record's members are members of records
 * that were claimed. */
static bool
looks_like_others(struct mixed *m, const struct json *record)
{
	size_t n = 0, known = 0;

	for (json_members(key, record)) {
		n++;
		known += *member(m, key);
	}
	return known * 2 >= n;
}

/* Returns the reader of records of this shape, or NULL if no format claims the
 * record. */
static struct log_reader *
examine(struct log_reader *x, const struct json *record)
{
	const struct log_format *other;

	struct log_reader *reader = x;

	if (log_format_score(x->format, record) <= 0) {
		other = claimed_by(x, record);
		if (other == NULL || other == x->format ||
		    (other->common && looks_like_others(x->mixed, record)))
			return NULL;
		reader = stream_of(x, other);
	}
	note_members(x->mixed, record);
	return reader;
}

struct log_reader *
mixed_reader(struct log_reader *x, const struct json *record)
{
	uint64_t hash = shape_of(record);
	struct shape *known;

	if (x->mixed == NULL)
		x->mixed = arena_new(&x->arena, struct mixed);
	known = &x->mixed->shapes[hash % SHAPES];
	if (known->hash != hash) {
		known->hash = hash;
		known->reader = examine(x, record);
	}
	if (known->reader != NULL)
		x->mixed->current = known->reader;
	return x->mixed->current == NULL ? x : x->mixed->current;
}

bool
mixed_has_streams(const struct log_reader *x)
{
	return x->mixed != NULL && x->mixed->n != 0;
}

void
mixed_end(struct log_reader *x)
{
	for (size_t i = 0; x->mixed != NULL && i < x->mixed->n; i++) {
		struct log_reader *stream = x->mixed->streams[i];

		log_reader_end_stream(stream);
		x->builder.written += stream->builder.written;
		x->builder.left_out += stream->builder.left_out;
	}
	mixed_forget(x);
}

void
mixed_forget(struct log_reader *x)
{
	for (size_t i = 0; x->mixed != NULL && i < x->mixed->n; i++)
		log_reader_close(x->mixed->streams[i]);
	x->mixed = NULL;
}
