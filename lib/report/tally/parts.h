/*
 * The parts of an input that several programs counted: which runs each part has, and
 * whether the program that counted them had trouble. A partial lists its parts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/str.h"
#include "io/out.h"
#include "json/json.h"

struct part {
	struct str name; /* of --part; empty: none */
	bool known;      /* false: an older partial, without the rest */
	uint64_t id;     /* the sum of the hashes of all runs, in any order */
	size_t in, out;  /* runs that were read, and that were counted */
	size_t errors;   /* messages of the program that counted */
	/* The least and the greatest file that a run was read from, by bytes; empty:
	 * no run names one. */
	struct str first, last;
	struct place at; /* of the partial; not written */
};

/* Parts in the order in which they were read. */
struct parts {
	struct part *list;
	size_t n;
};

/* Takes a run into the part: the source of its record, and the file of its log, which
 * may be absent. */
void part_add(
    struct part *, struct str record, struct str file, struct arena *);
/* Takes the runs of another part into the part. */
void part_merge(struct part *, const struct part *, struct arena *);

/* Adds a copy of the part. */
void parts_add(struct parts *, const struct part *, struct arena *);
/* Reads the member "parts" of a partial that stands at that place, and adds its parts; an
 * older partial is one part. Returns false if the member is malformed. */
bool parts_read(struct parts *, const struct json *partial, struct place at,
    struct arena *);
/* Reads a part with an id. Returns false if the part is malformed. */
bool part_read(struct part *, const struct json *, struct arena *);
/* Writes the part as an object. */
void part_write(struct out *, const struct part *);
/* Returns whether the two parts have the same runs. */
bool part_same(const struct part *, const struct part *);

/* Writes the list of the parts, and of `own` unless all its members are 0 and there are
 * others. The order depends on the parts only. */
void parts_write(struct out *, struct parts *, const struct part *own);

/* Reports parts whose program had trouble as errors, and a part that comes twice: as a
 * warning if `wanted`, the number of parts that there should be, is 0. Otherwise parts
 * that come twice, are empty or are missing are errors. `own`: as for parts_write. */
void parts_check(struct parts *, const struct part *own, size_t wanted);
