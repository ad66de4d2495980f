#include "judge/batch/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clamp.h"
#include "base/diag.h"
#include "base/sha256.h"
#include "base/timestamp.h"
#include "io/list_files.h"
#include "io/out.h"
#include "io/slurp.h"

/* ---- files of JSON ---- */

static const char *
path_of(struct batch_folder *f, const char *name)
{
	return str_c(&f->arena, str_printf(&f->arena, "%s/%s", f->dir, name));
}

/* Reads the object in the file. Returns NULL if there is no such file. Ends
 * the program if the file holds no object, because its contents must not be
 * lost. */
static const struct json *
read_object(struct batch_folder *f, const char *path)
{
	struct json_reader reader = { 0 };
	struct json_error error = { .why = "not an object" };
	const struct json *object;
	struct str text;

	if (!slurp_file(&f->arena, path, SIZE_MAX, &text)) {
		if (errno != ENOENT)
			diag_die("%s: cannot read:", path);
		return NULL;
	}
	object = json_read(&reader, text, NULL, &error);
	if (!json_is(object, JSON_OBJECT))
		diag_die("%s: not JSON: %s", path, error.why);
	object = json_keep(&f->arena, object);
	json_reader_free(&reader);
	return object;
}

static struct str
member(struct batch_folder *f, const struct json *object, const char *name)
{
	return json_text(json_get(object, str_of(name)), &f->arena);
}

/* ---- whose it is ---- */

static bool
write_owner(struct batch_folder *f, const char *path)
{
	struct out o;

	out_open(&o, path, false);
	out_begin(&o, '{');
	out_member_int(&o, "v", 1);
	out_member_str(&o, "provider", str_of(f->endpoint->provider->name));
	out_member_str(&o, "url", str_of(f->endpoint->to));
	out_member_str(&o, "model", str_of(f->endpoint->model));
	out_end(&o, '}');
	out_line(&o);
	return out_close(&o);
}

static bool
check_owner(struct batch_folder *f, bool make)
{
	const char *path = path_of(f, "batches.json");
	const struct json *owner = read_object(f, path);
	const struct {
		const char *name, *want;
	} members[] = {
		{ "provider", f->endpoint->provider->name },
		{ "url", f->endpoint->to },
		{ "model", f->endpoint->model },
	};

	if (owner == NULL && make)
		return write_owner(f, path);
	if (owner == NULL) {
		diag_system_error("%s: the folder has no batches (see "
				  "--batch-write)",
		    f->dir);
		return false;
	}
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		struct str is = member(f, owner, members[i].name);

		if (str_is(is, members[i].want))
			continue;
		diag_system_error(
		    "%s: the batches are for the %s '%.*s', not '%s'", f->dir,
		    members[i].name, STR_FMT(is), members[i].want);
		return false;
	}
	return true;
}

/* ---- the jobs ---- */

char *
batch_folder_path(
    struct batch_folder *f, const struct batch_job *job, const char *what)
{
	const char *suffix = "jsonl";

	if (str_is(str_of("requests"), what))
		suffix = f->endpoint->provider->batch_api->suffix;
	return str_c(&f->arena,
	    str_printf(&f->arena, "%s/%04zu.%s.%s", f->dir, job->number, what,
		suffix));
}

static const char *
state_path(struct batch_folder *f, const struct batch_job *job)
{
	char name[64];

	snprintf(name, sizeof name, "%04zu.state.json", job->number);
	return path_of(f, name);
}

static void
read_state(struct batch_folder *f, struct batch_job *job)
{
	const struct json *state = read_object(f, state_path(f, job));
	int64_t n = 0;

	job->label = member(f, state, "label");
	job->upload = member(f, state, "upload");
	job->batch = member(f, state, "batch");
	job->status = member(f, state, "status");
	job->over = json_is(json_get(state, "over"), JSON_TRUE);
	json_int(json_get(state, "requests"), &n);
	job->n = clamp_size(n);
	if (!timestamp_text(member(f, state, "begun"), &job->begun))
		job->begun = 0;
}

