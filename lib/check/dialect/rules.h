/* The options --rule and --forbid-call, which are rules. */
#pragma once

#include "check/rule/rule.h"

/* Makes the sealed check of the argument of an option: `rule`, or `forbid-call`
 * (TOOL=REGEX). `number` counts the options. Returns false after a mistake, which
 * is reported. */
bool rules_option(struct rule_group *, const char *option, struct str argument,
    size_t number, struct check *);
