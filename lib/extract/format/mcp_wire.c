/*
 * Traffic of an MCP connection as a tee, proxy or recorder keeps it: JSON-RPC
 * messages, bare, in batches, or each within a recorder's record; or pairs of a
 * request and its response. A session begins where a client initializes.
 */
#include "base/hash.h"
#include "extract/format/log_rows.h"
#include "extract/format/unread.h"
#include "extract/value/copy.h"
#include "json/json.h"

/* ---- records and messages ---- */

/* The names that a recorder may give a message. */
#define MESSAGES "msg message payload data raw body json"

enum { DATE_LENGTH = 10 }; /* length of 2026-03-01 */

struct wire {
	/* Ids of requests that call no tool, until they are answered; a
	 * server's ids are separate from a client's. */
	struct hash_table others;
	/* Ids that were first seen as a string, or as a number. */
	struct hash_table strings, numbers;
	struct hash_table begun; /* servers that were initialized */
	/*
	 * Since 2025-11-25 MCP lets a call continue as a task: the call is
	 * answered at once with the task's id, and its result is fetched by
	 * another request (tasks/result). Bodies of the calls' ids (struct str),
	 * by the ids of their tasks, and of the requests for their results.
	 */
	struct hash_table tasks, fetched;
	struct str server; /* body: the name that the last server gave itself */
};

/* Initializes w; its contents live as long as the session, which is a run. */
static void
wire_init(struct wire *w, struct arena *a)
{
	*w = (struct wire){
		.others.arena = a,
		.strings.arena = a,
		.numbers.arena = a,
		.begun.arena = a,
		.tasks.arena = a,
		.fetched.arena = a,
	};
}

/* Returns whether v is a message, or a batch of messages. The result of a
 * request may be a task of the A2A protocol, which is not MCP's. */
static bool
is_rpc(const struct json *v)
{
	if (json_is(v, JSON_ARRAY))
		v = json_at(v, 0);
	return json_str_is(json_get(v, "jsonrpc"), "2.0") &&
	    json_path(v, "result.status.state") == NULL &&
	    json_path(v, "result.task.status.state") == NULL;
}

/* Returns the message in a recorder's record; NULL: it has none. */
static const struct json *
message_of(const struct json *r)
{
	struct str names = str_of(MESSAGES);

	if (is_rpc(r))
		return r;
	while (names.s != NULL) {
		const struct json *v = json_get(r, str_cut(&names, ' '));

		/* Some recorders keep the message as text. */
		if (is_rpc(v) || str_contains(json_raw(v), "\\\"jsonrpc\\\""))
			return v;
	}
	return NULL;
}

/* Returns whether r is a request with its response. */
static bool
is_pair(const struct json *r)
{
	const struct json *request = json_get(r, "request");

	return is_rpc(request) ||
	    str_contains(json_raw(request), "\\\"method\\\"") ||
	    (str_contains(json_raw(json_get(request, "method")), "/") &&
		json_get(r, "response") != NULL);
}

static const struct json *
list_of(const struct json *r)
{
	return json_is(r, JSON_ARRAY)
	    ? r
	    : field_find(r, "interactions messages events entries");
}

static int
score(const struct json *r)
{
	const struct json *first = json_at(list_of(r), 0);

	return message_of(r) != NULL || is_pair(r) ||
		message_of(first) != NULL || is_pair(first)
	    ? LOG_FORMAT_SURE
	    : 0;
}

/* ---- messages ---- */

/* Returns a server's label, where one log holds the messages of several
 * servers. */
static struct str
label_of(const struct json *r)
{
	return json_raw(field_find(r, "server server_name serverName"));
}

/* Returns a message's id as a string that lives as long as the run. A number
 * and a string are never the same id, and each server has its own ids. */
static const struct json *
id_of(struct log *log, const struct json *r, const struct json *message)
{
	const struct json *id = json_get(message, "id");
	bool string = json_is(id, JSON_STRING);
	struct str body = string ? json_raw(id) : id->text;
	struct str label = label_of(r);
	struct wire *w = log->state;
	struct hash_table *own = string ? &w->strings : &w->numbers;
	const struct hash_table *others = string ? &w->numbers : &w->strings;

	if (label.n != 0)
		body = str_printf(
		    log->scratch, "%.*s/%.*s", STR_FMT(label), STR_FMT(body));
	if (hash_get(others, body) != NULL)
		body = str_printf(log->scratch, "%.*s (%s)", STR_FMT(body),
		    string ? "string" : "number");
	else if (hash_get(own, body) == NULL)
		*hash_put(own, str_dup(own->arena, body)) = w;
	return builder_str(log->builder, body);
}

