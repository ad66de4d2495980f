#include "fileset.h"

#include <sys/stat.h>

struct fileset_id {
	dev_t device;
	ino_t number;
};

static bool
identify(const char *path, struct fileset_id *id)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	*id = (struct fileset_id){ st.st_dev, st.st_ino };
	return true;
}

void
fileset_add(struct fileset *set, const char *path)
{
	struct fileset_id id;

	if (identify(path, &id))
		*arena_push(set->arena, set->list, set->n) = id;
}

bool
fileset_has(const struct fileset *set, const char *path)
{
	struct fileset_id id;

	if (set->n == 0 || !identify(path, &id))
		return false;
	for (size_t i = 0; i < set->n; i++)
		if (set->list[i].device == id.device &&
		    set->list[i].number == id.number)
			return true;
	return false;
}
