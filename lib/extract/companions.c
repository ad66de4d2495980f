#include "extract/companions.h"

/* Says what is known of a file. */
enum { CLOSED, BESIDE, WAITS };

/* A report or a question of a part; they are kept in order. */
struct companions_note {
	int what;
	bool asked; /* a question, whose answer was no */
	const char *path, *owner;
};

static void
note(struct companions *k, struct companions_note new)
{
	if (!k->part)
		return;
	new.path = str_c(k->arena, str_of(new.path));
	if (new.owner != NULL)
		new.owner = str_c(k->arena, str_of(new.owner));
	*arena_push(k->arena, k->notes, k->n) = new;
}

static void
put(struct companions *k, int what, const char *path)
{
	k->files[what].arena = k->arena;
	fileset_add(&k->files[what], path);
	note(k, (struct companions_note){ .what = what, .path = path });
}

static bool
has(struct companions *k, int what, const char *path)
{
	bool is = fileset_has(&k->files[what], path);

	if (!is)
		note(k, (struct companions_note){ what, true, path, NULL });
	return is;
}

void
companions_close(struct companions *k, const char *path)
{
	put(k, CLOSED, path);
}

void
companions_read_beside(struct companions *k, const char *path)
{
	put(k, BESIDE, path);
}

bool
companions_is_closed(struct companions *k, const char *path)
{
	return has(k, CLOSED, path);
}

bool
companions_is_beside(struct companions *k, const char *path)
{
	return has(k, BESIDE, path);
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
	note(k, (struct companions_note){ WAITS, false, path, owner });
}

const struct companions_waiting *
companions_waiting(struct companions *k, const char *owner)
{
	struct str key = fileset_key(k->arena, owner);

	note(k, (struct companions_note){ WAITS, true, owner, NULL });
	return hash_get(&k->waiting, key);
}

size_t
companions_beside(const struct companions *k)
{
	return k->files[BESIDE].files.n;
}

/* ---- parts ---- */

bool
companions_agrees(struct companions *k, const struct companions *part)
{
	for (size_t i = 0; i < part->n; i++) {
		const struct companions_note *n = &part->notes[i];

		if (n->asked &&
		    (n->what == WAITS ? companions_waiting(k, n->path) != NULL
				      : has(k, n->what, n->path)))
			return false;
	}
	return true;
}

void
companions_add(struct companions *k, struct companions *part)
{
	for (size_t i = 0; i < part->n; i++) {
		const struct companions_note *n = &part->notes[i];

		if (n->asked)
			continue;
		if (n->what == WAITS)
			companions_postpone(k, n->path, n->owner);
		else
			put(k, n->what, n->path);
	}
	part->notes = NULL;
	part->n = 0;
}
