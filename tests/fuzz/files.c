/* The input is a small file that mcpl-judge takes: labels of people, prices, or the
 * results of batches. The file must be read or refused with a message. */
#include <assert.h>

#include "base/diag.h"
#include "judge/batch/results.h"
#include "judge/calibration.h"
#include "judge/question/charge.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
read_labels(const char *path)
{
	struct calibration c = { 0 };
	size_t errors = diag_errors();

	assert(calibration_open(&c, path) || diag_errors() > errors);
	calibration_close(&c);
}

static void
read_prices(const char *path)
{
	struct endpoint endpoint = { .model = "m" };
	struct answer answer = { .model = STR("m"), .usage.known = 1 };
	struct arena arena = { 0 };
	size_t errors = diag_errors();
	struct prices *prices;
	bool good = prices_option(&arena, path, &prices);

	assert(good || diag_errors() > errors);
	if (good)
		charge_answer(prices, &answer, &endpoint, -1, true);
	arena_free(&arena);
}

static void
read_results(const char *path, const struct provider *provider)
{
	struct endpoint endpoint = {
		.provider = provider, .to = "", .model = "m"
	};
	struct arena arena = { 0 };
	struct exchange x = { .arena = &arena, .reply = STR("") };
	struct batch_results results;
	const struct batch_result *r;

	batch_results_open(&results, &endpoint);
	batch_results_add(&results, path);
	r = batch_results_find(&results, STR("r1"));
	if (r != NULL)
		batch_results_take(&results, r, &x);
	batch_results_close(&results);
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file f =
	    memory_file((struct str){ (const char *)data, size });

	diag_quiet();
	read_labels(f.path);
	read_prices(f.path);
	for (const struct provider *const *p = provider_table; *p; p++)
		if ((*p)->batch_api != NULL)
			read_results(f.path, *p);
	close(f.fd);
	return 0;
}
