/* The schema of a trace's record. */
#include "check/schema/schema.h"

#include "trace/trace.h"
#include "trace/usage.h"

static void
put_type(struct out *o, const char *type)
{
	out_begin(o, '{');
	if (type != NULL)
		out_member_str(o, "type", str_of(type));
}

/* Writes a member of an object's schema, that may be null as well. */
static void
put_member(struct out *o, const char *name, const char *type)
{
	out_key(o, name);
	out_begin(o, '{');
	if (type != NULL) {
		out_member_begin(o, "type", '[');
		out_json_str(o, str_of(type));
		out_json_str(o, STR("null"));
		out_end(o, ']');
	}
}

static void
put_plain(struct out *o, const char *name, const char *type)
{
	put_member(o, name, type);
	out_end(o, '}');
}

static void
put_statuses(struct out *o)
{
	out_member_begin(o, "enum", '[');
	for (int i = 0; i < STATUS_COUNT; i++)
		out_json_str(o, str_of(status_name((enum status)i)));
	out_json_null(o);
	out_end(o, ']');
}

static void
put_usage(struct out *o)
{
	out_member_begin(o, "properties", '{');
	for (int i = 0; i < USAGE_COUNT; i++)
		put_plain(o, usage_names[i].s, "number");
	out_end(o, '}');
}

/* A step has a text, or a call with its result; a sub-agent's steps are within
 * the call. */
static void
put_steps(struct out *o)
{
	static const char *const texts[] = { "text", "tool", "server", "name",
		"ts" };

	out_member_begin(o, "items", '{');
	out_member_begin(o, "properties", '{');
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		put_plain(o, texts[i], "string");
	put_plain(o, "message", "integer");
	put_plain(o, "agent", "string");
	put_plain(o, "by", "string");
	put_plain(o, "is_error", "boolean");
	put_plain(o, "duration_ms", "number");
	out_end(o, '}');
	out_end(o, '}');
}

static void
put_turns(struct out *o)
{
	out_member_begin(o, "items", '{');
	out_member_str(o, "type", STR("object"));
	out_member_begin(o, "properties", '{');
	put_plain(o, "prompt", "string");
	put_plain(o, "ts", "string");
	put_plain(o, "duration_ms", "number");
	put_member(o, "usage", "object");
	put_usage(o);
	out_end(o, '}');
	put_member(o, "steps", "array");
	put_steps(o);
	out_end(o, '}');
	out_end(o, '}');
	out_end(o, '}');
}

static void
put_results(struct out *o)
{
	out_member_begin(o, "items", '{');
	out_member_str(o, "type", STR("object"));
	out_member_begin(o, "properties", '{');
	put_member(o, "status", "string");
	put_statuses(o);
	out_end(o, '}');
	out_end(o, '}');
	out_end(o, '}');
}

/* Writes what is known beyond the type of a member. */
static void
put_details(struct out *o, enum trace_member member)
{
	switch (member) {
	case TRACE_STATUS:
		put_statuses(o);
		break;
	case TRACE_ENDED:
		out_key(o, "enum");
		out_json_raw(
		    o, STR("[\"length\",\"refusal\",\"filter\",null]"));
		break;
	case TRACE_USAGE:
		put_usage(o);
		break;
	case TRACE_TURNS:
		put_turns(o);
		break;
	case TRACE_CHECK_RESULTS:
		put_results(o);
		break;
	case TRACE_TOOL_SEQUENCE:
	case TRACE_FAILURES:
		out_key(o, "items");
		put_type(o, "string");
		out_end(o, '}');
		break;
	default:
		break;
	}
}

static void
put_constant(struct out *o, const char *name, struct str value)
{
	out_key(o, name);
	out_begin(o, '{');
	out_key(o, "const");
	out_json_raw(o, value);
	out_end(o, '}');
}

void
schema_of_trace(struct out *o)
{
	const char *type;

	out_begin(o, '{');
	out_member_str(
	    o, "$schema", STR("http://json-schema.org/draft-07/schema#"));
	out_member_str(o, "title", STR("a record of mcpl-trace(5)"));
	out_member_str(o, "type", STR("object"));
	out_member_begin(o, "required", '[');
	out_json_str(o, str_of(trace_member_name(TRACE_TYPE, &type)));
	out_json_str(o, str_of(trace_member_name(TRACE_V, &type)));
	out_end(o, ']');
	out_member_begin(o, "properties", '{');
	put_constant(o, "type", STR("\"trace\""));
	put_constant(o, "v", STR("1"));
	for (int i = TRACE_V + 1; i < TRACE_MEMBERS; i++) {
		const char *name =
		    trace_member_name((enum trace_member)i, &type);

		put_member(o, name, type);
		put_details(o, (enum trace_member)i);
		out_end(o, '}');
	}
	out_end(o, '}');
	out_end(o, '}');
	out_line(o);
}
