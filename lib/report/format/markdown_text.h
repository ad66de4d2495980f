/* Text of the data in GitHub's Markdown, where nothing in it means anything. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "io/out.h"

/* As a line of code, also in a table; "-" of nothing. */
void markdown_code(struct out *, struct str, struct arena *);

/* Lines in a fence that they do not hold, each indented. */
void markdown_block(
    struct out *, struct str, const char *indent, struct arena *);
