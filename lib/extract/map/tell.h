/* Tells the builder what the rules of a map find in a value: a run, or one of
 * those that make it up. */
#ifndef MAP_TELL_H
#define MAP_TELL_H

#include "extract/map/find.h"

/* What is at hand while a run is told. */
struct map_teller {
	const struct map *map;
	struct builder *builder;
	struct map_find find;

	/* private */
	struct str prompt; /* the one told last, of a run without turns */
	struct str answer; /* to it, as far as it was found */
	struct usage usage;
};

/* Begins a run at find.at. */
void map_tell_begin(struct map_teller *);
/* Tells all that the value says of it. */
void map_tell_piece(struct map_teller *, const struct json *);
void map_tell_done(struct map_teller *);

#endif
