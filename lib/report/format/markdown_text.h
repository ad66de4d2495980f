/* Text of the data in GitHub's Markdown, where nothing in it means anything. */
#ifndef REPORT_MARKDOWN_TEXT_H
#define REPORT_MARKDOWN_TEXT_H

#include "base/arena.h"
#include "base/str.h"
#include "io/out.h"

/* As a line of code, also in a table; "-" of nothing. */
void markdown_code(struct out *, struct str, struct arena *);

/* Lines in a fence that they do not hold, each indented. */
void markdown_block(
    struct out *, struct str, const char *indent, struct arena *);

#endif
