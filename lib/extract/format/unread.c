#include "extract/format/unread.h"

#include "extract/run/call_words.h"

enum {
	DEPTH_MAX = 16,    /* to which a record is searched for calls */
	KIND_MAX = 48,     /* bytes of a value that names a kind */
	MEMBERS_SHOWN = 4, /* of a value that has no kind */
};

/* ---- what a value may be ---- */

static bool
is_full(const struct json *v)
{
	return (v->type == JSON_OBJECT || v->type == JSON_ARRAY) &&
	    v->span != 1;
}

/* Returns whether the object has a tool's name and arguments. A tool that is only
 * described has a schema where a call has arguments. */
static bool
is_call(const struct json *v)
{
	const struct json *name = field_find(v, "name tool tool_name toolName");
	const struct json *args =
	    field_find(v, "arguments args input tool_input");

	if (args == NULL)
		args = field_find(v, "toolInput rawInput parameters params");
	return json_raw(name).n != 0 && args != NULL &&
	    (json_is(args, JSON_OBJECT) || json_is(args, JSON_STRING)) &&
	    json_get(args, "properties") == NULL;
}

/* Returns whether a member of the object says that the object is a call or a
 * result. */
static bool
says_call(const struct json *v)
{
	enum { N = 8 };
	static const struct str names[N] = { STR_CONST("role"),
		STR_CONST("type"), STR_CONST("kind"), STR_CONST("event"),
		STR_CONST("event_type"), STR_CONST("part_kind"),
		STR_CONST("message_type"), STR_CONST("sessionUpdate") };
	const struct json *m[N];

	json_pick(v, names, N, m);
	for (size_t i = 0; i < N; i++)
		if (json_is(m[i], JSON_STRING) &&
		    word_hints_at_call(json_raw(m[i])))
			return true;
	return false;
}

static bool
may_hold_call(const struct json *v, int depth)
{
	if (depth == DEPTH_MAX)
		return false;
	if (json_is(v, JSON_OBJECT) && (says_call(v) || is_call(v)))
		return true;
	for (json_members(key, v)) {
		const struct json *value = json_value(key);

		if (!is_full(value) || word_describes_tools(json_raw(key)))
			continue;
		if (word_names_call(json_raw(key)) ||
		    may_hold_call(value, depth + 1))
			return true;
	}
	for (json_each(one, v))
		if (is_full(one) && may_hold_call(one, depth + 1))
			return true;
	return false;
}

/* Returns whether the value says that the agent wrote a text. */
static bool
may_be_text(const struct json *v)
{
	const struct json *role =
	    field_find(v, "role message.role sender type");
	const struct json *text =
	    field_find(v, "content text message.content parts");

	return text != NULL &&
	    (json_str_is(role, "assistant") || json_str_is(role, "model") ||
		json_str_is(role, "agent"));
}

unsigned
unread_lost(const struct json *v)
{
	unsigned lost = may_hold_call(v, 0) ? RUN_LOST_CALL : 0;

	return lost | (may_be_text(v) ? RUN_LOST_TEXT : 0);
}

/* ---- kinds ---- */

struct str
unread_kind(struct arena *a, const struct json *v)
{
	struct str kind =
	    json_raw(field_find(v, "type kind event event_type role"));
	struct str more =
	    json_raw(field_find(v, "subtype data.type payload.type"));
	size_t n = 0;

	if (kind.n == 0)
		kind = json_raw(field_find(v,
		    "hook_event_name part_kind message_type sessionUpdate "
		    "method op object from name payload_type"));
	kind = str_truncate(kind, KIND_MAX);
	if (kind.n != 0 && more.n != 0)
		return str_printf(a, "%.*s/%.*s", STR_FMT(kind),
		    STR_FMT(str_truncate(more, KIND_MAX)));
	if (kind.n != 0)
		return kind;
	if (!json_is(v, JSON_OBJECT))
		return str_of(json_type_name(v));
	for (json_members(key, v))
		if (n++ < MEMBERS_SHOWN)
			kind = str_printf(a, "%.*s%s%.*s", STR_FMT(kind),
			    kind.n == 0 ? "" : ",",
			    STR_FMT(str_truncate(json_raw(key), KIND_MAX)));
	return str_printf(a, "{%.*s}", STR_FMT(kind));
}

/* ---- counting ---- */

void
log_unread_as(struct log *log, const struct json *v, unsigned lost)
{
	builder_unread(log->builder, unread_kind(log->scratch, v), lost);
}

void
log_unread(struct log *log, const struct json *v)
{
	log_unread_as(log, v, unread_lost(v));
}

void
log_unread_block(struct log *log, const struct json *block)
{
	builder_unread_part(log->builder, block);
}

unsigned
unread_account(struct builder *b, struct arena *a, const struct json *v,
    bool known, unsigned may_lose)
{
	unsigned lost = 0;

	if (b->reported & ~(unsigned)BUILDER_SAID)
		return 0;
	known = known || b->reported != 0;
	if (b->reported != 0)
		may_lose &= ~(unsigned)RUN_LOST_TEXT;
	if (may_lose != 0)
		lost = unread_lost(v) & may_lose;
	if (lost != 0 || !known)
		builder_unread(b, unread_kind(a, v), lost);
	return lost;
}
