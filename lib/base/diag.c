#include "base/diag.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/workflow_command.h"

static const char *prog = "mcpl";
static bool quiet;
static int trouble = 2; /* the exit status */
static size_t errors;
static FILE *json_file;
static bool status_shown; /* a status line that the next message removes */
/* Is held while a message or the status line is printed. */
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct diag_log *own_log; /* NULL: print at once */
static _Thread_local pthread_mutex_t *held;    /* by diag_lock; or NULL */
static _Thread_local jmp_buf *caught;          /* by diag_catch; or NULL */

struct diag_message {
	struct diag_message *next;
	struct place at; /* the file's name lies behind the text */
	bool error;
	char text[];
};

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
diag_set_trouble(int status)
{
	trouble = status;
}

int
diag_trouble(void)
{
	return trouble;
}

void
diag_quiet(void)
{
	quiet = true;
}

static void
show(const char *line)
{
	if (quiet || (line == NULL && !status_shown))
		return;
	fprintf(stderr, "\r%s\033[K", line == NULL ? "" : line);
	status_shown = line != NULL;
}

void
diag_show(const char *line)
{
	pthread_mutex_lock(&printing);
	show(line);
	pthread_mutex_unlock(&printing);
}

bool
diag_also_to(const char *path)
{
	json_file = fopen(path, "we");
	return json_file != NULL;
}

