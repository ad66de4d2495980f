/* The maps that are part of the program: the files NAME.yaml of this folder. To
 * add a map, write the file and add a row to the table in embedded.c. */
#pragma once

#include <pthread.h>

#include "extract/map/map.h"

struct map_embedded {
	struct log_format format; /* its context is this struct */
	const unsigned char *text;
	size_t n;

	/* private: the map, which is read when it is used for the first time,
	 * by any thread */
	pthread_mutex_t lock;
	struct arena arena;
	struct map *map;
};

/* Prepares the i-th embedded map, whose format lives as long as the struct,
 * which must not move. Returns false after the last map. */
bool map_embedded_open(struct map_embedded *, size_t i);
/* Frees the map. */
void map_embedded_close(struct map_embedded *);
