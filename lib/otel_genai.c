#include "otel_genai.h"

#include "dialogue.h"
#include "gemini_content.h"
#include "keep.h"
#include "otel_messages.h"
#include "otel_mlflow.h"
#include "toolname.h"

/* ---- the kind ---- */

#define OPENINFERENCE_KIND "openinference.span.kind"

static const struct word {
	const char *attribute, *value;
	enum span_kind kind;
} words[] = {
	{ "gen_ai.operation.name", "chat", SPAN_MODEL },
	{ "gen_ai.operation.name", "completion", SPAN_MODEL },
	{ "gen_ai.operation.name", "text_completion", SPAN_MODEL },
	{ "gen_ai.operation.name", "generate_content", SPAN_MODEL },
	{ "gen_ai.operation.name", "chat.completions", SPAN_MODEL },
	{ "gen_ai.operation.name", "text.completions", SPAN_MODEL },
	{ "gen_ai.operation.name", "execute_tool", SPAN_TOOL },
	{ "gen_ai.operation.name", "invoke_agent", SPAN_AGENT },
	{ "gen_ai.operation.name", "invoke_workflow", SPAN_AGENT },
	{ OPENINFERENCE_KIND, "LLM", SPAN_MODEL },
	{ OPENINFERENCE_KIND, "TOOL", SPAN_TOOL },
	{ OPENINFERENCE_KIND, "AGENT", SPAN_AGENT },
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
	{ "span.type", "interaction", SPAN_AGENT }, /* Claude Code's own */
	{ "span.type", "llm_request", SPAN_MODEL },
	{ "span.type", "tool", SPAN_TOOL },
};

#define TOOL_NAME \
	"gen_ai.tool.name tool_call.function.name tool.name " \
	"ai.toolCall.name mcp.tool.name tool_name"
#define MODEL_NAME \
	"gen_ai.response.model gen_ai.request.model llm.model_name " \
	"ai.response.model ai.model.id llm.response.model llm.request.model " \
	"langfuse.observation.model.name"
#define INPUT_TOKENS \
	"gen_ai.usage.input_tokens gen_ai.usage.prompt_tokens " \
	"gen_ai.response.prompt_tokens " \
	"llm.token_count.prompt llm.usage.prompt_tokens " \
	"llm.usage.input_tokens ai.usage.inputTokens ai.usage.promptTokens"
#define OUTPUT_TOKENS \
	"gen_ai.usage.output_tokens gen_ai.usage.completion_tokens " \
	"gen_ai.response.completion_tokens " \
	"llm.token_count.completion llm.usage.completion_tokens " \
	"llm.usage.output_tokens ai.usage.outputTokens " \
	"ai.usage.completionTokens"

#define TOTAL_TOKENS \
	"gen_ai.usage.total_tokens llm.token_count.total " \
	"llm.usage.total_tokens ai.usage.totalTokens"

/* What OpenInference calls a span and Phoenix has beside the attributes, from
 * which it takes it; others have OpenTelemetry's kind there. */
static const struct json *
phoenix_kind(const struct json *span)
{
	static const char *const names[] = { "LLM", "TOOL", "AGENT", "CHAIN",
		"RETRIEVER", "RERANKER", "EMBEDDING", "GUARDRAIL", "EVALUATOR",
		"PROMPT", "DECISION" };
	const struct json *v = json_get(span, STR("span_kind"));

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (json_str_is(v, str_of(names[i])))
			return v;
	return NULL;
}

static bool
is_embedding(const struct json *span, const struct json *attributes)
{
	return json_str_is(otel_find(attributes, OPENINFERENCE_KIND),
		   STR("EMBEDDING")) ||
	    json_str_is(phoenix_kind(span), STR("EMBEDDING")) ||
	    json_str_is(otel_find(attributes, "gen_ai.operation.name"),
		STR("embeddings")) ||
	    json_str_is(
		otel_find(attributes, "llm.request.type"), STR("embedding"));
}

/* One vocabulary that says what the span is and does not mean an agent, a
 * model or a tool settles it; without any, what else it says does. */
