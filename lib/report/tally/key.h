/* The names of --by that stand for something which a record tells in another way
 * than by a member of that name: the day of a run, its folder, its program. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/zone.h"
#include "report/tally/result.h"
#include "trace/trace.h"

struct tally_key {
	const char *name;   /* as in --by */
	const char *absent; /* the title of runs that have no such text */
	/* Returns the text for a time, counted as zone_clock() does; NULL: the
	 * key is no time. */
	struct str (*of_time)(struct arena *, int64_t ms);
	struct str (*of_trace)(const struct trace *, struct arena *);
};

/* Returns the key of that name, or NULL; tally_key_time() only a key of a
 * time. */
const struct tally_key *tally_key(struct str name);
const struct tally_key *tally_key_time(struct str name);

/* Returns whether a key is among the names. */
bool tally_has_key(struct str_list names);

/* Returns the text of the key for a time as RFC 3339 writes it, in the zone. Without
 * a zone (NULL), returns the quarter of an hour, which every zone has in one day:
 * tally_key_of_quarter() turns the quarter into the key's text later, and returns
 * other texts as they are. Returns an absent text for a value that is no time. */
struct str tally_key_of_time(const struct tally_key *, struct str time,
    const struct zone *, struct arena *);
struct str tally_key_of_quarter(const struct tally_key *, struct str text,
    const struct zone *, struct arena *);

/* Returns the record's own member of that name, or what a path of members leads to,
 * or NULL. */
const struct json *tally_own_member(
    const struct result *, struct str name, struct arena *moment);

/* Returns the text of a name of --by in a run's record: of its own member, or else of
 * the key; absent if there is none. */
struct str tally_name_text(struct str name, const struct result *,
    const struct zone *, struct arena *moment);
