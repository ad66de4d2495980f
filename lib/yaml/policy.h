/*
 * Decides how strictly an assertion file is read: whether a
 * mistake refuses the file, spoils one assertion or is a warning, and whether an
 * unknown key is reported. A file without a policy, such as a file of redaction
 * rules, is refused for each mistake and each unknown key.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"

enum mistake {
	MISTAKE_REFUSES, /* the file is refused */
	MISTAKE_SPOILS,  /* one assertion becomes an error for every run */
	MISTAKE_REMARK,  /* a warning */
};

/* Keys of a dialect (separated by blanks), and the words for the level of a file that
 * they belong to. */
struct key_level {
	const char *keys, *level;
};

struct policy {
	bool strict;     /* a remark refuses the file */
	bool keep_going; /* mistakes become warnings */
	size_t most;     /* bytes of a file, but IN_MAX_LINE at least */

	/* Counts of all files: */
	size_t spoilt;   /* mistakes that spoil one assertion */
	size_t forgiven; /* mistakes that were only warned of */

	/* The keys and messages of the file that is being read: */
	struct hash_table reported;
	struct str *lost; /* those of them that look like checks */
	size_t nlost;
	/* The keys that hold checks in the dialect of that file, ended by a row
	 * without a key; NULL: none are known. */
	const struct key_level *levels;
};

/* Starts a file: an unknown key is reported once per file. The arena must live
 * as long as the policy. */
void policy_begin_file(struct policy *, struct arena *);

/* Returns the size of the largest file that is read. The policy may be NULL. */
size_t policy_most(const struct policy *);

/* Reports a mistake or a remark as the policy says, and counts a mistake. Each
 * message is reported once at a place of the file. The policy may be NULL. Returns
 * true for a mistake, also if keep_going makes a warning of the mistake, and for a
 * remark if the policy is strict. */
bool policy_report(struct policy *, enum mistake, struct place,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

bool policy_vreport(struct policy *, enum mistake, struct place,
    const char *format, va_list) __attribute__((format(printf, 4, 0)));

/* Returns whether authors describe a file and its parts by this key
 * (description, version, ...), so that the key is not reported. */
bool policy_is_note(struct str key);

/* Returns whether an assertion's key of this name would turn the verdict (not,
 * negate, ...) or bound it (max_..., at_least, ...). */
bool policy_turns_or_bounds(struct str key);

/* Returns the level that the key belongs to in the file's dialect; NULL: the key
 * holds no checks. The policy may be NULL. */
const char *policy_level_of(const struct policy *, struct str key);

/* Reports an unknown key, of the object that messages call `where`, once per
 * file; a key that looks like a check is named as such. Returns whether the key
 * is a mistake. */
bool policy_report_unknown(
    struct policy *, struct place, struct str where, struct str key);
