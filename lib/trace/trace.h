/*
 * The record that passes from tool to tool, one JSON object a line: see
 * mcpl-trace(5). Here is what every stage needs of it; members that a stage
 * does not know are passed on byte for byte.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "io/out.h"
#include "json/json.h"

/* The status of a check, and of a run (which alone may be unchecked). */
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
struct str status_quoted(enum status); /* as JSON */
/* False if it names none. */
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
	TRACE_FINAL_TEXT,
	TRACE_CUT,
	TRACE_TOOL_SEQUENCE,
	TRACE_TURNS,
	TRACE_USAGE,
	TRACE_WORKFLOW,
	TRACE_WORKSPACE,
	TRACE_META,
	TRACE_STATUS,
	TRACE_PASS,
	TRACE_FAILURES,
	TRACE_CHECK_RESULTS,
	TRACE_EXTRACTED,
	TRACE_MEMBERS,
};

/* A record with these members found in one pass; NULL is what it lacks, which
 * means "not recorded". A member that is null counts as lacking. */
struct trace {
	const struct json *record;
	const struct json *member[TRACE_MEMBERS];
};

/* False if the record is no trace of a version that this program reads. */
bool trace_read(struct trace *, const struct json *record);

/* What trace_read said so of: whether it is a trace of another version. Then
 * that is told as an error, for nobody may take it for something else. */
bool trace_warn_version(const struct json *record, struct place at);

/* " (did you mean 'agent'?)" if the name is near that of a member, and none's;
 * else nothing. */
const char *trace_member_near(struct str name, struct arena *);

/* Warns of so many values that were none, if any; they were passed "through",
 * or "over". */
void trace_warn_foreign(const char *passed, size_t n);

/* Whether the log itself cut the member of that name short. */
bool trace_cut(const struct trace *, struct str name);

/* Whether the step says that the log cut this of it: "text" or "result". */
bool trace_step_cut(const struct json *step, struct str what);

/* Whether texts or results are cut in a record whose steps do not say which. */
bool trace_cut_unmarked(const struct trace *);

/* Why the run itself failed: text, or the source of what the log has there;
 * absent: it did not. */
struct str trace_error(const struct trace *, struct arena *);

/* A tool call: a step with a tool. */
struct trace_call {
	const struct json *step;
	struct str tool;         /* the name as logged */
	struct str server, name; /* absent unless the server is known */
	const struct json *args, *result, /* NULL: not recorded */
	    *is_error, *duration_ms;
	size_t turn; /* from 0 */
};

struct trace_calls {
	struct trace_call *list;
	size_t n;
};

/*
 * The calls of the run in order, a sub-agent's after the call that started it.
 * Where the record has no steps they have the names of tool_sequence alone.
 * A result whose call was not recorded (it has no args, and tool_sequence does
 * not count it) is no call. Whether calls were recorded at all, tool_sequence
 * tells.
 */
struct trace_calls trace_calls(const struct trace *, struct arena *);

/* Whether the call is of the tool that an author names so: as logged, without
 * its server, or as mcp__SERVER__NAME. */
bool trace_call_is(const struct trace_call *, struct str name);

/* How many of the calls are of the tool. */
size_t trace_calls_of(struct trace_calls, struct str tool);

/* How many of the tools, from the first one on, were called in this order,
 * other calls between them or not. */
size_t trace_calls_in_order(struct trace_calls, struct str_list tools);

/* The same of a pattern, in which '*' stands for any text. */
bool trace_call_like(
    const struct trace_call *, struct str pattern, struct arena *);

/* A run's status from how many of its checks have each status; `error`: the
 * run itself failed. */
enum status trace_status(const size_t counts[STATUS_COUNT], bool error);

/* Writes a run's members status and pass. */
void trace_put_status(struct out *, enum status);

/*
 * Writes the record, its members as they stood but for those named in drop
 * (a NULL-terminated list), with `members` (JSON text, as {"a":1,"b":2}
 * without the braces; may be empty) before its closing brace. No newline.
 */
void trace_splice(struct out *, const struct json *record,
    const char *const drop[], struct str members);
