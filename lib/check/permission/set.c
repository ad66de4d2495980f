#include "check/permission/permission.h"

const char *
permission_name(enum permission p)
{
	static const char *const names[PERMISSIONS] = {
		[PERMISSION_ALLOW] = "allow",
		[PERMISSION_NONE] = "none",
		[PERMISSION_ASK] = "ask",
		[PERMISSION_DENY] = "deny",
	};

	return names[p];
}

struct permission_line *
permission_add(struct permission_set *set, struct permission_line line)
{
	struct permission_line *added =
	    arena_push(set->arena, set->lines, set->n);

	line.number = set->n - 1;
	set->decides |= !line.skipped;
	*added = line;
	return added;
}

/* Returns whether the outer line leaves the inner one nothing to say. Of two lines that
 * cover each other, the first one of the set says all. */
static bool
idles(const struct permission_set *set, const struct permission_line *outer,
    const struct permission_line *inner)
{
	bool (*covers)(const struct permission_line *,
	    const struct permission_line *) = set->product->covers;

	if (outer == inner || outer->decision < inner->decision ||
	    !covers(outer, inner))
		return false;
	return outer->decision > inner->decision ||
	    outer->number < inner->number || !covers(inner, outer);
}

const struct permission_line *
permission_idled_by(
    const struct permission_set *set, const struct permission_line *inner)
{
	const struct permission_line *found = NULL;

	for (size_t i = 0; i < set->n; i++)
		if ((found == NULL ||
			set->lines[i].decision > found->decision) &&
		    idles(set, &set->lines[i], inner))
			found = &set->lines[i];
	return found;
}
