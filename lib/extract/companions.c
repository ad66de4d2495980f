#include "extract/companions.h"

/* A report or a question; they are kept in order. */
struct companions_note {
	enum {
		CLOSED,
		BESIDE,
		POSTPONED,
		ASKED_CLOSED, /* the answer was no */
		ASKED_BESIDE, /* the answer was no */
		ASKED_WAITING,
	} what;
	const char *path, *owner;
};

static void
note(struct companions *k, struct companions_note new)
{
	new.path = str_c(k->arena, str_of(new.path));
	if (new.owner != NULL)
		new.owner = str_c(k->arena, str_of(new.owner));
	*arena_push(k->arena, k->notes, k->n) = new;
}

void
companions_close(struct companions *k, const char *path)
{
	k->closed.arena = k->arena;
	fileset_add(&k->closed, path);
	if (k->part)
		note(k,
		    (struct companions_note){ .what = CLOSED, .path = path });
}

void
companions_read_beside(struct companions *k, const char *path)
{
	k->beside.arena = k->arena;
	fileset_add(&k->beside, path);
	if (k->part)
		note(k,
		    (struct companions_note){ .what = BESIDE, .path = path });
}

void
companions_postpone(struct companions *k, const char *path, const char *owner)
{
	struct str key = fileset_key(k->arena, owner);
	struct companions_waiting *w;

	k->waiting.arena = k->arena;
	w = hash_get(&k->waiting, key);
	if (w == NULL) {
		w = arena_new(k->arena, struct companions_waiting);
		*hash_put(&k->waiting, key) = w;
	}
	*arena_push(k->arena, w->paths, w->n) = str_c(k->arena, str_of(path));
	if (k->part)
		note(k, (struct companions_note){ POSTPONED, path, owner });
}

bool
companions_is_closed(struct companions *k, const char *path)
{
	bool is = fileset_has(&k->closed, path);

	if (k->part && !is)
		note(k,
		    (struct companions_note){
			.what = ASKED_CLOSED, .path = path });
	return is;
}

bool
companions_is_beside(struct companions *k, const char *path)
{
	bool is = fileset_has(&k->beside, path);

	if (k->part && !is)
		note(k,
		    (struct companions_note){
			.what = ASKED_BESIDE, .path = path });
	return is;
}

const struct companions_waiting *
companions_waiting(struct companions *k, const char *owner)
{
	struct str key = fileset_key(k->arena, owner);
	const struct companions_waiting *w = hash_get(&k->waiting, key);

	if (k->part)
		note(k,
		    (struct companions_note){
			.what = ASKED_WAITING, .path = owner });
	return w;
}

size_t
companions_beside(const struct companions *k)
{
	return k->beside.files.n;
}

/* ---- parts ---- */

static bool
is_otherwise(struct companions *k, const struct companions_note *n)
{
	switch (n->what) {
	case ASKED_CLOSED:
		return fileset_has(&k->closed, n->path);
	case ASKED_BESIDE:
		return fileset_has(&k->beside, n->path);
	case ASKED_WAITING:
		return companions_waiting(k, n->path) != NULL;
	default:
		return false;
	}
}

bool
companions_agrees(struct companions *k, const struct companions *part)
{
	for (size_t i = 0; i < part->n; i++)
		if (is_otherwise(k, &part->notes[i]))
			return false;
	return true;
}

void
companions_add(struct companions *k, struct companions *part)
{
	for (size_t i = 0; i < part->n; i++) {
		const struct companions_note *n = &part->notes[i];

		if (n->what == CLOSED)
			companions_close(k, n->path);
		else if (n->what == BESIDE)
			companions_read_beside(k, n->path);
		else if (n->what == POSTPONED)
			companions_postpone(k, n->path, n->owner);
	}
	part->notes = NULL;
	part->n = 0;
}
