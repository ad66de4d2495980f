/*
 * The library as the host of a module calls it: with numbers and addresses in the module's
 * memory. Functions that make a text set `answer`, which lives until the next call with the
 * same object.
 */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "face/mcpl-tools.h"

#define HOST(name) \
	__attribute__((import_module("host"), import_name(name))) extern
#define SHOWN(name) __attribute__((export_name(name)))

HOST("read") int host_read(char *to, size_t n);
HOST("take") int host_take(const char *record, size_t n);
HOST("message")
void host_message(
    int level, const char *file, size_t line, size_t column, const char *text);

/* The result of the last function, which the host reads. */
static struct answer {
	const char *s;
	size_t n;
	int status;
} answer;

SHOWN("answer") struct answer *host_answer(void);
SHOWN("room") char *host_room(size_t n);
SHOWN("forget") void host_forget(char *);
SHOWN("open") mcplt *host_open(void);
SHOWN("extract")
int host_extract(mcplt *, const char *name, const char *format, const char *to,
    size_t results, int flags);
SHOWN("extract_files")
int host_extract_files(mcplt *, const char *paths, size_t n, int flags);
SHOWN("format_name") const char *host_format(mcplt *, size_t i);
SHOWN("spec_open") mcplt_spec *host_spec(mcplt *);
SHOWN("spec_close") void host_spec_close(mcplt_spec *);
SHOWN("spec_rule") int host_rule(mcplt_spec *, const char *s, size_t n);
SHOWN("spec_text")
int host_text(mcplt_spec *, const char *name, const char *s, size_t n,
    const char *dialect);
SHOWN("spec_file")
int host_file(mcplt_spec *, const char *path, const char *dialect);
SHOWN("check_open") mcplt_check *host_check(mcplt_spec *, int slim);
SHOWN("check_close") void host_check_close(mcplt_check *);
SHOWN("check_record") int host_record(mcplt_check *, const char *s, size_t n);
SHOWN("check_call")
int host_call(mcplt_check *, const char *record, size_t n, const char *tool,
    const char *args);
SHOWN("result")
const struct mcplt_result *host_result(mcplt_check *, size_t i);
SHOWN("report_open")
mcplt_report *host_report(mcplt *, const char *format, int details);
SHOWN("report_add") int host_add(mcplt_report *, const char *s, size_t n);
SHOWN("report_end") int host_end(mcplt_report *);
SHOWN("report_close") void host_report_close(mcplt_report *);

struct answer *
host_answer(void)
{
	return &answer;
}

char *
host_room(size_t n)
{
	return malloc(n == 0 ? 1 : n);
}

void
host_forget(char *room)
{
	free(room);
}

static struct mcplt_text
text(const char *s, size_t n)
{
	return (struct mcplt_text){ s, n };
}

static void
set_answer(struct mcplt_text t, int status)
{
	answer = (struct answer){ t.s, t.n, status };
}

static void
say(void *arg, const struct mcplt_message *m)
{
	(void)arg;
	host_message((int)m->level, m->file, m->line, m->column, m->text);
}

static void
say_last(void *arg, bool error, struct place at, const char *text)
{
	(void)arg;
	host_message(error ? MCPLT_ERROR : MCPLT_WARNING, at.file, at.line,
	    at.column, text);
}

/* Takes the place of longjmp (setjmp.h). */
void
host_give_up(void)
{
	struct diag_log *log = diag_keep(NULL);

	if (log != NULL)
		diag_take(log, say_last, NULL);
	__builtin_trap();
}

mcplt *
host_open(void)
{
	const struct mcplt_options o = { .size = sizeof o, .message = say };

	return mcplt_open(&o);
}

static ptrdiff_t
read_host(void *arg, char *to, size_t n)
{
	(void)arg;
	return host_read(to, n);
}

static int
take(void *arg, struct mcplt_text record)
{
	(void)arg;
	return host_take(record.s, record.n);
}

