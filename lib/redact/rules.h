/*
 * The rules of what is redacted: patterns in Go's syntax and names of members,
 * each with a class. A built-in set knows keys, tokens, e-mail addresses and
 * payment cards. More rules come from files. A file is an object whose keys are
 * classes and whose values are patterns, {member: NAME} for the values of
 * members with that name, or lists of these:
 *
 *	employee: 'E-\d{6}'
 *	customer: ['(?i)customer[ :]+(\d+)', {member: [customer_id, cust]}]
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "emulate/regex/regex.h"

/* A built-in rule: a pattern in Go's syntax (of a pattern with a group, the
 * first group is redacted), with an additional test of a match (NULL: none);
 * or, in place of a pattern, a function that finds the first match at or after
 * *from. */
struct redact_pattern {
	const char *class, *pattern;
	bool (*accepts)(struct str text, size_t from, size_t to);
	bool (*find)(struct str text, size_t *from, size_t *to);
};

extern const struct redact_pattern redact_patterns[]; /* {0} is last */

/* Names of members whose values are secrets, whatever they look like. */
extern const char *const redact_members[]; /* NULL is last */

enum { REDACT_CLASS_MAX = 40 }; /* bytes in a class's name */

struct redact_class {
	struct str name;
	_Atomic size_t n; /* number of texts that were redacted */
	struct redact_class *next;
};

/* A rule in use; the members have the same meaning as in redact_pattern. */
struct redact_rule {
	struct redact_class *class;
	struct regex *regex; /* NULL: `find` is used */
	bool (*accepts)(struct str text, size_t from, size_t to);
	bool (*find)(struct str text, size_t *from, size_t *to);
	struct redact_rule *next;
};

struct redact {
	struct arena *arena;
	struct redact_class *classes;
	struct redact_rule *rules;
	struct hash_table members; /* folded name to class */
};

struct redact *redact_new(struct arena *); /* has no rules */

void redact_add_default(struct redact *); /* adds the built-in set */

/* Adds the rules of a file or, for "default", the built-in set. Creates *rules
 * if it is NULL. Returns false, after messages, if the file has mistakes. */
bool redact_file(struct redact **rules, struct arena *, const char *path);

/* Adds an ASCII text that is redacted wherever it appears. */
void redact_add_text(struct redact *, const char *class, struct str text);

/* Returns the class with that name, or NULL. */
struct redact_class *redact_class(const struct redact *, struct str name);

/* Returns the class of members with this name, in upper or lower case and with
 * any characters between its words; NULL if there is none. */
struct redact_class *redact_member(
    const struct redact *, struct arena *, struct str name);

/* redact_warn reports how much was redacted, if anything was. redact_free frees
 * what is not in the arena. Both accept NULL. */
void redact_warn(const struct redact *);
void redact_free(struct redact *);
