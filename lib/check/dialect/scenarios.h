/*
 * Collects what a dialect finds in an assertion file: scenarios, and in them
 * checks and rules for capturing values. A dialect knows the file's shape;
 * what to do with an assertion's type and with mistakes is here.
 */
#pragma once

#include "check/capture.h"
#include "check/check.h"
#include "yaml/fields.h"

struct scenario {
	struct str id, prompt; /* absent: not written */
	struct str logged;     /* absent: the id */
	size_t number;         /* of those of all files, from 0 */
	struct check *checks;
	size_t n;
	struct capture *captures;
	size_t ncaptures;
};

struct scenarios {
	struct arena *arena;
	const char *dialect;
	const struct document *doc; /* the file that is being read */
	struct scenario *scenarios;
	size_t n;
};

/* What an author may write as an assertion's type, and what makes the check
 * of its other keys. */
struct form {
	const char *name;
	struct check (*make)(struct fields *);
};

struct forms {
	const char *key;  /* that names the type */
	const char *what; /* what messages call the list of them */
	const struct form *list;
	size_t n;
	const void *context; /* what each entry is given */
	/* Keys that do nothing in any of them; may be NULL: there are none. */
	const char *const *ignored;
	/* The type of an object that names none, or absent text; may be NULL:
	 * each names its own. */
	struct str (*guess)(const struct json *);
};

/* Begins a scenario; what follows belongs to it. */
void scenarios_begin(struct scenarios *, struct str id, struct str prompt);
/* What its system's logs call the scenario that was begun last. */
void scenarios_set_logged_name(struct scenarios *, struct str name);

/* An assertion that stands at this value. */
void scenarios_add_check(
    struct scenarios *, struct check, const struct json *at);

/* The same of one whose entry has been read: if it is wrong it is told, and
 * the check is one that no run can decide. */
void scenarios_close_check(struct scenarios *, struct fields *, struct check);

/* The end of an entry that is no assertion itself: a mistake in it is told, and
 * leaves such a check behind, so that what was lost is not taken for passed. */
void scenarios_end_entry(struct scenarios *, struct fields *);

/* The assertion at this value, by the form of its type. */
void scenarios_read_entry(
    struct scenarios *, const struct json *, const struct forms *);

/* The assertion that a member is: its type is the key, and what it says is the
 * value. Messages call such a key forms->key. */
void scenarios_read_member(
    struct scenarios *, const struct json *key, const struct forms *);

/* The assertions in a list (NULL: none), each by the form of its type. */
void scenarios_read_entries(
    struct scenarios *, const struct json *list, const struct forms *);

void scenarios_add_capture(struct scenarios *, struct capture);

/* "file:line" of the value. */
struct str scenarios_locate(const struct scenarios *, const struct json *);
