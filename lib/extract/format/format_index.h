/*
 * The conditions by which log formats are recognised (struct log_format), prepared
 * once, and an index of the formats by signs: what a condition asks of a member of
 * the record. The index finds the formats that may claim a record, so that the time
 * to find a file's format does not grow with the number of formats. The index may
 * name a format that does not claim the record; it never omits one that does.
 */
#pragma once

#include "extract/format/log_format.h"

enum { LOG_FORMAT_MAX = 256, LOG_FORMAT_WORDS = LOG_FORMAT_MAX / 64 };

/* A set of formats: a bit for the place of each in the table. */
struct log_format_set {
	uint64_t words[LOG_FORMAT_WORDS];
};

struct format_index {
	/* All formats in order of precedence, ended by NULL; at most
	 * LOG_FORMAT_MAX. */
	const struct log_format *const *table;

	struct format_signs *signs; /* private */
};

/* Returns the index of the formats; its memory is in the arena, which the
 * index goes on to use: any thread may ask the index, but nothing else may use the
 * arena at the same time. The table must outlive the index. */
struct format_index format_index_of(
    struct arena *, const struct log_format *const *table);

/* Returns the formats that may claim the record. */
struct log_format_set format_index_find(
    const struct format_index *, const struct json *record);

/* Returns the score of the record for the format at this place in the table:
 * LOG_FORMAT_SURE or more if no other format has such records, less for a hint, 0
 * if the record could be of any format, below 0 if it cannot be of this format. */
int format_index_score(
    const struct format_index *, size_t i, const struct json *record);

/* Returns whether the score is LOG_FORMAT_SURE or more; the format's hint is not
 * asked. */
bool format_index_is_sure(
    const struct format_index *, size_t i, const struct json *record);

/* Returns the score for a format that the table may lack, or an index that is
 * zeroed. */
int format_index_score_of(const struct format_index *,
    const struct log_format *, const struct json *record);

/* Removes the first of the set's formats and sets *i to the format's place in the
 * table. Returns false if the set is empty. */
bool log_format_set_take(struct log_format_set *, size_t *i);
