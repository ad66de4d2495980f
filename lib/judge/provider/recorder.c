#include "judge/provider/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/timestamp.h"
#include "io/atomic_file.h"
#include "io/out.h"
#include "judge/provider/endpoint.h"
#include "json/json.h"

enum { /* bytes of a file's name */
	RUN_MAX = 48,
	ABOUT_MAX = 64,
};

enum { ATTEMPTS = 100 }; /* to find a free name */

bool
recorder_open(const struct recorder *r)
{
	if (mkdir(r->dir, 0700) != 0 && errno != EEXIST)
		return false;
	return access(r->dir, W_OK | X_OK) == 0;
}

/* ---- the name ---- */

/* Appends a part of a name: letters, digits and hyphens. */
static void
put_part(struct out *o, struct str text, size_t most)
{
	size_t n = 0;
	bool gap = true; /* a hyphen stands before */

	out_char(o, '-');
	for (size_t i = 0; i < text.n && n < most; i++) {
		bool plain = ascii_is_alnum((uint8_t)text.s[i]) ||
		    text.s[i] == '_' || text.s[i] == '.';

		if (plain || !gap) {
			out_str(
			    o, plain ? str_slice(text, i, i + 1) : STR("-"));
			n++;
		}
		gap = !plain;
	}
}

/* Returns the path of the try that begins now, and sets e->when. `twin` tells
 * apart files of the same microsecond. */
static const char *
path_of(const struct recorder *r, struct recorder_entry *e, int twin,
    struct arena *a)
{
	char text[TIMESTAMP_SIZE];
	struct timespec now;
	struct out o;

	clock_gettime(CLOCK_REALTIME, &now);
	e->when = str_dup(a,
	    timestamp_print(
		(int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000, text));
	out_open_memory(&o);
	out_printf(&o, "%s/", r->dir);
	for (size_t i = 0; i + 1 < e->when.n; i++)
		if (strchr("-:", e->when.s[i]) == NULL)
			out_char(&o, e->when.s[i]);
	out_printf(&o, "%03ldZ", now.tv_nsec / 1000 % 1000);
	put_part(&o, e->run, RUN_MAX);
	put_part(&o, e->n == 0 ? STR("") : e->about[0], ABOUT_MAX);
	if (e->n > 1)
		out_printf(&o, "+%zu", e->n - 1);
	if (e->tries > 1)
		out_printf(&o, "-try%u", e->tries);
	if (twin != 0)
		out_printf(&o, ".%d", twin);
	out_text(&o, ".json");
	return str_c(a, out_keep(&o, a));
}

/* ---- the contents ---- */

/* Writes a text that was or would be sent: a JSON value as such, so that jq finds
 * its members, and any other text as a string. */
static void
put_text(struct out *o, const char *name, const struct endpoint *endpoint,
    struct str text, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	if (text.s == NULL)
		return;
	text = endpoint_hide_secrets(endpoint, a, text);
	out_key(o, name);
	if (json_read(&reader, text, NULL, &error) != NULL) {
		out_source(o, text);
		o->comma = true;
	} else {
		out_json_str(o, text);
	}
	json_reader_free(&reader);
}

/* Writes the names of the headers, whose values may be secrets. */
static void
put_headers(struct out *o, const char **headers)
{
	if (headers == NULL)
		return;
	out_member_begin(o, "headers", '[');
	for (; *headers != NULL; headers++) {
		struct str rest = str_of(*headers);

		out_json_str(o, str_cut(&rest, ':'));
	}
	out_end(o, ']');
}

static void
put_request(
    struct out *o, const struct recorder_entry *e, const struct exchange *x)
{
	const struct endpoint *endpoint = e->endpoint;

