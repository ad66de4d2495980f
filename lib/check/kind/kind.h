/*
 * The kinds of check. Each constructor returns a check of one kind for a view
 * of a run, of a turn or of a call's arguments (check/view.h); a dialect then
 * gives the check its type, label and reason. answer/X.c or kind/X.c
 * implements the functions that begin with X_.
 *
 * A constructor copies the parameters that it gets by value or in a ..._want.
 * Whatever those point to must live as long as the check, as must an inner
 * check. A check owns the compiled patterns, paths and schemas that its
 * constructor got; check_close frees them.
 *
 * The word "why" below means the member of struct finding.
 */
#pragma once

#include "check/answer/answer_kinds.h"
#include "check/kind/call_kinds.h"
#include "check/kind/run_kinds.h"
