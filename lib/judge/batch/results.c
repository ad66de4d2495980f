#include "judge/batch/results.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/in.h"
#include "judge/batch/folder.h"

/* The results for one request. */
struct batch_results_of {
	struct batch_result *first, **last;
	bool asked;
};

void
batch_results_open(struct batch_results *r, const struct endpoint *endpoint)
{
	*r = (struct batch_results){ .endpoint = endpoint };
	r->requests.arena = &r->arena;
}

/* ---- in ---- */

static void
add(struct batch_results *r, struct str name, struct batch_result line)
{
	void **slot = hash_put(&r->requests, name);
	struct batch_results_of *of = *slot;

	if (of == NULL) {
		of = *slot = arena_new(&r->arena, struct batch_results_of);
		of->last = &of->first;
	}
	*of->last = arena_new(&r->arena, struct batch_result);
	**of->last = line;
	of->last = &(*of->last)->next;
}

/* Returns the name of the request in a line of results, in the arena. Returns
 * an absent text after a message if the line has no name. */
static struct str
name_in(struct batch_results *r, struct str line, const struct in *in)
{
	const char *member = r->endpoint->provider->batch_api->name;
	struct json_reader reader = { 0 };
	struct json_error error = { 0 };
	const struct json *value = json_read(&reader, line, NULL, &error);
	struct str name = json_text(json_get(value, str_of(member)), &r->arena);

	if (value == NULL)
		diag_error(
		    in_place(in, error.offset), "not JSON: %s", error.why);
	else if (name.s == NULL)
		diag_error(in_place(in, 0),
		    "expected a result with %s, found none", member);
	else
		name = str_dup(&r->arena, name);
	json_reader_free(&reader);
	return name;
}

static void
add_file(struct batch_results *r, char *path)
{
	char *files[] = { path, NULL };
	struct str line;
	struct in in;

	in_open(&in, files);
	while (in_line(&in, &line)) {
		struct str name = name_in(r, line, &in);
		struct batch_result result = {
			.path = path, .offset = in.offset, .n = line.n
		};

		if (name.s == NULL)
			continue;
		if (in_bytes_left(&in) < 0)
			result.text = str_dup(&r->arena, line);
		add(r, name, result);
	}
	in_close(&in);
}

static bool
add_folder(struct batch_results *r, const char *dir)
{
	static const char *const kinds[] = { "results", "errors" };
	struct batch_folder folder;

	if (!batch_folder_open(&folder, dir, r->endpoint, BATCH_FOLDER_READ))
		return false;
	for (size_t i = 0; i < 2 * folder.n; i++) {
		const char *path = batch_folder_path(
		    &folder, &folder.jobs[i / 2], kinds[i % 2]);

		if (access(path, F_OK) == 0)
			add_file(r, str_c(&r->arena, str_of(path)));
	}
	batch_folder_close(&folder);
	return true;
}

bool
batch_results_add(struct batch_results *r, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		diag_error((struct place){ .file = path }, "cannot read:");
		return false;
	}
	if (S_ISDIR(st.st_mode))
		return add_folder(r, path);
	add_file(r, str_c(&r->arena, str_of(path)));
	return true;
}

/* ---- out ---- */

const struct batch_result *
batch_results_find(struct batch_results *r, struct str name)
{
	struct batch_results_of *of = hash_get(&r->requests, name);

	if (of == NULL)
		return NULL;
	r->asked += !of->asked;
	of->asked = true;
	return of->first;
}

static struct str
read_line(const struct batch_result *line, struct arena *a)
{
	char *text = arena_room(a, line->n);
	int fd = open(line->path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : pread(fd, text, line->n, (off_t)line->offset);

	if (n >= 0 && (size_t)n < line->n)
		errno = EIO;
	if (n < 0 || (size_t)n < line->n)
		diag_die("%s: cannot read:", line->path);
	close(fd);
	return (struct str){ text, line->n };
}

void
batch_results_take(const struct batch_results *r,
    const struct batch_result *line, struct exchange *x)
{
	struct str text =
	    line->text.s != NULL ? line->text : read_line(line, x->arena);
	struct json_reader reader = { 0 };
	struct json_error error;

	r->endpoint->provider->batch_api->take(
	    json_read(&reader, text, NULL, &error), x);
	json_reader_free(&reader);
}

size_t
batch_results_left(const struct batch_results *r)
{
	return r->requests.n - r->asked;
}

void
batch_results_close(struct batch_results *r)
{
	arena_free(&r->arena);
}
