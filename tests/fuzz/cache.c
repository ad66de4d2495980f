/* The input is a request, and on the next lines the file of a cache for the request.
 * The reply that the cache returns must be JSON, and the same after the reply was
 * stored again. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "judge/question/cache.h"
#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
put_file(const char *path, struct str text)
{
	FILE *f = fopen(path, "we");

	assert(f != NULL && fwrite(text.s, 1, text.n, f) == text.n);
	fclose(f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str file = { (const char *)data, size }, reply;
	struct str request = str_cut(&file, '\n');
	char dir[] = "/tmp/mcpl-fuzz-XXXXXX";
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct cache_key key = cache_key(&arena, request);
	const char *path;

	diag_quiet();
	if (json_read(&reader, request, NULL, NULL) == NULL || file.s == NULL)
		goto end;
	if (mkdtemp(dir) == NULL)
		abort();
	path = cache_path(&arena, dir, key);
	put_file(path, file);
	reply = cache_get(&arena, dir, key);
	if (reply.s != NULL) {
		assert(json_read(&reader, reply, NULL, NULL) != NULL);
		assert(cache_put(&arena, dir, key, reply));
		assert(str_eq(cache_get(&arena, dir, key), reply));
	}
	unlink(path);
	rmdir(dir);
end:
	json_reader_free(&reader);
	arena_free(&arena);
	return 0;
}
