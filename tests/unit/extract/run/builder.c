/* The events of a log, and the record that the builder makes of them. */
#include "extract/run/builder.h"

#include <stdint.h>

#include "tests/unit/unit.h"

static struct arena arena;
static struct json_reader reader;
static struct out out;
static struct builder b;

/* Returns a value that lives until the test ends. */
static const struct json *
v(const char *source)
{
	struct json_error error;
	const struct json *value =
	    json_read(&reader, str_of(source), NULL, &error);

	CHECK(value != NULL);
	return json_keep(&arena, value);
}

static void
begin(struct builder_options options)
{
	out_clear(&out);
	options.out = &out;
	options.trace.format = "test";
	if (options.trace.results == 0)
		options.trace.results = SIZE_MAX;
	builder_init(&b, &options);
}

/* The members from `tool_sequence` on, or from `turns` on if that is missing, of
 * the records that were written. */
static void
gives(const char *want)
{
	struct str text, all = { 0 };

	builder_close(&b);
	text = out_memory(&out);
	while (text.n != 0) {
		struct str line = str_cut(&text, '\n');
		size_t at = str_find(line, "\"tool_sequence\":");

		if (at == line.n)
			at = str_find(line, "\"turns\":");
		line = str_from(line, at);
		all = str_printf(
		    &arena, "%.*s%.*s\n", STR_FMT(all), STR_FMT(line));
	}
	CHECK_STR(all, want);
}

static void
call(const char *id, const char *tool, const char *args)
{
	builder_call(
	    &b, .id = v(id), .tool = v(tool), .args = v(args), .decode = true);
}

static void
result(const char *id, const char *value)
{
	builder_result(&b, .id = v(id), .value = v(value));
}

static void
at(const char *message)
{
	builder_locate(&b, .message = v(message));
}

/* Texts of one message are joined, even with calls between them. */
static void
messages(void)
{
	begin((struct builder_options){ 0 });
	at("\"m1\"");
	builder_prompt(&b,
	    v("[{\"text\":\"one\"},{\"type\":\"image\"},"
	      "{\"text\":\"two\"}]"));
	builder_prompt_body(&b, STR(""));
	at("\"m2\"");
	builder_text(&b, v("\"a\""));
	call("\"c1\"", "\"mcp__crm__look__up\"", "\"{\\\"x\\\": 1.0}\"");
	at("\"m2\"");
	builder_text(&b, v("\"b\\n\""));
	at("\"m3\"");
	builder_text(&b, v("\"c\""));
	gives(
	    "\"tool_sequence\":[\"mcp__crm__look__up\"],\"turns\":[{"
	    "\"prompt\":\"one\\ntwo\",\"steps\":[{\"text\":\"a\\nb\\n\"},"
	    "{\"tool\":\"mcp__crm__look__up\",\"id\":\"c1\",\"server\":\"crm\","
	    "\"name\":\"look__up\",\"args\":{\"x\": 1.0}},"
	    "{\"text\":\"c\"}]}]}\n");
}

/* A result without a call keeps its place; a result that comes before its call is
 * kept until the call. A step without a tool's name leaves no tool_sequence. */
static void
results_alone(void)
{
	begin((struct builder_options){ 0 });
	result("\"c1\"", "\"early\"");
	result("\"c9\"", "[1]");
	call("\"c1\"", "\"t\"", "\"no JSON\"");
	gives("\"turns\":[{\"steps\":["
	      "{\"tool\":\"t\",\"id\":\"c1\",\"args\":\"no JSON\","
	      "\"result\":\"early\"},{\"id\":\"c9\",\"result\":[1]}]}]}\n");
}

