/* The input is the input of a hook, a line with only a NUL byte, records of Claude Code,
 * another such line, and rules. The record of the run must be a trace, also if the
 * transcript cannot be read, and a guard's answer JSON. */
#include "extract/hook.h"
#include "check/dialect/guard_run.h"
#include "extract/format/format.h"
#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"

#include "memory_file.h"
#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const struct log_format *
format_of(const char *name)
{
	const struct log_format *const *f = log_format_table;

	while (*f != NULL && strcmp((*f)->name, name) != 0)
		f++;
	return *f;
}

static void
read_transcript(struct builder *b, struct str text, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct text_store store = { 0 };
	struct arena scratch = { 0 };
	struct log log = { .builder = b,
		.store = &store,
		.arena = a,
		.scratch = &scratch,
		.path = "log" };
	struct json_error error;

	log_open(&log, format_of("claude-code"));
	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');
		const struct json *r = json_read(&reader, line, NULL, &error);

		arena_reset(&scratch);
		if (r == NULL)
			continue;
		log.counted = r->text.s;
		log_read(&log, r);
	}
	log_end(&log, NULL, NULL);
	json_reader_free(&reader);
	text_store_free(&store);
	arena_free(&scratch);
}

/* Judges the record: the answer must be JSON, or empty. */
static void
check_answer(const struct spec *spec, struct str line)
{
	struct json_reader reader = { 0 }, again = { 0 };
	struct arena a = { 0 };
	struct view v = { 0 };
	struct json_error error;
	const struct json *record = json_read(&reader, line, NULL, &error);
	struct guard_verdict verdict;
	struct str answer;
	struct trace t;

	if (record != NULL && trace_read(&t, record)) {
		verdict = guard_run(spec, &t, &v, &a);
		answer = guard_answer(&verdict, &a);
		if (answer.n != 0 &&
		    json_read(&again, answer, NULL, &error) == NULL)
			abort();
	}
	view_free(&v);
	arena_free(&a);
	json_reader_free(&reader);
	json_reader_free(&again);
}

static void
check_hook(struct hook *h, struct str transcript, struct str rules)
{
	struct arena a = { 0 };
	struct spec spec = { .arena = &a };
	struct builder b;
	struct out out;
	struct str text;

	out_open_memory(&out);
	builder_init(&b,
	    &(struct builder_options){
		.out = &out,
		.trace = { .format = "fuzz", .results = SIZE_MAX },
	    });
	if (transcript.n == 0) {
		hook_write_alone(h, &b.options, false);
	} else {
		read_transcript(&b, transcript, &a);
		hook_report(h, &b);
	}
	builder_close(&b);
	if (rules.n != 0)
		spec_load_text(
		    &spec, "fuzz.rules", rules, dialect_named("rules"));
	text = out_memory(&out);
	check_traces(text);
	while (text.n != 0)
		check_answer(&spec, str_cut(&text, '\n'));
	spec_close(&spec);
	out_close(&out);
	arena_free(&a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size }, nul = { "\n\0\n", 3 };
	size_t first = str_find(text, nul);
	struct str rest =
	    first < size ? str_from(text, first + nul.n) : (struct str){ 0 };
	size_t second = str_find(rest, nul);
	struct memory_file input;
	char *files[2] = { 0 };
	struct hook h = { 0 };
	struct in in;

	if (!str_starts(text, "{"))
		return -1;
	input = memory_file(str_slice(text, 0, first));
	files[0] = input.path;

	setenv("SOURCE_DATE_EPOCH", "0", 1);
	diag_quiet();
	/* A rule could name a file that never ends. */
	if (str_contains(rest, STR("same")))
		rest.n = second = 0;
	in_open(&in, files);
	if (hook_read(&h, &in))
		check_hook(&h, str_slice(rest, 0, second),
		    second < rest.n ? str_from(rest, second + nul.n)
				    : (struct str){ 0 });
	in_close(&in);
	close(input.fd);
	arena_free(&h.arena);
	return 0;
}
