#include "cmd/check_advice.h"

#include "check/advice/advice.h"
#include "json/stream.h"

static void
read_runs(const struct cli *cli, const struct trace_filter_list *where,
    struct advice_runs *runs, struct in *in)
{
	struct json_stream values = { 0 };
	struct trace_filter_count count = { 0 };
	const struct json *record;
	size_t n = 0, foreign = 0;
	struct trace t;

	json_stream_open(&values, in, cli->strict);
	while ((record = json_stream_next(&values)) != NULL) {
		if (!trace_read(&t, record)) {
			foreign += !trace_warn_version(record, values.at);
		} else if (trace_filter_holds(where, record, &count)) {
			advice_runs_add(runs, &t);
			n++;
		}
	}
	json_stream_close(&values);
	if (n == 0)
		cli_no_runs(false, foreign);
	else
		trace_warn_foreign("over", foreign);
	advice_runs_end(runs);
}

bool
check_advice(
    const struct check_options *o, const struct spec *spec, char **files)
{
	const struct cli *cli = &o->cli;
	bool diff = o->advice == ADVICE_DIFF;
	struct advice_runs *runs = NULL;
	struct arena a = { 0 };
	struct out out;
	struct in in;
	bool written;

	if (*files == NULL) {
		out_open(&out, cli->output, cli->by_line);
	} else {
		runs = advice_runs_new(&a, spec);
		cli_open(cli, &in, &out, files);
		read_runs(cli, &o->where, runs, &in);
		in_close(&in);
	}
	out.guard = diff ? OUT_UNGUARDED : OUT_GUARD_TEXT;
	(diff ? advise_diff : advise)(&out, spec, runs, o->priorities);
	written = out_close(&out);
	arena_free(&a);
	return written;
}
