/* lib/judge/batch/writer: no file exceeds its limits, and no request is missing. */
#include "judge/batch/writer.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/sha256.h"
#include "io/list_files.h"
#include "tests/unit/unit.h"

static struct arena arena;

static struct endpoint
endpoint_of(const struct provider *provider)
{
	return (struct endpoint){
		.provider = provider, .to = "http://localhost/v1", .model = "m"
	};
}

/* A name for each number, as long as a digest. */
static struct str
name_of(size_t i)
{
	return str_printf(&arena, "%064zx", i);
}

/* Returns how many requests each file of the folder has, and removes the folder. */
static size_t
count(const char *dir, const struct endpoint *endpoint, size_t sizes[8])
{
	struct batch_folder folder;
	struct request_names names;
	struct str name;
	struct folder files;
	size_t n;

	CHECK(batch_folder_open(&folder, dir, endpoint, BATCH_FOLDER_READ));
	n = folder.n;
	for (size_t i = 0; i < n && i < 8; i++) {
		sizes[i] = 0;
		request_names_open(&names, endpoint->provider->batch_api,
		    folder.jobs[i].requests);
		while (request_names_next(&names, &name)) {
			CHECK(name.n == SHA256_HEX);
			sizes[i]++;
		}
		request_names_close(&names);
	}
	batch_folder_close(&folder);
	files = list_files(&arena, dir);
	for (size_t i = 0; i < files.n; i++)
		CHECK(unlink(files.paths[i]) == 0);
	CHECK(rmdir(dir) == 0);
	return n;
}

static const char *
new_folder(void)
{
	char *dir = str_c(&arena, STR("/tmp/mcpl-unit-XXXXXX"));

	CHECK(mkdtemp(dir) != NULL);
	return dir;
}

static void
test_requests(const struct provider *provider, size_t most)
{
	struct endpoint endpoint = endpoint_of(provider);
	const char *dir = new_folder();
	struct batch_writer w;
	size_t sizes[8] = { 0 };

	CHECK(batch_writer_open(&w, dir, &endpoint, 0));
	for (size_t i = 0; i <= most; i++)
		batch_writer_put(&w, name_of(i), STR("{}"));
	batch_writer_put(&w, name_of(3), STR("{}"));
	CHECK(w.written == most + 1 && w.waiting == 0);
	CHECK(batch_writer_finish(&w));
	batch_writer_close(&w);
	CHECK(count(dir, &endpoint, sizes) == 2);
	CHECK(sizes[0] == most && sizes[1] == 1);
}

/* Of each length around the one that just fits. */
static void
test_bytes(const struct provider *provider)
{
	enum { LIMIT = 1000 };
	struct endpoint endpoint = endpoint_of(provider);
	struct batch_writer w;

	for (size_t n = 100; n < 1100; n += 7) {
		const char *dir = new_folder();
		struct str body = { arena_alloc(&arena, n), n };
		size_t sizes[8] = { 0 }, all = 0, files;

		CHECK(batch_writer_open(&w, dir, &endpoint, 0));
		w.bytes = LIMIT;
		for (size_t i = 0; i < 4; i++)
			batch_writer_put(&w, name_of(i), body);
		CHECK(batch_writer_finish(&w));
		CHECK(w.written + w.too_long == 4);
		for (size_t i = 0; i < w.folder.n; i++) {
			struct stat st;

			CHECK(stat(w.folder.jobs[i].requests, &st) == 0);
			CHECK(st.st_size <= LIMIT);
		}
		batch_writer_close(&w);
		files = count(dir, &endpoint, sizes);
		for (size_t i = 0; i < files; i++)
			all += sizes[i];
		CHECK(all == w.written);
		CHECK(n > 300 || files <= 2);
	}
}

int
main(void)
{
	diag_quiet();
	test_requests(&provider_openai, 50000);
	test_requests(&provider_anthropic, 100000);
	test_bytes(&provider_openai);
	test_bytes(&provider_anthropic);
	test_bytes(&provider_gemini);
	arena_free(&arena);
	return unit_status();
}
