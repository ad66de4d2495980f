/* Fills a test's vars into templates as nunjucks does, where a template is
 * plain substitution. */
#pragma once

#include "check/promptfoo/vars.h"

/*
 * Returns the template with its expressions replaced. Understood are {{ path }}
 * with dots and brackets, literals, the filters trim, upper, lower, capitalize,
 * dump, length, first, last, join, replace, default, safe and string, comments,
 * and {% raw %}. Anything else: the result is absent, and *why is the reason.
 */
struct str promptfoo_render(struct str template, const struct promptfoo_vars *,
    struct arena *, struct str *why);
