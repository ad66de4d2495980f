#include "io/fileset.h"

#include <errno.h>

#include "base/diag.h"
#include "io/in.h"

/* The identity of a file, whose bytes are the key in the table. */
struct identity {
	dev_t device;
	ino_t number;
};

/* A file that was noted. */
struct note {
	struct identity id;
	off_t size;
};

static bool
identify(const char *path, struct identity *id)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != EACCES)
			diag_error((struct place){ .file = path },
			    "cannot identify the file:");
		return false;
	}
	*id = (struct identity){ st.st_dev, st.st_ino };
	return true;
}

static struct str
key_of(const struct identity *id)
{
	return (struct str){ (const char *)id, sizeof *id };
}

static bool
add(struct fileset *set, const struct identity *id)
{
	set->files.arena = set->arena;
	if (hash_get(&set->files, key_of(id)) != NULL)
		return false;
	*hash_put(&set->files, str_dup(set->arena, key_of(id))) = set;
	return true;
}

void
fileset_add(struct fileset *set, const char *path)
{
	struct identity id;

	if (identify(path, &id))
		add(set, &id);
}

bool
fileset_enter(struct fileset *set, const struct stat *st)
{
	const struct identity id = { st->st_dev, st->st_ino };

	return add(set, &id);
}

void
fileset_note(struct fileset *set, const char *path, const struct stat *st)
{
	struct note *note = arena_new(set->arena, struct note);

	*note = (struct note){ { st->st_dev, st->st_ino }, st->st_size };
	set->noted.arena = set->arena;
	*hash_put(&set->noted, str_of(path)) = note;
}

void
fileset_compare(const struct fileset *set, const char *path, off_t had)
{
	const struct note *note = hash_get(&set->noted, str_of(path));
	struct stat st;

	if (note == NULL || had >= note->size || stat(path, &st) != 0)
		return;
	if (note->id.device != st.st_dev || note->id.number != st.st_ino)
		diag_error((struct place){ .file = path },
		    "another file took the place of this file meanwhile");
	else if (st.st_size < note->size)
		diag_error((struct place){ .file = path }, "%s", IN_IS_SHORTER);
}

bool
fileset_has(const struct fileset *set, const char *path)
{
	struct identity id;

	return set->files.n != 0 && identify(path, &id) &&
	    hash_get(&set->files, key_of(&id)) != NULL;
}

struct str
fileset_key(struct arena *a, const char *path)
{
	struct identity id;

	return identify(path, &id) ? str_dup(a, key_of(&id))
				   : (struct str){ 0 };
}
