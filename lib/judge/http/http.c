#include "judge/http/http.h"

#include <assert.h>
#include <curl/curl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/out.h"
#include "judge/http/limit_headers.h"
#include "judge/http/upload.h"
#include "trace/usage.h"

enum {
	CONNECT_SECONDS = 10,
	SECONDS_MAX = 1000000, /* libcurl takes milliseconds */
};

/* One exchange that is under way. */
struct transfer {
	struct transfer *next, *previous; /* in the list of struct transfers */
	CURL *easy; /* its CURLINFO_PRIVATE is this transfer */
	struct exchange *x;
	struct curl_slist *headers;
	struct limit_headers limits;
	struct upload sent;
	struct out reply;
	struct atomic_file saved; /* used instead of reply if the exchange has
				   * `save`; its fd is -1 until the first byte
				   * comes */
	char why[CURL_ERROR_SIZE];
};

/* ---- what comes back ---- */

/* NOLINTBEGIN(readability-non-const-parameter): libcurl's types */

static long
status_of(const struct transfer *t)
{
	long status = 0;

	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

static bool
is_well(const struct transfer *t)
{
	long status = status_of(t);

	return status >= 200 && status < 300;
}

/* Appends bytes of the reply to the file of `save`. */
static void
save(struct transfer *t, struct str bytes)
{
	if ((t->saved.fd < 0 && !atomic_file_open(&t->saved, t->x->save)) ||
	    !upload_save(&t->saved, bytes))
		diag_die("%s: cannot write:", t->x->save);
}

static size_t
on_body(char *bytes, size_t one, size_t n, void *arg)
{
	struct transfer *t = arg;
	struct str text = { bytes, n };

	(void)one; /* always 1, as libcurl documents */
	if (t->x->save != NULL && is_well(t)) {
		save(t, text);
		return n;
	}
	if (n > EXCHANGE_REPLY_MAX - t->reply.n)
		return 0;
	out_str(&t->reply, text);
	return n;
}

/* Returns the seconds of a Retry-After header, which is a number of seconds or
 * a date; negative if the value is neither. */
static double
retry_after(const char *value)
{
	char *end;
	double seconds = strtod(value, &end);
	time_t date;

	if (end != value && *end == '\0')
		return isfinite(seconds) && seconds >= 0 ? seconds : -1;
	date = curl_getdate(value, NULL);
	if (date == (time_t)-1)
		return -1;
	return fmax(0, difftime(date, time(NULL)));
}

static void
take_header(struct transfer *t, struct str name, const char *value)
{
	char *end;
	double ms, usd;

	limit_headers_read(
	    &t->limits, name, str_of(value), (int64_t)time(NULL) * 1000);
	if (str_eq_ascii_nocase(name, STR("retry-after-ms"))) {
		ms = strtod(value, &end);
		if (end != value && isfinite(ms) && ms >= 0)
			t->x->wait = ms / 1000;
	} else if (str_eq_ascii_nocase(name, STR("retry-after"))) {
		if (t->x->wait < 0)
			t->x->wait = retry_after(value);
	} else if (str_eq_ascii_nocase(name, STR("x-litellm-response-cost"))) {
		usd = strtod(value, &end);
		if (end != value && usage_is_count(usd))
			t->x->cost = usd;
	} else if (str_eq_ascii_nocase(name, STR("x-should-retry"))) {
		t->x->retry = strcmp(value, "true") == 0 ? 1
		    : strcmp(value, "false") == 0        ? -1
							 : 0;
	}
}

static size_t
on_header(char *bytes, size_t one, size_t n, void *arg)
{
	struct str value = { bytes, n }, name = str_cut(&value, ':');
	char text[128];

	(void)one;
	value = str_trim(value);
	if (value.s != NULL && value.n < sizeof text) {
		memcpy(text, value.s, value.n);
		text[value.n] = '\0';
		take_header(arg, str_trim(name), text);
	}
	return n;
}

/* NOLINTEND(readability-non-const-parameter) */

/* ---- what goes out ---- */

static size_t
on_send(char *buf, size_t one, size_t size, void *arg)
{
	struct transfer *t = arg;
	size_t n;

	(void)one;
	if (!upload_read(&t->sent, buf, one * size, &n))
		diag_die("%s: cannot read:", t->x->file);
	return n;
}

/* libcurl calls this to send the body again, after a connection that was kept
 * open turned out to be dead. */
static int
on_seek(void *arg, curl_off_t offset, int origin)
{
	struct transfer *t = arg;

	if (offset != 0 || origin != SEEK_SET)
		return CURL_SEEKFUNC_CANTSEEK;
	upload_rewind(&t->sent);
	return CURL_SEEKFUNC_OK;
}

/* Returns an environment variable, or NULL if the variable is unset or
 * empty. */
static const char *
variable(const char *name)
{
	const char *value = getenv(name);

	return value == NULL || *value == '\0' ? NULL : value;
}

static bool
can_read(const char *file)
{
	return file != NULL && access(file, R_OK) == 0;
}

/* Returns the file of certificates of this system, for a libcurl that was built
 * for another one, as that of a static binary; NULL: none is found. */
static const char *
system_certificates(void)
{
	static const char *const places[] = {
		"/etc/ssl/certs/ca-certificates.crt", /* Debian, Arch */
		"/etc/pki/tls/certs/ca-bundle.crt",   /* Fedora, RHEL */
		"/etc/ssl/ca-bundle.pem",             /* openSUSE */
		"/etc/ssl/cert.pem",           /* Alpine, OpenBSD, macOS */
		"/usr/local/etc/ssl/cert.pem", /* FreeBSD */
	};

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (can_read(places[i]))
			return places[i];
	return NULL;
}

/* Applies the environment variables for certificates that the curl command
 * obeys and libcurl does not. */
static void
use_certificates(struct transfer *t)
{
	const char *bundle = variable("CURL_CA_BUNDLE");
	const char *file = variable("SSL_CERT_FILE");
	const char *folder = variable("SSL_CERT_DIR");
	const char *built_in = curl_version_info(CURLVERSION_NOW)->cainfo;

	if (bundle != NULL) {
		curl_easy_setopt(t->easy, CURLOPT_CAINFO, bundle);
		return;
	}
	if (file != NULL)
		curl_easy_setopt(t->easy, CURLOPT_CAINFO, file);
	if (folder != NULL)
		curl_easy_setopt(t->easy, CURLOPT_CAPATH, folder);
	if (file != NULL || can_read(built_in))
		return;
	/* libcurl refuses to start where its own bundle is not installed. */
	if (folder != NULL)
		curl_easy_setopt(t->easy, CURLOPT_CAINFO, NULL);
	else if (built_in != NULL && system_certificates() != NULL)
		curl_easy_setopt(
		    t->easy, CURLOPT_CAINFO, system_certificates());
}

static void
set_body(struct transfer *t)
{
	const struct exchange *x = t->x;
	CURL *easy = t->easy;

	if (!upload_open(&t->sent, x->body, x->file, x->tail))
		diag_die("%s: cannot read:", x->file);
	/* libcurl repeats a request by itself if a connection that was used
	 * before is lost. A new connection prevents that. */
	curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, (long)x->once);
	curl_easy_setopt(easy, CURLOPT_POST, 1L);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
	    (curl_off_t)upload_size(&t->sent));
	curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_send);
	curl_easy_setopt(easy, CURLOPT_READDATA, t);
	curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_seek);
	curl_easy_setopt(easy, CURLOPT_SEEKDATA, t);
}

