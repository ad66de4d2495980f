#include "trace/trace.h"

#include <string.h>

#include "base/suggest.h"

/* Like str_eq, but inlined: each check calls this function for each tool
 * call. */
static inline bool
is_same(struct str a, struct str b)
{
	return a.n == b.n && str_same(a.s, b.s, a.n);
}

#define STATUS_ROW(name) \
	{ \
		STR_CONST(name), STR_CONST("\"" name "\"") \
	}

static const struct {
	struct str name, quoted;
} statuses[STATUS_COUNT] = {
	[STATUS_PASSED] = STATUS_ROW("passed"),
	[STATUS_FAILED] = STATUS_ROW("failed"),
	[STATUS_ERROR] = STATUS_ROW("error"),
	[STATUS_PENDING] = STATUS_ROW("pending"),
	[STATUS_SKIPPED] = STATUS_ROW("skipped"),
	[STATUS_UNCHECKED] = STATUS_ROW("unchecked"),
};

const char *
status_name(enum status s)
{
	return statuses[s].name.s;
}

struct str
status_quoted(enum status s)
{
	return statuses[s].quoted;
}

bool
status_of(struct str name, enum status *s)
{
	for (int i = 0; i < STATUS_COUNT; i++) {
		if (is_same(name, statuses[i].name)) {
			*s = (enum status)i;
			return true;
		}
	}
	return false;
}

static const struct str member_names[TRACE_MEMBERS] = {
	[TRACE_TYPE] = STR_CONST("type"),
	[TRACE_V] = STR_CONST("v"),
	[TRACE_ID] = STR_CONST("id"),
	[TRACE_SCENARIO_ID] = STR_CONST("scenario_id"),
	[TRACE_RUN_INDEX] = STR_CONST("run_index"),
	[TRACE_AGENT] = STR_CONST("agent"),
	[TRACE_PROVIDER] = STR_CONST("provider"),
	[TRACE_MODEL] = STR_CONST("model"),
	[TRACE_SOURCE] = STR_CONST("source"),
	[TRACE_TS_START] = STR_CONST("ts_start"),
	[TRACE_TS_END] = STR_CONST("ts_end"),
	[TRACE_DURATION_MS] = STR_CONST("duration_ms"),
	[TRACE_ERROR] = STR_CONST("error"),
	[TRACE_PROMPT] = STR_CONST("prompt"),
	[TRACE_SYSTEM] = STR_CONST("system"),
	[TRACE_FINAL_TEXT] = STR_CONST("final_text"),
	[TRACE_CUT] = STR_CONST("cut"),
	[TRACE_TOOL_SEQUENCE] = STR_CONST("tool_sequence"),
	[TRACE_TURNS] = STR_CONST("turns"),
	[TRACE_USAGE] = STR_CONST("usage"),
	[TRACE_WORKFLOW] = STR_CONST("workflow"),
	[TRACE_ENDED] = STR_CONST("ended"),
	[TRACE_UNREAD] = STR_CONST("unread"),
	[TRACE_WORKSPACE] = STR_CONST("workspace"),
	[TRACE_META] = STR_CONST("meta"),
	[TRACE_STATUS] = STR_CONST("status"),
	[TRACE_PASS] = STR_CONST("pass"),
	[TRACE_FAILURES] = STR_CONST("failures"),
	[TRACE_CHECK_RESULTS] = STR_CONST("check_results"),
	[TRACE_EXTRACTED] = STR_CONST("extracted"),
};

