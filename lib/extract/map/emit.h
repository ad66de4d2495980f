/* Tells the builder what the rules of a map find in a value: a run, or one of
 * those that make it up. */
#pragma once

#include "extract/map/find.h"

/* What is at hand while a run is told. */
struct map_emitter {
	const struct map *map;
	struct builder *builder;
	struct map_find find;

	/* private */
	struct str prompt; /* the one told last, of a run without turns */
	struct str answer; /* to it, as far as it was found */
	struct usage usage;
};

/* Begins a run at find.at. */
void map_emit_begin(struct map_emitter *);
/* Tells all that the value says of it. */
void map_emit_piece(struct map_emitter *, const struct json *);
void map_emit_done(struct map_emitter *);
