/*
 * What is to be redacted: patterns in Go's syntax and names of members, each of
 * a class. A built-in set knows keys, tokens, e-mail addresses and payment
 * cards; more come from files.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "regex/regex.h"

/* A pattern in Go's syntax (of one with a group, its first group is redacted)
 * with what more must hold of a match (NULL: nothing), or in place of it a
 * function that finds the first match at or after *from. */
struct redact_pattern {
	const char *class, *pattern;
	bool (*is)(struct str text, size_t from, size_t to);
	bool (*find)(struct str text, size_t *from, size_t *to);
};

extern const struct redact_pattern redact_patterns[]; /* {0} ends them */

/* Members whose values are secrets, whatever these look like. */
extern const char *const redact_members[]; /* NULL ends them */

enum { REDACT_CLASS_MAX = 40 }; /* bytes of a class's name */

struct redact_class {
	struct str name;
	_Atomic size_t n; /* how many texts of it were redacted */
	struct redact_class *next;
};

/* As a redact_pattern. */
struct redact_rule {
	struct redact_class *class;
	struct regex *regex; /* NULL: `find` finds it */
	bool (*is)(struct str text, size_t from, size_t to);
	bool (*find)(struct str text, size_t *from, size_t *to);
	struct redact_rule *next;
};

struct redact {
	struct arena *arena;
	struct redact_class *classes;
	struct redact_rule *rules;
	struct hash_table members; /* folded name to class */
};

struct redact *redact_new(struct arena *); /* without rules */

void redact_add_default(struct redact *); /* the built-in set */

/* Adds the file's rules, or, for "default", the built-in ones; *rules is made
 * if it is NULL. False after messages if something is wrong with the file. */
bool redact_file(struct redact **rules, struct arena *, const char *path);

/* Adds a pattern (of one with a group, its first group is redacted) which is
 * freed with the rules, the name of a member, or a text of ASCII that is to go
 * wherever it stands. */
void redact_add_regex(struct redact *, struct str class, struct regex *);
void redact_add_member(struct redact *, struct str class, struct str name);
void redact_add_text(struct redact *, const char *class, struct str text);

/* The class of that name; NULL: there is none. */
struct redact_class *redact_class(const struct redact *, struct str name);

/* The class whose members bear the name, in whatever case and with whatever
 * between its words; NULL: none. */
struct redact_class *redact_member(
    const struct redact *, struct arena *, struct str name);

/* Tells how much was redacted, if anything was. NULL is fine for both. */
void redact_warn(const struct redact *);
void redact_free(struct redact *); /* what is not the arena's */
