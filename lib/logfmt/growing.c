#include "growing.h"

#include "../hash.h"

/* A run that the first messages of a request were told of before, which have
 * this hash; of several the one that was told last. Behind all: there is none. */
static size_t
run_of(const struct builder *b, size_t told, uint64_t hash, bool more)
{
	const struct builder_mark *m;
	size_t found = SIZE_MAX;

	for (size_t i = 0; (m = builder_mark_of(b, i)) != NULL; i++)
		if (m->n == told && m->hash == hash && (more || m->failed))
			found = i;
	return found;
}

/* How many messages have to be looked at. */
static size_t
most_told(const struct builder *b)
{
	const struct builder_mark *m;
	size_t most = 0;

	for (size_t i = 0; (m = builder_mark_of(b, i)) != NULL; i++)
		if (m->n > most)
			most = m->n;
	return most;
}

size_t
growing_told(struct builder *b, const struct json *messages,
    bool (*by_model)(const struct json *message))
{
	size_t n = json_count(messages), told = 0, i = 0, run, found = SIZE_MAX;
	size_t most = most_told(b);
	uint64_t hash = HASH_START;

	for (json_each(m, messages)) {
		if (i++ == most)
			break;
		hash = hash_add(hash, m->text);
		run = run_of(b, i, hash, i < n);
		if (run != SIZE_MAX) {
			found = run;
			told = i;
		}
	}
	if (found == SIZE_MAX)
		return 0;
	builder_take_up(b, found);
	i = 0;
	for (json_each(m, messages))
		if (i++ == told && by_model != NULL && by_model(m))
			told++;
	return told;
}

static void
note(struct builder *b, const struct json *messages, bool failed)
{
	struct builder_mark *mark = builder_mark(b);

	mark->n = json_count(messages);
	mark->hash = HASH_START;
	mark->failed = failed;
	for (json_each(m, messages))
		mark->hash = hash_add(mark->hash, m->text);
}

void
growing_note(struct builder *b, const struct json *messages, bool answered)
{
	note(b, answered ? messages : NULL, false);
}

void
growing_failed(struct builder *b, const struct json *messages,
    bool (*by_model)(const struct json *message))
{
	for (json_each(m, messages)) {
		if (by_model(m)) {
			note(b, messages, true);
			return;
		}
	}
}

/* ---- chains ---- */

bool
growing_follows(struct builder *b, struct str id)
{
	uint64_t hash = hash_add(HASH_START, id);
	const struct builder_mark *m;
	size_t found = SIZE_MAX;

	if (id.n == 0)
		return false;
	for (size_t i = 0; (m = builder_mark_of(b, i)) != NULL; i++)
		if (m->id == hash)
			found = i;
	if (found != SIZE_MAX)
		builder_take_up(b, found);
	return found != SIZE_MAX;
}

void
growing_answer(struct builder *b, struct str id)
{
	builder_mark(b)->id = id.n == 0 ? 0 : hash_add(HASH_START, id);
}
