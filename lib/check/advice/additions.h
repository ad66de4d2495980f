/* The assertions that advice adds to a set. */
#pragma once

#include "check/advice/forms.h"

/* An addition to a list. */
struct addition {
	struct advice_written written;
	const struct json *beside; /* the assertion in whose list it belongs,
				    * whatever the path is; NULL: none */
};

struct additions {
	struct arena *arena;
	const struct advice_set *set;
	enum advice_style style;
	unsigned has; /* FAMILY_... bits */
	struct addition *list;
	size_t n;
};

/* Adds what the set lacks and runs show, and what can be said without runs. */
void additions_complete(struct additions *);

/* Adds the robust forms of brittle assertions. */
void additions_harden(struct additions *);

/* Adds an assertion, unless the style has no such form; the rest is the reason. */
void additions_add(struct additions *, enum advice_form, enum advice_id,
    const struct advice_values *, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Return what rules of a section are about, and whether one of them requires
 * calls of the tool. */
unsigned rules_families(const struct scenario *);
bool rules_require(const struct scenario *, struct str tool);
