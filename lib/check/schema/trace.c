/* The schema of a trace's record. */
#include "check/schema/schema.h"

#include <string.h>

#include "trace/trace.h"
#include "trace/usage.h"

/* A member that may be null as well. */
struct row {
	const char *name, *type; /* type NULL: any */
	const struct row *items; /* members of a list's elements; NULL: any */
};

/* A step has a text, or a call with its result; a sub-agent's steps are within
 * the call. */
static const struct row step[] = { { "text", "string", NULL },
	{ "tool", "string", NULL }, { "server", "string", NULL },
	{ "name", "string", NULL }, { "ts", "string", NULL },
	{ "message", "integer", NULL }, { "agent", "string", NULL },
	{ "by", "string", NULL }, { "is_error", "boolean", NULL },
	{ "duration_ms", "number", NULL }, { NULL, NULL, NULL } };

static const struct row turn[] = { { "prompt", "string", NULL },
	{ "ts", "string", NULL }, { "duration_ms", "number", NULL },
	{ "usage", "object", NULL }, { "steps", "array", step },
	{ NULL, NULL, NULL } };

static const struct row result[] = { { "status", "string", NULL },
	{ NULL, NULL, NULL } };

static const struct row text[] = { { NULL, "string", NULL } };

static const struct row *const items[TRACE_MEMBERS] = {
	[TRACE_TURNS] = turn,
	[TRACE_CHECK_RESULTS] = result,
	[TRACE_TOOL_SEQUENCE] = text,
	[TRACE_FAILURES] = text,
};

static void put_member(struct out *, const struct row *);

static void
put_items(struct out *o, const struct row *rows)
{
	out_member_begin(o, "items", '{');
	out_member_str(
	    o, "type", str_of(rows->name == NULL ? rows->type : "object"));
	if (rows->name != NULL) {
		out_member_begin(o, "properties", '{');
		for (; rows->name != NULL; rows++)
			put_member(o, rows);
		out_end(o, '}');
	}
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
		put_member(
		    o, &(struct row){ usage_names[i].s, "number", NULL });
	out_end(o, '}');
}

static void
put_member(struct out *o, const struct row *row)
{
	out_member_begin(o, row->name, '{');
	if (row->type != NULL) {
		out_member_begin(o, "type", '[');
		out_json_str(o, str_of(row->type));
		out_json_str(o, STR("null"));
		out_end(o, ']');
	}
	if (strcmp(row->name, "status") == 0)
		put_statuses(o);
	if (strcmp(row->name, "usage") == 0)
		put_usage(o);
	if (strcmp(row->name, "ended") == 0) {
		out_key(o, "enum");
		out_json_raw(
		    o, STR("[\"length\",\"refusal\",\"filter\",null]"));
	}
	if (row->items != NULL)
		put_items(o, row->items);
	out_end(o, '}');
}

void
schema_of_trace(struct out *o)
{
	out_begin(o, '{');
	out_member_str(
	    o, "$schema", STR("http://json-schema.org/draft-07/schema#"));
	out_member_str(o, "title", STR("a record of mcpl-trace(5)"));
	out_member_str(o, "type", STR("object"));
	out_key(o, "required");
	out_json_raw(o, STR("[\"type\",\"v\"]"));
	out_member_begin(o, "properties", '{');
	out_key(o, "type");
	out_json_raw(o, STR("{\"const\":\"trace\"}"));
	out_key(o, "v");
	out_json_raw(o, STR("{\"const\":1}"));
	for (int i = TRACE_V + 1; i < TRACE_MEMBERS; i++) {
		struct row row = { .items = items[i] };

		row.name = trace_member_name((enum trace_member)i, &row.type);
		put_member(o, &row);
	}
	out_end(o, '}');
	out_end(o, '}');
	out_line(o);
}
