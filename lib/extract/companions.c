#include "extract/companions.h"

/* What was told or asked, in order. */
struct kin_note {
	enum {
		CLOSED,
		BESIDE,
		POSTPONED,
		ASKED_CLOSED, /* no */
		ASKED_BESIDE, /* no */
		ASKED_WAITING,
	} what;
	const char *path, *owner;
};

static void
note(struct kin *k, struct kin_note new)
{
	new.path = str_c(k->arena, str_of(new.path));
	if (new.owner != NULL)
		new.owner = str_c(k->arena, str_of(new.owner));
	*arena_push(k->arena, k->notes, k->n) = new;
}

void
kin_close(struct kin *k, const char *path)
{
	k->closed.arena = k->arena;
	fileset_add(&k->closed, path);
	if (k->part)
		note(k, (struct kin_note){ .what = CLOSED, .path = path });
}

void
kin_read_beside(struct kin *k, const char *path)
{
	k->beside.arena = k->arena;
	fileset_add(&k->beside, path);
	if (k->part)
		note(k, (struct kin_note){ .what = BESIDE, .path = path });
}

void
kin_postpone(struct kin *k, const char *path, const char *owner)
{
	struct str key = fileset_key(k->arena, owner);
	struct kin_waiting *w;

	k->waiting.arena = k->arena;
	w = hash_get(&k->waiting, key);
	if (w == NULL) {
		w = arena_new(k->arena, struct kin_waiting);
		*hash_put(&k->waiting, key) = w;
	}
	*arena_push(k->arena, w->paths, w->n) = str_c(k->arena, str_of(path));
	if (k->part)
		note(k, (struct kin_note){ POSTPONED, path, owner });
}

bool
kin_is_closed(struct kin *k, const char *path)
{
	bool is = fileset_has(&k->closed, path);

	if (k->part && !is)
		note(
		    k, (struct kin_note){ .what = ASKED_CLOSED, .path = path });
	return is;
}

bool
kin_is_beside(struct kin *k, const char *path)
{
	bool is = fileset_has(&k->beside, path);

	if (k->part && !is)
		note(
		    k, (struct kin_note){ .what = ASKED_BESIDE, .path = path });
	return is;
}

const struct kin_waiting *
kin_waiting(struct kin *k, const char *owner)
{
	struct str key = fileset_key(k->arena, owner);
	const struct kin_waiting *w = hash_get(&k->waiting, key);

	if (k->part)
		note(k,
		    (struct kin_note){ .what = ASKED_WAITING, .path = owner });
	return w;
}

size_t
kin_beside(const struct kin *k)
{
	return k->beside.files.n;
}

/* ---- parts ---- */

static bool
is_otherwise(struct kin *k, const struct kin_note *n)
{
	switch (n->what) {
	case ASKED_CLOSED:
		return fileset_has(&k->closed, n->path);
	case ASKED_BESIDE:
		return fileset_has(&k->beside, n->path);
	case ASKED_WAITING:
		return kin_waiting(k, n->path) != NULL;
	default:
		return false;
	}
}

bool
kin_agrees(struct kin *k, const struct kin *part)
{
	for (size_t i = 0; i < part->n; i++)
		if (is_otherwise(k, &part->notes[i]))
			return false;
	return true;
}

void
kin_add(struct kin *k, struct kin *part)
{
	for (size_t i = 0; i < part->n; i++) {
		const struct kin_note *n = &part->notes[i];

		if (n->what == CLOSED)
			kin_close(k, n->path);
		else if (n->what == BESIDE)
			kin_read_beside(k, n->path);
		else if (n->what == POSTPONED)
			kin_postpone(k, n->path, n->owner);
	}
	part->notes = NULL;
	part->n = 0;
}
