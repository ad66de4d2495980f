#include "extract/format/log_session.h"

#include "base/diag.h"
#include "base/hash.h"
#include "extract/run/builder_engine.h"

enum {
	ID_ROOM = 64, /* bytes of an id that need no memory of their own */
	BUCKETS = 256,
};

/* An id of a session that may go on. */
struct known {
	uint64_t key; /* its hash */
	bool latest;  /* the session has the id now */
	struct log_session *session;
	struct known *behind; /* in the bucket of the key */
	struct known *before; /* an id that the session had before */
};

struct log_session {
	struct log_session *next; /* in the list of those that may be reused */
	struct str id;            /* body: the latest id */
	char room[ID_ROOM];
	uint64_t key;      /* hash of that id */
	struct known *ids; /* the latest, and those before */
	void *state;       /* the format's, while another session is current */
	size_t at;         /* its place in the list of those that may go on */
};

struct log_sessions {
	struct log_session *current;
	struct log_session **list; /* those that may go on */
	size_t n;
	struct known *buckets[BUCKETS]; /* the ids of these, by key */
	struct hash_set ended; /* those that had to end before the log did */
	struct log_session *unused;
	struct known *free; /* joined by `before` */
};

static uint64_t
key_of(struct str id)
{
	return hash_add(HASH_START, id);
}

/* Returns whether the session had this id, but has another now. */
static bool
had(const struct log_sessions *all, const struct log_session *s, uint64_t key)
{
	const struct known *k = all->buckets[key % BUCKETS];

	while (k != NULL && (k->key != key || k->session != s || k->latest))
		k = k->behind;
	return k != NULL;
}

/* Forgets the ids of the session. */
static void
forget_ids(struct log_sessions *all, struct log_session *s)
{
	while (s->ids != NULL) {
		struct known *k = s->ids;
		struct known **at = &all->buckets[k->key % BUCKETS];

		while (*at != k)
			at = &(*at)->behind;
		*at = k->behind;
		s->ids = k->before;
		k->before = all->free;
		all->free = k;
	}
}

/* Removes the session from those that may go on. */
static void
forget(struct log_sessions *all, struct log_session *s)
{
	if (s->at >= all->n || all->list[s->at] != s)
		return;
	forget_ids(all, s);
	all->list[s->at] = all->list[--all->n];
	all->list[s->at]->at = s->at;
}

/* Forgets a session that might have gone on, but whose run ends. */
static void
end_early(struct log *log, struct log_session *s)
{
	struct log_sessions *all = log->sessions;

	all->ended.arena = log->arena;
	hash_set_add(&all->ended, s->key);
	forget(all, s);
	s->next = all->unused;
	all->unused = s;
}

/* Lets the format end the run in the builder. */
static void
end_of_format(struct log *log)
{
	if (log->format->end_run != NULL)
		log->format->end_run(log);
}

/* Called when a run is about to end, which is open. Its session may be another than
 * the current one. */
static void
end_run(void *of)
{
	struct log *log = of;
	struct log_session *s = builder_run_session(log->builder);
	void *state = log->state;
	struct str id = log->id;

	if (s == NULL || s == log->sessions->current) {
		end_of_format(log);
		return;
	}
	log->state = s->state;
	log->id = s->id;
	end_of_format(log);
	log->state = state;
	log->id = id;
	if (builder_mark(log->builder)->session == s)
		end_early(log, s);
}

void
log_sessions_begin(struct log *log)
{
	log->sessions = NULL;
	builder_begin_sessions(log->builder, end_run, log);
}

/* Gives the current session an id. */
static void
name(struct log *log, struct log_session *s, struct str id, uint64_t key)
{
	struct log_sessions *all = log->sessions;
	struct known **bucket = &all->buckets[key % BUCKETS], *k = all->free;

	if (id.n <= ID_ROOM) {
		memcpy(s->room, id.s, id.n);
		s->id = (struct str){ s->room, id.n };
	} else {
		s->id = str_dup(log->arena, id);
	}
	s->key = key;
	if (k == NULL)
		k = arena_new(log->arena, struct known);
	else
		all->free = k->before;
	if (s->ids != NULL)
		s->ids->latest = false;
	*k = (struct known){ .key = key,
		.latest = true,
		.session = s,
		.behind = *bucket,
		.before = s->ids };
	*bucket = s->ids = k;
	log->id = s->id;
}

