/* Insertions into the text of a file, and removals, which leave all else as it is. */
#pragma once

#include "check/dialect/spec.h"

struct edit {
	const struct document *doc;
	size_t offset; /* in document_text */
	struct str text;
	size_t indent;  /* of the lines that it inserts */
	size_t removed; /* bytes behind the offset, which the text replaces */
};

struct edits {
	struct arena *arena;
	struct edit *list; /* in the order in which they were made */
	size_t n;
	struct hash_table known; /* by what they are */
	/* The line, and its offset, that edit_lines found last. */
	const struct document *doc;
	size_t line, at;
};

/* A value to be inserted, as strict JSON and as YAML on one line, and the reason
 * for it. */
struct edit_value {
	struct str json, yaml, reason; /* absent: no reason is written */
};

struct edit_values {
	struct edit_value *list;
	size_t n;
	bool single; /* of a member: the value itself, without a list around */
};

enum edit_result {
	EDIT_NO_PLACE,  /* nothing was inserted: an alias, a tag or a
			 * reference is in the way, or what should be a
			 * list is none */
	EDIT_COMMENTED, /* the reasons are comments in the file */
	EDIT_SILENT,    /* the reasons are not in the file */
};

/* Inserts values at the end of the list. */
enum edit_result edit_append(struct edits *, const struct document *,
    const struct json *list, const struct edit_values *);

/* Inserts a member at the end of the object: the key with the list of the values,
 * or with the only value itself. */
enum edit_result edit_member(struct edits *, const struct document *,
    const struct json *object, const char *key, const struct edit_values *);

/* Inserts lines behind this line (from 1; 0: at the start), each with its reason
 * in a comment. */
enum edit_result edit_lines(struct edits *, const struct document *,
    size_t line, const struct edit_values *);

/* A member of an object that changes. */
struct edit_change {
	const struct json *object; /* that has the member, or gets it */
	const struct json *key;    /* NULL: the member is added */
	struct str name;           /* from now on; absent: as it is */
	struct str value;          /* as JSON; absent: as it is */
};

enum { EDIT_CHANGES = 8 };

/* The changes of an assertion, and the reasons for them. */
struct edit_changes {
	struct edit_change list[EDIT_CHANGES];
	size_t n;
	struct str reasons[EDIT_CHANGES];
	size_t nreasons;
};

/* Makes the changes where the members stand. In YAML the reasons and the old lines are
 * comments above them. An assertion that several sets have is changed once. */
enum edit_result edit_change(
    struct edits *, const struct document *, const struct edit_changes *);

/* Removes the elements of a list of JSON for which `gone` is set, and inserts values at
 * its end; the list keeps its layout. */
void edit_list(struct edits *, const struct document *, const struct json *list,
    const bool *gone, const struct edit_values *);

/* Inserts a member at the end of an object of JSON: the key with a list of the values,
 * each on a line of its own if the members have their own. Returns false if there is no
 * place for the member. */
bool edit_list_member(struct edits *, const struct document *,
    const struct json *object, const char *key, const struct edit_values *);

/* Replaces `removed` bytes of the text behind the offset. */
void edit_replace(struct edits *, const struct document *, size_t offset,
    size_t removed, struct str text);

/* Reports values that were added without a comment in the file, or not at all. */
void edit_say(struct place, const struct edit_values *, bool added);

/* Writes the edits of each document as a unified diff. */
void edit_diff(struct out *, struct edits *);

/* ---- private to the edit*.c files ---- */

/* Returns the offset of a value's source in the document's text. */
size_t edit_offset(const struct document *, struct str source);

/* Returns whether the value is written as JSON, or as a flow of YAML. */
bool edit_is_flow(const struct document *, const struct json *);

/* Returns the offset of the next line; that of the text's end if the line is the
 * last. */
size_t edit_next_line(struct str text, size_t at);

/* Returns the offset of the start of the line. */
size_t edit_line_start(struct str text, size_t at);

/* Returns the blanks at the start of the line of an offset. */
struct str edit_indent(struct str text, size_t at);

/* Returns the blanks between the start of the line and an offset; absent if there
 * is anything else. */
struct str edit_blanks(struct str text, size_t at);

/* Returns whether the line before the offset, or else the first one, ends as on
 * Windows. */
bool edit_has_returns(struct str text, size_t at);

/* Inserts whole lines before the line that begins at an offset; behind a last
 * line without a newline, the newline comes first. */
void edit_insert_lines(
    struct edits *, const struct document *, size_t offset, struct str lines);

/* Returns the values as the document writes them. */
struct str edit_joined(const struct edits *, const struct document *,
    const struct edit_values *, struct str between);

/* Returns what comes between a container's last child and an addition: a comma,
 * and a new line if the first child begins its own line. Absent text is for an
 * empty container. */
struct str edit_separator(
    const struct edits *, const struct document *, const struct json *in);
