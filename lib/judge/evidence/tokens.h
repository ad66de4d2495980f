/* Estimates of the number of tokens of a text, for budgets: no tokenizer of a
 * model is at hand. */
#pragma once

#include "base/str.h"

/*
 * Returns an estimate that is rather too high than too low: .3 tokens for a small
 * letter, .1 for a blank, .5 for a byte beyond ASCII and .6 for each other character;
 * .6 more for a digit behind a blank or a small letter, and for a capital behind a small
 * letter or a digit; .4 more for another character behind a blank. The tokenizers of
 * GPT-4 and GPT-4o (npm's gpt-tokenizer 4) made 2 to 30 % fewer tokens of prose, code,
 * logs, base64 and hexadecimal numbers, and less than half of text in Russian.
 */
size_t tokens_of(struct str);
