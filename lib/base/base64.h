/* Base64, as RFC 4648 has it. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* What the text stands for, in the arena. Ends of lines in it do not count.
 * False if it is no base64, or lacks its padding. */
bool base64_read(struct arena *, struct str text, struct str *bytes);
