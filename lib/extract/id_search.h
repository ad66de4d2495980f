/*
 * Searches files for the ids that say which records belong to a run, at the speed of
 * memory: finds the keys and the strings after them, and reads no JSON. What looks
 * like an id may be none.
 */
#pragma once

#include "extract/format/log_format.h"

enum {
	ID_SEARCH_NAMES = 32, /* keys of all formats, at most */
	ID_SEARCH_RECENT = 1024,
	ID_SEARCH_BLOCK = 256 * 1024,
	ID_SEARCH_BYTES = 16, /* that are searched at once */
};

/* The name of a key that holds ids. It ends in the letter d, small or capital. */
struct id_name {
	struct str name;
	bool everywhere; /* not only in the first records */
	size_t files;    /* private: the file that has the name last, and 1 */
};

/* An id that a file has, perhaps several times. */
struct file_id {
	uint64_t hash; /* id_search_hash of the id */
	size_t file;
	const struct id_name *name;
};

/* Initialized by zeroes and an arena. */
struct id_search {
	struct arena *arena;
	struct file_id *ids; /* results */
	size_t n;

	/* private */
	struct id_name names[ID_SEARCH_NAMES];
	size_t n_names;
	bool thirds[256]; /* third last letters of keys, or the quote */
	struct file_id recent[ID_SEARCH_RECENT]; /* that were noted lately */
	char buf[ID_SEARCH_BLOCK + ID_SEARCH_BYTES + 1];
};

/* Adds the keys of the format (shared_session and shared_keys of struct log_format). */
void id_search_add(struct id_search *, const struct log_format *);

/* Searches a file, which is called i in the results. The start of the file is
 * searched; if a key is there whose ids are everywhere, the whole file is. */
void id_search_file(struct id_search *, size_t file, const char *path);

uint64_t id_search_hash(struct str id);
