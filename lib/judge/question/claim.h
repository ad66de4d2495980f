/*
 * Finds members of a judge's answer that nobody asked for and that contradict
 * the verdict. The value of such a member decides: false, 0, "fail", "no" and
 * the like claim a fail; true, 1, "pass", "yes" and the like claim a pass,
 * whatever the member is called. A name that begins with "not" or "fail" turns
 * the value round. A name of something else than a verdict (a confidence, a
 * note, a position, an error in the record) claims nothing. Within other
 * values, only members that are named like a verdict claim something: such a
 * value may quote the record.
 */
#pragma once

#include <stdbool.h>

#include "judge/provider/prompt.h"
#include "json/json.h"

/*
 * Returns the key of the first member of the answer `said` that contradicts the
 * verdict `passed`; NULL if there is none. A check that fails may have parts
 * that pass, so a claim of a pass contradicts a fail only if no other member
 * claims the fail. Decoded texts are in the arena.
 */
const struct json *claim_against(const struct json *said,
    const struct prompt_check *, bool passed, struct arena *);
