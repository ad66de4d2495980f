/*
 * Writes runs in the formats of others instead of as traces. To write another
 * one, write lib/export/NAME.c and add a row to the table in export.c.
 */
#pragma once

#include "base/hash.h"
#include "extract/run/trace_write.h"
#include "trace/trace.h"

/* What happened in a run, one after another: a prompt, or what the assistant
 * said, what it called, or both. A sub-agent's calls follow the call that
 * started it; what it said is left out. */
struct export_item {
	bool prompt;
	const struct json *text; /* a string; NULL: a call alone */
	const struct json *step; /* the call, with its result; NULL: none */
	const struct json *ts;   /* NULL: unknown */
	struct str id;           /* of the call: a body; made up where it has
	                          * none of its own */
};

struct export_run {
	struct trace trace;
	struct export_item *items;
	size_t n;
	struct arena *arena;
	struct hash_table ids; /* of calls, so far */
	size_t made_up;        /* the number of the last id that was */
};

struct export
{
	const char *name;
	/* Writes the members of the run's object. */
	void (*write)(struct out *, const struct export_run *);
};

/* NULL if there is none of that name. */
const struct export *export_named(const char *name);

/* Writes a line in the format options->to: takes trace_write's place. */
void export_write(
    struct out *, const struct trace_options *, const struct trace_part *);

/* ---- for the formats ---- */

/* Members of the trace (a NULL-terminated list) as they stand there. */
void export_members(
    struct out *, const struct export_run *, const char *const names[]);

/* A value as a string: a string as it stands, else its JSON. */
void export_string(struct out *, const struct json *);
/* Arguments; where none were recorded, an empty object. */
struct str export_args(const struct json *step);
/* Arguments that are a string, for readers that take what it holds for JSON, if
 * it is: then it is made JSON once more. */
void export_text_args(struct out *, const struct json *string);
/* Whether the value is a list of blocks of text. */
bool export_is_blocks(const struct json *);
/* A result: a string, or a list of blocks of text. */
void export_result(struct out *, const struct json *);
/* {"type":"text","text":...} */
void export_text_block(struct out *, const struct json *string);

/* A message whose content is a list of blocks, which are written in between;
 * ts is left out where it is NULL. */
void export_begin_message(
    struct out *, const char *role, const struct json *ts);
void export_end_message(struct out *);

/* What such formats differ in. */
struct export_blocks {
	void (*call)(struct out *, const struct export_item *);   /* a block */
	void (*result)(struct out *, const struct export_item *); /* a message,
	                                  * or nothing if none was recorded */
	bool times; /* messages have ts */
};

/* A message for each item, and its result's behind it. */
void export_messages(
    struct out *, const struct export_blocks *, const struct export_run *);
