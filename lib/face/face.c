#include "face/face.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace.h"

/* A call of a function of the library. */
struct attempt {
	void (*work)(void *);
	void *arg;
	struct diag_log log;
	jmp_buf end; /* diag_die goes there */
};

/* Returns false if diag_die ended the work. */
static bool
attempt(struct attempt *a)
{
	if (setjmp(a->end) != 0) /* NOLINT(cert-err52-cpp) */
		return false;
	diag_catch(&a->end);
	a->work(a->arg);
	return true;
}

static void
tell(void *arg, bool error, struct place at, const char *text)
{
	const struct mcplt_options *to = arg;
	const struct mcplt_message m = {
		.level = error ? MCPLT_ERROR : MCPLT_WARNING,
		.file = at.file,
		.line = at.line,
		.column = at.column,
		.text = text,
	};

	if (to->message != NULL)
		to->message(to->arg, &m);
}

void
face_tell(struct face *f)
{
	struct diag_log *log = diag_keep(NULL);
	size_t errors = log->errors;
	locale_t inside;

	diag_keep(log);
	if (log->first == NULL)
		return;
	inside = uselocale(f->outside);
	diag_take(log, tell, &f->of->options);
	uselocale(inside);
	log->errors = errors;
}

enum mcplt_code
face_run(struct face *f, void (*work)(void *), void *arg)
{
	struct attempt a = { .work = work, .arg = arg };
	struct diag_log *log;
	jmp_buf *before;
	bool well;

	if (f == NULL || f->dead)
		return MCPLT_MISUSE;
	f->outside = uselocale(f->of->locale);
	log = diag_keep(&a.log);
	before = diag_catch(NULL);
	well = attempt(&a);
	diag_catch(before);
	face_tell(f);
	diag_keep(log);
	uselocale(f->outside);
	if (well)
		return a.log.errors != 0 ? MCPLT_MISTAKE : MCPLT_OK;
	f->dead = true;
	return MCPLT_SYSTEM;
}

bool
face_options(void *to, const void *given, size_t size)
{
	size_t n;

	if (given == NULL)
		return true;
	memcpy(&n, given, sizeof n);
	if (n < sizeof n)
		return false;
	memcpy(to, given, n < size ? n : size);
	return true;
}

const struct json *
face_record(struct json_reader *reader, struct mcplt_text record)
{
	struct json_error error;
	const struct json *v =
	    json_read(reader, face_str(record), NULL, &error);

	if (v == NULL)
		diag_error(
		    (struct place){ .line = 1, .column = error.offset + 1 },
		    "record: expected JSON, found: %s", error.why);
	return v;
}

/* ---- the library ---- */

static void
open_formats(void *formats)
{
	map_formats_open(formats);
}

mcplt *
mcplt_open(const struct mcplt_options *given)
{
	struct mcplt *m = calloc(1, sizeof *m);
	struct face f = { .of = m };

	if (m == NULL)
		return NULL;
	m->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (m->locale != (locale_t)0 &&
	    face_options(&m->options, given, sizeof m->options) &&
	    face_run(&f, open_formats, &m->formats) != MCPLT_SYSTEM)
		return m;
	mcplt_close(m);
	return NULL;
}

void
mcplt_close(mcplt *m)
{
	if (m == NULL)
		return;
	map_formats_close(&m->formats);
	if (m->locale != (locale_t)0)
		freelocale(m->locale);
	free(m);
}

int
mcplt_version(void)
{
	return MCPLT_VERSION;
}

const char *
mcplt_status_name(enum mcplt_status s)
{
	return (unsigned)s < STATUS_COUNT ? status_name((enum status)s) : NULL;
}

const char *
mcplt_format_name(mcplt *m, size_t i, const char **about)
{
	if (i >= m->formats.n)
		return NULL;
	*about = m->formats.table[i]->what;
	return m->formats.table[i]->name;
}