	out_member_str(o, "time", e->when);
	out_member_str(o, "run", e->run);
	if (e->n != 0) {
		out_key(o, "checks");
		out_json_strs(o, (struct str_list){ e->about, e->n });
	}
	out_member_size(o, "try", e->tries);
	out_member_str(o, "provider", str_of(endpoint->provider->name));
	if (endpoint->model != NULL) {
		out_key(o, "model");
		out_json_str(o, str_of(endpoint->model));
	}
	out_key(o, endpoint->provider->url == NULL ? "command" : "url");
	out_json_str(
	    o, endpoint_hide_secrets(endpoint, x->arena, str_of(x->to)));
	put_headers(o, x->headers);
	put_text(o, "request", endpoint, x->body, x->arena);
	if (x->file != NULL) {
		out_key(o, "file");
		out_json_str(o, str_of(x->file));
	}
}

static void
put_reply(
    struct out *o, const struct recorder_entry *e, const struct exchange *x)
{
	const struct endpoint *endpoint = e->endpoint;

	out_member_double(
	    o, "seconds", round((clock_now() - e->begun) * 1000) / 1000);
	if (x->status != 0) {
		out_member_int(o, "status", x->status);
		put_text(o, "reply", endpoint, x->reply, x->arena);
	}
	if (x->trouble.s != NULL) {
		out_key(o, "trouble");
		out_json_str(
		    o, endpoint_hide_secrets(endpoint, x->arena, x->trouble));
	}
	if (x->wait >= 0)
		out_member_double(o, "wait", x->wait);
}

/* ---- the file ---- */

static bool
write_all(int fd, struct str text)
{
	while (text.n != 0) {
		ssize_t n = write(fd, text.s, text.n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text = str_from(text, (size_t)n);
	}
	return true;
}

/* Reports the first failure. */
static void
report(struct recorder *r, const char *path)
{
	if (!r->failed)
		diag_system_error(
		    "--log: %s: cannot write (reported once):", path);
	r->failed = true;
}

/* Creates a file for the try, which only its owner can read. Returns its
 * descriptor; -1, with errno, on failure. */
static int
create(const struct recorder *r, struct recorder_entry *e, struct arena *a)
{
	int fd = -1;

	errno = EEXIST;
	for (int i = 0; i < ATTEMPTS && fd < 0 && errno == EEXIST; i++) {
		e->path = path_of(r, e, i, a);
		fd = open(
		    e->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	}
	return fd;
}

/* Replaces the file of a try. Returns false, with errno, on failure. */
static bool
replace(const char *path, struct str text)
{
	struct atomic_file file;
	int error;

	if (!atomic_file_open(&file, path))
		return false;
	if (write_all(file.fd, text))
		return atomic_file_close(&file, true);
	error = errno;
	atomic_file_close(&file, false);
	errno = error;
	return false;
}

/* Returns the line of a try that began or ended, in the exchange's arena. */
static struct str
line_of(const struct recorder_entry *e, const struct exchange *x,
    const char *outcome, struct str why)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	put_request(&o, e, x);
	if (outcome != NULL)
		put_reply(&o, e, x);
	out_member_str(
	    &o, "outcome", str_of(outcome == NULL ? "open" : outcome));
	if (why.s != NULL) {
		out_key(&o, "why");
		out_json_str(&o, why);
	}
	out_end(&o, '}');
	out_char(&o, '\n');
	return out_keep(&o, x->arena);
}

void
recorder_begin(struct recorder *r, struct recorder_entry *e,
    const struct endpoint *endpoint, const struct exchange *x)
{
	const char *path;
	int fd;

	if (r == NULL)
		return;
	e->endpoint = endpoint;
	e->tries++;
	e->begun = clock_now();
	fd = create(r, e, x->arena);
	path = e->path;
	if (fd < 0 || !write_all(fd, line_of(e, x, NULL, (struct str){ 0 }))) {
		report(r, path);
		e->path = NULL;
	}
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && e->path == NULL)
		unlink(path);
}

void
recorder_end(struct recorder *r, struct recorder_entry *e,
    const struct exchange *x, const char *outcome, struct str why)
{
	if (r != NULL && e->path != NULL &&
	    !replace(e->path, line_of(e, x, outcome, why)))
		report(r, e->path);
}