/* Writes the text as a JSON string. Invalid UTF-8 becomes U+FFFD. */
static void
put_json_text(FILE *f, const char *text)
{
	putc('"', f);
	for (size_t n, left = strlen(text); left > 0; text += n, left -= n) {
		size_t valid = utf8_length(text, left);

		n = valid == 0 ? 1 : valid;
		if (valid == 0)
			fputs("\xef\xbf\xbd", f);
		else if (*text == '"' || *text == '\\')
			fprintf(f, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(f, "\\u%04x", (unsigned)*text);
		else
			fwrite(text, 1, n, f);
	}
	putc('"', f);
}

/* Writes the message as a line of JSON. Returns false, with errno, on
 * failure. */
static bool
put_json(FILE *f, bool error, struct place at, const char *text)
{
	fprintf(f, "{\"level\":\"%s\"", error ? "error" : "warning");
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
	return fflush(f) == 0;
}

/* Takes the n bytes of a character. Returns whether they open a command. */
static bool
opens_command(struct workflow_command *line, const unsigned char *p, size_t n)
{
	bool opens = false;

	while (n-- > 0)
		opens |= workflow_command_opens(line, *p++);
	return opens;
}

/* Returns the number of bytes before the first that may not stand as it is, or may be
 * part of a command's beginning. */
static size_t
plain_length(const struct workflow_command *line, const char *text)
{
	size_t n = 0;

	if (!line->inside || line->hashes != 0 || line->character != 0)
		return 0;
	while (text[n] >= ' ' && text[n] < 0x7f && text[n] != '#')
		n++;
	return n;
}

/* Writes the text so that a terminal and GitHub's runner do not obey what
 * somebody's log holds: control characters (also C1), bytes that are no UTF-8,
 * and what would open a command appear as \xNN. */
static void
put_visible(FILE *f, const char *text)
{
	struct workflow_command line = { .inside = true };

	for (size_t n, left = strlen(text); left > 0; text += n, left -= n) {
		size_t valid;
		const unsigned char *p = (const unsigned char *)text;

		n = plain_length(&line, text);
		if (n != 0) {
			fwrite(text, 1, n, f);
			continue;
		}
		valid = utf8_length(text, left);
		n = valid == 0 ? 1 : valid;
		if (valid == 0 || (*p < 0x20 && *p != '\t') || *p == 0x7f ||
		    opens_command(&line, p, n))
			fprintf(f, "\\x%02x", *p);
		else if (n == 2 && p[0] == 0xc2 && p[1] < 0xa0)
			fprintf(f, "\\x%02x", p[1]);
		else
			fwrite(text, 1, n, f);
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

/* Returns the text of the message, which the caller frees, or NULL without
 * memory. A format that ends in a colon is completed with the text of errno. */
__attribute__((format(printf, 1, 0))) static char *
make_text(const char *format, va_list args)
{
	int error = errno;
	size_t n = strlen(format);
	char *text, *whole;

	if (vasprintf(&text, format, args) < 0) {
		errno = error;
		return NULL;
	}
	if (n == 0 || format[n - 1] != ':')
		return text;
	if (asprintf(&whole, "%s %s", text, strerror(error)) < 0)
		whole = NULL;
	free(text);
	errno = error;
	return whole;
}

/* Like make_text, but writes to buf as much as fits, and returns buf. */
__attribute__((format(printf, 3, 0))) static const char *
make_text_without_memory(
    char *buf, size_t size, const char *format, va_list args)
{
	const char *why = strerror(errno);
	size_t n = strlen(format);

	vsnprintf(buf, size, format, args);
	if (n != 0 && format[n - 1] == ':') {
		n = strlen(buf);
		snprintf(buf + n, size - n, " %s", why);
	}
	return buf;
}

static void
put_parts(FILE *f, struct place at, const char *text)
{
	fprintf(f, "%s: ", prog);
	put_place(f, at);
	put_visible(f, text);
	putc('\n', f);
}

/* Writes the message by one write, so that the messages of a pipeline do not
 * mix. Without memory each part of the message is a write. */
static void
put_line(struct place at, const char *text)
{
	char *line = NULL;
	size_t size;
	FILE *f = open_memstream(&line, &size);
	bool well = f != NULL;

	if (f != NULL) {
		put_parts(f, at, text);
		well = ferror(f) == 0;
		well &= fclose(f) == 0;
	}
	if (well)
		fwrite(line, 1, size, stderr);
	else
		put_parts(stderr, at, text);
	free(line);
}

static void
print_message(bool error, struct place at, const char *text)
{
	errors += error;
	pthread_mutex_lock(&printing);
	show(NULL);
	put_line(at, text);
	pthread_mutex_unlock(&printing);
	if (json_file != NULL && !put_json(json_file, error, at, text)) {
		json_file = NULL; /* stays open to the end */
		diag_system_error("cannot write the file of --errors:");
	}
}

/* Appends the message to the log. Returns false without memory. */
static bool
keep_message(
    struct diag_log *log, bool error, struct place at, const char *text)
{
	size_t n = strlen(text) + 1;
	size_t file = at.file == NULL ? 0 : strlen(at.file) + 1;
	struct diag_message *m = malloc(sizeof *m + n + file);

	log->errors += error;
	if (m == NULL)
		return false;
	*m = (struct diag_message){ .at = at, .error = error };
	memcpy(m->text, text, n);
	if (at.file != NULL)
		m->at.file = memcpy(m->text + n, at.file, file);
	if (log->last == NULL)
		log->first = m;
	else
		log->last->next = m;
	log->last = m;
	return true;
}

struct diag_log *
diag_keep(struct diag_log *log)
{
	struct diag_log *before = own_log;

	own_log = log;
	return before;
}

void
diag_print(struct diag_log *log)
{
	struct diag_log *before = own_log;

	own_log = NULL;
	for (const struct diag_message *m = log->first; m != NULL; m = m->next)
		print_message(m->error, m->at, m->text);
	diag_forget(log);
	own_log = before;
}

void
diag_take(struct diag_log *log,
    void (*take)(void *arg, bool error, struct place, const char *text),
    void *arg)
{
	struct diag_message *next;

	for (struct diag_message *m = log->first; m != NULL; m = next) {
		next = m->next;
		if (take != NULL)
			take(arg, m->error, m->at, m->text);
		free(m);
	}
	log->first = log->last = NULL;
	log->errors = 0;
}

void
diag_forget(struct diag_log *log)
{
	diag_take(log, NULL, NULL);
}

jmp_buf *
diag_catch(jmp_buf *place)
{
	jmp_buf *before = caught;

	caught = place;
	return before;
}

/* Waits for this thread's turn and prints its log. Later messages of the thread
 * are printed at once. */
static void
print_own_log(void)
{
	struct diag_log *log = own_log;
	int saved = errno;

	if (log == NULL)
		return;
	log->turn(log->arg);
	diag_print(log);
	own_log = NULL;
	errno = saved;
}

__attribute__((format(printf, 3, 0))) static void
log_message(bool error, struct place at, const char *format, va_list args)
{
	int saved = errno;
	char spare[256], *text;
	const char *message;
	struct diag_log *log = own_log;
	va_list again;

	va_copy(again, args);
	message = text = make_text(format, args);
	if (text == NULL)
		message = make_text_without_memory(
		    spare, sizeof spare, format, again);
	va_end(again);
	if (log == NULL ||
	    (!keep_message(log, error, at, message) && caught == NULL)) {
		print_own_log();
		print_message(error, at, message);
		diag_keep(log);
	}
	free(text);
	errno = saved;
}

void
diag_error(struct place at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_message(true, at, format, args);
	va_end(args);
}

void
diag_warn(struct place at, const char *format, ...)
{
	va_list args;

	if (quiet)
		return;
	va_start(args, format);
	log_message(false, at, format, args);
	va_end(args);
}

void
diag_say(struct place at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_message(false, at, format, args);
	va_end(args);
}

void
diag_system_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_message(true, (struct place){ 0 }, format, args);
	va_end(args);
}

void
diag_lock(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
	held = lock;
}

void
diag_unlock(pthread_mutex_t *lock)
{
	held = NULL;
	pthread_mutex_unlock(lock);
}

void
diag_die(const char *format, ...)
{
	va_list args;

	if (held != NULL)
		diag_unlock(held);
	if (caught == NULL)
		print_own_log();
	va_start(args, format);
	log_message(true, (struct place){ 0 }, format, args);
	va_end(args);
	if (caught != NULL)
		longjmp(*caught, 1);
	exit(trouble);
}

bool
diag_exhausted(int error)
{
	switch (error) {
	case EAGAIN: /* no more processes */
	case ECHILD: /* other code took the child's status */
	case EIO:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		return true;
	default:
		return false;
	}
}

size_t
diag_errors(void)
{
	return errors + (own_log == NULL ? 0 : own_log->errors);
}

int
diag_status(int otherwise)
{
	return errors != 0 ? trouble : otherwise;
}
