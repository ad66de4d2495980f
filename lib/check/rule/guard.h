/*
 * A guard's pass over a run: it ends with the event that a hook asks about, and decides
 * whether that event breaks a rule (check/guard.h). Private to rule/.
 */
#pragma once

#include "check/rule/run.h"

/* Prepares the run for a guard's pass, if the view's hook asks about an event. */
void rule_guard_begin(struct rule_run *);
/* Finds, before a guard's pass, which machines the event matters to. Returns whether the
 * pass is of use. */
bool rule_guard_aim(struct rule_run *);
/* Returns the names of the current event. */
struct rule_name *rule_event_name(const struct rule_run *);
/* Forgets what the events before decided. */
void rule_guard_step(struct rule_run *);
/* Returns whether the current event does not break the rule in a way that matters. */
bool rule_guard_skips(const struct rule_run *, const struct rule_claim *);
/* Lets a machine that is decided keep the current event all the same, for a guard. Returns
 * whether it is decided. */
bool rule_guard_goes_on(const struct rule_run *, struct rule_state *);
/* Decides whether the event breaks the rule. */
struct guard_finding rule_guard(const void *want, struct view *);

/* Returns whether the event breaks a limit of a window, a sum or a number of values:
 * totals.c. Of a claim with a number of events the limit is `least`. */
enum rule_fit rule_guard_total(
    struct rule_run *, const struct rule_claim *, struct rule_state *);