static void
set_options(struct transfer *t)
{
	struct exchange *x = t->x;
	CURL *easy = t->easy;

	for (const char **h = x->headers; h != NULL && *h != NULL; h++)
		t->headers = curl_slist_append(t->headers, *h);
	/* libcurl would wait a second for "100 Continue" before a long
	 * body. */
	t->headers = curl_slist_append(t->headers, "Expect:");
	curl_easy_setopt(easy, CURLOPT_URL, x->to);
	curl_easy_setopt(easy, CURLOPT_USERAGENT, "mcpl-judge/" VERSION);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t->headers);
	if (x->body.s != NULL)
		set_body(t);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS,
	    (long)ceil(fmin(x->seconds, SECONDS_MAX) * 1000));
	curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->why);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
	use_certificates(t);
}

static struct transfer *
transfer_new(struct exchange *x)
{
	struct transfer *t = arena_new(x->arena, struct transfer);

	t->x = x;
	t->easy = curl_easy_init();
	if (t->easy == NULL)
		diag_die("cannot set up libcurl");
	out_open_memory(&t->reply);
	t->saved.fd = -1;
	t->sent.fd = -1;
	set_options(t);
	return t;
}

/* ---- end ---- */

/* Returns whether a connection was made, so that the request could be sent. */
static bool
is_connected(const struct transfer *t)
{
	double seconds = 0;

	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME, &seconds);
	return seconds > 0;
}

/* Sets the reason why there is no reply. libcurl's fixed text for the error
 * code is the same in every run; its detailed text names times and ports, so
 * it is used only for certificates, where it says what is wrong with them. */
