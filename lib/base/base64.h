/* Base64 (RFC 4648). */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Decodes the text, which may have line ends in it, and stores the bytes in the
 * arena. Returns false if the text is not base64 or lacks its padding. */
bool base64_read(struct arena *, struct str text, struct str *bytes);

/* Returns the bytes as base64 with padding, in the arena. */
struct str base64_print(struct arena *, struct str bytes);
