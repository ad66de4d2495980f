/* The input is a line of results, or a reply of a server about batches and uploads.
 * Each provider with a Batch API reads the input as all of these. */
#include <assert.h>

#include "base/diag.h"
#include "judge/provider/batch_api.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
read_as(const struct provider *provider, const struct json *value)
{
	struct arena arena = { 0 };
	struct endpoint endpoint = {
		.provider = provider, .to = "", .model = "m"
	};
	struct exchange x = { .arena = &arena, .reply = STR("") };
	struct batch_job job = { .label = STR("label"), .n = 1 };
	struct answer answer = { 0 };
	struct batch_status news = { 0 };

	provider->batch_api->take(value, &x);
	provider->read(&endpoint, &x, &answer);
	assert(answer.text.s != NULL);
	provider->batch_api->news(value, &arena, &news);
	provider->batch_api->next(value, &arena);
	provider->batch_api->is_job(value, &job);
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *value = json_read(
	    &reader, (struct str){ (const char *)bytes, n }, NULL, &error);

	diag_quiet();
	for (const struct provider *const *p = provider_table; *p; p++)
		if (value != NULL && (*p)->batch_api != NULL)
			read_as(*p, value);
	json_reader_free(&reader);
	return 0;
}