static const char *const member_types[TRACE_MEMBERS] = {
	[TRACE_TYPE] = "string",
	[TRACE_V] = "integer",
	[TRACE_ID] = "string",
	[TRACE_SCENARIO_ID] = "string",
	[TRACE_RUN_INDEX] = "integer",
	[TRACE_AGENT] = "string",
	[TRACE_PROVIDER] = "string",
	[TRACE_MODEL] = "string",
	[TRACE_SOURCE] = "object",
	[TRACE_TS_START] = "string",
	[TRACE_TS_END] = "string",
	[TRACE_DURATION_MS] = "number",
	[TRACE_SYSTEM] = "string",
	[TRACE_CUT] = "array",
	[TRACE_TOOL_SEQUENCE] = "array",
	[TRACE_TURNS] = "array",
	[TRACE_USAGE] = "object",
	[TRACE_WORKFLOW] = "object",
	[TRACE_ENDED] = "string",
	[TRACE_UNREAD] = "array",
	[TRACE_WORKSPACE] = "string",
	[TRACE_META] = "object",
	[TRACE_STATUS] = "string",
	[TRACE_PASS] = "boolean",
	[TRACE_FAILURES] = "array",
	[TRACE_CHECK_RESULTS] = "array",
	[TRACE_EXTRACTED] = "object",
};

const char *
trace_member_name(enum trace_member member, const char **type)
{
	*type = member_types[member];
	return member_names[member].s;
}

bool
trace_read(struct trace *t, const struct json *record)
{
	int64_t version;

	*t = (struct trace){ .record = record };
	json_pick(record, member_names, TRACE_MEMBERS, t->member);
	for (int i = 0; i < TRACE_MEMBERS; i++)
		if (json_is(t->member[i], JSON_NULL))
			t->member[i] = NULL;
	return json_str_is(t->member[TRACE_TYPE], "trace") &&
	    json_int(t->member[TRACE_V], &version) && version == 1;
}

bool
trace_warn_version(const struct json *record, struct place at)
{
	const struct json *v = json_get(record, "v");

	if (!json_str_is(json_get(record, "type"), "trace"))
		return false;
	diag_error(at, "trace: v: expected 1, found %.*s",
	    STR_FMT(
		json_is(v, JSON_NUMBER) ? v->text : str_of(json_type_name(v))));
	return true;
}

void
trace_warn_foreign(const char *passed, size_t n)
{
	if (n != 0)
		diag_warn((struct place){ 0 },
		    "values passed %s, since they are no traces "
		    "(mcpl-extract makes these of logs): %zu",
		    passed, n);
}

const char *
trace_member_near(struct str name, struct arena *a)
{
	struct suggest near = suggest_for(name);

	if (str_find_char(name, '.') < name.n) /* a path of names */
		return "";
	for (int i = 0; i < TRACE_MEMBERS; i++) {
		if (str_eq(name, member_names[i]))
			return "";
		suggest_try(&near, member_names[i]);
	}
	return suggest_text(&near, a);
}

/* ---- calls ---- */

struct collector {
	struct arena *arena;
	struct trace_calls calls;
	size_t turn, depth, unasked; /* unasked: results without a call */
};

static bool
is_unasked(const struct trace_call *call)
{
	return call->args == NULL && call->result != NULL;
}

static void
read_member(struct trace_call *call, const struct json *key, struct arena *a)
{
	const struct json *v = json_value(key);

	if (json_key_is(key, "tool"))
		call->tool = json_text(v, a);
	else if (json_key_is(key, "server"))
		call->server = json_text(v, a);
	else if (json_key_is(key, "name"))
		call->name = json_text(v, a);
	else if (json_key_is(key, "args"))
		call->args = v;
	else if (json_key_is(key, "result"))
		call->result = v;
	else if (json_key_is(key, "is_error"))
		call->is_error = v;
	else if (json_key_is(key, "duration_ms"))
		call->duration_ms = v;
	else if (json_key_is(key, "message"))
		call->message = v;
}

bool
trace_step_is_users(const struct json *step)
{
	return json_str_is(json_get(step, "by"), STR("user"));
}

static void
collect(struct collector *c, const struct json *steps)
{
	for (json_each(step, steps)) {
		struct trace_call call = {
			.step = step, .turn = c->turn, .depth = c->depth
		};
		const struct json *inner = NULL;
		bool users = false;

		for (json_members(key, step)) {
			if (json_key_is(key, "steps"))
				inner = json_value(key);
			else if (json_key_is(key, "by"))
				users =
				    json_str_is(json_value(key), STR("user"));
			else
				read_member(&call, key, c->arena);
		}
		if (users)
			continue;
		if (call.tool.s != NULL) {
			*arena_push(c->arena, c->calls.list, c->calls.n) = call;
			c->unasked += is_unasked(&call);
		}
		c->depth++;
		collect(c, inner);
		c->depth--;
	}
}

