/* SHA-256 (FIPS 180-4) of texts, to identify content. The implementation is our
 * own, since libcrypto crashes when memory is exhausted. */
#pragma once

#include "base/str.h"

enum { SHA256_HEX = 64 }; /* digits of a digest */

/* Returns the text's digest in lower-case hexadecimal, in the arena. */
struct str sha256_hex(struct arena *, struct str text);

/* Returns the text's digest in base64, in the arena, as a
 * Content-Security-Policy names a script. */
struct str sha256_base64(struct arena *, struct str text);
