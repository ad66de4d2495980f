/* The tables and the sentence on agents' own permissions: calls by decision, lines
 * that applied, and lines that would cover what no line covers. */
#pragma once

#include "report/table/rows.h"
#include "report/tally/tally.h"
#include "text/table.h"

/* Return tables, which have no rows where no run was tried on permissions. The first
 * has a row for each of `rows`; the others have at most `most` rows, the lines by
 * file, strictest decision and most calls. */
struct table permissions_calls(
    struct arena *, const struct tally *, const struct rows *);
struct table permissions_lines(
    struct arena *, const struct tally *, size_t most);
struct table permissions_covers(
    struct arena *, const struct tally *, size_t most);

/* Returns "permissions: 1204 calls in 37 runs: 900 allow, 3 deny", or an absent text;
 * with `hint`, that --details shows the lines. */
struct str permissions_sum(struct arena *, const struct tally *, bool hint);
