/* Kind text: whether the view's text has a literal text somewhere. */
#pragma once

#include "check/check.h"

enum text_how {
	TEXT_CONTAINS,
	TEXT_STARTS,
	TEXT_ENDS,
	TEXT_EQUALS,
};

struct check text_check(
    struct arena *, enum text_how, enum view_fold, struct str text);
