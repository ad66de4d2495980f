/* The choice among formats for which hints speak. */
#include "extract/trial.h"

#include "extract/value/copy.h"
#include "tests/unit/unit.h"

extern const struct log_format log_format_assay, log_format_grok;

static const struct log_format *const table[] = { &log_format_assay,
	&log_format_grok, NULL };

/* Chooses between the formats of the table by their scores and by records of which
 * so many are grok's; the others are of no format. */
static const struct log_format *
choose(int assay, int grok, size_t known)
{
	static const char *const lines[] = {
		"{\"type\":\"user\",\"content\":\"Hi\"}",
		"{\"type\":\"assistant\",\"content\":\"Hello\"}",
		"{\"type\":\"user\",\"content\":\"Bye\"}",
	};
	enum { N = sizeof lines / sizeof *lines };
	struct log_record list[N] = { 0 };
	const struct log_records records = { "log", list, N };
	struct format_index index = { .table = table };
	const struct log_format_guess g = { .index = &index,
		.scores = { assay, grok } };
	const struct log_format *best;
	struct arena a = { 0 };

	for (size_t i = 0; i < N; i++)
		list[i].json = copy_parsed(&a,
		    i < known ? str_of(lines[i])
			      : STR("{\"tool_call\":{\"a\":1}}"));
	best = log_choose(&g, &records);
	arena_free(&a);
	return best;
}

int
main(void)
{
	CHECK(choose(0, 0, 3) == NULL);
	CHECK(choose(0, 20, 3) == &log_format_grok);
	CHECK(choose(20, 20, 3) == &log_format_grok);
	CHECK(choose(20, 20, 2) == &log_format_grok);
	CHECK(choose(0, 20, 1) == NULL);
	CHECK(choose(50, 20, 3) == NULL);
	return unit_status();
}
