/* Reports to the builder what the rules of a map find in a value, which is a
 * run or a piece of a run. */
#pragma once

#include "extract/map/find.h"

/* The state while a run is reported. */
struct map_emitter {
	const struct map *map;
	struct builder *builder;
	struct map_find find;

	/* private */
	struct str prompt; /* last prompt of a run without turns */
	struct str answer; /* the answer to that prompt so far */
	struct usage usage;
	const struct json *step;
	unsigned found; /* BUILDER_..., in the value that is read, so far */
};

/* Begins a run at find.at. */
void map_emit_begin(struct map_emitter *);
/* Reports everything that the value says about the run. */
void map_emit_piece(struct map_emitter *, const struct json *);
/* Counts a value, for which the map has no rule, as unread. */
void map_emit_unread(struct map_emitter *, const struct json *);
void map_emit_done(struct map_emitter *);
