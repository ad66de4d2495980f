/* The pieces of advice, and the notes that are made of them. */
#pragma once

#include "base/diag.h"
#include "base/hash.h"

/* In the order of the priorities of mcp-eval's document. */
enum advice_priority {
	ADVICE_CRITICAL,
	ADVICE_PREVENTION,
	ADVICE_PERFORMANCE,
	ADVICE_QUALITY,
	ADVICE_NICE,
	ADVICE_PRIORITIES,
};

enum advice_id {
#define ADVICE(name, id, priority, why) name,
#include "check/advice/notes.inc"
#undef ADVICE
	ADVICE_COUNT,
};

struct advice {
	const char *id;
	enum advice_priority priority;
	const char *why; /* and what to write instead */
};

extern const struct advice advice_table[ADVICE_COUNT];

const char *advice_priority_name(enum advice_priority);

/* A piece of advice at a place. */
struct advice_note {
	struct place at;
	enum advice_id id;
	struct str what; /* what is there, or is not there */
	size_t number;   /* in the order in which they were made */
};

struct advice_notes {
	struct arena *arena;
	struct advice_note *list;
	size_t n;
	struct hash_table known;
};

/* Adds a note, unless the same is there. */
void advice_add(struct advice_notes *, enum advice_id, struct place,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Sorts the notes by priority, file and place. */
void advice_sort(struct advice_notes *);
