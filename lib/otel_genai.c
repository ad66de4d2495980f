#include "otel_genai.h"

#include "keep.h"
#include "out.h"
#include "toolname.h"
#include "unflatten.h"

/* ---- the kind ---- */

static const struct word {
	const char *attribute, *value;
	enum span_kind kind;
} words[] = {
	{ "gen_ai.operation.name", "chat", SPAN_MODEL },
	{ "gen_ai.operation.name", "completion", SPAN_MODEL },
	{ "gen_ai.operation.name", "text_completion", SPAN_MODEL },
	{ "gen_ai.operation.name", "generate_content", SPAN_MODEL },
	{ "gen_ai.operation.name", "execute_tool", SPAN_TOOL },
	{ "gen_ai.operation.name", "invoke_agent", SPAN_AGENT },
	{ "gen_ai.operation.name", "invoke_workflow", SPAN_AGENT },
	{ "openinference.span.kind", "LLM", SPAN_MODEL },
	{ "openinference.span.kind", "TOOL", SPAN_TOOL },
	{ "openinference.span.kind", "AGENT", SPAN_AGENT },
	{ "traceloop.span.kind", "tool", SPAN_TOOL },
	{ "traceloop.span.kind", "agent", SPAN_AGENT },
	{ "traceloop.span.kind", "workflow", SPAN_AGENT },
	{ "llm.request.type", "chat", SPAN_MODEL },
	{ "llm.request.type", "completion", SPAN_MODEL },
	{ "ai.operationId", "ai.generateText", SPAN_AGENT },
	{ "ai.operationId", "ai.streamText", SPAN_AGENT },
	{ "ai.operationId", "ai.generateObject", SPAN_AGENT },
	{ "ai.operationId", "ai.streamObject", SPAN_AGENT },
	{ "ai.operationId", "ai.generateText.doGenerate", SPAN_MODEL },
	{ "ai.operationId", "ai.streamText.doStream", SPAN_MODEL },
	{ "ai.operationId", "ai.generateObject.doGenerate", SPAN_MODEL },
	{ "ai.operationId", "ai.streamObject.doStream", SPAN_MODEL },
	{ "ai.operationId", "ai.toolCall", SPAN_TOOL },
	{ "langfuse.observation.type", "generation", SPAN_MODEL },
	{ "langfuse.observation.type", "tool", SPAN_TOOL },
	{ "langfuse.observation.type", "agent", SPAN_AGENT },
	{ "mcp.method.name", "tools/call", SPAN_TOOL },
};

#define TOOL_NAME \
	"gen_ai.tool.name tool_call.function.name tool.name " \
	"ai.toolCall.name mcp.tool.name"
#define MODEL_NAME \
	"gen_ai.response.model gen_ai.request.model llm.model_name " \
	"ai.response.model ai.model.id llm.response.model llm.request.model"
#define INPUT_TOKENS \
	"gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens " \
	"llm.token_count.prompt llm.usage.prompt_tokens " \
	"llm.usage.input_tokens ai.usage.inputTokens ai.usage.promptTokens"
#define OUTPUT_TOKENS \
	"gen_ai.usage.output_tokens gen_ai.usage.completion_tokens " \
	"llm.token_count.completion llm.usage.completion_tokens " \
	"llm.usage.output_tokens ai.usage.outputTokens " \
	"ai.usage.completionTokens"

/* One vocabulary that says what the span is and does not mean an agent, a
 * model or a tool settles it; without any, what else it says does. */
static enum span_kind
kind_of(const struct json *attributes)
{
	const struct json *says = NULL;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const struct json *v =
		    otel_find(attributes, words[i].attribute);

		if (says == NULL)
			says = v;
		if (v != NULL &&
		    str_eq_ascii_nocase(json_raw(v), str_of(words[i].value)))
			return words[i].kind;
	}
	if (says != NULL)
		return SPAN_OTHER;
	if (otel_find(attributes, INPUT_TOKENS) != NULL ||
	    otel_find(attributes, MODEL_NAME) != NULL)
		return SPAN_MODEL;
	return otel_find(attributes, TOOL_NAME) != NULL ? SPAN_TOOL
							: SPAN_OTHER;
}

/* ---- tokens ---- */

