/* The assertions that advice adds to a set. */
#pragma once

#include "check/advice/forms.h"

/* An addition to a list. */
struct addition {
	struct advice_written written;
	const struct check *beside; /* the assertion in whose list it belongs,
				     * whatever the path is; NULL: none */
	struct check *check;        /* that the file will have, and */
	struct advice_item item;    /* its item */
};

struct additions {
	struct arena *arena;
	const struct advice_set *set;
	enum advice_style style;
	unsigned has;        /* FAMILY_... bits */
	unsigned priorities; /* of advice, as bits */
	struct addition *list;
	size_t n;
	struct hash_table known; /* what the set and the list have, by key */
	struct hash_table texts; /* that the set looks for in any case */
};

/* Starts on the set, without additions. */
void additions_begin(struct additions *);

/* Adds what the set lacks and runs show, and what can be said without runs. */
void additions_complete(struct additions *);

/* Adds the robust forms of brittle assertions. */
void additions_harden(struct additions *);

/* Removes the additions that advice on the patched file would complain of. */
void additions_review(struct additions *);

/* Adds an assertion, unless the style has no such form; the rest is the reason. */
void additions_add(struct additions *, enum advice_form, enum advice_id,
    const struct advice_values *, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Returns whether the set looks for the text in any case, in the part of the run
 * of which the check is. */
bool additions_have_text(
    const struct additions *, const struct check *, struct str text);

/* Return what rules of a section are about, and whether one of them requires, or
 * forbids, calls of the tool; and whether one asks for an answer with the word
 * in lower case. */
unsigned rules_families(const struct scenario *);
bool rules_require(const struct scenario *, struct str tool);
bool rules_forbid(const struct scenario *, struct str tool);
bool rules_speak_of(const struct scenario *, struct str word);
