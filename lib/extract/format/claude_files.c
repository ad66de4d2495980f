/*
 * Claude Code keeps the records of a session's sub-agents in the folder
 * SESSION/subagents beside SESSION.jsonl, as agent-ID.jsonl with a sidecar
 * agent-ID.meta.json; earlier versions keep agent-ID.jsonl beside the session's
 * file.
 */
#include "extract/format/claude.h"
#include "extract/format/subagent_files.h"
#include "io/list_files.h"
#include "json/stream.h"

#include <unistd.h>

static char *
path_of(struct arena *a, struct str folder, const char *between,
    struct str name, const char *end)
{
	const struct str parts[] = { folder, str_of(between), name,
		str_of(end) };

	return str_c(a, str_join(a, parts, 4, (struct str){ 0 }));
}

static bool
is_agent_file(struct str path)
{
	struct str name = str_from(path, subagent_files_folder(path.s).n);

	return str_starts(name, "agent-") && str_ends(name, STR(".jsonl"));
}

char **
claude_files_beside(struct log *log)
{
	struct arena *a = log->arena;
	struct folder all = list_files(a,
	    path_of(a, subagent_files_stem(log->path), "/subagents",
		(struct str){ 0 }, ""));
	struct builder_ids missing = builder_missing_agents(log->builder, a);
	char **files = arena_new_n(a, char *, all.n + missing.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < all.n; i++)
		if (is_agent_file(str_of(all.paths[i])))
			files[n++] = all.paths[i];
	for (size_t i = 0; i < missing.n; i++) {
		char *path = path_of(a, subagent_files_folder(log->path),
		    "agent-", missing.list[i], ".jsonl");

		if (str_find_char(missing.list[i], '/') == missing.list[i].n &&
		    access(path, F_OK) == 0)
			files[n++] = path;
	}
	return files;
}

const char *
claude_file_owner(struct log *log, const struct json *record)
{
	struct str path = str_of(log->path);
	size_t end = subagent_files_find(path);

	if (!json_is(json_get(record, "isSidechain"), JSON_TRUE) ||
	    !is_agent_file(path))
		return NULL;
	if (end < path.n)
		return path_of(log->arena, str_slice(path, 0, end), "",
		    (struct str){ 0 }, ".jsonl");
	return path_of(log->arena, subagent_files_folder(log->path), "",
	    json_raw(json_get(record, "sessionId")), ".jsonl");
}

static struct str
read_sidecar(struct arena *a, const char *path)
{
	char *files[2] = { NULL };
	struct str call = { 0 };
	struct json_stream values;
	struct in in;

	if (!is_agent_file(str_of(path)))
		return call;
	files[0] =
	    path_of(a, subagent_files_stem(path), "", STR(".meta"), ".json");
	if (access(files[0], R_OK) != 0)
		return call;
	in_open(&in, files);
	json_stream_open(&values, &in, false);
	call = copy_body(a, json_get(json_stream_next(&values), "toolUseId"));
	json_stream_close(&values);
	in_close(&in);
	return call;
}

const struct claude_file *
claude_file_of(struct log *log)
{
	struct claude_file *s = log->whole;
	struct str name;

	if (s == NULL)
		log->whole = s = arena_new(log->arena, struct claude_file);
	if (s->path == log->path)
		return s;
	name = str_from(str_of(log->path), subagent_files_folder(log->path).n);
	*s = (struct claude_file){
		.path = log->path,
		.call = read_sidecar(log->arena, log->path),
		.of_program = is_agent_file(str_of(log->path)) &&
		    claude_agent_is_helper(str_from(name, strlen("agent-"))),
	};
	return s;
}

bool
claude_file_is_named(const struct log *log, struct str session)
{
	return str_eq(str_from(subagent_files_stem(log->path),
			  subagent_files_folder(log->path).n),
	    session);
}
