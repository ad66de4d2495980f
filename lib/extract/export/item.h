/*
 * A run as a list of items, and the JSON that several export formats write from
 * these items. Only the files of this folder include this header.
 */
#pragma once

#include "base/hash.h"
#include "io/out.h"
#include "trace/trace.h"

/* A prompt, an assistant text, a call, or a text and the call that follows it.
 * A sub-agent's calls follow the call that started the sub-agent; a sub-agent's
 * texts are left out. */
struct export_item {
	bool prompt;
	const struct json *text; /* a string; NULL: a call alone */
	const struct json *step; /* the call with its result; NULL: none */
	const struct json *ts;   /* NULL: unknown */
	struct str id;           /* body: the call's id, invented if the trace
	                          * has none or repeats one */
};

struct export_run {
	struct trace trace;
	struct export_item *items;
	size_t n;
	struct arena *arena;
	struct hash_table ids; /* of the calls so far */
	size_t invented;       /* number of the last invented id */
	/* For formats that people read: */
	bool color;
	size_t results; /* bytes to write of each result, which is whole */
};

/* Fills in run->items from run->trace. */
void export_read_items(struct export_run *);

/* Returns the final answer if it differs from the last text of the main agent in
 * turns that were not taken back, as an answer that is logged apart from the turns
 * does; else NULL. */
const struct json *export_answer(const struct trace *);

/* ---- values ---- */

/* Writes members of the trace (a NULL-terminated list of names) unchanged. */
void export_members(
    struct out *, const struct export_run *, const char *const names[]);

/* Writes a value as a string: a string unchanged, any other value as its JSON
 * text, NULL as an empty string. */
void export_string(struct out *, const struct json *);

/* Writes a member whose value export_string writes. */
static inline void
export_member(struct out *o, const char *key, const struct json *v)
{
	out_key(o, key);
	export_string(o, v);
}

/* Writes a value's source without white space between its tokens, so that equal
 * values of different logs are equal texts. */
void export_compact(struct out *, const struct json *);

/* Returns the source of the step's arguments, an empty object if none were
 * recorded. */
struct str export_args(const struct json *step);

/* Writes arguments that are a string, for readers that parse the string if it
 * is JSON: such a string is encoded as JSON once more. */
void export_text_args(struct out *, const struct json *string);

/* Returns whether the value is a non-empty list of text blocks. */
bool export_is_blocks(const struct json *);

/* Returns a result as a person reads it, in the arena: the text of a string,
 * the texts of a list of text blocks, each on a line, or else the compact
 * source. */
struct str export_result_text(const struct json *, struct arena *);

/* Writes a result: a list of text blocks unchanged, anything else as a
 * string. */
void export_result(struct out *, const struct json *);

/* Writes {"type":"text","text":...}. */
void export_text_block(struct out *, const struct json *string);

/* ---- messages whose content is a list of blocks ---- */

/* Begins a message; the caller writes the content blocks and then calls
 * export_end_message. A ts of NULL is left out. */
void export_begin_message(
    struct out *, const char *role, const struct json *ts);
void export_end_message(struct out *);

/* The parts in which such formats differ. */
struct export_blocks {
	/* Writes a message with the call's result, or nothing if no result was
	 * recorded. */
	void (*result)(struct out *, const struct export_item *);
	bool times;   /* messages have ts */
	bool servers; /* calls have the server, if it is known */
};

/* Writes a message for each item, followed by the message of its result. */
void export_messages(
    struct out *, const struct export_blocks *, const struct export_run *);
