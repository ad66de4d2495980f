#include "extract/otel/genai.h"

#include "extract/api/chat.h"
#include "extract/api/gemini_content.h"
#include "extract/otel/messages.h"
#include "extract/otel/otel.h"
#include "extract/value/copy.h"
#include "extract/value/fields.h"
#include "extract/value/tool_name.h"
#include "text/caseless.h"

/* ---- the kind ---- */

#define OPENINFERENCE_KIND "openinference.span.kind"

static const struct vocabulary {
	struct str attribute;
	const char *agent, *model, *tool; /* the attribute's words for each */
} vocabularies[] = {
	{ STR_CONST("gen_ai.operation.name"), "invoke_agent invoke_workflow",
	    "chat completion text_completion generate_content "
	    "chat.completions text.completions",
	    "execute_tool" },
	{ STR_CONST(OPENINFERENCE_KIND), "AGENT", "LLM", "TOOL" },
	{ STR_CONST("traceloop.span.kind"), "agent workflow", "", "tool" },
	{ STR_CONST("llm.request.type"), "", "chat completion", "" },
	{ STR_CONST("ai.operationId"),
	    "ai.generateText ai.streamText ai.generateObject ai.streamObject",
	    "ai.generateText.doGenerate ai.streamText.doStream "
	    "ai.generateObject.doGenerate ai.streamObject.doStream",
	    "ai.toolCall" },
	{ STR_CONST("langfuse.observation.type"), "agent", "generation",
	    "tool" },
	/* The words of these name parts of a tool's call, too. */
	{ STR_CONST("mcp.method.name"), "", "", "tools/call" },
	{ STR_CONST("span.type"), "interaction", "llm_request",
	    "tool" }, /* Claude Code */
};

enum { SURE_WORDS = 6 }; /* vocabularies whose words name whole calls only */

/* Returns OpenInference's kind of the span as Phoenix writes it outside the
 * attributes, or NULL. Other exporters write OpenTelemetry's kind in that
 * member. */
static const struct json *
phoenix_kind(const struct json *span)
{
	static const char *const names[] = { "LLM", "TOOL", "AGENT", "CHAIN",
		"RETRIEVER", "RERANKER", "EMBEDDING", "GUARDRAIL", "EVALUATOR",
		"PROMPT", "DECISION" };
	const struct json *v = json_get(span, "span_kind");

	for (size_t i = 0; v != NULL && i < sizeof names / sizeof names[0]; i++)
		if (json_str_is(v, str_of(names[i])))
			return v;
	return NULL;
}

static bool
is_embedding(const struct json *own, const struct lookup *attributes)
{
	return json_str_is(lookup_get(attributes, STR(OPENINFERENCE_KIND)),
		   "EMBEDDING") ||
	    json_str_is(own, "EMBEDDING") ||
	    json_str_is(lookup_get(attributes, "gen_ai.operation.name"),
		"embeddings") ||
	    json_str_is(
		lookup_get(attributes, "llm.request.type"), "embedding");
}

static enum span_kind
kind_in(const struct vocabulary *of, struct str word)
{
	return caseless_is_one_of(word, of->agent) ? SPAN_AGENT
	    : caseless_is_one_of(word, of->model)  ? SPAN_MODEL
	    : caseless_is_one_of(word, of->tool)   ? SPAN_TOOL
						   : SPAN_OTHER;
}

/* Returns the kind that the first vocabulary names. If vocabularies name only
 * other kinds, the span has no kind, and *unknown is a word among these that may
 * mean a tool; without any vocabulary, its other attributes decide. */
static enum span_kind
kind_of(const struct json *own, const struct lookup *attributes,
    struct str *unknown)
{
	enum span_kind kind = SPAN_OTHER;
	bool says = false;

	for (size_t i = 0; i < sizeof vocabularies / sizeof vocabularies[0];
	     i++) {
		const struct vocabulary *of = &vocabularies[i];
		const struct json *v = lookup_get(attributes, of->attribute);

		if (v == NULL && str_is(of->attribute, OPENINFERENCE_KIND))
			v = own;
		if (v == NULL)
			continue;
		kind = kind_in(of, json_raw(v));
		if (kind != SPAN_OTHER)
			return kind;
		says = true;
		if (i < SURE_WORDS && span_names_tool(json_raw(v)))
			*unknown = json_raw(v);
	}
	if (says)
		return SPAN_OTHER;
	if (otel_get(attributes, OTEL_INPUT_TOKENS) != NULL ||
	    otel_get(attributes, OTEL_MODEL) != NULL)
		return SPAN_MODEL;
	return otel_get(attributes, OTEL_TOOL) != NULL ? SPAN_TOOL : SPAN_OTHER;
}

