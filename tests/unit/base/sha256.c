/* SHA-256 of texts whose digests are known: those of the standard, and every
 * length about the size of a block, all together. */
#include "base/sha256.h"

#include <string.h>

#include "tests/unit/unit.h"

int
main(void)
{
	struct arena a = { 0 };
	struct str all = STR("");
	char text[200];

	memset(text, 'a', sizeof text);
	CHECK_STR(sha256_hex(&a, (struct str){ 0 }),
	    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	CHECK_STR(sha256_hex(&a, STR("abc")),
	    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	CHECK_STR(sha256_hex(&a,
		      STR("abcdbcdecdefdefgefghfghighijhijk"
			  "ijkljklmklmnlmnomnopnopq")),
	    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	CHECK_STR(sha256_base64(&a, STR("abc")),
	    "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
	for (size_t n = 0; n <= sizeof text; n++)
		all = str_cat(&a, all, sha256_hex(&a, (struct str){ text, n }));
	CHECK_STR(sha256_hex(&a, all),
	    "eb555248bd20c7831e511d4461b42c9b084e3a64b44d57b00051172f8afe03ff");
	arena_free(&a);
	return unit_status();
}