static void
usage_once(void)
{
	struct usage u = { 0 };

	begin((struct builder_options){ 0 });
	usage_set(&u, USAGE_INPUT, 10);
	usage_set(&u, USAGE_OUTPUT, 1);
	builder_usage(&b, STR("m1"), &u, true);
	usage_set(&u, USAGE_OUTPUT, 7);
	builder_usage(&b, STR("m1"), &u, true);
	usage_set(&u, USAGE_OUTPUT, 2);
	builder_usage(&b, STR("m2"), &u, false);
	gives("\"tool_sequence\":[],\"turns\":[{\"steps\":[],\"usage\":{"
	      "\"input_tokens\":20,\"output_tokens\":9,\"llm_calls\":2}}],"
	      "\"usage\":{\"input_tokens\":20,\"output_tokens\":9,"
	      "\"llm_calls\":2},\"meta\":{\"output_tokens_partial\":true}}\n");
}

static void
node(const char *id, const char *after)
{
	builder_locate(&b, .node = v(id), .after = v(after), .content = v("1"));
}

/* The second prompt is withdrawn; the record 4 is logged twice. */
static void
branches(void)
{
	begin((struct builder_options){ 0 });
	node("\"1\"", "null");
	builder_prompt(&b, v("\"one\""));
	node("\"2\"", "\"1\"");
	builder_text(&b, v("\"A\""));
	node("\"3\"", "\"2\"");
	builder_prompt(&b, v("\"two\""));
	node("\"4\"", "\"2\"");
	builder_prompt(&b, v("\"three\""));
	node("\"4\"", "\"2\"");
	builder_prompt(&b, v("\"three\""));
	gives("\"tool_sequence\":[],\"turns\":["
	      "{\"prompt\":\"one\",\"steps\":[{\"text\":\"A\"}]},"
	      "{\"prompt\":\"two\",\"abandoned\":true,\"steps\":[]},"
	      "{\"prompt\":\"three\",\"steps\":[]}]}\n");
}

static void
agent_says(const char *agent, const char *parent, const char *text)
{
	builder_locate(&b, .sidechain = true, .agent = v(agent),
	    .parent = json_raw(v(parent)));
	builder_text(&b, v(text));
}

/* Two sub-agents run at once: one names its call, the other is named by a result. A
 * third sub-agent belongs to no call. */
static void
agents(enum sidechains how, const char *want)
{
	begin((struct builder_options){ .sidechains = how });
	builder_set_body(&b, RUN_ID, STR("r"));
	call("\"c1\"", "\"Task\"", "{}");
	call("\"c2\"", "\"Task\"", "{}");
	agent_says("\"x\"", "\"c1\"", "\"X\"");
	agent_says("\"y\"", "null", "\"Y\"");
	agent_says("\"z\"", "null", "\"Z\"");
	builder_locate(&b, 0);
	builder_result(&b, .id = v("\"c2\""), .agent = v("\"y\""));
	gives(want);
}

#define TASK(id, more) \
	"{\"tool\":\"Task\",\"id\":\"" id "\",\"args\":{}" more "}"
#define TASKS "\"tool_sequence\":[\"Task\",\"Task\"],\"turns\":[{\"steps\":["
#define SAYS(text, agent) \
	"\"tool_sequence\":[],\"turns\":[{\"steps\":[{\"text\":\"" text \
	"\",\"agent\":\"" agent "\"}]}]"
#define META(more, agent) \
	",\"meta\":{\"parent_run\":\"r\"" more ",\"agent_id\":\"" agent "\"}}" \
	"\n"

/* A turn without events takes the next prompt. A turn with an event before any prompt
 * has no prompt. */
static void
turns_without_prompts(void)
{
	begin((struct builder_options){ 0 });
	builder_turn(&b);
	builder_turn(&b);
	builder_prompt(&b, v("\"one\""));
	builder_turn(&b);
	builder_text(&b, v("\"a\""));
	builder_turn(&b);
	builder_text(&b, v("\"b\""));
	gives("\"tool_sequence\":[],\"turns\":[{\"prompt\":\"one\",\"steps\":["
	      "{\"text\":\"a\"}]},{\"steps\":[{\"text\":\"b\"}]}]}\n");
}

