#include "cmd/check_learn.h"

#include "base/diag.h"
#include "habit/learn.h"
#include "json/stream.h"

static void
read_runs(
    const struct check_options *o, struct learn *l, bool good, struct in *in)
{
	struct json_stream values = { 0 };
	struct trace_filter_count count = { 0 };
	struct arena moment = { 0 };
	size_t foreign = 0;
	const struct json *record;
	struct trace t;

	json_stream_open(&values, in, o->cli.strict);
	while ((record = json_stream_next(&values)) != NULL) {
		arena_reset(&moment);
		if (!trace_read(&t, record))
			foreign += !trace_warn_version(record, values.at);
		else if (trace_filter_holds(&o->where, record, &count))
			learn_add(l, &t, good, &moment);
	}
	json_stream_close(&values);
	trace_warn_foreign("over", foreign);
	arena_free(&moment);
}

static void
read_bad_runs(const struct check_options *o, struct learn *l, struct arena *a)
{
	char *files[] = { str_c(a, str_of(o->against)), NULL };
	struct in in;

	in_open(&in, files);
	in.max_line = o->cli.max_line;
	read_runs(o, l, false, &in);
	in_close(&in);
	if (l->bad == 0)
		diag_error((struct place){ .file = o->against },
		    "--against: expected runs that did not pass, found none");
}

bool
check_learn(const struct check_options *o, char **files)
{
	struct learn l = { 0 };
	struct arena a = { 0 };
	struct out out;
	struct in in;

	cli_open(&o->cli, &in, &out, files);
	out.guard = OUT_GUARD_TEXT;
	read_runs(o, &l, true, &in);
	in_close(&in);
	if (o->against != NULL)
		read_bad_runs(o, &l, &a);
	if (l.unknown != 0)
		diag_warn((struct place){ 0 },
		    "runs left out, since their calls were not recorded, or "
		    "not all of them: %zu",
		    l.unknown);
	if (l.good == 0)
		diag_error((struct place){ 0 },
		    "--learn: expected runs that passed or have no status, "
		    "found none");
	else
		learn_write(&l, &out);
	learn_free(&l);
	arena_free(&a);
	return out_close(&out);
}
