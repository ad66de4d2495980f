#include "judge/batch/writer.h"

#include "base/diag.h"
#include "judge/batch/request_names.h"

static const struct bulk *
bulk_of(const struct bulk_writer *w)
{
	return w->folder.peer->provider->bulk;
}

/* Takes note of a name: it is in a file that waits for its replies, or it was
 * asked for, and so is in that or in one that is written now. */
static void
note_name(struct bulk_writer *w, struct str name, void *where)
{
	*hash_put_copy(&w->there, name) = where;
}

static void
note_names(struct bulk_writer *w, const struct bulk_job *job)
{
	struct bulk_names names;
	struct str name;

	bulk_names_open(&names, bulk_of(w), job->requests);
	while (bulk_names_next(&names, &name))
		note_name(w, name, &w->folder);
	bulk_names_close(&names);
}

bool
bulk_writer_open(struct bulk_writer *w, const char *dir,
    const struct peer *peer, size_t requests)
{
	*w = (struct bulk_writer){ .requests = peer->provider->bulk->requests,
		.bytes = peer->provider->bulk->bytes,
		.good = true };
	if (requests != 0 && requests < w->requests)
		w->requests = requests;
	if (!bulk_folder_open(&w->folder, dir, peer, BULK_MAKE))
		return false;
	w->there.arena = &w->folder.arena;
	for (size_t i = 0; i < w->folder.n; i++)
		if (!w->folder.jobs[i].over)
			note_names(w, &w->folder.jobs[i]);
	return true;
}

/* ---- files ---- */

static void
begin_file(struct bulk_writer *w)
{
	w->job = bulk_folder_next(&w->folder);
	out_open(&w->out, w->job.requests, false);
	out_text(&w->out, bulk_of(w)->begin);
	w->length = str_of(bulk_of(w)->begin).n;
}

static void
end_file(struct bulk_writer *w)
{
	if (w->job.n == 0)
		return;
	out_text(&w->out, bulk_of(w)->end);
	w->files++;
	*arena_push(&w->folder.arena, w->folder.jobs, w->folder.n) = w->job;
	w->job.n = 0;
	w->good &= out_close(&w->out);
}

/* ---- requests ---- */

static struct str
request_of(const struct bulk_writer *w, struct str name, struct str body,
    struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	out_text(&o, bulk_of(w)->open);
	out_quoted(&o, name);
	bulk_of(w)->put(&o, w->folder.peer, body);
	return out_keep(&o, a);
}

/* Whether a file that is so long has room for so many bytes more. */
static bool
fits(const struct bulk_writer *w, size_t length, size_t more)
{
	const struct bulk *b = bulk_of(w);

	return length + str_of(b->between).n + more + str_of(b->end).n <=
	    w->bytes;
}

static void
put(struct bulk_writer *w, struct str request)
{
	if (w->job.n != 0 &&
	    (w->job.n == w->requests || !fits(w, w->length, request.n)))
		end_file(w);
	if (w->job.n == 0)
		begin_file(w);
	else
		out_text(&w->out, bulk_of(w)->between);
	out_str(&w->out, request);
	w->length += request.n + str_of(bulk_of(w)->between).n;
	w->job.n++;
	w->written++;
}

void
bulk_writer_put(struct bulk_writer *w, struct str name, struct str body)
{
	const void *there = hash_get(&w->there, name);
	struct arena a = { 0 };
	struct str request;

	if (there == &w->out)
		return;
	note_name(w, name, &w->out);
	if (there != NULL) {
		w->waiting++;
		return;
	}
	request = request_of(w, name, body, &a);
	if (fits(w, str_of(bulk_of(w)->begin).n, request.n))
		put(w, request);
	else
		w->too_long++;
	arena_free(&a);
}

bool
bulk_writer_finish(struct bulk_writer *w)
{
	end_file(w);
	return w->good;
}

void
bulk_writer_close(struct bulk_writer *w)
{
	bulk_folder_close(&w->folder);
}
