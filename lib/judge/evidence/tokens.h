/* Estimates of the number of tokens of a text, for budgets: no tokenizer of a
 * model is at hand. */
#pragma once

#include "base/str.h"

/*
 * Returns an estimate that is rather too high than too low: .3 tokens for a
 * small letter, .1 for a blank, .5 for a byte beyond ASCII and .6 for each other
 * character, and .6 more where letters and digits meet or a capital follows a
 * small letter. Prose comes to some 3 bytes a token, JSON and code to some 2.5,
 * base64 and hexadecimal numbers to less than 2.
 */
size_t tokens_of(struct str);
