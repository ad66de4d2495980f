#include "extract/export/export.h"

#include "base/diag.h"
#include "extract/export/item.h"
#include "extract/run/run_ids.h"

extern const struct export export_atif, export_openai, export_anthropic,
    export_mcplab;

static const struct export *const table[] = {
	&export_atif,
	&export_openai,
	&export_anthropic,
	&export_mcplab,
	NULL,
};

const struct export *
export_named(const char *name)
{
	for (const struct export *const *e = table; *e != NULL; e++)
		if (strcmp((*e)->name, name) == 0)
			return *e;
	return NULL;
}

void
export_write(struct out *o, const struct trace_options *options,
    const struct trace_part *part)
{
	struct arena arena = { 0 };
	struct export_run run = { .arena = &arena, .ids.arena = &arena };
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *record;
	struct run_ids_hidden marks;
	struct out line;

	out_open_memory(&line);
	trace_write(&line, options, part);
	marks = run_ids_hide(line.buf, line.n, &arena);
	record = json_read(&reader, out_memory(&line), NULL, &error);
	run_ids_show(marks);
	if (record == NULL || !trace_read(&run.trace, record)) {
		diag_error((struct place){ .file = part->thread->file,
			       .line = part->thread->line },
		    "run not written: %s",
		    record == NULL ? error.why : "no trace");
	} else {
		export_read_items(&run);
		out_begin(o, '{');
		options->to->write(o, &run);
		out_end(o, '}');
		out_line(o);
	}
	out_close(&line);
	json_reader_free(&reader);
	arena_free(&arena);
}
