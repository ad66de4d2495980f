/* The input is two bytes of options, assertions, a line with only a NUL byte, a log, and
 * perhaps another such line and a record. The log comes in pieces; its records and the
 * record are checked and reported. The library must not print, and what it gives must be
 * traces. */
#include "face/mcpl-tools.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "traces.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

enum {
	RULE = 1,
	SLIM = 2,
	SPLIT = 4,
	FAILS = 8,
	NO_RESULTS = 16,
	EXPORT = 32,
	NAMED = 64,
	ARGS = 128
};

/* The options and the objects for one input. */
struct use {
	unsigned options, choice;
	uint32_t random;
	struct mcplt_text args; /* of a call that is asked about */
	struct str log;         /* the rest */
	mcplt_check *check;
	mcplt_report *report;
	size_t records, messages;
};

static void
hear(void *arg, const struct mcplt_message *m)
{
	struct use *u = arg;

	if (m->text[0] == '\0' || (m->column != 0 && m->line == 0))
		abort();
	u->messages++;
}

/* Checks a record, asks about a call, and counts what was checked. */
static void
judge(struct use *u, struct mcplt_text record)
{
	const struct mcplt_text tool = { "t", 1 };
	enum mcplt_status status = MCPLT_PASSED;
	const struct mcplt_result *r;
	struct mcplt_text checked;
	size_t n, failed = 0;

	if (mcplt_check_record(u->check, record, &status, &checked) ==
	    MCPLT_OK) {
		check_trace((struct str){ checked.s, checked.n });
		mcplt_report_add(u->report, checked);
	} else if (status == MCPLT_PASSED) {
		abort();
	}
	r = mcplt_check_results(u->check, &n);
	for (size_t i = 0; i < n; i++)
		failed += r[i].status == MCPLT_FAILED;
	if (failed != 0 && status == MCPLT_UNCHECKED)
		abort();
	if (mcplt_check_call(u->check, record, tool, u->args, &status) !=
		MCPLT_OK &&
	    status != MCPLT_SKIPPED)
		abort();
	(void)mcplt_check_results(u->check, &n);
}

static int
take(void *arg, struct mcplt_text record)
{
	struct use *u = arg;

	u->records++;
	if ((u->options & EXPORT) == 0) {
		check_trace((struct str){ record.s, record.n });
		judge(u, record);
	}
	return u->records == 20;
}

static ptrdiff_t
piece(void *arg, char *to, size_t n)
{
	struct use *u = arg;
	size_t most;

	u->random = u->random * 1664525 + 1013904223;
	most = (u->random >> 16) % 64 + 1;
	if (most < n)
		n = most;
	if (n > u->log.n)
		n = u->log.n;
	if (n == 0)
		return u->options & FAILS ? -1 : 0;
	memcpy(to, u->log.s, n);
	u->log = str_from(u->log, n);
	return (ptrdiff_t)n;
}

/* Extracts the log, which calls take() with each record. */
static void
extract(mcplt *m, struct use *u)
{
	const struct mcplt_extract_options o = {
		.size = sizeof o,
		.take = take,
		.arg = u,
		.to = u->options & EXPORT ? "otlp" : NULL,
		.split = (u->options & SPLIT) != 0,
		.no_results = (u->options & NO_RESULTS) != 0,
		.sidechains = (int)(u->choice % 3),
	};

	mcplt_extract(m, &o, "log", piece, u);
}

static mcplt_spec *
spec_of(mcplt *m, const struct use *u, struct str text)
{
	const struct mcplt_text given = { text.s, text.n };
	mcplt_spec *s = mcplt_spec_open(m);

	if (u->options & RULE)
		mcplt_spec_rule(s, given);
	else
		mcplt_spec_text(s, "spec", given,
		    u->options & NAMED ? mcplt_dialect_name(u->choice) : NULL);
	return s;
}

static void
use(struct use *u, struct str spec, struct str record)
{
	const struct mcplt_options listen = { sizeof listen, hear, u };
	const struct mcplt_check_options how = { sizeof how,
		(u->options & SLIM) != 0, 0 };
	struct mcplt_report_options form = { .size = sizeof form };
	mcplt *m = mcplt_open(&listen);
	mcplt_spec *s = spec_of(m, u, spec);
	struct mcplt_text text;
	const char *about;

	form.format = mcplt_report_format(u->choice % 16, &about);
	u->check = mcplt_check_open(s, &how);
	u->report = mcplt_report_open(m, &form);
	extract(m, u);
	if (record.s != NULL)
		judge(u, (struct mcplt_text){ record.s, record.n });
	mcplt_report_end(u->report, &text, NULL);
	mcplt_report_close(u->report);
	mcplt_check_close(u->check);
	mcplt_spec_close(s);
	mcplt_close(m);
}

/* Cuts the text before the next line that is only a NUL byte. */
static struct str
part(struct str *text)
{
	size_t n = str_find(*text, (struct str){ "\n\0\n", 3 });
	struct str first = str_slice(*text, 0, n);

	*text = n == text->n ? (struct str){ 0 } : str_from(*text, n + 3);
	return first;
}

/* An empty file in memory. */
static FILE *
empty(void)
{
	FILE *f = fdopen(memfd_create("printed", MFD_CLOEXEC), "w");

	if (f == NULL)
		abort();
	return f;
}

/* Uses the library with standard output and the stream of messages replaced by a file,
 * which stays empty. */
static void
use_quietly(struct use *u, struct str spec, struct str record)
{
	static FILE *printed;
	int output;

	fflush(stdout);
	output = dup(STDOUT_FILENO);
	if (printed == NULL)
		printed = empty();
	if (output < 0 || dup2(fileno(printed), STDOUT_FILENO) < 0)
		abort();
#ifdef __GLIBC__
	FILE *errors = stderr;

	stderr = printed;
	use(u, spec, record);
	stderr = errors;
#else
	use(u, spec, record);
#endif
	if (fflush(stdout) != 0 || fflush(printed) != 0 ||
	    lseek(STDOUT_FILENO, 0, SEEK_END) != 0)
		abort();
	dup2(output, STDOUT_FILENO);
	close(output);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size }, spec;
	struct use u = { 0 };

	if (size < 2)
		return -1;
	u.options = data[0];
	u.choice = u.random = data[1];
	text = str_from(text, 2);
	spec = part(&text);
	u.args = u.options & ARGS ? (struct mcplt_text){ spec.s, spec.n }
				  : (struct mcplt_text){ "{\"k\":1}", 7 };
	u.log = part(&text);
	use_quietly(&u, spec, text);
	return 0;
}
