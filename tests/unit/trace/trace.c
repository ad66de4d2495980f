/* Reading a record: its members, its calls, and writing the record again. */
#include "trace/trace.h"

#include "tests/unit/unit.h"

static struct json_reader reader;
static struct arena arena;

static const struct json *
json(const char *text)
{
	return json_read(&reader, str_of(text), NULL, NULL);
}

/* The tools called, each with its turn, separated by blanks. */
static struct str
calls(const char *record)
{
	struct trace t;
	struct trace_calls calls;
	struct str all = STR("");

	trace_read(&t, json(record));
	calls = trace_calls(&t, &arena);
	for (size_t i = 0; i < calls.n; i++)
		all = str_printf(&arena, "%.*s%s%.*s@%zu", STR_FMT(all),
		    i == 0 ? "" : " ", STR_FMT(calls.list[i].tool),
		    calls.list[i].turn);
	return all;
}

static void
members(void)
{
	struct trace t;

	CHECK(!trace_read(&t, NULL));
	CHECK(!trace_read(&t, json("[]")));
	CHECK(!trace_read(&t, json("{\"type\":\"trace\"}")));
	CHECK(!trace_read(&t, json("{\"type\":\"trace\",\"v\":2}")));
	CHECK(trace_read(&t, json("{\"v\":1.0,\"type\":\"trace\"}")));
	CHECK(trace_read(&t,
	    json("{\"type\":\"trace\",\"v\":1,\"prompt\":\"a\",\"error\":null,"
		 "\"cut\":[\"final_text\"],\"pr\\u006fmpt\":\"b\"}")));
	CHECK(json_str_is(t.member[TRACE_PROMPT], "b"));
	CHECK(t.member[TRACE_ERROR] == NULL);
	CHECK(t.member[TRACE_FINAL_TEXT] == NULL);
	CHECK(trace_cut(&t, STR("final_text")));
	CHECK(!trace_cut(&t, STR("prompt")));
}

static void
calls_in_order(void)
{
	CHECK_STR(calls("{}"), "");
	CHECK_STR(calls("{\"tool_sequence\":[\"a\",\"b\"]}"), "a@0 b@0");
	CHECK_STR(
	    calls("{\"tool_sequence\":[\"a\",\"b\",\"c\"],\"turns\":["
		  "{\"steps\":[{\"text\":\"x\"},{\"tool\":\"a\",\"args\":{},"
		  "\"steps\":[{\"tool\":\"b\",\"args\":{}}]}]},"
		  "{\"steps\":[{\"tool\":\"c\",\"args\":{}}]}]}"),
	    "a@0 b@0 c@1");
	CHECK_STR(
	    calls("{\"tool_sequence\":[\"a\"],\"turns\":[{\"steps\":["
		  "{\"tool\":\"z\",\"result\":1},{\"tool\":\"a\",\"args\":1}"
		  "]}]}"),
	    "a@0");
	CHECK_STR(
	    calls("{\"tool_sequence\":[\"z\",\"a\"],\"turns\":[{\"steps\":["
		  "{\"tool\":\"z\",\"result\":1},{\"tool\":\"a\",\"args\":1}"
		  "]}]}"),
	    "z@0 a@0");
}

static void
call_names(void)
{
	struct trace_call plain = {
		.tool = STR("look"), .server = STR("crm"), .name = STR("look")
	};
	struct trace_call full = { .tool = STR("mcp__crm__look"),
		.server = STR("crm"),
		.name = STR("look") };
	struct trace_call bare = { .tool = STR("look") };
	struct trace t;

	CHECK(trace_call_is(&plain, STR("look")));
	CHECK(trace_call_is(&plain, STR("mcp__crm__look")));
	CHECK(!trace_call_is(&plain, STR("mcp__crm__lookx")));
	CHECK(!trace_call_is(&plain, STR("mcp__srm__look")));
	CHECK(!trace_call_is(&plain, STR("Look")));
	CHECK(trace_call_is(&full, STR("look")));
	CHECK(trace_call_is(&full, STR("mcp__crm__look")));
	CHECK(!trace_call_is(&bare, STR("mcp__crm__look")));

	trace_read(&t, json("{\"tool_sequence\":[\"mcp__crm__look\"]}"));
	CHECK(trace_call_is(trace_calls(&t, &arena).list, STR("look")));
}

static void
splice(const char *record, const char *members_text, const char *want)
{
	static const char *const drop[] = { "status", "pass", NULL };
	struct out out;

	out_open_memory(&out);
	trace_splice(&out, json(record), drop, str_of(members_text));
	CHECK_STR(out_memory(&out), want);
	out_close(&out);
}

int
main(void)
{
	members();
	calls_in_order();
	call_names();
	splice("{}", "", "{}");
	splice("{}", "\"pass\":true", "{\"pass\":true}");
	splice("{\"a\":1.0, \"b\" :2}", "\"pass\":true",
	    "{\"a\":1.0, \"b\" :2,\"pass\":true}");
	splice("{\"pass\":1,\"a\":2,\"status\":3,\"b\":4}", "\"pass\":true",
	    "{\"a\":2,\"b\":4,\"pass\":true}");
	splice("{\"pass\":1}", "\"pass\":true", "{\"pass\":true}");
	json_reader_free(&reader);
	arena_free(&arena);
	return unit_status();
}
