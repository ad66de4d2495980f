#include "extract/export/export.h"

#include "extract/export/item.h"
#include "extract/run/put_member.h"
#include "extract/run/run_ids.h"
#include "extract/run/step_result.h"

extern const struct export export_atif, export_openai, export_anthropic,
    export_mcplab, export_otlp, export_calls, export_text;

static const struct export *const table[] = {
	&export_atif,
	&export_openai,
	&export_anthropic,
	&export_mcplab,
	&export_otlp,
	&export_calls,
	&export_text,
	NULL,
};

const char *const export_names[] = { "atif", "openai", "anthropic", "mcplab",
	"otlp", "calls", "text", NULL };

const struct export *
export_named(const char *name)
{
	for (const struct export *const *e = table; *e != NULL; e++)
		if (strcmp((*e)->name, name) == 0)
			return *e;
	return NULL;
}

/* Writes the record, which must be a trace. Returns false if it is none. */
static bool
write_record(struct out *o, const struct trace_options *options,
    const struct json *record, struct arena *a)
{
	struct export_run run = {
		.arena = a,
		.ids.arena = a,
		.color = options->color,
		.results = options->results,
	};

	if (!trace_read(&run.trace, record))
		return false;
	if (options->to->lines) {
		options->to->write(o, &run);
		return true;
	}
	export_read_items(&run);
	out_begin(o, '{');
	options->to->write(o, &run);
	out_end(o, '}');
	out_line(o);
	return true;
}

/* Returns the number of bytes that a record keeps of each result. */
static size_t
results_kept(const struct trace_options *options)
{
	return options->to->for_people ? SIZE_MAX : options->results;
}

static void
warn_unwritten(struct place at, const char *why)
{
	diag_error(at, "run not written: %s", why);
}

void
export_write(struct out *o, const struct trace_options *options,
    const struct trace_part *part)
{
	struct place at = { .file = part->thread->file,
		.line = part->thread->line };
	struct trace_options whole = *options;
	struct arena arena = { 0 };
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *record;
	struct run_ids_hidden marks;
	struct out line;

	whole.results = results_kept(options);
	out_open_memory(&line);
	trace_write(&line, &whole, part);
	marks = run_ids_hide(line.buf, line.n, &arena);
	record = json_read(&reader, out_memory(&line), NULL, &error);
	run_ids_show(marks);
	if (record == NULL || !write_record(o, options, record, &arena))
		warn_unwritten(at, record == NULL ? error.why : "no trace");
	out_close(&line);
	json_reader_free(&reader);
	arena_free(&arena);
}

/* ---- traces as input ---- */

/* Writes a step, a turn, a record, or a list of these, with shortened
 * results. */
static void
put_shortened(struct out *o, const struct json *v, size_t limit)
{
	if (json_is(v, JSON_ARRAY)) {
		out_begin(o, '[');
		for (json_each(element, v))
			put_shortened(o, element, limit);
		out_end(o, ']');
		return;
	}
	if (!json_is(v, JSON_OBJECT)) {
		out_json_raw(o, v->text);
		return;
	}
	out_begin(o, '{');
	for (json_members(key, v)) {
		const struct json *value = json_value(key);

		if (json_key_is(key, "result")) {
			step_result_put(o, value->text, limit);
			continue;
		}
		out_key_body(o, json_raw(key));
		if (json_key_is(key, "turns") || json_key_is(key, "steps"))
			put_shortened(o, value, limit);
		else
			out_json_raw(o, value->text);
	}
	out_end(o, '}');
}

/* Returns the members that the options set, without braces. */
static struct str
given_members(const struct trace_options *options, struct arena *a)
{
	struct str all;
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "scenario_id", str_of(options->scenario));
	out_member_str(&o, "agent", str_of(options->agent));
	out_end(&o, '}');
	all = out_keep(&o, a);
	return str_slice(all, 1, all.n - 1);
}

/* Returns the text of the record as the options change it. */
static struct str
changed(const struct trace_options *options, const struct json *record,
    struct arena *a)
{
	const char *drop[] = { NULL, NULL, NULL, NULL };
	struct json_reader reader = { 0 };
	struct json_error error;
	size_t n = 0;
	struct str text;
	struct out o;

	if (options->scenario != NULL)
		drop[n++] = "scenario_id";
	if (options->agent != NULL)
		drop[n++] = "agent";
	if (options->no_system)
		drop[n++] = "system";
	out_open_memory(&o);
	put_shortened(&o, record, results_kept(options));
	text = out_keep(&o, a);
	if (n == 0)
		return text;
	out_open_memory(&o);
	trace_splice(&o, json_read(&reader, text, NULL, &error), drop,
	    given_members(options, a));
	text = out_keep(&o, a);
	json_reader_free(&reader);
	return text;
}

void
export_trace(struct out *o, const struct trace_options *options,
    const struct json *record, struct place at)
{
	bool change = results_kept(options) != SIZE_MAX ||
	    options->scenario != NULL || options->agent != NULL ||
	    options->no_system;
	struct arena arena = { 0 };
	struct json_reader reader = { 0 };
	struct json_error error = { 0 };
	bool lone = *options->lone;
	struct str text = record->text;

	if (change)
		text = changed(options, record, &arena);
	if (lone)
		text = json_mend_surrogates(&arena, text);
	if (change || lone)
		record = json_read(&reader, text, NULL, &error);
	if (record == NULL)
		warn_unwritten(at, error.why);
	else if (!write_record(o, options, record, &arena))
		trace_warn_version(record, at);
	json_reader_free(&reader);
	arena_free(&arena);
}

bool
export_is_in_period(const struct json *trace, const struct time_range *period)
{
	struct str first = json_raw(json_get(trace, "ts_start"));
	struct str last = json_raw(json_get(trace, "ts_end"));
	int64_t ms;

	if (period == NULL)
		return true;
	return !(timestamp_text(last.n == 0 ? first : last, &ms) &&
		   ms < period->since) &&
	    !(timestamp_text(first.n == 0 ? last : first, &ms) &&
		ms >= period->until);
}