/* ---- tokens ---- */

/* Reads the input tokens. The input does not include cached tokens if these
 * exceed the input, or if the total is the sum of all counts. */
static void
read_input(struct usage *u, const struct lookup *attributes)
{
	const struct json *input = otel_get(attributes, OTEL_INPUT_TOKENS);
	double cached = u->n[USAGE_CACHE_READ] + u->n[USAGE_CACHE_WRITE];
	double total = json_double(otel_get(attributes, OTEL_TOTAL_TOKENS));

	if (cached > json_double(input) ||
	    total == json_double(input) + u->n[USAGE_OUTPUT] + cached)
		usage_read(u, USAGE_INPUT, input);
	else
		usage_input_with_cache(u, input);
}

static void
read_counts(struct usage *u, const struct lookup *attributes)
{
	if (!attributes->numbers && attributes->nested == 0)
		return;
	usage_read(u, USAGE_CACHE_READ, otel_get(attributes, OTEL_CACHE_READ));
	usage_read(
	    u, USAGE_CACHE_WRITE, otel_get(attributes, OTEL_CACHE_WRITE));
	if (u->known & 1U << USAGE_CACHE_WRITE)
		usage_read(u, USAGE_CACHE_WRITE_1H,
		    lookup_get(attributes, "mcpl.cache_write_1h_tokens"));
	usage_read(u, USAGE_OUTPUT, otel_get(attributes, OTEL_OUTPUT_TOKENS));
	read_input(u, attributes);
	usage_read(u, USAGE_REASONING, otel_get(attributes, OTEL_REASONING));
	usage_read(u, USAGE_COST, otel_get(attributes, OTEL_COST));
}

void
otel_genai_langfuse(
    struct usage *u, const struct json *counts, const struct json *cost)
{
	const struct lookup of = lookup_of(counts);
	double in = json_double(lookup_get(&of, "input"));
	double out = json_double(lookup_get(&of, "output"));

	if (json_first(counts) == NULL)
		return;
	usage_read(u, USAGE_CACHE_READ,
	    otel_find_in(&of,
		"input_cache_read input_cached_tokens "
		"cache_read_input_tokens prompt_details.cache_read"));
	usage_read(u, USAGE_CACHE_WRITE,
	    otel_find_in(&of,
		"input_cache_creation cache_creation_input_tokens "
		"prompt_details.cache_write"));
	/* The names that LangChain has, and Anthropic's. */
	usage_read_writes(u,
	    otel_find_in(&of,
		"input_ephemeral_5m_input_tokens "
		"cache_creation.ephemeral_5m_input_tokens "
		"ephemeral_5m_input_tokens"),
	    otel_find_in(&of,
		"input_ephemeral_1h_input_tokens "
		"cache_creation.ephemeral_1h_input_tokens "
		"ephemeral_1h_input_tokens"));
	usage_read(u, USAGE_REASONING,
	    otel_find_in(&of,
		"output_reasoning output_reasoning_tokens "
		"completion_details.reasoning"));
	usage_read(u, USAGE_OUTPUT, lookup_get(&of, "output"));
	/* The total shows whether the details are included in the counts. */
	if (json_double(lookup_get(&of, "total")) == in + out) {
		usage_input_with_cache(u, lookup_get(&of, "input"));
	} else {
		usage_read(u, USAGE_INPUT, lookup_get(&of, "input"));
		if (u->known & 1U << USAGE_OUTPUT)
			usage_set(u, USAGE_OUTPUT, out + u->n[USAGE_REASONING]);
	}
	if (u->known != 0)
		usage_read(u, USAGE_COST, cost);
}

/* Reads the counts. Some programs log them as JSON in one attribute: Claude
 * Code under its own names, Langfuse, and Gemini in the response that ADK logs.
 * Gemini counts thoughts apart from the output, also in the attributes. */
static void
read_usage(struct arena *a, struct usage *u, const struct lookup *attributes)
{
	const struct json *gemini = json_get(
	    chat_value(
		a, lookup_get(attributes, "gcp.vertex.agent.llm_response")),
	    "usage_metadata");
	const struct json *beside = lookup_get(
	    attributes, "gen_ai.usage.experimental.reasoning_tokens");
	const struct json *langfuse = chat_value(
	    a, lookup_get(attributes, "langfuse.observation.usage_details"));
	const struct json *costs = chat_value(
	    a, lookup_get(attributes, "langfuse.observation.cost_details"));

	if (json_str_is(lookup_get(attributes, "span.type"), "llm_request"))
		field_usage(u, attributes->json, .input = "input_tokens",
		    .output = "output_tokens",
		    .cache_read = "cache_read_tokens",
		    .cache_write = "cache_creation_tokens");
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
		otel_genai_langfuse(u, langfuse, json_get(costs, "total"));
}

