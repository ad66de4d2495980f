/* SHA-256, which is libcrypto's: names that stand for content. */
#ifndef SHA256_H
#define SHA256_H

#include "str.h"

enum { SHA256_HEX = 64 }; /* how many digits a digest has */

/* The text's digest in lower-case hexadecimal, in the arena. */
struct str sha256_hex(struct arena *, struct str text);

#endif
