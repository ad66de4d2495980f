/*
 * All log formats that a command knows: the maps in the folders for maps, the
 * formats that are written in C, and the embedded maps. This is their order of
 * precedence where two formats have the same score. A map takes the place of
 * each later format that has the same name; the name is that of the map's file,
 * without .yaml, .yml or .json.
 */
#pragma once

#include "extract/map/embedded.h"

struct map_formats {
	const struct log_format **table; /* in order, ended by NULL */
	size_t n;
	struct format_index index; /* of the table */

	/* private */
	struct arena arena;
	struct map **maps; /* of the folders */
	size_t n_maps;
	struct map_embedded **embedded;
	size_t n_embedded;
};

/* Reads the maps in the folders that MCPL_MAPS names, or else in the user's and
 * the installation's folder (mcpl-map(5), FILES). A map that is wrong is
 * reported with one message, and is left out. */
void map_formats_open(struct map_formats *);
/* Frees the formats. */
void map_formats_close(struct map_formats *);

/* Returns the format with this name, or NULL. */
const struct log_format *map_formats_named(
    const struct map_formats *, const char *name);
