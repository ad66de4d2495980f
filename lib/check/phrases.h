/* Kind phrases: whether the view's text has some, or all, of several texts.
 * `why` is a list, as JSON, of those that decided: of an ALL that is NO those
 * missing, of an ANY that is YES those that are there. */
#ifndef CHECK_PHRASES_H
#define CHECK_PHRASES_H

#include "../check.h"

enum phrases_how {
	PHRASES_ALL, /* of none: YES */
	PHRASES_ANY,
};

struct check phrases_check(
    struct arena *, enum phrases_how, enum view_fold, struct str_list);

#endif
