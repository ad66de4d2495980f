/* The input is a checked record, and on the next lines the answer of a judge to each
 * question. The output must be a trace, in which none of the checks that the judge was
 * asked about is pending. */
#include <assert.h>

#include "judge/vote_write.h"
#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
ask(const struct judge_way *way, const struct trace *t, struct str words)
{
	struct arena arena = { 0 };
	struct endpoint endpoint = {
		.provider = &provider_exec, .to = "", .model = "m"
	};
	struct lane lanes[] = { { .endpoint = endpoint },
		{ .endpoint = endpoint } };
	struct scheduler scheduler = { .lanes = lanes, .n_lanes = 2 };
	struct vote_tally tally = { .reasons.arena = &arena };
	struct judge *judge;
	struct out out;

	judge = judge_ask(way, (struct judge_memory){ &arena, &arena }, t,
	    (struct place){ "in", 1, 0 }, &scheduler);
	for (struct question *q = scheduler.fresh.first; q != NULL;
	     q = q->next) {
		question_name(q, &endpoint);
		question_accept(q, words);
		judge_note(q);
	}
	assert(judge_is_done(judge));
	out_open_memory(&out);
	vote_write(judge, &tally, &out);
	check_trace(out_memory(&out));
	assert(tally.checks[STATUS_PENDING] == 0);
	out_close(&out);
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct json_reader reader = { 0 };
	struct arena arena = { 0 };
	struct redact *rules = redact_new(&arena);
	struct json_error error;
	struct trace t;

	diag_quiet();
	redact_add_text(rules, "digit", STR("1"));
	if (trace_read(
		&t, json_read(&reader, str_cut(&text, '\n'), NULL, &error))) {
		ask(&(struct judge_way){ .votes = 1, .panel = 1 }, &t, text);
		ask(&(struct judge_way){ .votes = 2,
			.panel = 2,
			.max_checks = 2,
			.shuffle = 3,
			.canary = true,
			.redact = rules },
		    &t, text);
	}
	redact_free(rules);
	json_reader_free(&reader);
	arena_free(&arena);
	return 0;
}
