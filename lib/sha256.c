#include "sha256.h"

#include <openssl/evp.h>

#include "diag.h"

struct str
sha256_hex(struct arena *a, struct str text)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char digest[EVP_MAX_MD_SIZE];
	char *hex = arena_alloc(a, SHA256_HEX);
	unsigned n;

	if (EVP_Digest(text.s, text.n, digest, &n, EVP_sha256(), NULL) != 1 ||
	    n * 2 != SHA256_HEX)
		diag_die("libcrypto offers no SHA-256");
	for (size_t i = 0; i < n; i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 15];
	}
	return (struct str){ hex, SHA256_HEX };
}
