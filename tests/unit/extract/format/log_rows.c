/* Formats as tables of rows, and what of a record counts as unread. */
#include "extract/format/log_rows.h"

#include <stdint.h>

#include "extract/format/log_condition.h"
#include "extract/format/unread.h"
#include "tests/unit/unit.h"

static struct arena arena;
static struct json_reader reader;

static const struct json *
v(const char *source)
{
	const struct json *value =
	    json_read(&reader, str_of(source), NULL, NULL);

	CHECK(value != NULL);
	return json_keep(&arena, value);
}

static void
conditions(void)
{
	const struct json *r = v("{\"type\":\"tool.call\",\"ok\":true,"
				 "\"list\":[1],\"a\":{\"b\":\"x\"},\"no\":null,"
				 "\"empty\":\"\"}");

	CHECK(log_rows_holds(NULL, r) && log_rows_holds("", r));
	CHECK(log_rows_holds("type", r) && !log_rows_holds("no", r));
	CHECK(log_rows_holds("type=a|tool.call", r));
	CHECK(
	    log_rows_holds("type=tool*", r) && log_rows_holds("type=*call", r));
	CHECK(!log_rows_holds("type=tool", r));
	CHECK(log_rows_holds("ok=true", r) && !log_rows_holds("ok=false", r));
	CHECK(log_rows_holds("list=[ a={ type=\"", r));
	CHECK(!log_rows_holds("list={", r));
	CHECK(
	    log_rows_holds("a.b=x !a.c", r) && !log_rows_holds("a.b=x a.c", r));
	CHECK(log_rows_holds("a.c, a.b=x", r) &&
	    !log_rows_holds("a.c, a.b=y", r));
	CHECK(log_rows_holds("!no !type=x", r));
	CHECK(!log_rows_holds("type=x", v("[1]")));
	CHECK(log_rows_holds("=[", v("[1]")) && !log_rows_holds("=[", r));
	CHECK(log_rows_holds("x|type|no", r) && !log_rows_holds("x|no", r));
	CHECK(log_rows_holds("x|type=a|tool.call a", r));
	CHECK(!log_rows_holds("x type|list", r));
	CHECK(!log_rows_holds("!x|type", r) && log_rows_holds("!x|no", r));
	CHECK(log_rows_holds("no=?", r) && !log_rows_holds("x=?", r));
	CHECK(
	    log_rows_holds("type=*l.c*", r) && !log_rows_holds("type=*b*", r));
	CHECK(log_rows_holds("list.0=#", r) && !log_rows_holds("type=#", r));
	CHECK(!log_rows_holds("a.0", r) && !log_rows_holds("list.*", v("{}")));
	r = v("{\"list\":[{\"k\":1},{\"k\":[{\"t\":\"x\"}]}]}");
	CHECK(log_rows_holds("list.*.k.*.t=x", r));
	CHECK(!log_rows_holds("list.0.k.*.t=x, list.*.k.t", r));
}

static void
scores(void)
{
	struct log_condition c =
	    log_condition_of(&arena, "20 a, -100 b x|y, 3 b");

	CHECK(log_condition_score(&c, v("{\"a\":1,\"b\":1}")) == 20);
	CHECK(log_condition_score(&c, v("{\"b\":1,\"y\":1}")) == -100);
	CHECK(log_condition_score(&c, v("{\"b\":1}")) == 3);
	CHECK(log_condition_score(&c, v("{\"y\":1}")) == 0);
}

static const struct log_row blocks[] = {
	LOG_ROW("type=text", LOG_TEXT, .of = "text"),
	LOG_ROW("type=call", LOG_CALL, .id = "id", .tool = "name",
	    .args = "args", .result = "out", .failed = "error"),
	LOG_ROW("type=thought", LOG_NOTHING),
	LOG_LAST,
};

/* Reads each message as a part of the record. */
static void
read_messages(struct log *log, const struct json *record)
{
	for (json_each(part, json_get(record, "list")))
		log_read_part(log, blocks, part);
}

