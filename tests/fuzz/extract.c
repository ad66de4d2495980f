/* The input is a file of any content: a log, compressed data, UTF-16. The output must
 * be traces. The runs are also written in another format, which the size of the input
 * selects, and that log must give traces as well. */
#include "extract/extract.h"

#include "extract/export/export.h"
#include "extract/format/format.h"
#include "memory_file.h"
#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum { MODES = 4 };

static struct str
extract_counts(struct str log, struct builder_options *options, struct arena *a)
{
	static struct arena lasting;
	static struct format_index formats;
	struct extract_job job = {
		.options = options, .formats = &formats, .max_line = IN_MAX_LINE
	};
	struct memory_file f = memory_file(log);
	char *files[] = { f.path, NULL };
	struct out out;
	struct in in;

	if (formats.table == NULL)
		formats = format_index_of(&lasting, log_format_table);
	out_open_memory(&out);
	options->out = &out;
	in_open(&in, files);
	extract(&in, &job, 1);
	in_close(&in);
	close(f.fd);
	return out_keep(&out, a);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const others[MODES] = { "atif", "openai",
		"anthropic", "mcplab" };
	struct str log = { (const char *)data, size };
	struct arena arena = { 0 };
	struct builder_options plain = { .trace.results = SIZE_MAX },
			       other = plain;

	diag_quiet();
	check_traces(extract_counts(log, &plain, &arena));
	other.trace.to = export_named(others[size % MODES]);
	other.trace.write = export_write;
	log = extract_counts(log, &other, &arena);
	check_traces(extract_counts(log, &plain, &arena));
	arena_free(&arena);
	return 0;
}
