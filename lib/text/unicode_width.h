/* How characters stand in the cells of a terminal, whatever the locale. */
#pragma once

#include <stdint.h>

/* How many cells the character takes: 0 (it combines with the one before),
 * 1, or 2 (East Asian wide characters, emoji). Control characters count 1. */
int unicode_width(uint32_t character);