static void
drop_unasked(struct trace_calls *calls)
{
	size_t kept = 0;

	for (size_t i = 0; i < calls->n; i++)
		if (!is_unasked(&calls->list[i]))
			calls->list[kept++] = calls->list[i];
	calls->n = kept;
}

/* Returns what a tool's name alone shows about a call that has no step. */
static struct trace_call
call_named(struct str tool)
{
	struct trace_call call = { .tool = tool };
	struct str rest = str_from(tool, 5);
	size_t end;

	if (!str_starts(tool, "mcp__"))
		return call;
	end = str_find(rest, "__");
	if (end < rest.n) {
		call.server = str_slice(rest, 0, end);
		call.name = str_from(rest, end + 2);
	}
	return call;
}

struct trace_calls
trace_calls(const struct trace *t, struct arena *a)
{
	const struct json *sequence = t->member[TRACE_TOOL_SEQUENCE];
	struct collector c = { .arena = a };

	for (json_each(turn, t->member[TRACE_TURNS])) {
		collect(&c, json_get(turn, "steps"));
		c.turn++;
	}
	if (c.unasked != 0 && c.calls.n != json_count(sequence))
		drop_unasked(&c.calls);
	if (c.calls.n != 0 || sequence == NULL)
		return c.calls;
	c.calls.list = arena_new_n(a, struct trace_call, json_count(sequence));
	for (json_each(tool, sequence))
		c.calls.list[c.calls.n++] = call_named(json_text(tool, a));
	return c.calls;
}

/* Returns whether the text is mcp__SERVER__NAME. */
static bool
is_full_name(struct str text, struct str server, struct str name)
{
	if (server.s == NULL || name.s == NULL ||
	    text.n != server.n + name.n + 7 || !str_starts(text, "mcp__"))
		return false;
	text = str_from(text, 5);
	return str_starts(text, server) &&
	    str_starts(str_from(text, server.n), "__") && str_ends(text, name);
}

/* Returns whether the text is SERVER:NAME. */
static bool
is_server_and_name(struct str text, struct str server, struct str name)
{
	return server.s != NULL && name.s != NULL &&
	    text.n == server.n + name.n + 1 && text.s[server.n] == ':' &&
	    str_starts(text, server) && str_ends(text, name);
}

bool
trace_call_is(const struct trace_call *call, struct str name)
{
	return is_same(call->tool, name) ||
	    (call->name.s != NULL && is_same(call->name, name)) ||
	    is_full_name(name, call->server, call->name) ||
	    is_server_and_name(name, call->server, call->name);
}

size_t
trace_calls_of(struct trace_calls calls, struct str tool)
{
	size_t n = 0;

	for (size_t i = 0; i < calls.n; i++)
		n += trace_call_is(&calls.list[i], tool);
	return n;
}

/* Returns whether the text matches the pattern, in which each '*' matches any
 * text. */
static bool
is_like(struct str text, struct str pattern)
{
	struct str piece = str_cut(&pattern, '*');
	size_t at;

	if (!str_starts(text, piece))
		return false;
	for (at = piece.n;; at += piece.n) {
		text = str_from(text, at);
		piece = str_cut(&pattern, '*');
		if (pattern.s == NULL)
			return str_ends(text, piece);
		at = str_find(text, piece);
		if (at == text.n && piece.n != 0)
			return false;
	}
}

bool
trace_call_like(
    const struct trace_call *call, struct str pattern, struct arena *a)
{
	if (str_find_char(pattern, '*') == pattern.n)
		return trace_call_is(call, pattern);
	if (is_like(call->tool, pattern))
		return true;
	return call->name.s != NULL &&
	    (is_like(call->name, pattern) ||
		is_like(str_printf(a, "mcp__%.*s__%.*s", STR_FMT(call->server),
			    STR_FMT(call->name)),
		    pattern));
}

