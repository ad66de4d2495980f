/*
 * Conditions of a log format, prepared for use. They live as long as the texts that
 * they are made from, and the arena.
 *
 * Conditions are separated by blanks, and hold if each does:
 * PATH       there is a value;
 * PATH=A|B   the value is one of these: a string; X*, *X and *X*: a string that
 *            begins with, ends in, or holds X; true, false; of any value [ a list,
 *            { an object, " a string, # a number (whatever its value), ? any value,
 *            null as well;
 * A|B=...    the same of the value at one of several paths;
 * !...       the opposite;
 * else       no row before is for the record (in rows only).
 * A comma separates alternatives, of which one must hold. A number before an
 * alternative is its score (struct log_format). No conditions hold for any record.
 */
#pragma once

#include "extract/format/log_paths.h"

enum { LOG_CONDITION_MAX = 64 }; /* terms */

struct log_term {
	struct log_path path;
	struct str words; /* separated by |; absent: any value fits */
	bool negate;      /* the opposite counts */
	bool next;        /* begins another alternative */
	bool other;       /* holds if no row before is for the record */
	bool also;        /* another path of the term before */
	int score;        /* of the alternative that the term begins */
};

struct log_condition {
	const struct log_term *terms;
	size_t n;
	bool
	    rest; /* each alternative holds only if no row before is for the record */
};

/* Returns the conditions that the text states. */
struct log_condition log_condition_of(struct arena *, const char *when);

/* Returns the first term of the alternative at *when that is not negated, an empty one
 * if each is, and moves *when behind the alternative. Returns NULL at the end. *when
 * may be NULL. */
const char *log_condition_first(const char **when);

/* Returns the name of a path, or the word of a value, at *s and moves *s behind it. */
static inline struct str
log_condition_word(const char **s, bool name)
{
	static const unsigned char ends[256] = { ['\0'] = 2,
		[' '] = 2,
		[','] = 2,
		['|'] = 2,
		['.'] = 1,
		['='] = 1 };
	const char *from = *s, *to = from;

	while (ends[(unsigned char)*to] < 2 - name)
		to++;
	*s = to;
	return (struct str){ from, (size_t)(to - from) };
}

/* Returns the score of the first alternative that holds for the value: the number
 * before the conditions of the alternative; 0 if none holds. */
int log_condition_score(const struct log_condition *, const struct json *);

/* Returns whether the conditions hold, of which the first `tested` do. `other`: no
 * row before is for the record. */
bool log_condition_holds(const struct log_condition *, size_t tested,
    const struct json *, bool other);

/* Returns whether the conditions that the text states hold for the value. */
bool log_rows_holds(const char *when, const struct json *);
