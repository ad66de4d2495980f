/* The tables behind unicode_lower_js. */
#ifndef UNICODE_LOWER_H
#define UNICODE_LOWER_H

#include <stdbool.h>

#include "unicode_sets.h"

/* Ascending; characters in no row stay as they are. */
const struct unicode_fold *unicode_lower_table(size_t *rows);

bool unicode_cased(uint32_t character);
bool unicode_case_ignorable(uint32_t character);

#endif
