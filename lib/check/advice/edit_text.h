/* Places in the text of a file, and edits there. Private to the edit*.c files. */
#pragma once

#include "check/advice/edit.h"

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

/* Replaces `removed` bytes of the text behind the offset. */
void edit_replace(struct edits *, const struct document *, size_t offset,
    size_t removed, struct str text);

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