static const struct log_row rows[] = {
	LOG_ROW("ts", LOG_LOCATE, .of = "ts"), /* and "news" is unread */
	LOG_ROW("type=ask", LOG_PROMPT, .of = "text"),
	LOG_ROW("type=answer", LOG_EACH, .of = "content", .rows = blocks),
	LOG_ROW("type=messages", LOG_HOOK, .read = read_messages),
	LOG_ROW("type=done", LOG_END),
	LOG_ROW("type=ping", LOG_NOTHING),
	LOG_ROW("from=old else", LOG_TEXT, .of = "text"),
	LOG_LAST,
};

static const struct log_format format = { .name = "test", .rows = rows };

/* Reads the records by `rows`; returns the trace. */
static struct str
trace_of(const char *const *records, const char *const *carry_nothing)
{
	struct out out;
	struct builder b;
	struct log log = { .builder = &b, .arena = &arena, .scratch = &arena };
	struct str trace;
	const struct builder_options options = { .out = &out,
		.carry_nothing = carry_nothing,
		.trace = { .format = "test", .results = SIZE_MAX } };

	out_open_memory(&out);
	builder_init(&b, &options);
	log_open(&log, &format);
	for (size_t i = 0; records[i] != NULL; i++) {
		builder_source(&b, "f", i + 1);
		log_read(&log, v(records[i]));
	}
	builder_close(&b);
	trace = str_dup(&arena, out_memory(&out));
	out_close(&out);
	return str_from(trace, str_find(trace, STR("\"prompt\"")));
}

static void
reading(void)
{
	static const char answer[] =
	    "{\"type\":\"answer\",\"content\":[{\"type\":\"thought\"},"
	    "{\"type\":\"call\",\"name\":\"t\",\"args\":{},\"out\":\"r\"},"
	    "{\"type\":\"text\",\"text\":\"A\"}]}";
	const char *const records[] = { "{\"type\":\"ask\",\"text\":\"Q\"}",
		"{\"type\":\"ping\"}", answer,
		"{\"from\":\"old\",\"text\":\"B\"}", NULL };

	CHECK_STR(trace_of(records, NULL),
	    "\"prompt\":\"Q\",\"final_text\":\"A\\nB\",\"tool_sequence\":["
	    "\"t\"],"
	    "\"turns\":[{\"prompt\":\"Q\",\"steps\":[{\"tool\":\"t\",\"args\":{"
	    "},"
	    "\"result\":\"r\",\"is_error\":false},{\"text\":\"A\\nB\"}]}]}\n");
}

static void
unread(void)
{
	static const char answer[] =
	    "{\"type\":\"answer\",\"content\":[{\"type\":\"toolUse\","
	    "\"name\":\"t\",\"input\":{}}]}";
	const char *const records[] = { "{\"type\":\"ask\",\"text\":\"Q\"}",
		"{\"type\":\"news\"}", "{\"type\":\"news\"}", answer, NULL };
	const char *const silent[] = { "toolUse", "news", NULL };

	CHECK_STR(trace_of(records, NULL),
	    "\"prompt\":\"Q\",\"cut\":[\"tool_sequence\",\"turns\"],\"turns\":["
	    "{\"prompt\":\"Q\",\"steps\":[]}],\"unread\":[{\"kind\":\"news\","
	    "\"n\":2,\"line\":2},{\"kind\":\"toolUse\",\"n\":1,\"line\":4}]}"
	    "\n");
	CHECK_STR(trace_of(records, silent),
	    "\"prompt\":\"Q\",\"tool_sequence\":[],\"turns\":[{\"prompt\":"
	    "\"Q\","
	    "\"steps\":[]}]}\n");
}

/* Parts of records are accounted for one by one: a call that was read in one part
 * says nothing of the next part. */