static void
set_trouble(const struct transfer *t, CURLcode code)
{
	struct exchange *x = t->x;
	const char *why = curl_easy_strerror(code);

	x->unreachable = !is_connected(t);
	switch (code) {
	case CURLE_OPERATION_TIMEDOUT:
		x->timed_out = !x->unreachable;
		x->trouble = str_printf(x->arena, "no %s within %g seconds",
		    x->unreachable ? "connection" : "reply",
		    x->unreachable ? fmin(x->seconds, CONNECT_SECONDS)
				   : x->seconds);
		return;
	case CURLE_WRITE_ERROR:
		x->retry = -1;
		x->trouble = str_printf(x->arena,
		    "the reply is longer than %d bytes", EXCHANGE_REPLY_MAX);
		return;
	case CURLE_COULDNT_RESOLVE_HOST:
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_COULDNT_CONNECT: /* set here too: PRETRANSFER_TIME may be of
				     * an earlier connection */
		x->unreachable = true;
		break;
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
		x->retry = -1;
		if (t->why[0] != '\0')
			why = t->why;
		break;
	case CURLE_OUT_OF_MEMORY: /* libcurl's words for a long header */
#if LIBCURL_VERSION_NUM >= 0x080600
	case CURLE_TOO_LARGE:
#endif
		x->retry = -1;
		why = "a header of the reply is too long";
		break;
	default:
		if (strstr(t->why, "oo large response headers") != NULL) {
			x->retry = -1;
			why = "the headers of the reply are too long";
		}
		break;
	}
	x->trouble = str_dup(x->arena, str_of(why));
}

/* Gives the saved reply its final name. Does nothing if the reply is not
 * saved. */
static void
keep(struct transfer *t)
{
	if (t->x->save == NULL || !is_well(t))
		return;
	save(t, STR(""));
	if (!atomic_file_close(&t->saved, true))
		diag_die("%s: cannot write:", t->x->save);
}

static struct exchange *
transfer_finish(struct transfer *t, CURLcode code)
{
	struct exchange *x = t->x;

	x->status = code == CURLE_OK ? (int)status_of(t) : 0;
	x->reply = out_keep(&t->reply, x->arena);
	x->rest = limit_headers_rest(&t->limits, exchange_tokens(x));
	if (code == CURLE_OK)
		keep(t);
	else
		set_trouble(t, code);
	return x;
}

static void
transfer_free(struct transfer *t)
{
	out_close(&t->reply);
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	upload_close(&t->sent);
	atomic_file_close(&t->saved, false);
}

/* ---- the carrier ---- */

struct transfers {
	CURLM *multi; /* NULL until the first exchange starts */
	size_t most;
	struct transfer *first;
};

static void *
http_open(struct arena *a, size_t most)
{
	struct transfers *all = arena_new(a, struct transfers);

	all->most = most;
	return all;
}

/* Initialises libcurl. curl_global_init requires that the program has one
 * thread. */
static void
get_ready(struct transfers *all)
{
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    (all->multi = curl_multi_init()) == NULL)
		diag_die("cannot set up libcurl");
	curl_multi_setopt(all->multi, CURLMOPT_MAXCONNECTS, (long)all->most);
}

static void
http_start(void *self, struct exchange *x)
{
	struct transfers *all = self;
	struct transfer *t;

	if (all->multi == NULL)
		get_ready(all);
	t = transfer_new(x);
	t->next = all->first;
	if (t->next != NULL)
		t->next->previous = t;
	all->first = t;
	if (curl_multi_add_handle(all->multi, t->easy) != CURLM_OK)
		diag_die("cannot start a request");
}

static void
drop(struct transfers *all, struct transfer *t)
{
	*(t->previous == NULL ? &all->first : &t->previous->next) = t->next;
	if (t->next != NULL)
		t->next->previous = t->previous;
	curl_multi_remove_handle(all->multi, t->easy);
	transfer_free(t);
}

/* Returns an exchange that libcurl reports as ended, or NULL. */
static struct exchange *
finished(struct transfers *all)
{
	struct transfer *t = NULL;
	struct exchange *x;
	CURLMsg *message;
	int left;

	do
		message = curl_multi_info_read(all->multi, &left);
	while (message != NULL && message->msg != CURLMSG_DONE);
	if (message == NULL)
		return NULL;
	curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
	x = transfer_finish(t, message->data.result);
	drop(all, t);
	return x;
}

static struct exchange *
http_next(void *self, double seconds, int fd)
{
	struct transfers *all = self;
	struct curl_waitfd extra = { .fd = fd, .events = CURL_WAIT_POLLIN };
	struct exchange *x;
	int running, ms = (int)ceil(fmin(seconds, 3600) * 1000);

	assert(all->multi != NULL);
	curl_multi_perform(all->multi, &running);
	x = finished(all);
	if (x != NULL)
		return x;
	curl_multi_poll(all->multi, &extra, fd < 0 ? 0 : 1, ms, NULL);
	curl_multi_perform(all->multi, &running);
	return finished(all);
}

static void
http_stop(void *self)
{
	struct transfers *all = self;

	while (all->first != NULL)
		drop(all, all->first);
}

static void
http_close(void *self)
{
	struct transfers *all = self;

	if (all->multi == NULL)
		return;
	curl_multi_cleanup(all->multi);
	curl_global_cleanup();
}

const struct carrier http = { http_open, http_start, http_next, http_stop,
	http_close };
