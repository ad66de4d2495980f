/* Kind members: whether the view's text is a JSON object with these members,
 * each equal as a whole in Python's eyes, where null is also what is missing. */
#pragma once

#include "check/check.h"

/* The object must live as long as the check. */
struct check members_check(const struct json *members);
