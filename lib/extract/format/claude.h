/*
 * Modules that the readers of Claude Code's two formats share: claude_code.c
 * (its session files) and claude_stream.c (what it prints).
 */
#pragma once

#include "base/hash.h"
#include "extract/format/log_format.h"

/* ---- messages in the user's place (claude_user.c) ---- */

/* Claude's programs log three things in the user's place: the user's own words,
 * results of tools, and words of the program, which are no prompt. */

/* Reads the content of a message, a string or a list of blocks. `more` is the
 * record's own account of the result (toolUseResult), or NULL; is_meta: the
 * words are the program's. */
void claude_user_read(struct builder *, const struct json *content,
    const struct json *more, bool is_meta);

/* Returns whether a record with this origin (the log's statement of who spoke;
 * NULL: none) holds no prompt, but a notice to the model or a message of
 * another agent. */
bool claude_user_is_other(struct builder *, const struct json *origin);

/* Reads content as a prompt, without the program's words in it. */
void claude_prompt_read(struct builder *, const struct json *content);

/* Returns whether the id is that of an agent of the program itself: aLABEL-HEX
 * with the label of what the program does, such as to sum up the session, to
 * guess the user's next prompt, to answer a question beside the session, or to
 * keep notes. What such an agent does is nobody's run. */
bool claude_agent_is_helper(struct str id);

/* ---- the reason of a failure (claude_failure.c) ---- */

/* The reason why a run that Claude Code printed failed. Either its result says so, or its
 * account has reached a usage limit. The limit is reported by events
 * (rate_limit_event) and by a banner in place of an answer; Claude Code itself
 * counts such a run as successful. */

/* The rate limit as the last event reported it. Zeroed: no event did. */
struct claude_limit {
	bool rejected;
	struct str type; /* body: "five_hour"; absent: unknown */
	double resets;   /* seconds since 1970; 0: unknown */
};

/* Reads the rate_limit_info of an event; its text is copied into the arena. */
void claude_limit_read(
    struct claude_limit *, struct arena *, const struct json *info);

/* Returns the body of the reason of the failure, in the arena; absent if the
 * run did not fail. `silent`: the model produced no output. */
struct str claude_failure(const struct claude_limit *, struct arena *,
    const struct json *result, bool silent);

/* Returns whether the text of the result is an answer, rather than an error. */
bool claude_answered(const struct json *result);

/* ---- messages that come in parts (claude_partial.c) ---- */

/* With --include-partial-messages Claude Code prints messages while they come,
 * as the stream events of the API. These count only where the message itself,
 * or the block that they belong to, is not printed: as when the program is
 * killed meanwhile. */

/* An agent's message that is being streamed; it lives as long as the run. */
struct claude_partial {
	struct claude_partial *next;
	struct str parent; /* body: id of the call that started the agent */

	/* private */
	struct claude_partials *all;
	struct str id; /* body */
	struct usage usage;
	struct claude_block *first, **end, *open;
};

/* The streamed messages of a run's agents. Zeroed at the start of the run. */
struct claude_partials {
	struct claude_partial *first; /* the latest */
	struct hash_table by_parent;
	size_t n; /* number of messages with unprinted blocks */
};

/* Returns the streamed message of the agent that was started by the call
 * `parent`. */
struct claude_partial *claude_partial_of(
    struct claude_partials *, struct builder *, struct str parent);

/* Reads a stream event of the message. */
void claude_partial_read(
    struct claude_partial *, struct builder *, const struct json *event);

/* Returns whether any block of the message was not printed otherwise. */
bool claude_partial_any(const struct claude_partial *);

/* Feeds the message's blocks to the builder and forgets them. */
void claude_partial_emit(struct claude_partial *, struct builder *);

/* Forgets the message's blocks, since the message was printed. */
void claude_partial_drop(struct claude_partial *);

/* ---- files of sub-agents (claude_files.c) ---- */

/* Holds what the name and the sidecar of a sub-agent's file say. */
struct claude_file {
	const char *path;
	/* Body of the id of the call that started the sub-agent; absent: no sidecar
	 * says so. */
	struct str call;
	bool of_program; /* the agent is one of the program itself */
};

/* Returns what is known of the file that is read. Uses log->whole. */
const struct claude_file *claude_file_of(struct log *);

/* Returns whether the name of the file that is read is this session's id. */
bool claude_file_is_named(const struct log *, struct str session);

/* Implement the members `beside` and `owner` of struct log_format. */
char **claude_files_beside(struct log *);
const char *claude_file_owner(struct log *, const struct json *record);
