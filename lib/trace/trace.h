/*
 * The record that passes from tool to tool, one JSON object per line: see
 * mcpl-trace(5). This header has what every stage needs of a record. A stage
 * passes members that it does not know on, byte for byte.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "io/out.h"
#include "json/json.h"

/* The status of a check or a run; only a run may be unchecked. */
enum status {
	STATUS_PASSED,
	STATUS_FAILED,
	STATUS_ERROR,
	STATUS_PENDING,
	STATUS_SKIPPED,
	STATUS_UNCHECKED,
	STATUS_COUNT,
};

const char *status_name(enum status);
struct str status_quoted(enum status); /* a JSON string */
/* Returns false if no status has this name. */
bool status_of(struct str name, enum status *);

/* The members of a record, in the order in which they are written. */
enum trace_member {
	TRACE_TYPE,
	TRACE_V,
	TRACE_ID,
	TRACE_SCENARIO_ID,
	TRACE_RUN_INDEX,
	TRACE_AGENT,
	TRACE_PROVIDER,
	TRACE_MODEL,
	TRACE_SOURCE,
	TRACE_TS_START,
	TRACE_TS_END,
	TRACE_DURATION_MS,
	TRACE_ERROR,
	TRACE_PROMPT,
	TRACE_SYSTEM,
	TRACE_FINAL_TEXT,
	TRACE_CUT,
	TRACE_TOOL_SEQUENCE,
	TRACE_TURNS,
	TRACE_USAGE,
	TRACE_WORKFLOW,
	TRACE_ENDED,
	TRACE_UNREAD,
	TRACE_WORKSPACE,
	TRACE_META,
	TRACE_STATUS,
	TRACE_PASS,
	TRACE_FAILURES,
	TRACE_CHECK_RESULTS,
	TRACE_EXTRACTED,
	TRACE_MEMBERS,
};

/* Returns the name of the member, and sets *type to the JSON type of its value;
 * NULL: any. */
const char *trace_member_name(enum trace_member, const char **type);

/* A record, with its members found in one pass. NULL is a member that the
 * record lacks, or that is null; both mean "not recorded". */
struct trace {
	const struct json *record;
	const struct json *member[TRACE_MEMBERS];
};

/* Returns false if the record is not a trace of a version that this program
 * reads. */
bool trace_read(struct trace *, const struct json *record);

/* Explains a false result of trace_read: returns whether the record is a trace
 * of another version, and reports that as an error, so that no caller takes the
 * record for something else. */
bool trace_warn_version(const struct json *record, struct place at);

/* Returns " (did you mean 'agent'?)" if the name is similar to a member's name
 * but equal to none; else an empty text. */
const char *trace_member_near(struct str name, struct arena *);

/* Warns of n values that are not traces, if n is not 0. `passed` is "through" if
 * the values were written as they are, "over" if they were left out. */
void trace_warn_foreign(const char *passed, size_t n);

/* Returns whether the log itself cut the member with that name short. */
bool trace_cut(const struct trace *, struct str name);

/* Returns whether the step says that the log cut its "text" or "result"
 * (`what`). */
bool trace_step_cut(const struct json *step, struct str what);

/* Returns whether texts or results are cut in a record whose steps do not say
 * which. */
bool trace_cut_unmarked(const struct trace *);

/* Returns why the run itself failed: a text, or the source of another value;
 * absent if the run did not fail. */
struct str trace_error(const struct trace *, struct arena *);

/* A tool call, which is a step with a tool. */
struct trace_call {
	const struct json *step;
	struct str tool;         /* the name as logged */
	struct str server, name; /* absent unless the server is known */
	const struct json *args, *result, /* NULL: not recorded */
	    *is_error, *duration_ms, *message;
	size_t turn;  /* from 0 */
	size_t depth; /* number of calls around this one, whose sub-agents
		       * made it */
};

struct trace_calls {
	struct trace_call *list;
	size_t n;
};

/* Returns whether the step is a call of the user, who has tools of the user's own in
 * some simulations. */
bool trace_step_is_users(const struct json *step);

/*
 * Returns the agent's calls of the run in order, a sub-agent's calls after the call
 * that started it. If the record has no steps, the calls have only the names of
 * tool_sequence. A result whose call was not recorded is not a call: such a
 * step has no args, and tool_sequence does not count it. Whether calls were
 * recorded at all shows in tool_sequence: it is missing if not.
 */
struct trace_calls trace_calls(const struct trace *, struct arena *);

/* Returns whether the call is of the tool that an author names: as logged,
 * without its server, as mcp__SERVER__NAME or as SERVER:NAME. */
bool trace_call_is(const struct trace_call *, struct str name);

/* Returns the number of calls of the tool. */
size_t trace_calls_of(struct trace_calls, struct str tool);

/* Like trace_call_is, for a pattern in which '*' matches any text. */
bool trace_call_like(
    const struct trace_call *, struct str pattern, struct arena *);

/* Returns a run's status from the number of its checks with each status: error if
 * the run itself failed (`error`); else the first of failed, error, pending, passed
 * and skipped that a check has; else unchecked. */
enum status trace_status(const size_t counts[STATUS_COUNT], bool error);

/* Writes a run's members `status` and `pass`. */
void trace_put_status(struct out *, enum status);

/*
 * Writes the record with its members unchanged, except for those that `drop`
 * names (a NULL-terminated list), and adds `members` before the closing brace.
 * `members` is JSON text such as {"a":1,"b":2} without the braces, and may be
 * empty. No newline is written.
 */
void trace_splice(struct out *, const struct json *record,
    const char *const drop[], struct str members);
