#include "judge/http/http.h"

#include <assert.h>
#include <math.h>

#include "base/diag.h"
#include "judge/http/transfer.h"

struct transfers {
	struct curl_library curl;
	CURLM *multi; /* NULL before the first of them */
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

/* libcurl's own preparations are safe in a program of one thread. */
static void
get_ready(struct transfers *all)
{
	struct curl_library *curl = &all->curl;

	curl_library_load(curl);
	if (curl->global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK ||
	    (all->multi = curl->multi_init()) == NULL)
		diag_die("cannot set up libcurl");
	curl->multi_setopt(all->multi, CURLMOPT_MAXCONNECTS, (long)all->most);
}

static void
http_start(void *self, struct exchange *x)
{
	struct transfers *all = self;
	struct transfer *t;

	if (all->multi == NULL)
		get_ready(all);
	t = transfer_new(&all->curl, x);
	t->next = all->first;
	all->first = t;
	if (all->curl.multi_add_handle(all->multi, t->easy) != CURLM_OK)
		diag_die("cannot start a request");
}

static void
drop(struct transfers *all, struct transfer *t)
{
	struct transfer **at = &all->first;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	all->curl.multi_remove_handle(all->multi, t->easy);
	transfer_free(t);
}

/* One that libcurl says is over. */
static struct exchange *
finished(struct transfers *all)
{
	struct transfer *t = NULL;
	struct exchange *x;
	CURLMsg *message;
	int left;

	do
		message = all->curl.multi_info_read(all->multi, &left);
	while (message != NULL && message->msg != CURLMSG_DONE);
	if (message == NULL)
		return NULL;
	all->curl.easy_getinfo(
	    message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
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
	all->curl.multi_perform(all->multi, &running);
	x = finished(all);
	if (x != NULL)
		return x;
	all->curl.multi_poll(all->multi, &extra, fd < 0 ? 0 : 1, ms, NULL);
	all->curl.multi_perform(all->multi, &running);
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
	all->curl.multi_cleanup(all->multi);
	all->curl.global_cleanup();
}

const struct carrier http = { http_open, http_start, http_next, http_stop,
	http_close };