bool
batch_folder_note(struct batch_folder *f, const struct batch_job *job)
{
	char begun[TIMESTAMP_SIZE];
	struct out o;

	out_open(&o, state_path(f, job), false);
	out_begin(&o, '{');
	out_member_int(&o, "v", 1);
	out_member_size(&o, "requests", job->n);
	out_member_str(&o, "label", job->label);
	out_member_str(&o, "begun", timestamp_print(job->begun, begun));
	out_member_str(&o, "upload", job->upload);
	out_member_str(&o, "batch", job->batch);
	out_member_str(&o, "status", job->status);
	out_member_bool(&o, "over", job->over);
	out_end(&o, '}');
	out_line(&o);
	return out_close(&o);
}

/* Returns the number in the path of a file of requests; 0: the file is
 * something else, such as the rest of a file that was not completed
 * (io/atomic_file.h). */
static size_t
number_of(const struct batch_folder *f, const char *path)
{
	struct str name = str_from(str_of(path), str_of(f->dir).n + 1), rest;
	char *end;
	size_t number = (size_t)strtoul(name.s, &end, 10);

	rest = str_of(end);
	if (name.s[0] < '0' || name.s[0] > '9' ||
	    !str_starts(rest, ".requests.") ||
	    !str_is(str_from(rest, STR(".requests.").n),
		f->endpoint->provider->batch_api->suffix))
		return 0;
	return number;
}

static void
find_jobs(struct batch_folder *f)
{
	struct folder all = list_files(&f->arena, f->dir);

	for (size_t i = 0; i < all.n; i++) {
		size_t number = number_of(f, all.paths[i]);
		struct batch_job *job;

		if (number == 0)
			continue;
		job = arena_push(&f->arena, f->jobs, f->n);
		job->number = number;
		job->requests = all.paths[i];
		read_state(f, job);
	}
}

struct batch_job
batch_folder_next(struct batch_folder *f)
{
	struct batch_job job = { .number = 1 };

	for (size_t i = 0; i < f->n; i++)
		if (f->jobs[i].number >= job.number)
			job.number = f->jobs[i].number + 1;
	job.requests = batch_folder_path(f, &job, "requests");
	return job;
}

/* ---- the folder ---- */

static bool
enter(struct batch_folder *f, enum batch_use use)
{
	if (use == BATCH_FOLDER_MAKE && mkdir(f->dir, 0777) != 0 &&
	    errno != EEXIST)
		diag_die("%s: cannot be created:", f->dir);
	f->fd = open(f->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (f->fd < 0)
		diag_die("%s: cannot read:", f->dir);
	if (use != BATCH_FOLDER_READ && flock(f->fd, LOCK_EX | LOCK_NB) != 0 &&
	    errno == EWOULDBLOCK) {
		diag_system_error(
		    "%s: another mcpl-judge is using this folder", f->dir);
		return false;
	}
	return true;
}

bool
batch_folder_open(struct batch_folder *f, const char *dir,
    const struct endpoint *endpoint, enum batch_use use)
{
	struct str name = str_of(dir);

	*f = (struct batch_folder){ .endpoint = endpoint, .fd = -1 };
	while (name.n > 1 && str_ends(name, "/"))
		name.n--;
	f->dir = str_c(&f->arena, name);
	if (!enter(f, use) || !check_owner(f, use == BATCH_FOLDER_MAKE)) {
		batch_folder_close(f);
		return false;
	}
	find_jobs(f);
	return true;
}

void
batch_folder_close(struct batch_folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	arena_free(&f->arena);
}

/* ---- the names of requests ---- */

void
request_names_open(
    struct request_names *n, const struct batch_api *batch_api, char *path)
{
	n->batch_api = batch_api;
	n->files[0] = path;
	n->files[1] = NULL;
	in_open(&n->in, n->files);
}

bool
request_names_next(struct request_names *n, struct str *name)
{
	struct str line, open = str_of(n->batch_api->open);

	while (in_line(&n->in, &line)) {
		if (!str_starts(line, open))
			continue;
		*name = str_slice(
		    line, open.n + 1, open.n + 1 + (size_t)SHA256_HEX);
		return true;
	}
	return false;
}

void
request_names_close(struct request_names *n)
{
	in_close(&n->in);
}
