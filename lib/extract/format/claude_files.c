#include "extract/format/claude_files.h"

#include <unistd.h>

#include "io/list_files.h"
#include "json/stream.h"

static const struct str extension = { ".jsonl", 6 };

/* The path without its extension. */
static struct str
stem(const char *path)
{
	struct str s = str_of(path);

	return str_ends(s, extension) ? str_slice(s, 0, s.n - extension.n) : s;
}

/* The folder of a path, with its slash; empty for the current one. */
static struct str
folder_of(const char *path)
{
	struct str s = str_of(path);

	while (s.n != 0 && s.s[s.n - 1] != '/')
		s.n--;
	return s;
}

static char *
path_of(struct arena *a, struct str folder, const char *between,
    struct str name, const char *end)
{
	struct str s = str_printf(
	    a, "%.*s%s%.*s%s", STR_FMT(folder), between, STR_FMT(name), end);

	return str_c(a, s);
}

static bool
is_agent_file(struct str path)
{
	struct str name = str_from(path, folder_of(path.s).n);

	return str_starts(name, "agent-") && str_ends(name, extension);
}

char **
claude_files(struct log *log)
{
	struct arena *a = log->arena;
	struct folder all = list_files(a,
	    path_of(a, stem(log->path), "/subagents", (struct str){ 0 }, ""));
	struct builder_ids missing = builder_missing_agents(log->builder, a);
	char **files = arena_new_n(a, char *, all.n + missing.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		if (is_agent_file(str_of(all.paths[i])))
			files[n++] = all.paths[i];
	for (size_t i = 0; i < missing.n; i++) {
		char *path = path_of(a, folder_of(log->path), "agent-",
		    missing.list[i], ".jsonl");

		if (str_find_char(missing.list[i], '/') == missing.list[i].n &&
		    access(path, F_OK) == 0)
			files[n++] = path;
	}
	return files;
}

/* Where the folder of sub-agents begins in the path: its name's last place, since
 * a project may be called so as well. The path's length if there is none. */
static size_t
find_subagents(struct str path)
{
	const struct str name = STR("/subagents/");
	size_t found = path.n, at = 0;

	while (str_contains(str_from(path, at), name)) {
		found = at + str_find(str_from(path, at), name);
		at = found + 1;
	}
	return found;
}

const char *
claude_files_owner(struct log *log, const struct json *record)
{
	struct str path = str_of(log->path);
	size_t end = find_subagents(path);

	if (!json_is(json_get(record, "isSidechain"), JSON_TRUE) ||
	    !is_agent_file(path))
		return NULL;
	if (end < path.n)
		return path_of(log->arena, str_slice(path, 0, end), "",
		    (struct str){ 0 }, ".jsonl");
	return path_of(log->arena, folder_of(log->path), "",
	    json_raw(json_get(record, "sessionId")), ".jsonl");
}

static struct str
read_sidecar(struct arena *a, const char *path)
{
	char *files[] = { path_of(a, stem(path), "", STR(".meta"), ".json"),
		NULL };
	struct str call = { 0 };
	struct json_stream values;
	struct in in;

	if (!is_agent_file(str_of(path)) || access(files[0], R_OK) != 0)
		return call;
	in_open(&in, files);
	json_stream_open(&values, &in, false);
	call = copy_body(a, json_get(json_stream_next(&values), "toolUseId"));
	json_stream_close(&values);
	in_close(&in);
	return call;
}

struct str
claude_files_call(struct log *log, struct claude_sidecar *s)
{
	if (s->path != log->path)
		*s = (struct claude_sidecar){ log->path,
			read_sidecar(log->arena, log->path) };
	return s->call;
}

bool
claude_files_is_of(const struct log *log, struct str session)
{
	return str_eq(
	    str_from(stem(log->path), folder_of(log->path).n), session);
}
