/* The input is a log. Its first line is a letter, whose bits select options for
 * results, sub-agents and splitting, and the name of the format. The output must be
 * traces. */
#include "extract/format/format.h"
#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
read_log(const struct log_format *format, struct builder *b, struct str text)
{
	struct json_reader reader = { 0 };
	struct arena arena = { 0 }, scratch = { 0 };
	struct text_store store = { 0 };
	struct log log = { .builder = b,
		.store = &store,
		.arena = &arena,
		.scratch = &scratch,
		.path = "log" };
	struct json_error error;

	log_open(&log, format);
	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');
		const struct json *r = json_read(&reader, line, NULL, &error);

		if (r == NULL)
			continue;
		arena_reset(&scratch);
		log.counted = r->text.s;
		log_read(&log, r);
	}
	log_end(&log, NULL, NULL);
	builder_end(b);
	json_reader_free(&reader);
	text_store_free(&store);
	arena_free(&arena);
	arena_free(&scratch);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct str text = { (const char *)data, n };
	struct str name = str_cut(&text, '\n');
	const struct log_format *format = NULL;
	struct builder b;
	struct out out;

	for (const struct log_format *const *f = log_format_table; *f != NULL;
	     f++)
		if (name.n != 0 && str_is(str_from(name, 1), (*f)->name))
			format = *f;
	if (format == NULL || text.s == NULL)
		return -1;
	diag_quiet();
	out_open_memory(&out);
	builder_init(&b,
	    &(struct builder_options){
		.out = &out,
		.trace = { .format = "fuzz",
		    .results = data[0] & 0x10 ? 8 : SIZE_MAX },
		.sidechains = (enum sidechains)((data[0] & 3) % 3),
		.split = data[0] & 4,
	    });
	read_log(format, &b, text);
	builder_close(&b);
	check_traces(out_memory(&out));
	out_close(&out);
	return 0;
}