static void
read_usage(struct usage *u, const struct json *attributes)
{
	const struct json *input = otel_find(attributes, INPUT_TOKENS);
	double cached;

	usage_read(u, USAGE_CACHE_READ,
	    otel_find(attributes,
		"gen_ai.usage.cache_read.input_tokens "
		"gen_ai.usage.cache_read_input_tokens "
		"llm.token_count.prompt_details.cache_read "
		"ai.usage.cachedInputTokens "
		"gen_ai.usage.details.cache_read_tokens"));
	usage_read(u, USAGE_CACHE_WRITE,
	    otel_find(attributes,
		"gen_ai.usage.cache_creation.input_tokens "
		"gen_ai.usage.cache_creation_input_tokens "
		"llm.token_count.prompt_details.cache_write "
		"gen_ai.usage.details.cache_write_tokens"));
	cached = u->n[USAGE_CACHE_READ] + u->n[USAGE_CACHE_WRITE];
	/* A part is not more than the whole: then it is no part. */
	if (cached > json_double(input))
		usage_read(u, USAGE_INPUT, input);
	else
		usage_input_with_cache(u, input);
	usage_read(u, USAGE_OUTPUT, otel_find(attributes, OUTPUT_TOKENS));
	usage_read(u, USAGE_REASONING,
	    otel_find(attributes,
		"gen_ai.usage.reasoning.output_tokens "
		"gen_ai.usage.reasoning_tokens "
		"llm.token_count.completion_details.reasoning "
		"ai.usage.reasoningTokens llm.usage.reasoning_tokens "
		"gen_ai.usage.details.reasoning_tokens"));
	usage_read(u, USAGE_COST,
	    otel_find(attributes, "llm.cost.total gen_ai.usage.cost"));
}

/* ---- messages ---- */

/* The name of an event, of old on the span, and whose message it is. */
static const struct event_name {
	const char *name, *role;
	bool output;
} event_names[] = {
	{ "gen_ai.system.message", "system", false },
	{ "gen_ai.user.message", "user", false },
	{ "gen_ai.assistant.message", "assistant", false },
	{ "gen_ai.tool.message", "tool", false },
	{ "gen_ai.choice", "assistant", true },
	{ "gen_ai.content.prompt", "user", false },
	{ "gen_ai.content.completion", "assistant", true },
};

static const struct event_name *
event_named(const struct json *event)
{
	const struct json *name = otel_find(event, "name event.name");

	for (size_t i = 0; i < sizeof event_names / sizeof event_names[0]; i++)
		if (json_str_is(name, str_of(event_names[i].name)))
			return &event_names[i];
	return NULL;
}

/* What the event holds as a message, or as messages. */
static void
put_event(struct arena *a, struct out *o, const struct event_name *name,
    const struct json *attributes)
{
	const struct json *v = dialogue_value(a,
	    otel_find(attributes,
		"gen_ai.prompt gen_ai.completion message "
		"gen_ai.event.content event.body"));

	if (json_is(v, JSON_ARRAY) || json_get(v, STR("role")) != NULL) {
		out_json_raw(o, v->text);
		return;
	}
	if (!json_is(v, JSON_OBJECT))
		v = json_is(v, JSON_STRING) ? v : attributes;
	out_begin(o, '{');
	out_key(o, "role");
	out_json_str(o, str_of(name->role));
	if (json_is(v, JSON_STRING)) {
		out_key(o, "content");
		out_json_raw(o, v->text);
	}
	for (json_members(key, v)) {
		if (json_str_is(key, STR("role")))
			continue;
		out_key_body(o, json_raw(key));
		out_json_raw(o, json_value(key)->text);
	}
	out_end(o, '}');
}

static const struct json *
messages_of_events(struct arena *a, const struct json *events, bool output)
{
	struct out o;
	bool any = false;

	out_open_memory(&o);
	out_begin(&o, '[');
	for (json_each(event, events)) {
		const struct event_name *name = event_named(event);

		if (name == NULL || name->output != output)
			continue;
		any = true;
		put_event(a, &o, name, otel_attributes(a, event));
	}
	out_end(&o, ']');
	if (any)
		return keep_parsed(a, out_keep(&o, a));
	out_close(&o);
	return NULL;
}

/* Attributes of an event that tells all of an operation. */
static const struct json *
details_of(struct arena *a, const struct json *events)
{
	for (json_each(event, events))
		if (json_str_is(json_get(event, STR("name")),
			STR("gen_ai.client.inference.operation.details")))
			return otel_attributes(a, event);
	return NULL;
}

/* The value under one of the names, or made of names that begin so. */
static const struct json *
messages_under(
    struct arena *a, const struct json *attributes, const char *names)
{
	const struct json *v = NULL;
	struct str rest = str_of(names);