static const struct json *
server_of(struct log *log, const struct json *r)
{
	struct str label = label_of(r);
	struct wire *w = log->state;

	if (label.n == 0)
		label = w->server;
	return label.n == 0 ? NULL : builder_str(log->builder, label);
}

/* Reads a client's initialization. A second one of the same server begins
 * another session. */
static void
initialize(struct log *log, const struct json *r, const struct json *params)
{
	struct builder *b = log->builder;
	struct wire *w = log->state;

	if (hash_get(&w->begun, label_of(r)) != NULL) {
		builder_begin_run(b);
		wire_init(w, builder_arena(b));
	}
	*hash_put(&w->begun, str_dup(builder_arena(b), label_of(r))) = w;
	builder_meta(b, "client", json_get(params, "clientInfo"));
	builder_meta(b, "protocol", json_get(params, "protocolVersion"));
}

/* ---- requests and responses ---- */

/* The requests and notifications that are known. */
static const struct log_row methods[] = {
	LOG_ROW("method=tools/call|tools/list|initialize|ping|server/discover|"
		"completion/complete|logging/*|notifications/*|resources/*|"
		"prompts/*|roots/*|sampling/*|elicitation/*|tasks/*|"
		"subscriptions/*",
	    LOG_NOTHING),
	LOG_LAST,
};

static void
read_request(struct log *log, const struct json *r, const struct json *m)
{
	const struct json *params = json_get(m, "params");
	const struct json *method = json_get(m, "method"), *id;
	struct wire *w = log->state;

	if (json_str_is(method, "initialize"))
		initialize(log, r, params);
	if (json_get(m, "id") == NULL)
		return; /* a notification */
	id = id_of(log, r, m);
	if (json_str_is(method, "tasks/result"))
		*hash_put(&w->fetched, json_raw(id)) =
		    hash_get(&w->tasks, json_raw(json_get(params, "taskId")));
	if (!json_str_is(method, "tools/call")) {
		*hash_put(&w->others, json_raw(id)) = w;
		return;
	}
	builder_call(log->builder, .id = id, .tool = json_get(params, "name"),
	    .server = server_of(log, r), .args = json_get(params, "arguments"));
	if (log->shortened)
		builder_mark_cut(log->builder);
}

/* The result of a tool. Only a tool's result is a list of contents, except for a
 * model's message that a server had asked for. */
#define OF_TOOL "content=[ !role=?, structuredContent=?"

/* Notes a task if the result of this call says that the call continues as one;
 * returns whether it does. */
static bool
begin_task(struct wire *w, const struct json *call, const struct json *result)
{
	struct arena *a = w->tasks.arena;
	struct str task = copy_body(a, json_path(result, "task.taskId")), *id;

	if (task.n == 0)
		return false;
	id = arena_new(a, struct str);
	*id = json_raw(call);
	*hash_put(&w->tasks, task) = id;
	return true;
}

static void
read_response(struct log *log, const struct json *r, const struct json *m)
{
	struct builder *b = log->builder;
	const struct json *result = json_get(m, "result");
	const struct json *error = json_get(m, "error");
	const struct json *server = json_get(result, "serverInfo");
	const struct json *id = id_of(log, r, m);
	struct wire *w = log->state;
	const struct str *call = hash_get(&w->fetched, json_raw(id));
	bool of_tool = log_rows_holds(OF_TOOL, result);

	if (call != NULL)
		id = builder_str(b, *call);
	else if (builder_has_call(b, id) && begin_task(w, id, result))
		return;
	if (hash_get(&w->others, json_raw(id)) != NULL && !of_tool) {
		*hash_put(&w->others, json_raw(id)) = NULL;
		if (json_get(server, "name") != NULL)
			w->server = copy_body(
			    builder_arena(b), json_get(server, "name"));
		builder_meta(b, "server", server);
		return;
	}
	if (!builder_has_call(b, id) && error == NULL && !of_tool)
		return;
	builder_result(b, .id = id, .value = error != NULL ? error : result,
	    .is_error = error == NULL && result == NULL
		? NULL
		: builder_bool(error != NULL ||
		      json_is(json_get(result, "isError"), JSON_TRUE)));
	if (log->shortened)
		builder_mark_cut(b);
}

