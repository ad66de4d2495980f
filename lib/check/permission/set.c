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
	*added = line;
	return added;
}