/* Makes a new session the current one. */
static struct log_session *
begin(struct log *log, struct str id, uint64_t key)
{
	struct log_sessions *all = log->sessions;
	struct log_session *s = all->unused;

	if (s == NULL)
		s = arena_new(log->arena, struct log_session);
	else
		all->unused = s->next;
	*s = (struct log_session){ .at = all->n };
	*arena_push(log->arena, all->list, all->n) = s;
	all->current = s;
	builder_set_session(log->builder, s);
	name(log, s, id, key);
	return s;
}

/* Leaves the current session; its run may go on, if it has not ended. */
static void
leave(struct log *log)
{
	struct log_session *s = log->sessions->current;
	struct builder *b = log->builder;

	s->state = log->state;
	log->state = NULL;
	if (!builder_is_open(b) || builder_run_session(b) != s)
		forget(log->sessions, s);
	else
		builder_mark(b)->session = s;
}

/* Makes the run of the session the open one. Returns false if it has ended. */
static bool
resume(struct log *log, struct log_session *s)
{
	const struct builder_mark *m;
	struct builder *b = log->builder;

	for (size_t i = 0; (m = builder_mark_at(b, i)) != NULL; i++) {
		if (m->session != s)
			continue;
		builder_resume(b, i);
		builder_mark(b)->session = NULL;
		log->sessions->current = s;
		builder_set_session(b, s);
		log->state = s->state;
		log->id = s->id;
		return true;
	}
	return false;
}

/* Begins a session that is new, or whose run has ended. */
static void
begin_run(struct log *log, struct str id, uint64_t key)
{
	struct log_sessions *all = log->sessions;

	begin(log, id, key);
	log_need_state(log);
	builder_begin_run(log->builder);
	if (hash_set_has(&all->ended, key)) {
		diag_error(log->at,
		    "the session %.*s goes on, but its run was written when "
		    "too many others were open: a second run begins",
		    STR_FMT(id));
		builder_set_broken(log->builder, true);
	}
}

/* Returns the session that has the id, or, if `earlier` is true and there is none, one
 * that had the id; or NULL. */
static struct log_session *
find(const struct log_sessions *all, uint64_t key, bool earlier)
{
	struct log_session *found = NULL;

	for (const struct known *k = all->buckets[key % BUCKETS]; k != NULL;
	     k = k->behind) {
		if (k->key != key)
			continue;
		if (k->latest)
			return k->session;
		if (earlier && found != all->current)
			found = k->session;
	}
	return found;
}

/* Changes to a session that is not the current one. */
static void
change(struct log *log, struct str id, uint64_t key, bool joins)
{
	struct log_sessions *all = log->sessions;
	struct log_session *to = find(all, key, joins), *s = all->current;

	if (to == s)
		return;
	if (to == NULL && joins) {
		name(log, s, id, key);
		return;
	}
	leave(log);
	if (to == NULL || !resume(log, to))
		begin_run(log, id, key);
}

void
log_session(struct log *log, const struct json *id, bool joins)
{
	struct log_sessions *all = log->sessions;
	struct str body = json_raw(id);
	uint64_t key = key_of(body);

	if (all == NULL)
		log->sessions = all =
		    arena_new(log->arena, struct log_sessions);
	if (all->current == NULL || log->id.s == NULL) {
		if (all->current != NULL)
			forget(all, all->current);
		builder_current_run(log->builder);
		builder_set_run_session(log->builder, begin(log, body, key));
	} else {
		change(log, body, key, joins);
	}
}

bool
log_session_has(const struct log *log, struct str id)
{
	uint64_t key = key_of(id);

	return log->sessions != NULL && log->id.s != NULL &&
	    (log->sessions->current->key == key ||
		had(log->sessions, log->sessions->current, key));
}

bool
log_session_known(const struct log *log, struct str id)
{
	return log->sessions != NULL &&
	    find(log->sessions, key_of(id), true) != NULL;
}

void
log_run(struct log *log, const struct json *id)
{
	if (json_raw(id).n == 0)
		return;
	if (!str_eq(log->id, json_raw(id)))
		log_session(log, id, false);
	builder_set(log->builder, RUN_ID, id);
}