/* Reads a message or a batch; some recorders keep its text. */
static void
read_message(struct log *log, const struct json *r, const struct json *m)
{
	if (json_is(m, JSON_STRING))
		m = field_decode(log->scratch, m);
	for (json_each(one, m))
		read_message(log, r, one);
	if (json_is(json_get(m, "method"), JSON_STRING)) {
		log_read_part(log, methods, m);
		read_request(log, r, m);
	} else if (field_find(m, "id") != NULL)
		read_response(log, r, m); /* an id of null answers no request */
}

/* ---- records ---- */

static const struct json *
time_of(struct log *log, const struct json *r)
{
	const struct json *ts = field_find(r, "timestamp ts time t");
	struct str date = str_trim(log->prefix), rest;

	if (ts != NULL || date.n == 0)
		return ts;
	if (date.s[0] == '[')
		date = str_from(date, 1);
	rest = date;
	date = str_cut(&rest, ' ');
	/* The time of day may be a word of its own. */
	if (date.n == DATE_LENGTH && rest.n != 0 && rest.s[0] >= '0' &&
	    rest.s[0] <= '9')
		date.n += 1 + str_cut(&rest, ' ').n;
	if (str_ends(date, "]"))
		date.n--;
	return builder_str(log->builder, date);
}

/* Reads a pair without ids, as the MCP Inspector keeps it. */
static void
read_without_id(
    struct log *log, const struct json *request, const struct json *response)
{
	const struct json *result = json_get(response, "result");
	const struct json *params = json_get(request, "params");
	const struct json *error = json_get(response, "error");

	if (result == NULL)
		result = response;
	if (!field_is(request, "method", "tools/call"))
		return;
	builder_call(log->builder, .tool = json_get(params, "name"),
	    .args = json_get(params, "arguments"));
	if (result != NULL)
		builder_result(log->builder, .last = true,
		    .value = error != NULL ? error : result,
		    .is_error = builder_bool(error != NULL ||
			json_is(json_get(result, "isError"), JSON_TRUE)));
}

static void
read_pair(struct log *log, const struct json *r)
{
	const struct json *request = json_get(r, "request");
	const struct json *response = json_get(r, "response");

	if (json_is(request, JSON_STRING))
		request = field_decode(log->scratch, request);
	if (json_is(response, JSON_STRING))
		response = field_decode(log->scratch, response);
	if (json_get(request, "id") != NULL) {
		read_message(log, r, request);
		read_message(log, r, response);
	} else {
		read_without_id(log, request, response);
	}
	builder_call_duration(
	    log->builder, json_double(field_find(r, "latency_ms duration_ms")));
}

static void
read_record(struct log *log, const struct json *r)
{
	const struct json *m = message_of(r);
	struct wire *w = log->state;

	if (w == NULL) {
		log->state = w = arena_new(log->arena, struct wire);
		wire_init(w, builder_arena(log->builder));
	}
	arena_reset(log->scratch);
	builder_locate(log->builder, .ts = time_of(log, r));
	if (m != NULL)
		read_message(log, r, m);
	else if (is_pair(r))
		read_pair(log, r);
	else if (list_of(r) != NULL)
		for (json_each(one, list_of(r)))
			read_record(log, one);
	else if (unread_lost(r) != 0)
		log_unread(log, r);
}

static const struct log_row rows[] = {
	LOG_ROW("", LOG_HOOK, .read = read_record),
	LOG_LAST,
};

const struct log_format log_format_mcp_wire = {
	.name = "mcp-wire",
	.what = "MCP: recorded messages between client and server",
	.score = score,
	.asked = "jsonrpc, msg, message, payload, data, raw, body, json, "
		 "request, interactions, events, entries, "
		 "messages.*.jsonrpc, messages.*.msg, messages.*.message, "
		 "messages.*.payload, messages.*.data, messages.*.raw, "
		 "messages.*.body, messages.*.json, messages.*.request",
	.unflagged = UNFLAGGED_OK,
	.rows = rows,
	.knows_blocks = true,
	.common = true,
};
