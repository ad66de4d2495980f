/* Parts of the JSON report; mcpl-report(1) describes each member. */
#pragma once

#include "report/format/format.h"

/* Whole values. */
void json_put_group(
    struct out *, const struct tally *, const struct tally_group *);
void json_put_compare(struct out *, const struct compare *);
void json_put_drift(struct out *, const struct drift *);
void json_put_assertion(struct out *, const struct assertion *);