/* ---- tools ---- */

/* ADK adds a span that merges the results of several calls. */
#define ADK_MERGED STR("(merged tools)")

/* Returns the result. Some programs encode each result as JSON, even a text. */
static const struct json *
result_of(struct arena *a, const struct lookup *attributes)
{
	bool json = json_str_is(
	    lookup_get(attributes, "output.mime_type"), "application/json");
	const struct json *v = otel_get(attributes, OTEL_RESULT);

	if (v != NULL)
		return v;
	v = otel_get(attributes, OTEL_RESULT_JSON);
	if (v == NULL && json)
		v = lookup_get(attributes, "output.value");
	if (v != NULL)
		return otel_unquoted(a, v);
	return otel_get(attributes, OTEL_RESULT_ELSE);
}

/* Returns the arguments of a call. OpenLLMetry logs the arguments of the
 * program's function, a request, or LangChain's event; the call's arguments are
 * inside. */
static const struct json *
entity_args(struct arena *a, const struct lookup *attributes)
{
	const struct json *entity =
	    lookup_get(attributes, "traceloop.entity.input");
	const struct json *v = chat_value(a, entity);
	const struct json *within = NULL;

	if (json_get(v, "tool_name") != NULL)
		within = json_get(v, "arguments");
	else if (json_get(v, "input_str") != NULL)
		within = json_get(v, "inputs");
	else if (json_count(v) == 2 &&
	    json_is(json_get(v, "args"), JSON_ARRAY) &&
	    json_count(json_get(v, "args")) == 0)
		within = json_get(v, "kwargs");
	return json_is(within, JSON_OBJECT) ? within : entity;
}

/* Returns whether the call failed although its span did not, by the attributes
 * of Strands and Langfuse. */
static bool
says_failed(const struct lookup *attributes)
{
	return json_str_is(
		   lookup_get(attributes, "gen_ai.tool.status"), "error") ||
	    json_str_is(
		lookup_get(attributes, "langfuse.observation.level"), "ERROR");
}

static void
read_tool(struct arena *a, struct span *s, const struct json *span,
    const struct lookup *attributes)
{
	s->tool = otel_get(attributes, OTEL_TOOL);
	if (s->tool == NULL)
		s->tool = lookup_get(attributes, "traceloop.entity.name");
	if (s->tool == NULL)
		s->tool = copy_string(a,
		    tool_name_in_span(
			json_raw(otel_find(span, "name operationName"))));
	s->server = otel_get(attributes, OTEL_SERVER);
	s->name = lookup_get(
	    attributes, "github.copilot.tool.parameters.mcp_tool_name");
	if (s->name == NULL && json_has(attributes->json, "gen_ai.tool.name"))
		s->name = lookup_get(attributes, "mcp.tool.name");
	s->call = otel_get(attributes, OTEL_CALL_ID);
	if (json_str_is(s->call, "<not specified>")) /* written by ADK */
		s->call = NULL;
	s->args = otel_get(attributes, OTEL_ARGS);
	if (s->args == NULL)
		s->args = entity_args(a, attributes);
	if (s->args == NULL)
		s->args = lookup_get(attributes, "langfuse.observation.input");
	s->result = result_of(a, attributes);
	if (says_failed(attributes))
		s->is_error = builder_bool(true);
}

/* ---- MLflow: attributes mlflow.*, each of which is JSON as text ---- */

static const struct json *
mlflow_value(struct arena *a, const struct lookup *attributes, struct str name)
{
	const struct json *v = lookup_get(attributes, name), *inner = NULL;

	if (json_is(v, JSON_STRING))
		inner = copy_parsed(a, json_text(v, a));
	if (json_is(inner, JSON_NULL))
		return NULL;
	return inner != NULL ? inner : v;
}

static enum span_kind
mlflow_kind(const struct json *type, enum span_kind other)
{
	if (json_str_is(type, "CHAT_MODEL") || json_str_is(type, "LLM"))
		return SPAN_MODEL;
	if (json_str_is(type, "TOOL"))
		return SPAN_TOOL;
	return json_str_is(type, "AGENT") ? SPAN_AGENT : other;
}

/* Reads counts as the model's vendor counts: Anthropic's input does not include
 * cached tokens. */
static void
mlflow_usage(struct usage *u, const struct json *counts, bool anthropic)
{
	const char *input = "input_tokens";

	field_usage(u, counts, .output = "output_tokens",
	    .cache_read = "cache_read_input_tokens",
	    .cache_write = "cache_creation_input_tokens",
	    .input = anthropic ? input : NULL,
	    .input_and_cache = anthropic ? NULL : input);
}

