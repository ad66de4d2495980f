#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *prog = "mcpl";
static bool quiet;
static size_t errors;
static FILE *also;

void
diag_init(const char *argv0)
{
	const char *slash = argv0 == NULL ? NULL : strrchr(argv0, '/');

	if (slash != NULL)
		prog = slash + 1;
	else if (argv0 != NULL)
		prog = argv0;
}

void
diag_quiet(void)
{
	quiet = true;
}

bool
diag_also_to(const char *path)
{
	also = fopen(path, "we");
	return also != NULL;
}

static void
put_json_text(FILE *f, const char *text)
{
	putc('"', f);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(f, "\\%c", *p);
		else if (*p < 0x20)
			fprintf(f, "\\u%04x", *p);
		else
			putc(*p, f);
	}
	putc('"', f);
}

static void
put_json(FILE *f, const char *level, struct place at, const char *text)
{
	fprintf(f, "{\"level\":\"%s\"", level);
	if (at.file != NULL) {
		fputs(",\"file\":", f);
		put_json_text(f, at.file);
	}
	if (at.line != 0)
		fprintf(f, ",\"line\":%zu", at.line);
	if (at.column != 0)
		fprintf(f, ",\"column\":%zu", at.column);
	fputs(",\"message\":", f);
	put_json_text(f, text);
	fputs("}\n", f);
	fflush(f);
}

/* A terminal must not obey what stands in somebody's log. */
static void
put_visible(FILE *f, const char *text)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if ((*p < 0x20 && *p != '\t') || *p == 0x7f)
			fprintf(f, "\\x%02x", *p);
		else
			putc(*p, f);
	}
}

static void
put_place(FILE *f, struct place at)
{
	if (at.file == NULL)
		return;
	put_visible(f, at.file);
	if (at.line != 0)
		fprintf(f, ":%zu", at.line);
	if (at.line != 0 && at.column != 0)
		fprintf(f, ":%zu", at.column);
	fputs(": ", f);
}

/* One write per message, so that those of a pipeline do not mix. */
static void
say(const char *level, struct place at, const char *format, va_list args)
{
	int saved = errno;
	size_t n = strlen(format);
	char *text, *line;
	size_t size;
	FILE *f;

	if (vasprintf(&text, format, args) < 0)
		return;
	f = open_memstream(&line, &size);
	if (f != NULL) {
		fprintf(f, "%s: ", prog);
		put_place(f, at);
		put_visible(f, text);
		if (n != 0 && format[n - 1] == ':')
			fprintf(f, " %s", strerror(saved));
		putc('\n', f);
		if (fclose(f) == 0)
			fwrite(line, 1, size, stderr);
		free(line);
	}
	if (also != NULL)
		put_json(also, level, at, text);
	free(text);
	errno = saved;
}

void
diag_error(struct place at, const char *format, ...)
{
	va_list args;

	errors++;
	va_start(args, format);
	say("error", at, format, args);
	va_end(args);
}

void
diag_warn(struct place at, const char *format, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, format);
	say("warning", at, format, args);
	va_end(args);
}

void
diag_trouble(const char *format, ...)
{
	va_list args;

	errors++;
	va_start(args, format);
	say("error", (struct place){ 0 }, format, args);
	va_end(args);
}

void
diag_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("error", (struct place){ 0 }, format, args);
	va_end(args);
	exit(2);
}

size_t
diag_errors(void)
{
	return errors;
}

int
diag_status(int otherwise)
{
	return errors != 0 ? 2 : otherwise;
}
