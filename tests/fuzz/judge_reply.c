/* The input is the answer of a judge to three checks. Each check must end with a
 * verdict that is the same after it was written and read again, or without one. */
#include <assert.h>
#include <stdint.h>

#include "judge/question/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct prompt_check checks[3] = {
		{ .score = false },
		{ .score = true, .confidence = true, .low = 1, .high = 5 },
		{ .rubric = { "\"no\"", 4 }, .reasoned = true, .quoted = true }
	};
	const struct prompt prompt = {
		.checks = checks,
		.n = 3,
		.data = { "{\"answer\":\"so it is\"}", 21 },
	};
	struct str text = { (const char *)data, size }, why = { 0 };
	struct arena arena = { 0 };
	struct verdicts all, again;
	struct out o;

	out_open_memory(&o);
	if (!verdict_read(&all, &arena, &prompt, text, &why)) {
		assert(why.s != NULL && all.good == 0);
	} else if (all.good == prompt.n) {
		verdict_write(&o, &arena, &prompt, &all);
		text = out_memory(&o);
		assert(verdict_read(&again, &arena, &prompt, text, &why));
		assert(again.good == prompt.n);
		for (size_t i = 0; i < prompt.n; i++)
			assert(all.list[i].found == again.list[i].found &&
			    all.list[i].score == again.list[i].score &&
			    all.list[i].confidence == again.list[i].confidence);
	}
	out_close(&o);
	arena_free(&arena);
	return 0;
}
