/* SHA-256 (FIPS 180-4): what stands for content. Our own, since libcrypto ends
 * in a crash where there is no memory. */
#pragma once

#include "base/str.h"

enum { SHA256_HEX = 64 }; /* how many digits a digest has */

/* The text's digest in lower-case hexadecimal, in the arena. */
struct str sha256_hex(struct arena *, struct str text);

/* The same in base64, as a Content-Security-Policy names a script. */
struct str sha256_base64(struct arena *, struct str text);