/* `flags`: 1 no results, 2 no system prompt, 4 a record for each prompt, and 8 times the
 * way of sub-agents. */
static struct mcplt_extract_options
options_of(int flags)
{
	return (struct mcplt_extract_options){
		.size = sizeof(struct mcplt_extract_options),
		.take = take,
		.no_results = flags & 1,
		.no_system = flags & 2,
		.split = flags & 4,
		.sidechains = flags / 8
	};
}

int
host_extract(mcplt *m, const char *name, const char *format, const char *to,
    size_t results, int flags)
{
	struct mcplt_extract_options o = options_of(flags);

	o.format = format;
	o.to = to;
	o.results = results;
	return mcplt_extract(m, &o, name, read_host, NULL);
}

/* `paths`: n files and folders, each with a NUL behind it. */
int
host_extract_files(mcplt *m, const char *paths, size_t n, int flags)
{
	const struct mcplt_extract_options o = options_of(flags);
	const char **list = calloc(n + 1, sizeof *list);
	int code = MCPLT_SYSTEM;

	for (size_t i = 0; list != NULL && i < n; i++) {
		list[i] = paths;
		paths += strlen(paths) + 1;
	}
	if (list != NULL)
		code = mcplt_extract_files(m, &o, list, n);
	free(list);
	return code;
}

const char *
host_format(mcplt *m, size_t i)
{
	const char *about;

	return mcplt_format_name(m, i, &about);
}

mcplt_spec *
host_spec(mcplt *m)
{
	return mcplt_spec_open(m);
}

void
host_spec_close(mcplt_spec *s)
{
	mcplt_spec_close(s);
}

int
host_rule(mcplt_spec *spec, const char *s, size_t n)
{
	return mcplt_spec_rule(spec, text(s, n));
}

int
host_text(mcplt_spec *spec, const char *name, const char *s, size_t n,
    const char *dialect)
{
	return mcplt_spec_text(spec, name, text(s, n), dialect);
}

int
host_file(mcplt_spec *spec, const char *path, const char *dialect)
{
	return mcplt_spec_file(spec, path, dialect);
}

mcplt_check *
host_check(mcplt_spec *spec, int slim)
{
	const struct mcplt_check_options o = { .size = sizeof o, .slim = slim };

	return mcplt_check_open(spec, &o);
}

void
host_check_close(mcplt_check *c)
{
	mcplt_check_close(c);
}

int
host_record(mcplt_check *c, const char *s, size_t n)
{
	enum mcplt_status status;
	struct mcplt_text checked;
	enum mcplt_code code =
	    mcplt_check_record(c, text(s, n), &status, &checked);

	set_answer(checked, (int)status);
	return code;
}

int
host_call(mcplt_check *c, const char *record, size_t n, const char *tool,
    const char *args)
{
	enum mcplt_status status;
	enum mcplt_code code = mcplt_check_call(c, text(record, n),
	    text(tool, strlen(tool)), text(args, strlen(args)), &status);

	set_answer(text(NULL, 0), (int)status);
	return code;
}

/* Returns result i; NULL behind the last. */
const struct mcplt_result *
host_result(mcplt_check *c, size_t i)
{
	size_t n;
	const struct mcplt_result *r = mcplt_check_results(c, &n);

	return i < n ? r + i : NULL;
}

mcplt_report *
host_report(mcplt *m, const char *format, int details)
{
	const struct mcplt_report_options o = {
		.size = sizeof o, .format = format, .details = details
	};

	return mcplt_report_open(m, &o);
}

int
host_add(mcplt_report *r, const char *s, size_t n)
{
	return mcplt_report_add(r, text(s, n));
}

int
host_end(mcplt_report *r)
{
	struct mcplt_text report;
	int gate;
	enum mcplt_code code = mcplt_report_end(r, &report, &gate);

	set_answer(report, gate);
	return code;
}

void
host_report_close(mcplt_report *r)
{
	mcplt_report_close(r);
}
