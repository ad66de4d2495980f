/* Kind phrases: whether the view's text has some, or all, of several texts.
 * `why` is a list, as JSON, of those that decided: of an ALL that is NO those
 * missing, of an ANY that is YES those that are there. */
#pragma once

#include "check/check.h"
#include "regex/regex.h"

enum phrases_how {
	PHRASES_ALL, /* of none: YES */
	PHRASES_ANY,
};

struct check phrases_check(
    struct arena *, enum phrases_how, enum view_fold, struct str_list);

/* The same of words, each as the pattern that finds it. Takes the patterns
 * over. */
struct check phrases_check_words(struct arena *, enum phrases_how,
    struct str_list words, struct regex **compiled);
