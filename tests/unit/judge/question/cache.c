/* lib/judge/question/cache: the stored replies are found, and no others. */
#include "judge/question/cache.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/sha256.h"
#include "tests/unit/unit.h"

static struct arena arena;

static void
test_sha256(void)
{
	/* FIPS 180-2, appendix B. */
	CHECK_STR(sha256_hex(&arena, STR("abc")),
	    "ba7816bf8f01cfea414140de5dae2223"
	    "b00361a396177a9cb410ff61f20015ad");
	CHECK_STR(sha256_hex(&arena, STR("")),
	    "e3b0c44298fc1c149afbf4c8996fb924"
	    "27ae41e4649b934ca495991b7852b855");
}

static const char *
file_of(const char *dir, struct str request)
{
	struct str name = sha256_hex(&arena, request);

	return str_c(
	    &arena, str_printf(&arena, "%s/%.*s.json", dir, STR_FMT(name)));
}

static void
overwrite(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");

	CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void
test_round_trip(const char *dir)
{
	struct str request = STR("{\"q\":\"how?\",\"n\":1.0}");
	struct cache_key key = cache_key(&arena, request);
	struct cache_key other = cache_key(&arena, STR("{\"q\":\"else\"}"));
	const char *file = file_of(dir, request);

	CHECK(cache_get(&arena, dir, key).s == NULL);
	CHECK(cache_put(&arena, dir, key, STR("{\"a\":1}")));
	CHECK_STR(cache_get(&arena, dir, key), "{\"a\":1}");
	CHECK(cache_put(&arena, dir, key, STR("[2]")));
	CHECK_STR(cache_get(&arena, dir, key), "[2]");
	CHECK(cache_get(&arena, dir, other).s == NULL);

	/* As jq would lay it out. */
	overwrite(file,
	    "{ \"v\": 1, \"request\": { \"q\": \"how?\", \"n\": 1.0 },\n"
	    "  \"reply\": [ 3 ] }\n");
	CHECK_STR(cache_get(&arena, dir, key), "[ 3 ]");

	overwrite(file, "{\"v\":1,\"request\":{\"q\":\"other\"},\"reply\":4}");
	CHECK(cache_get(&arena, dir, key).s == NULL);
	overwrite(file, "{\"v\":1,\"request\":{\"q\":\"how?\"");
	CHECK(cache_get(&arena, dir, key).s == NULL);
	overwrite(file, "");
	CHECK(cache_get(&arena, dir, key).s == NULL);
	CHECK(unlink(file) == 0);
}

static void
test_folders(const char *dir)
{
	const char *inner = str_c(&arena, str_printf(&arena, "%s/new", dir));

	CHECK(!cache_open(inner, true) && errno == ENOENT);
	CHECK(cache_open(inner, false));
	CHECK(cache_open(inner, true));
	CHECK(cache_open(inner, false));
	CHECK(rmdir(inner) == 0);
	CHECK(!cache_open("/dev/null", false) && errno == ENOTDIR);
}

int
main(void)
{
	char dir[] = "/tmp/mcpl-unit-XXXXXX";

	diag_quiet(); /* the warnings are not what is tested */
	CHECK(mkdtemp(dir) != NULL);
	test_sha256();
	test_round_trip(dir);
	test_folders(dir);
	CHECK(rmdir(dir) == 0);
	arena_free(&arena);
	return unit_status();
}
