/*
 * Where Claude Code keeps the records of a session's sub-agents: in the folder
 * SESSION/subagents beside SESSION.jsonl, as agent-ID.jsonl with a sidecar
 * agent-ID.meta.json; earlier versions beside the session's file.
 */
#pragma once

#include "extract/format/format.h"

/* As the members of struct log_format. */
char **claude_files(struct log *);
const char *claude_files_owner(struct log *, const struct json *record);

/* What the sidecar of the file that is read says; zeroed at first. */
struct claude_sidecar {
	const char *path; /* of the file */
	struct str call;
};

/* Body: the id of the call that started the sub-agent whose file is read, if
 * a sidecar tells. */
struct str claude_files_call(struct log *, struct claude_sidecar *);

/* Whether the file that is read is called after the session with that id. */
bool claude_files_is_of(const struct log *, struct str session);