struct str
trace_error(const struct trace *t, struct arena *a)
{
	const struct json *error = t->member[TRACE_ERROR];
	struct out o;

	if (error == NULL || error->type == JSON_STRING)
		return json_text(error, a);
	out_open_memory(&o);
	out_source(&o, error->text);
	return out_keep(&o, a);
}

enum status
trace_status(const size_t counts[STATUS_COUNT], bool error)
{
	static const enum status order[] = { STATUS_FAILED, STATUS_ERROR,
		STATUS_PENDING, STATUS_PASSED, STATUS_SKIPPED };

	if (error)
		return STATUS_ERROR;
	for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
		if (counts[order[i]] != 0)
			return order[i];
	return STATUS_UNCHECKED;
}

void
trace_put_status(struct out *o, enum status s)
{
	struct str pass = STR("null");

	if (s == STATUS_PASSED)
		pass = STR("true");
	else if (s == STATUS_FAILED || s == STATUS_ERROR)
		pass = STR("false");
	out_member_line(o, STR("status"), statuses[s].quoted);
	out_member_line(o, STR("pass"), pass);
}

/* ---- what the log cut short ---- */

static bool
has_text(const struct json *list, struct str text)
{
	for (json_each(v, list))
		if (json_str_is(v, text))
			return true;
	return false;
}

bool
trace_cut(const struct trace *t, struct str name)
{
	return has_text(t->member[TRACE_CUT], name);
}

bool
trace_step_cut(const struct json *step, struct str what)
{
	return has_text(json_get(step, "cut"), what);
}

/* Returns whether a step names parts of it that are cut. */
static bool
has_marks(const struct json *steps)
{
	for (json_each(step, steps))
		if (json_has(step, "cut") || has_marks(json_get(step, "steps")))
			return true;
	return false;
}

bool
trace_cut_unmarked(const struct trace *t)
{
	if (!trace_cut(t, STR("turns")))
		return false;
	for (json_each(turn, t->member[TRACE_TURNS]))
		if (has_marks(json_get(turn, "steps")))
			return false;
	return true;
}

/* ---- splicing ---- */

/* Returns a bit by which most other keys differ from the listed ones. */
static inline uint64_t
key_bit(const char *s, size_t n)
{
	return UINT64_C(1) << (((unsigned char)*s + 8 * n) & 63);
}

static uint64_t
key_bits(const char *const list[])
{
	uint64_t bits = 0;

	for (; *list != NULL; list++)
		bits |= key_bit(*list, strlen(*list));
	return bits;
}

static bool
is_listed(const struct json *key, const char *const list[])
{
	for (; *list != NULL; list++)
		if (json_key_is(key, str_of(*list)))
			return true;
	return false;
}

/* Adjacent members that stay, and are written as they are in the record. */
struct segment {
	const char *from, *to; /* NULL: none */
	bool any;              /* members were written before */
};

static void
put_segment(struct out *o, struct segment *s)
{
	if (s->from == NULL)
		return;
	if (s->any)
		out_char(o, ',');
	out_source(o, (struct str){ s->from, (size_t)(s->to - s->from) });
	*s = (struct segment){ .any = true };
}

void
trace_splice(struct out *o, const struct json *record, const char *const drop[],
    struct str members)
{
	uint64_t bits = key_bits(drop);
	struct segment segment = { 0 };

	out_char(o, '{');
	for (json_members(key, record)) {
		struct str value = json_value(key)->text;
		bool may_go = key->flags & JSON_ESCAPED ||
		    bits & key_bit(key->text.s + 1, key->text.n - 2);

		if (may_go && is_listed(key, drop)) {
			put_segment(o, &segment);
			continue;
		}
		if (segment.from == NULL)
			segment.from = key->text.s;
		segment.to = value.s + value.n;
	}
	put_segment(o, &segment);
	if (segment.any && members.n != 0)
		out_char(o, ',');
	out_str(o, members);
	out_char(o, '}');
	o->comma = true;
}