static void
mlflow_model(struct arena *a, struct span *s, const struct lookup *attributes)
{
	const struct json *format =
	    mlflow_value(a, attributes, STR("mlflow.message.format"));

	if (s->model == NULL)
		s->model = mlflow_value(a, attributes, STR("mlflow.llm.model"));
	if (s->provider == NULL)
		s->provider =
		    mlflow_value(a, attributes, STR("mlflow.llm.provider"));
	if (s->usage.known == 0)
		mlflow_usage(&s->usage,
		    mlflow_value(a, attributes, STR("mlflow.chat.tokenUsage")),
		    json_str_is(format, "anthropic"));
}

static void
read_mlflow(struct arena *a, struct span *s, const struct json *span,
    const struct lookup *attributes)
{
	const struct json *type =
	    mlflow_value(a, attributes, STR("mlflow.spanType"));
	const struct json *input, *output;

	if (type == NULL)
		return;
	s->kind = mlflow_kind(type, s->kind);
	input = mlflow_value(a, attributes, STR("mlflow.spanInputs"));
	output = mlflow_value(a, attributes, STR("mlflow.spanOutputs"));
	if (s->input == NULL)
		s->input = input;
	if (s->output == NULL)
		s->output = output;
	if (s->args == NULL)
		s->args = input;
	if (s->result == NULL)
		s->result = output;
	if ((s->kind == SPAN_TOOL || s->kind == SPAN_OTHER) &&
	    lookup_get(attributes, "gen_ai.tool.name") == NULL)
		s->tool = otel_find(span, "name");
	if (!json_str_is(type, "EMBEDDING"))
		mlflow_model(a, s, attributes);
	usage_read(&s->usage, USAGE_COST,
	    json_get(mlflow_value(a, attributes, STR("mlflow.llm.cost")),
		"total_cost"));
}

/* ---- attributes of mcpl-extract --to otlp ---- */

/* Reads what a span cannot say otherwise: see mcpl-formats(7). */
static void
read_hints(struct span *s, const struct lookup *attributes)
{
	struct str hints = json_raw(lookup_get(attributes, "mcpl.hints"));

	s->scenario = lookup_get(attributes, "test.case.name");
	if (hints.n == 0)
		return;
	usage_read(&s->usage, USAGE_LLM_CALLS,
	    lookup_get(attributes, "mcpl.llm_calls"));
	while (hints.s != NULL) {
		struct str hint = str_cut(&hints, ' ');

		s->no_time |= str_is(hint, "no_time");
		s->new_input |= str_is(hint, "new_input");
		s->no_call |= str_is(hint, "no_call");
		s->text_result |= str_is(hint, "text_result");
		if (str_is(hint, "no_end"))
			s->end = SPAN_NO_TIME;
		if (str_is(hint, "no_status") &&
		    !json_is(s->is_error, JSON_TRUE))
			s->is_error = NULL;
	}
}

/* ---- a span ---- */

void
otel_genai_set_embedding(struct span *s)
{
	s->model = NULL;
	s->provider = NULL;
	s->usage.known &= 1u << USAGE_COST;
}

void
otel_genai_read(struct arena *a, struct span *s, const struct json *span,
    const struct lookup *attributes, const struct json *events)
{
	const struct json *own = phoenix_kind(span);

	s->kind = kind_of(own, attributes, &s->unknown);
	if (json_str_is(otel_get(attributes, OTEL_TOOL), ADK_MERGED))
		s->kind = SPAN_OTHER;
	s->agent = otel_get(attributes, OTEL_AGENT);
	if (s->agent == NULL && s->kind == SPAN_AGENT)
		s->agent = otel_get(attributes, OTEL_AGENT_ENTITY);
	s->model = otel_get(attributes, OTEL_MODEL);
	s->system = chat_value(a, otel_get(attributes, OTEL_SYSTEM));
	s->stop = otel_get(attributes, OTEL_STOP);
	if (json_is(s->stop, JSON_ARRAY))
		s->stop = json_first(s->stop);
	s->provider = otel_get(attributes, OTEL_PROVIDER);
	s->conversation = otel_get(attributes, OTEL_CONVERSATION);
	read_usage(a, &s->usage, attributes);
	if (is_embedding(own, attributes))
		otel_genai_set_embedding(s);
	if (s->kind == SPAN_TOOL) {
		read_tool(a, s, span, attributes);
		otel_messages_tool(a, s, events);
	} else {
		otel_messages_read(a, s, events, attributes);
	}
	read_mlflow(a, s, span, attributes);
	read_hints(s, attributes);
}
