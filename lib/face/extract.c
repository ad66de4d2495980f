/* Logs to traces. */
#include <errno.h>
#include <string.h>

#include "base/suggest.h"
#include "extract/export/export.h"
#include "extract/extract.h"
#include "extract/find_logs.h"
#include "face/face.h"

struct extraction {
	struct face face;
	struct mcplt_extract_options options;
	const char *const *paths; /* NULL: the log comes from `source` */
	size_t n;
	struct in_source source;
	mcplt_read *read;
	void *read_arg;
	bool stopped;
	struct in in;
	struct out out;
};

static bool
take_line(void *arg, struct str line)
{
	struct extraction *x = arg;
	struct mcplt_text record = { line.s, line.n - 1 };
	locale_t inside;
	int stop;

	face_tell(&x->face);
	inside = uselocale(x->face.outside);
	stop = x->options.take(x->options.arg, record);
	uselocale(inside);
	if (stop == 0)
		return true;
	x->stopped = x->in.stop = true;
	return false;
}

static ssize_t
read_source(void *arg, char *to, size_t n)
{
	struct extraction *x = arg;
	locale_t inside;
	ptrdiff_t got;

	face_tell(&x->face);
	inside = uselocale(x->face.outside);
	got = x->stopped ? 0 : x->read(x->read_arg, to, n);
	uselocale(inside);
	if (got < 0 || (size_t)got > n)
		errno = EIO;
	return got > (ptrdiff_t)n ? -1 : got;
}

/* Reports a word that is none of those that `name` lists. */
static void
unknown(const char *what, const char *word)
{
	diag_error((struct place){ 0 }, "%s: unknown: '%s'", what, word);
}

/* Returns false after a message about an option. */
static bool
set_options(struct extraction *x, struct builder_options *b,
    const struct log_format **format)
{
	const struct mcplt_extract_options *o = &x->options;

	*b = (struct builder_options){ .out = &x->out,
		.trace = { .results = o->no_results ? 0
			: o->results == 0           ? SIZE_MAX
						    : o->results,
		    .scenario = o->scenario,
		    .agent = o->agent,
		    .no_system = o->no_system != 0 },
		.split = o->split != 0,
		.max_memory = o->max_memory };
	if (o->format != NULL) {
		*format = map_formats_named(&x->face.of->formats, o->format);
		if (*format == NULL)
			unknown("format", o->format);
	}
	if (o->to != NULL) {
		b->trace.to = export_named(o->to);
		b->trace.write = export_write;
		if (b->trace.to == NULL)
			unknown("format of the output", o->to);
	}
	if (o->sidechains < 0 || o->sidechains > SIDECHAINS_DROP)
		diag_error((struct place){ 0 },
		    "sidechains: expected 0, 1 or 2, found %d", o->sidechains);
	else
		b->sidechains = (enum sidechains)o->sidechains;
	return diag_errors() == 0;
}

/* Returns the files to read: those that the caller named, with the logs of folders. */
static char **
files_of(struct extraction *x, struct log_search *walk)
{
	char **files = arena_new_n(walk->arena, char *, x->n + 1);

	for (size_t i = 0; i < x->n; i++)
		files[i] = str_c(walk->arena, str_of(x->paths[i]));
	find_logs_warn_empty(files);
	return find_logs(walk, files);
}

static void
extract_all(void *arg)
{
	struct extraction *x = arg;
	struct arena a = { 0 };
	struct log_search walk = { .arena = &a, .since = INT64_MIN };
	struct builder_options builder;
	struct extract_job job = { .options = &builder,
		.formats = &x->face.of->formats.index,
		.max_line = IN_MAX_LINE };
	char *none[] = { NULL }, **files = none;

	if (set_options(x, &builder, &job.format)) {
		out_open_memory(&x->out);
		x->out.by_line = true;
		x->out.sink = take_line;
		x->out.sink_arg = x;
		if (x->paths != NULL) {
			files = files_of(x, &walk);
			job.walk = &walk;
		}
		in_open(&x->in, files);
		x->in.standard_input = x->paths == NULL;
		x->in.source = x->paths == NULL ? &x->source : NULL;
		if (x->paths == NULL || *files != NULL)
			extract(&x->in, &job, 1);
	}
	arena_free(&a);
}

static enum mcplt_code
run(struct extraction *x, mcplt *m, const struct mcplt_extract_options *options)
{
	enum mcplt_code code;

	x->face.of = m;
	x->in.fd = x->out.file.fd = -1;
	if (m == NULL ||
	    !face_options(&x->options, options, sizeof x->options) ||
	    x->options.take == NULL)
		return MCPLT_MISUSE;
	code = face_run(&x->face, extract_all, x);
	in_close(&x->in);
	x->out.sink = NULL;
	x->out.error = 0;
	(void)out_close(&x->out);
	return code != MCPLT_SYSTEM && x->stopped ? MCPLT_STOPPED : code;
}

enum mcplt_code
mcplt_extract(mcplt *m, const struct mcplt_extract_options *options,
    const char *name, mcplt_read *read, void *arg)
{
	struct extraction x = { .source = { name, read_source, &x },
		.read = read,
		.read_arg = arg };

	if (name == NULL || read == NULL)
		return MCPLT_MISUSE;
	return run(&x, m, options);
}

static ptrdiff_t
read_text(void *arg, char *to, size_t n)
{
	struct mcplt_text *rest = arg;

	if (n > rest->n)
		n = rest->n;
	if (n == 0)
		return 0;
	memcpy(to, rest->s, n);
	rest->s += n;
	rest->n -= n;
	return (ptrdiff_t)n;
}

enum mcplt_code
mcplt_extract_text(mcplt *m, const struct mcplt_extract_options *options,
    const char *name, struct mcplt_text text)
{
	return mcplt_extract(m, options, name, read_text, &text);
}

enum mcplt_code
mcplt_extract_files(mcplt *m, const struct mcplt_extract_options *options,
    const char *const *paths, size_t n)
{
	struct extraction x = { .paths = paths, .n = n };

	return paths == NULL ? MCPLT_MISUSE : run(&x, m, options);
}