static enum span_kind
kind_of(const struct json *span, const struct json *attributes)
{
	const struct json *own = phoenix_kind(span), *says = NULL;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		const struct json *v =
		    otel_find(attributes, words[i].attribute);

		if (v == NULL &&
		    str_is(str_of(words[i].attribute), OPENINFERENCE_KIND))
			v = own;
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

/* Claude Code's own names; what a cache gave is no part of the input. */
static void
read_own_usage(struct usage *u, const struct json *attributes)
{
	usage_read(u, USAGE_INPUT, otel_find(attributes, "input_tokens"));
	usage_read(u, USAGE_OUTPUT, otel_find(attributes, "output_tokens"));
	usage_read(
	    u, USAGE_CACHE_READ, otel_find(attributes, "cache_read_tokens"));
	usage_read(u, USAGE_CACHE_WRITE,
	    otel_find(attributes, "cache_creation_tokens"));
}

/* A part is not more than the whole, and where the total has more than both
 * counts it stands beside them: then the input has nothing of the cache's. */
static void
read_input(struct usage *u, const struct json *attributes)
{
	const struct json *input = otel_find(attributes, INPUT_TOKENS);
	double cached = u->n[USAGE_CACHE_READ] + u->n[USAGE_CACHE_WRITE];
	double total = json_double(otel_find(attributes, TOTAL_TOKENS));

	if (cached > json_double(input) ||
	    total == json_double(input) + u->n[USAGE_OUTPUT] + cached)
		usage_read(u, USAGE_INPUT, input);
	else
		usage_input_with_cache(u, input);
}

static void
read_counts(struct usage *u, const struct json *attributes)
{
	usage_read(u, USAGE_CACHE_READ,
	    otel_find(attributes,
		"gen_ai.usage.cache_read.input_tokens "
		"gen_ai.usage.cache_read_input_tokens "
		"llm.token_count.prompt_details.cache_read "
		"ai.usage.cachedInputTokens "
		"ai.usage.inputTokenDetails.cacheReadTokens "
		"gen_ai.usage.details.cache_read_tokens"));
	usage_read(u, USAGE_CACHE_WRITE,
	    otel_find(attributes,
		"gen_ai.usage.cache_creation.input_tokens "
		"gen_ai.usage.cache_creation_input_tokens "
		"gen_ai.usage.cache_write_input_tokens "
		"llm.token_count.prompt_details.cache_write "
		"ai.usage.inputTokenDetails.cacheWriteTokens "
		"gen_ai.usage.details.cache_write_tokens"));
	usage_read(u, USAGE_OUTPUT, otel_find(attributes, OUTPUT_TOKENS));
	read_input(u, attributes);
	usage_read(u, USAGE_REASONING,
	    otel_find(attributes,
		"gen_ai.usage.reasoning.output_tokens "
		"gen_ai.usage.reasoning_tokens "
		"llm.token_count.completion_details.reasoning "
		"ai.usage.reasoningTokens "
		"ai.usage.outputTokenDetails.reasoningTokens "
		"llm.usage.reasoning_tokens "
		"gen_ai.usage.details.reasoning_tokens"));
	usage_read(u, USAGE_COST,
	    otel_find(attributes, "llm.cost.total gen_ai.usage.cost"));
}

void
otel_genai_langfuse(
    struct usage *u, const struct json *counts, const struct json *cost)
{
	double in = json_double(json_get(counts, STR("input")));
	double out = json_double(json_get(counts, STR("output")));

	usage_read(u, USAGE_CACHE_READ,
	    otel_find(counts,
		"input_cache_read input_cached_tokens "
		"cache_read_input_tokens prompt_details.cache_read"));
	usage_read(u, USAGE_CACHE_WRITE,
	    otel_find(counts,
		"input_cache_creation cache_creation_input_tokens "
		"prompt_details.cache_write"));
	usage_read(u, USAGE_REASONING,
	    otel_find(counts,
		"output_reasoning output_reasoning_tokens "
		"completion_details.reasoning"));
	usage_read(u, USAGE_OUTPUT, json_get(counts, STR("output")));
	/* The total tells whether details are parts or stand apart. */
	if (json_double(json_get(counts, STR("total"))) == in + out) {
		usage_input_with_cache(u, json_get(counts, STR("input")));
	} else {
		usage_read(u, USAGE_INPUT, json_get(counts, STR("input")));
		if (u->known & 1U << USAGE_OUTPUT)
			usage_set(u, USAGE_OUTPUT, out + u->n[USAGE_REASONING]);
	}
	if (u->known != 0)
		usage_read(u, USAGE_COST, cost);
}

/* Some have the counts as JSON in one attribute: Claude Code's own names,
 * Langfuse's, and Gemini's in the response that ADK logs. There what was
 * thought is counted beside the output, in its attributes too. */
static void
read_usage(struct arena *a, struct usage *u, const struct json *attributes)
{
	const struct json *gemini = json_get(
	    dialogue_value(
		a, otel_find(attributes, "gcp.vertex.agent.llm_response")),
	    STR("usage_metadata"));
	const struct json *beside =
	    otel_find(attributes, "gen_ai.usage.experimental.reasoning_tokens");
	const struct json *langfuse = dialogue_value(
	    a, otel_find(attributes, "langfuse.observation.usage_details"));
	const struct json *costs = dialogue_value(
	    a, otel_find(attributes, "langfuse.observation.cost_details"));

	if (json_str_is(otel_find(attributes, "span.type"), STR("llm_request")))
		read_own_usage(u, attributes);
	if (json_is(gemini, JSON_OBJECT)) {
		gemini_usage_read(u, gemini);
		return;
	}
	read_counts(u, attributes);
	if (json_is(beside, JSON_NUMBER)) {
		usage_read(u, USAGE_REASONING, beside);
		usage_set(
		    u, USAGE_OUTPUT, u->n[USAGE_OUTPUT] + json_double(beside));
	}
	if (u->known == 0)
		otel_genai_langfuse(u, langfuse, json_get(costs, STR("total")));
}

/* ---- tools ---- */

/* ADK has a span more for what several calls came to. */
#define ADK_MERGED STR("(merged tools)")

/* Some write each result as JSON, one that is a text too. */
static const struct json *
result_of(struct arena *a, const struct json *attributes)
{
	bool json = json_str_is(
	    otel_find(attributes, "output.mime_type"), STR("application/json"));
	const struct json *v =
	    otel_find(attributes, "gen_ai.tool.call.result gen_ai.tool.result");

	if (v != NULL)
		return v;
	v = otel_find(attributes, "ai.toolCall.result traceloop.entity.output");
	if (v == NULL && json)
		v = otel_find(attributes, "output.value");
	if (v != NULL)
		return otel_unquoted(a, v);
	return otel_find(attributes,
	    "tool_response mcp.response.value output.value "
	    "gcp.vertex.agent.tool_response langfuse.observation.output");
}

/* OpenLLMetry logs what a program's function was given, or a request, or what
 * LangChain tells of a call: the arguments are in it. */
static const struct json *
entity_args(struct arena *a, const struct json *attributes)
{
	const struct json *entity =
	    otel_find(attributes, "traceloop.entity.input");
	const struct json *v = dialogue_value(a, entity);
	const struct json *within = NULL;

	if (json_get(v, STR("tool_name")) != NULL)
		within = json_get(v, STR("arguments"));
	else if (json_get(v, STR("input_str")) != NULL)
		within = json_get(v, STR("inputs"));
	else if (json_count(v) == 2 &&
	    json_is(json_get(v, STR("args")), JSON_ARRAY) &&
	    json_count(json_get(v, STR("args"))) == 0)
		within = json_get(v, STR("kwargs"));
	return json_is(within, JSON_OBJECT) ? within : entity;
}

/* Whether the call failed although its span did not: Strands' word for it, and
 * Langfuse's. */
static bool
says_failed(const struct json *attributes)
{
	return json_str_is(
		   otel_find(attributes, "gen_ai.tool.status"), STR("error")) ||
	    json_str_is(otel_find(attributes, "langfuse.observation.level"),
		STR("ERROR"));
}

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
	    "gen_ai.tool.call.id tool_call.id tool.id ai.toolCall.id "
	    "tool_use_id");
	if (json_str_is(s->call, STR("<not specified>"))) /* ADK's */
		s->call = NULL;
	s->args = otel_find(attributes,
	    "gen_ai.tool.call.arguments gen_ai.tool.args "
	    "tool_call.function.arguments ai.toolCall.args tool_arguments "
	    "mcp.request.argument input.value "
	    "gcp.vertex.agent.tool_call_args");
	if (s->args == NULL)
		s->args = entity_args(a, attributes);
	if (s->args == NULL)
		s->args = otel_find(attributes, "langfuse.observation.input");
	s->result = result_of(a, attributes);
	if (says_failed(attributes))
		s->is_error = builder_bool(true);
}

void
otel_genai_embeds(struct span *s)
{
	s->model = NULL;
	s->provider = NULL;
	s->usage.known &= 1u << USAGE_COST;
}

void
otel_genai_read(struct arena *a, struct span *s, const struct json *span,
    const struct json *attributes, const struct json *events)
{
	s->kind = kind_of(span, attributes);
	if (json_str_is(otel_find(attributes, TOOL_NAME), ADK_MERGED))
		s->kind = SPAN_OTHER;
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
	read_usage(a, &s->usage, attributes);
	if (is_embedding(span, attributes))
		otel_genai_embeds(s);
	if (s->kind == SPAN_TOOL) {
		read_tool(a, s, span, attributes);
		otel_messages_tool(a, s, events);
	} else {
		otel_messages_read(a, s, events, attributes);
	}
	otel_mlflow_read(a, s, span, attributes);
}
