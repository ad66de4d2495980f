/* The names that occurred in a run, in their order: shared by the kinds about them. */
#pragma once

#include "check/kind/kind.h"

struct name_seen {
	struct str name;
	const struct trace_call *call; /* NULL: not a tool's name */
	bool failed;
};

struct names_seen {
	enum names_of of;
	struct name_seen *list;
	size_t n;
	struct str unknown; /* why some may be missing; absent: none are */
};

/* Finds the names. Calls that do not count are left out: with `succeeded` those that
 * failed, with `given` those without arguments. */
struct names_seen names_find(
    struct view *, enum names_of, bool succeeded, bool given);

/* Returns whether it is the name; of a tool, with or without its server. */
bool names_is(const struct name_seen *, struct str name);

/* Returns whether it is one of the names; any is, if there are none. */
bool names_is_among(const struct name_seen *, struct str_list names);

/* Returns the finding or, unless more names could not change it, that it is open, or
 * why it is not known. */
struct finding names_settle(const struct names_seen *, struct finding,
    bool settled, const struct view *);
