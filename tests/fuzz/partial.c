/* The input is a partial. The partial must be refused, or be the same after its tally
 * was written and read again. */
#include <stdlib.h>

#include "report/tally/partial.h"

static struct str
written(struct tally *t, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	partial_write(&o, t, NULL);
	return out_keep(&o, a);
}

/* Reads a partial into an empty tally. Returns the partial of the tally, or an absent
 * text if the partial is refused. */
static struct str
counted(const struct json *v, struct arena *a)
{
	struct tally_plan plan = tally_plan_default();
	struct arena moment = { 0 };
	struct tally t;
	struct str text = { 0 };

	plan.max_failures = 3;
	tally_start(&t, &plan);
	if (partial_is(v) && partial_read(&t, v, (struct place){ 0 }, &moment))
		text = written(&t, a);
	tally_finish(&t);
	tally_free(&t);
	arena_free(&moment);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct json_error error;
	struct str first, second;

	diag_quiet();
	first =
	    counted(json_read(&reader, (struct str){ (const char *)data, size },
			NULL, &error),
		&arena);
	if (first.s != NULL) {
		second =
		    counted(json_read(&reader, first, NULL, &error), &arena);
		if (!str_eq(first, second))
			abort();
	}
	json_reader_free(&reader);
	arena_free(&arena);
	return 0;
}
