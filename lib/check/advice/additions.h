/* The assertions that advice adds to a set, and those that it changes. */
#pragma once

#include "check/advice/forms.h"

/* An addition to a list. */
struct addition {
	struct advice_written written;
	enum advice_form form;
	struct check *check;     /* that the file will have, and */
	struct advice_item item; /* its item */
};

/* The robust form in the place of an assertion. */
struct change {
	size_t of; /* the number of the set's item */
	struct edit_changes members;
	struct check *check;     /* that the file will have, and */
	struct advice_item item; /* its item */
};

struct additions {
	struct arena *arena;
	const struct advice_set *set;
	enum advice_style style;
	unsigned has;        /* FAMILY_... bits */
	unsigned priorities; /* of advice, as bits */
	struct addition *list;
	size_t n;
	struct change *changes;
	size_t nchanges;
	struct hash_table known; /* what the set and the list have, by key */
};

/* Starts on the set, without additions. */
void additions_begin(struct additions *);

/* Returns whether the style is one of mcp-eval's. */
bool is_mcp_eval(const struct additions *);

/* Adds what the set lacks and runs show, and what can be said without runs. */
void additions_complete(struct additions *);

/* Puts robust forms in the place of brittle assertions. */
void additions_harden(struct additions *);

/* Changes members of the set's item of this number. */
void additions_change(
    struct additions *, size_t of, const struct edit_changes *);

/* Makes the check that the file will have, and its item, of the text of an assertion;
 * `input` says that the assertion is one of MCPLab's about a tool's arguments. */
void additions_set_item(struct additions *, struct str json, bool input,
    struct check *, struct advice_item *);

/* Returns a rubric whose points can be measured: of the tools that the set requires, or
 * that all runs call, and at the end the author's own words, unless they are absent or
 * say nothing. */
struct str additions_rubric(const struct additions *, struct str own);

/* Removes the additions that advice on the patched file would complain of or that others
 * imply, and changes that contradict an assertion, or repeat one. */
void additions_review(struct additions *);

/* Return what rules of a section are about, and whether one of them requires, or
 * forbids, calls of the tool; and whether one asks for an answer with the word
 * in lower case. */
unsigned rules_families(const struct scenario *);
bool rules_require(const struct scenario *, struct str tool);
bool rules_forbid(const struct scenario *, struct str tool);
bool rules_speak_of(const struct scenario *, struct str word);