static void
prompts_told_better(void)
{
	begin((struct builder_options){ 0 });
	builder_prompt(&b, v("\"<ide> one\""));
	builder_replace_prompt(&b, v("\"one\""));
	builder_text(&b, v("\"a\""));
	builder_locate(&b, 0);
	builder_replace_prompt(&b, v("\"two\""));
	gives("\"tool_sequence\":[],\"turns\":[{\"prompt\":\"one\",\"steps\":["
	      "{\"text\":\"a\"}]},{\"prompt\":\"two\",\"steps\":[]}]}\n");
}

/* A text continues until the next call, arguments until their end. */
static void
pieces(void)
{
	begin((struct builder_options){ 0 });
	builder_append_text(&b, v("\"a\""));
	builder_append_text(&b, v("\"b\\n\""));
	call("\"c1\"", "\"t\"", "null");
	call("\"c2\"", "\"u\"", "{}");
	builder_append_args(&b, v("\"c1\""), v("\"{\\\"x\\\":\""));
	builder_append_args(&b, NULL, v("\"\""));
	builder_append_args(&b, v("\"c1\""), v("\"1.0}\""));
	builder_append_text(&b, v("\"c\""));
	builder_end_text(&b);
	builder_append_text(&b, v("\"d\""));
	gives("\"tool_sequence\":[\"t\",\"u\"],\"turns\":[{\"steps\":["
	      "{\"text\":\"ab\\n\\nc\\nd\"},"
	      "{\"tool\":\"t\",\"id\":\"c1\",\"args\":{\"x\":1.0}},"
	      "{\"tool\":\"u\",\"id\":\"c2\",\"args\":{}}]}]}\n");
}

/* A run whose values are slices of one text is complete if it ends before the text is
 * freed; if the log breaks off, the run ends later. */
static void
in_one_text(bool breaks_off)
{
	char text[] = "[\"p\",\"a\",\"b\",\"t\",{\"x\":1}]";
	struct str all = { text, sizeof text - 1 };
	struct json_error error;
	const struct json *list =
	    json_keep(&arena, json_read(&reader, all, NULL, &error));

	begin((struct builder_options){ 0 });
	if (breaks_off)
		builder_set_log_cut(&b);
	builder_begin_run_in(&b, all);
	builder_prompt(&b, json_at(list, 0));
	builder_text(&b, json_at(list, 1));
	builder_text(&b, json_at(list, 2));
	builder_call(&b, .tool = json_at(list, 3), .args = json_at(list, 4));
	builder_end_run(&b);
	memset(text, 'z', all.n);
	gives(
	    "\"tool_sequence\":[\"t\"],\"turns\":[{\"prompt\":\"p\",\"steps\":["
	    "{\"text\":\"a\\nb\"},{\"tool\":\"t\",\"args\":{\"x\":1}}]}]}\n");
}

/* A counter replaces the sums over messages. A counter that falls has restarted; a
 * counter that does not change means that nothing was used. */
static void
totals(void)
{
	struct usage u = { 0 };

	begin((struct builder_options){ 0 });
	usage_set(&u, USAGE_OUTPUT, 1);
	builder_usage(&b, STR("m1"), &u, true);
	usage_set(&u, USAGE_OUTPUT, 10);
	CHECK(builder_total(&b, &u));
	CHECK(!builder_total(&b, &u));
	usage_set(&u, USAGE_OUTPUT, 4);
	CHECK(builder_total(&b, &u));
	builder_locate(&b, .replay = true);
	usage_set(&u, USAGE_OUTPUT, 100);
	CHECK(!builder_total(&b, &u));
	builder_locate(&b, 0);
	usage_set(&u, USAGE_OUTPUT, 101);
	CHECK(builder_total(&b, &u));
	gives("\"tool_sequence\":[],\"turns\":[{\"steps\":[],\"usage\":{"
	      "\"output_tokens\":15,\"llm_calls\":1}}],\"usage\":{"
	      "\"output_tokens\":15,\"llm_calls\":1}}\n");
}

