#include "sha256.h"

#include <openssl/evp.h>

#include "diag.h"

enum { SIZE = SHA256_HEX / 2 };

static void
digest_of(struct str text, unsigned char digest[EVP_MAX_MD_SIZE])
{
	unsigned n;

	if (EVP_Digest(text.s, text.n, digest, &n, EVP_sha256(), NULL) != 1 ||
	    n != SIZE)
		diag_die("libcrypto offers no SHA-256");
}

struct str
sha256_hex(struct arena *a, struct str text)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char digest[EVP_MAX_MD_SIZE];
	char *hex = arena_alloc(a, SHA256_HEX);

	digest_of(text, digest);
	for (size_t i = 0; i < SIZE; i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 15];
	}
	return (struct str){ hex, SHA256_HEX };
}

struct str
sha256_base64(struct arena *a, struct str text)
{
	enum { LENGTH = (SIZE + 2) / 3 * 4 };
	unsigned char digest[EVP_MAX_MD_SIZE];
	unsigned char *base64 = arena_alloc(a, LENGTH + 1);

	digest_of(text, digest);
	EVP_EncodeBlock(base64, digest, SIZE);
	return (struct str){ (char *)base64, LENGTH };
}
