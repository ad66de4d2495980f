/* Remarks on the rubrics of judges. */
#pragma once

#include "check/kind/kind.h"
#include "yaml/document.h"

/*
 * Reports a rubric that speaks of tools, files or the conversation if its judge
 * is not shown any. `at` is the place of the rubric in the file, and `remedy`
 * what the author can do (NULL: nothing short). A rubric is a text in any
 * language: the remark is about English words and is never a mistake.
 */
void rubric_remark(const struct document *, const struct json *at,
    const struct judge_want *, const char *remedy);