/* Turns that were withdrawn, also twice, and also at the end. */
static void
taken_back(void)
{
	begin((struct builder_options){ 0 });
	for (int i = 0; i < 3; i++) {
		builder_locate(&b, 0);
		builder_prompt(&b, v("\"p\""));
	}
	builder_rewind(&b, 1);
	builder_rewind(&b, 1);
	builder_locate(&b, 0);
	builder_prompt(&b, v("\"q\""));
	builder_locate(&b, 0);
	builder_prompt(&b, v("\"r\""));
	builder_rewind(&b, 1);
	gives("\"tool_sequence\":[],\"turns\":["
	      "{\"prompt\":\"p\",\"steps\":[]},"
	      "{\"prompt\":\"p\",\"abandoned\":true,\"steps\":[]},"
	      "{\"prompt\":\"p\",\"abandoned\":true,\"steps\":[]},"
	      "{\"prompt\":\"q\",\"steps\":[]},"
	      "{\"prompt\":\"r\",\"abandoned\":true,\"steps\":[]}]}\n");
}

/* The calls that the program of a call made are inside the call, whatever the option
 * for sub-agents is. */
static void
within(void)
{
	begin((struct builder_options){ .sidechains = SIDECHAINS_DROP });
	call("\"c1\"", "\"exec\"", "{}");
	builder_enter_call(&b, STR("c1"));
	call("\"x1\"", "\"inner\"", "{}");
	result("\"x1\"", "1");
	builder_call_duration(&b, 2.5);
	builder_locate(&b, 0);
	result("\"c1\"", "2");
	builder_call_duration(&b, -1);
	gives("\"tool_sequence\":[\"exec\",\"inner\"],\"turns\":[{\"steps\":["
	      "{\"tool\":\"exec\",\"id\":\"c1\",\"args\":{},\"result\":2,"
	      "\"steps\":[{\"tool\":\"inner\",\"id\":\"x1\",\"args\":{},"
	      "\"result\":1,\"duration_ms\":2.5}]}]}]}\n");
}

static void
states(void)
{
	begin((struct builder_options){ 0 });
	builder_prompt(&b, v("\"one\""));
	builder_guardrail(&b, .name = v("\"length\""), .passed = v("false"));
	builder_guardrail(&b, .name = v("\"words\""), .passed = v("true"),
	    .details = v("[1]"));
	builder_transition(&b, v("\"a\""), v("\"b\""), v("\"go\""));
	builder_state(&b, v("\"b\""), true);
	gives(
	    "\"tool_sequence\":[],\"turns\":[{\"prompt\":\"one\",\"steps\":[],"
	    "\"state\":\"b\",\"guardrails\":[{\"name\":\"length\","
	    "\"passed\":false},{\"name\":\"words\",\"passed\":true,"
	    "\"details\":[1]}]}],\"workflow\":{\"state\":\"b\","
	    "\"complete\":true,\"transitions\":[{\"from\":\"a\","
	    "\"to\":\"b\",\"event\":\"go\",\"turn\":0}]}}\n");
}

/* Returns the members of a run after its turns, whose only answer ended with the
 * word. */
static void
ended(const char *word, const char *want)
{
	begin((struct builder_options){ 0 });
	builder_text(&b, v("\"On\""));
	builder_stop_reason(&b, v(str_printf(&arena, "\"%s\"", word).s));
	gives(str_printf(&arena,
	    "\"tool_sequence\":[],\"turns\":[{\"steps\":[{\"text\":"
	    "\"On\"}]}]%s}\n",
	    want)
		  .s);
}