static void
parts(void)
{
	const char *const records[] = { "{\"type\":\"ask\",\"text\":\"Q\"}",
		"{\"type\":\"messages\",\"list\":["
		"{\"type\":\"call\",\"name\":\"t\",\"args\":{}},"
		"{\"type\":\"text\",\"text\":\"A\"},"
		"{\"type\":\"thought\",\"tool_calls\":[{\"id\":1}]},"
		"{\"type\":\"text\",\"text\":\"B\",\"toolUse\":[7]},"
		"{\"type\":\"ping\"}]}",
		NULL };
	const char *const whole[] = { records[0],
		"{\"type\":\"messages\",\"list\":["
		"{\"type\":\"text\",\"text\":\"A\"}]}",
		NULL };

	CHECK_STR(trace_of(records, NULL),
	    "\"prompt\":\"Q\",\"final_text\":\"A\\nB\",\"cut\":["
	    "\"tool_sequence\",\"turns\"],\"turns\":[{\"prompt\":\"Q\","
	    "\"steps\":[{\"tool\":\"t\",\"args\":{}},{\"text\":\"A\\nB\"}]}],"
	    "\"unread\":[{\"kind\":\"text\",\"n\":1,\"line\":2},"
	    "{\"kind\":\"ping\",\"n\":1,\"line\":2}]}\n");
	CHECK_STR(trace_of(whole, NULL),
	    "\"prompt\":\"Q\",\"final_text\":\"A\",\"tool_sequence\":[],"
	    "\"turns\":[{\"prompt\":\"Q\",\"steps\":[{\"text\":\"A\"}]}]}\n");
}

/* A record that nobody knows may be a call, a text, or neither. */
static void
lost(void)
{
	static const char *const calls[] = {
		"{\"type\":\"toolUse\"}",
		"{\"role\":\"tool\",\"content\":\"x\"}",
		"{\"role\":\"tool_call\",\"name\":\"Bash\"}",
		"{\"a\":[{\"name\":\"Bash\",\"input\":{\"command\":\"ls\"}}]}",
		"{\"toolName\":\"x\",\"args\":\"{}\"}",
		"{\"message\":{\"tool_calls\":[{\"id\":1}]}}",
		"{\"functionCall\":{\"name\":\"f\"}}",
		"{\"type\":\"tool_v9\"}",
		"{\"kind\":\"remote-call\"}",
	};
	static const char *const others[] = {
		"{\"type\":\"heartbeat\"}",
		"{\"type\":\"callback\"}",
		"{\"tools\":[{\"name\":\"Bash\",\"parameters\":{\"type\":"
		"\"object\"}}]}",
		"{\"name\":\"f\",\"parameters\":{\"type\":\"object\","
		"\"properties\":{}}}",
		"{\"tool_calls\":[]}",
		"{\"tool_choice\":{\"type\":\"tool_use\"}}",
		"{\"stop_reason\":\"tool_use\"}",
		"{\"name\":\"Tom\",\"arguments\":7}",
	};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		CHECK(unread_lost(v(calls[i])) & RUN_LOST_CALL);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		CHECK(unread_lost(v(others[i])) == 0);
	CHECK(unread_lost(v("{\"role\":\"assistant\",\"content\":\"A\"}")) ==
	    RUN_LOST_TEXT);
	CHECK(unread_lost(v("{\"role\":\"user\",\"content\":\"Q\"}")) == 0);
}

static void
kinds(void)
{
	CHECK_STR(unread_kind(&arena, v("{\"type\":\"a\",\"subtype\":\"b\"}")),
	    "a/b");
	CHECK_STR(unread_kind(&arena, v("{\"op\":\"x\"}")), "x");
	CHECK_STR(unread_kind(&arena, v("{\"a\":1,\"b\":2}")), "{a,b}");
	CHECK_STR(unread_kind(&arena, v("[1]")), "a list");
}

int
main(void)
{
	conditions();
	scores();
	reading();
	unread();
	parts();
	lost();
	kinds();
	json_reader_free(&reader);
	arena_free(&arena);
	return unit_status();
}