	while (v == NULL && rest.s != NULL) {
		struct str name = str_cut(&rest, ' ');

		v = otel_find(attributes, str_c(a, name));
		if (v == NULL)
			v = unflatten(
			    a, attributes, str_cat(a, name, STR(".")));
	}
	return v;
}

/* The answer of the Vercel AI SDK: a text and calls apart. */
static const struct json *
vercel_answer(struct arena *a, const struct json *attributes)
{
	const struct json *text =
	    otel_find(attributes, "ai.response.text ai.response.object");
	const struct json *calls =
	    dialogue_value(a, otel_find(attributes, "ai.response.toolCalls"));
	struct out o;

	if (text == NULL && calls == NULL)
		return NULL;
	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "role");
	out_json_str(&o, STR("assistant"));
	if (text != NULL) {
		out_key(&o, "content");
		out_json_raw(&o, text->text);
	}
	if (calls != NULL) {
		out_key(&o, "tool_calls");
		out_json_raw(&o, calls->text);
	}
	out_end(&o, '}');
	return keep_parsed(a, out_keep(&o, a));
}

static void
read_messages(struct arena *a, struct span *s, const struct json *events,
    const struct json *attributes)
{
	const struct json *details = details_of(a, events);

	s->input = messages_under(a, attributes,
	    "gen_ai.input.messages llm.input_messages ai.prompt.messages "
	    "gen_ai.prompt pydantic_ai.all_messages all_messages_events");
	s->output = messages_under(a, attributes,
	    "gen_ai.output.messages llm.output_messages gen_ai.completion");
	if (s->input == NULL)
		s->input = otel_find(details, "gen_ai.input.messages");
	if (s->output == NULL)
		s->output = otel_find(details, "gen_ai.output.messages");
	if (s->input == NULL)
		s->input = messages_of_events(a, events, false);
	if (s->output == NULL)
		s->output = messages_of_events(a, events, true);
	if (s->output == NULL)
		s->output = vercel_answer(a, attributes);
	if (s->input == NULL)
		s->input = otel_find(attributes,
		    "input.value ai.prompt traceloop.entity.input "
		    "langfuse.observation.input langfuse.trace.input");
	if (s->output == NULL)
		s->output = otel_find(attributes,
		    "output.value traceloop.entity.output final_result "
		    "langfuse.observation.output langfuse.trace.output");
}

/* ---- tools ---- */

static void
read_tool(struct arena *a, struct span *s, const struct json *span,
    const struct json *attributes)
{
	s->tool = otel_find(attributes, TOOL_NAME);
	if (s->tool == NULL)
		s->tool = otel_find(attributes, "traceloop.entity.name");
	if (s->tool == NULL)
		s->tool = keep_string(a,
		    toolname_in_span(
			json_raw(otel_find(span, "name operationName"))));
	s->server = otel_find(attributes,
	    "mcp.server.name "
	    "github.copilot.tool.parameters.mcp_server_name");
	s->name = otel_find(
	    attributes, "github.copilot.tool.parameters.mcp_tool_name");
	s->call = otel_find(attributes,
	    "gen_ai.tool.call.id tool_call.id tool.id ai.toolCall.id");
	s->args = otel_find(attributes,
	    "gen_ai.tool.call.arguments gen_ai.tool.args "
	    "tool_call.function.arguments ai.toolCall.args tool_arguments "
	    "mcp.request.argument input.value traceloop.entity.input "
	    "langfuse.observation.input");
	s->result = otel_find(attributes,
	    "gen_ai.tool.call.result gen_ai.tool.result ai.toolCall.result "
	    "tool_response mcp.response.value output.value "
	    "traceloop.entity.output langfuse.observation.output");
}

void
otel_genai_read(struct arena *a, struct span *s, const struct json *span,
    const struct json *attributes)
{
	s->kind = kind_of(attributes);
	s->agent = otel_find(attributes, "gen_ai.agent.name agent.name");
	if (s->agent == NULL && s->kind == SPAN_AGENT)
		s->agent = otel_find(attributes,
		    "traceloop.entity.name ai.telemetry.functionId");
	s->model = otel_find(attributes, MODEL_NAME);
	s->provider = otel_find(attributes,
	    "gen_ai.provider.name gen_ai.system llm.provider llm.system "
	    "ai.model.provider");
	s->conversation =
	    otel_find(attributes, "gen_ai.conversation.id session.id");
	read_usage(&s->usage, attributes);
	if (s->kind == SPAN_TOOL)
		read_tool(a, s, span, attributes);
	else
		read_messages(a, s, otel_find(span, "events"), attributes);
}
