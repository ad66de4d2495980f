#include "judge/http/sigv4.h"

#include <string.h>

#include "base/ascii.h"
#include "base/sha256.h"
#include "base/uri.h"

enum { BLOCK = 64, DIGEST = SHA256_HEX / 2 }; /* bytes */

/* Returns the bytes of the digest. */
static struct str
digest(struct arena *a, struct str text)
{
	struct str hex = sha256_hex(a, text);
	char *bytes = arena_new_n(a, char, DIGEST);

	for (size_t i = 0; i < DIGEST; i++)
		bytes[i] = (char)(ascii_hex((uint8_t)hex.s[2 * i]) * 16 +
		    ascii_hex((uint8_t)hex.s[2 * i + 1]));
	return (struct str){ bytes, DIGEST };
}

/* Returns the text that the hash begins with: the key, whose bytes are changed by
 * `pad`. */
static struct str
padded(struct arena *a, struct str key, int pad)
{
	char *bytes = arena_new_n(a, char, BLOCK);

	for (size_t i = 0; i < BLOCK; i++)
		bytes[i] = (char)((i < key.n ? (uint8_t)key.s[i] : 0) ^ pad);
	return (struct str){ bytes, BLOCK };
}

/* Returns the text of which HMAC's outer hash is taken (RFC 2104). */
static struct str
hmac_text(struct arena *a, struct str key, struct str text)
{
	enum { INNER = 0x36, OUTER = 0x5c };

	if (key.n > BLOCK)
		key = digest(a, key);
	return str_cat(a, padded(a, key, OUTER),
	    digest(a, str_cat(a, padded(a, key, INNER), text)));
}

static struct str
key_for(struct arena *a, const struct sigv4 *s, struct str day)
{
	struct str key = str_cat(a, STR("AWS4"), str_of(s->secret));
	const struct str steps[] = { day, s->region, s->service,
		STR("aws4_request") };

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		key = digest(a, hmac_text(a, key, steps[i]));
	return key;
}

/* Returns the path with each of its parts encoded once more. */
static struct str
encoded_path(struct arena *a, struct str path)
{
	struct str all = { 0 };

	path = str_from(path, 1);
	while (path.s != NULL) {
		struct str part = uri_encode(a, str_cut(&path, '/'));

		all = str_printf(a, "%.*s/%.*s", STR_FMT(all), STR_FMT(part));
	}
	return all;
}

struct str
sigv4_post(
    struct arena *a, const struct sigv4 *s, struct str url, struct str body)
{
	struct str rest = str_from(url, str_find(url, STR("://")) + 3);
	struct str host = str_slice(rest, 0, str_find_char(rest, '/'));
	struct str day = str_slice(s->date, 0, str_find_char(s->date, 'T'));
	const char *names = s->token == NULL
	    ? "host;x-amz-date"
	    : "host;x-amz-date;x-amz-security-token";
	struct str scope = str_printf(a, "%.*s/%.*s/%.*s/aws4_request",
	    STR_FMT(day), STR_FMT(s->region), STR_FMT(s->service));
	struct str request = str_printf(a,
	    "POST\n%.*s\n\nhost:%.*s\nx-amz-date:%.*s\n%s%s%s\n%s\n%.*s",
	    STR_FMT(encoded_path(a, str_from(rest, host.n))), STR_FMT(host),
	    STR_FMT(s->date), s->token == NULL ? "" : "x-amz-security-token:",
	    s->token == NULL ? "" : s->token, s->token == NULL ? "" : "\n",
	    names, STR_FMT(sha256_hex(a, body)));
	struct str text = str_printf(a, "AWS4-HMAC-SHA256\n%.*s\n%.*s\n%.*s",
	    STR_FMT(s->date), STR_FMT(scope), STR_FMT(sha256_hex(a, request)));
	struct str key = key_for(a, s, day);

	return str_printf(a,
	    "AWS4-HMAC-SHA256 Credential=%s/%.*s, SignedHeaders=%s, "
	    "Signature=%.*s",
	    s->id, STR_FMT(scope), names,
	    STR_FMT(sha256_hex(a, hmac_text(a, key, text))));
}