/* The words of several APIs for why an answer ended. */
static void
stop_reasons(void)
{
	static const char *const words[][2] = {
		{ "length", "length" },
		{ "max_tokens", "length" },
		{ "MAX_TOKENS", "length" },
		{ "MaxTokens", "length" },
		{ "FinishReason.MAX_TOKENS", "length" },
		{ "max_output_tokens", "length" },
		{ "model_context_window_exceeded", "length" },
		{ "content_filter", "filter" },
		{ "content-filter", "filter" },
		{ "SAFETY", "filter" },
		{ "IMAGE_SAFETY", "filter" },
		{ "guardrail_intervened", "filter" },
		{ "refusal", "refusal" },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		ended(words[i][0],
		    str_printf(&arena,
			",\"ended\":\"%s\",\"meta\":{\"incomplete\":\"%s\"}",
			words[i][1], words[i][0])
			.s);
	ended("error", ",\"meta\":{\"incomplete\":\"error\"}");
	ended("stop", "");
	ended("end_turn", "");
	ended("tool_calls", "");
	ended("FINISH_REASON_UNSPECIFIED", "");
	ended("a word that is longer than any of the words of the table", "");
	ended("", "");
}

/* A step after the word belongs to another answer; a copy of a record ends
 * nothing. */
static void
stop_reason_before_a_step(void)
{
	begin((struct builder_options){ 0 });
	builder_text(&b, v("\"One\""));
	builder_stop_reason(&b, v("\"refusal\""));
	at("\"m2\"");
	builder_text(&b, v("\"Two\""));
	builder_locate(&b, .replay = true);
	builder_stop_reason(&b, v("\"length\""));
	gives("\"tool_sequence\":[],\"turns\":[{\"steps\":[{\"text\":\"One\"},"
	      "{\"text\":\"Two\"}]}],\"meta\":{\"incomplete\":\"refusal\"}}"
	      "\n");
}

static void
say(const char *id, const char *text)
{
	at(id);
	builder_message(&b);
	builder_text(&b, v(text));
}

/* A message keeps its number whatever comes between its records; a message without
 * an id is one of its own; without builder_message no number is known. */
static void
numbers(void)
{
	begin((struct builder_options){ 0 });
	say("\"m1\"", "\"one\"");
	call("\"c1\"", "\"a\"", "{}");
	builder_locate(&b, 0);
	result("\"c1\"", "1");
	at("\"m1\"");
	builder_message(&b);
	call("\"c2\"", "\"b\"", "{}");
	say("null", "\"two\"");
	say("null", "\"three\"");
	at("\"m1\"");
	builder_message(&b);
	call("\"c3\"", "\"c\"", "{}");
	at("\"m9\"");
	call("\"c4\"", "\"d\"", "{}");
	gives("\"tool_sequence\":[\"a\",\"b\",\"c\",\"d\"],\"turns\":[{"
	      "\"steps\":[{\"text\":\"one\",\"message\":0},"
	      "{\"tool\":\"a\",\"id\":\"c1\",\"args\":{},\"result\":1,"
	      "\"message\":0},{\"tool\":\"b\",\"id\":\"c2\",\"args\":{},"
	      "\"message\":0},{\"text\":\"two\",\"message\":1},"
	      "{\"text\":\"three\",\"message\":2},{\"tool\":\"c\","
	      "\"id\":\"c3\",\"args\":{},\"message\":0},"
	      "{\"tool\":\"d\",\"id\":\"c4\",\"args\":{}}]}]}\n");
}

/* In a log without ids, a result, a prompt or usage ends a message. */
static void
numbers_by_order(void)
{
	begin((struct builder_options){ 0 });
	for (int i = 0; i < 3; i++) {
		builder_locate(&b, 0);
		builder_message_by_order(&b);
		call("null", "\"a\"", "{}");
		if (i == 1) {
			builder_locate(&b, 0);
			builder_result(&b, .last = true, .value = v("1"));
		}
	}
	gives("\"tool_sequence\":[\"a\",\"a\",\"a\"],\"turns\":[{\"steps\":["
	      "{\"tool\":\"a\",\"args\":{},\"message\":0},"
	      "{\"tool\":\"a\",\"args\":{},\"result\":1,\"message\":0},"
	      "{\"tool\":\"a\",\"args\":{},\"message\":1}]}]}\n");
}

#define NAMED(tool, id, args) \
	"{\"tool\":\"" tool "\",\"id\":\"" id "\",\"args\":" args
#define AGENTS(a, b) \
	"\"tool_sequence\":[\"Task\",\"Task\",\"ask\",\"inner\",\"clerk\"]," \
	"\"turns\":[{\"steps\":[" NAMED( \
	    "Task", "c1", "{\"subagent_type\":\"t\"}") a \
	    ",\"steps\":[{\"text\":\"X\",\"agent\":\"t\"}]}," NAMED( \
		"Task", "c2", "{}") a \
	    ",\"steps\":[{\"text\":\"Y\",\"agent\":\"y\"}]}," NAMED("ask", \
		"c3", "{}") a ",\"steps\":[{\"tool\":\"inner\",\"args\":{}" a \
			      "}]}," NAMED("clerk", "c4", "{}") b \
	    ",\"steps\":[{\"text\":\"V\",\"agent\":\"clerk\"}]}," \
	    "{\"text\":\"W\"}]}]}\n"

/* Sub-agents are named after what the call asks for, their ids or the tool; of agents
 * that work in turn, the first is the run's own, unless the run names one of them. */
static void
names(const char *own, const char *want)
{
	begin((struct builder_options){ 0 });
	if (own != NULL)
		builder_set(&b, RUN_AGENT, v(own));
	builder_locate(&b, .name = v("\"a\""));
	call("\"c1\"", "\"Task\"", "{\"subagent_type\":\"t\"}");
	call("\"c2\"", "\"Task\"", "{}");
	call("\"c3\"", "\"ask\"", "{}");
	builder_enter_call(&b, STR("c3"));
	call("null", "\"inner\"", "{}");
	builder_locate(
	    &b, .sidechain = true, .agent = v("\"x\""), .parent = STR("c1"));
	builder_text(&b, v("\"X\""));
	builder_locate(
	    &b, .sidechain = true, .agent = v("\"y\""), .parent = STR("c2"));
	builder_text(&b, v("\"Y\""));
	builder_locate(&b, .sidechain = true, .parent = STR("c4"));
	builder_text(&b, v("\"V\""));
	builder_locate(&b, .name = v("\"b\""));
	call("\"c4\"", "\"clerk\"", "{}");
	builder_locate(&b, 0);
	builder_text(&b, v("\"W\""));
	gives(want);
}

int
main(void)
{
	out_open_memory(&out);
	messages();
	results_alone();
	usage_once();
	branches();
	agents(SIDECHAINS_NEST,
	    TASKS TASK("c1",
		",\"steps\":[{\"text\":\"X\",\"agent\":\"x\"}]") "," TASK("c2",
		",\"steps\":[{\"text\":\"Y\",\"agent\":\"y\"}]") "]}]}\n" SAYS("Z",
		"z") META("", "z"));
	agents(
	    SIDECHAINS_DROP, TASKS TASK("c1", "") "," TASK("c2", "") "]}]}\n");
	agents(SIDECHAINS_SEPARATE,
	    TASKS TASK("c1", "") "," TASK("c2", "") "]}]}\n" SAYS("X", "x")
		META(",\"parent_call\":\"c1\"", "x") SAYS("Y", "y")
		    META(",\"parent_call\":\"c2\"", "y") SAYS("Z", "z")
			META("", "z"));
	out_close(&out);
	turns_without_prompts();
	prompts_told_better();
	pieces();
	in_one_text(false);
	in_one_text(true);
	totals();
	taken_back();
	within();
	states();
	numbers();
	numbers_by_order();
	names(NULL, AGENTS("", ",\"agent\":\"b\""));
	names("\"b\"", AGENTS(",\"agent\":\"a\"", ""));
	names("\"z\"", AGENTS("", ",\"agent\":\"b\""));
	stop_reasons();
	stop_reason_before_a_step();
	json_reader_free(&reader);
	arena_free(&arena);
	return unit_status();
}
