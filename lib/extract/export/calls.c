/* The calls of a run, each as a flat object on a line of its own, for grep,
 * sort, uniq, comm and diff. */
#include "extract/export/export.h"
#include "extract/export/item.h"
#include "extract/run/put_member.h"

static void
put_compact(struct out *o, const char *key, const struct json *v)
{
	if (v == NULL)
		return;
	out_key(o, key);
	export_compact(o, v);
}

static void
put_call(struct out *o, const struct export_run *run, size_t n,
    const struct trace_call *call)
{
	const struct json *const *m = run->trace.member;

	out_begin(o, '{');
	put_json(o, "run", m[TRACE_ID]);
	put_json(o, "scenario", m[TRACE_SCENARIO_ID]);
	out_member_size(o, "n", n);
	out_member_size(o, "turn", call->turn);
	out_member_size(o, "depth", call->depth);
	out_member_str(o, "tool", call->tool);
	out_member_str(o, "server", call->server);
	put_compact(o, "args", call->args);
	put_json(o, "error", call->is_error);
	put_json(o, "ms", call->duration_ms);
	put_compact(o, "result", call->result);
	out_end(o, '}');
	out_line(o);
}

static void
write_run(struct out *o, const struct export_run *run)
{
	struct trace_calls calls = trace_calls(&run->trace, run->arena);

	for (size_t i = 0; i < calls.n; i++)
		put_call(o, run, i, &calls.list[i]);
}

const struct export export_calls = {
	.name = "calls", .write = write_run, .lines = true
};
