#include "extract/format/resent_history.h"

#include "base/hash.h"

/* Returns the index of the run whose mark is n messages with this hash; of
 * several runs, the one that was read last; SIZE_MAX if there is none. If the
 * request has no more than these messages, the run must be a failed one, whose
 * last request is sent again. */
static size_t
run_of(const struct builder *b, size_t n, uint64_t hash, bool more)
{
	const struct builder_mark *m;
	size_t found = SIZE_MAX;

	for (size_t i = 0; (m = builder_mark_at(b, i)) != NULL; i++)
		if (m->n == n && m->hash == hash && (more || m->failed))
			found = i;
	return found;
}

/* The lengths of the marks of all runs. */
struct lengths {
	size_t most;
	uint64_t any; /* a bit for each length modulo 64 */
};

static struct lengths
lengths_of(const struct builder *b)
{
	const struct builder_mark *m;
	struct lengths found = { 0 };

	for (size_t i = 0; (m = builder_mark_at(b, i)) != NULL; i++) {
		found.any |= UINT64_C(1) << m->n % 64;
		if (m->n > found.most)
			found.most = m->n;
	}
	return found;
}

struct resent_history
resent_history_emitted(struct builder *b, const struct json *messages,
    bool (*by_model)(const struct json *message))
{
	struct resent_history g = { .messages = messages, .hash = HASH_START };
	size_t count = json_count(messages), i = 0, run, found = SIZE_MAX;
	struct lengths lengths = lengths_of(b);

	for (json_each(m, messages)) {
		if (g.hashed == lengths.most)
			break;
		g.hash = hash_add(g.hash, m->text);
		g.hashed++;
		if (!(lengths.any >> g.hashed % 64 & 1))
			continue;
		run = run_of(b, g.hashed, g.hash, g.hashed < count);
		if (run != SIZE_MAX) {
			found = run;
			g.n = g.hashed;
		}
	}
	if (found == SIZE_MAX)
		return g;
	builder_resume(b, found);
	for (json_each(m, messages))
		if (i++ == g.n && by_model != NULL && by_model(m))
			g.n++;
	return g;
}

/* Returns the hash of all messages. */
static uint64_t
hash_of(const struct resent_history *g)
{
	uint64_t hash = g->hash;
	size_t i = 0;

	for (json_each(m, g->messages))
		if (i++ >= g->hashed)
			hash = hash_add(hash, m->text);
	return hash;
}

void
resent_history_note(
    struct builder *b, const struct resent_history *g, bool answered)
{
	struct builder_mark *mark = builder_mark(b);

	mark->n = answered ? json_count(g->messages) : 0;
	mark->hash = answered ? hash_of(g) : HASH_START;
	mark->failed = false;
}

void
resent_history_failed(struct builder *b, const struct resent_history *g,
    bool (*by_model)(const struct json *message))
{
	for (json_each(m, g->messages)) {
		if (by_model(m)) {
			resent_history_note(b, g, true);
			builder_mark(b)->failed = true;
			return;
		}
	}
}

/* ---- chains ---- */

bool
resent_history_follows(struct builder *b, struct str id)
{
	uint64_t hash = hash_add(HASH_START, id);
	const struct builder_mark *m;
	size_t found = SIZE_MAX;

	if (id.n == 0)
		return false;
	for (size_t i = 0; (m = builder_mark_at(b, i)) != NULL; i++)
		if (m->id == hash)
			found = i;
	if (found != SIZE_MAX)
		builder_resume(b, found);
	return found != SIZE_MAX;
}

void
resent_history_answer(struct builder *b, struct str id)
{
	struct builder_mark *mark = builder_mark(b);

	mark->id = id.n == 0 ? 0 : hash_add(HASH_START, id);
	mark->items = 0;
}

size_t *
resent_history_items(struct builder *b)
{
	return &builder_mark(b)->items;
}
