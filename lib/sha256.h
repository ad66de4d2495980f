/* SHA-256, which is libcrypto's: what stands for content. */
#ifndef SHA256_H
#define SHA256_H

#include "str.h"

enum { SHA256_HEX = 64 }; /* how many digits a digest has */

/* The text's digest in lower-case hexadecimal, in the arena. */
struct str sha256_hex(struct arena *, struct str text);

/* The same in base64, as a Content-Security-Policy names a script. */
struct str sha256_base64(struct arena *, struct str text);

#endif
