#include "extract/otel/mlflow.h"

#include "extract/otel/otel.h"
#include "extract/value/copy.h"

static const struct json *
value_of(struct arena *a, const struct lookup *attributes, struct str name)
{
	const struct json *v = lookup_get(attributes, name), *inner = NULL;

	if (json_is(v, JSON_STRING))
		inner = copy_parsed(a, json_text(v, a));
	if (json_is(inner, JSON_NULL))
		return NULL;
	return inner != NULL ? inner : v;
}

static enum span_kind
kind_of(const struct json *type, enum span_kind other)
{
	if (json_str_is(type, "CHAT_MODEL") || json_str_is(type, "LLM"))
		return SPAN_MODEL;
	if (json_str_is(type, "TOOL"))
		return SPAN_TOOL;
	return json_str_is(type, "AGENT") ? SPAN_AGENT : other;
}

/* The counts are as the model's maker has them: of Anthropic's input what a
 * cache gave is no part. */
static void
read_usage(struct usage *u, const struct json *counts, bool anthropic)
{
	const struct json *input = json_get(counts, "input_tokens");

	usage_read(
	    u, USAGE_CACHE_READ, json_get(counts, "cache_read_input_tokens"));
	usage_read(u, USAGE_CACHE_WRITE,
	    json_get(counts, "cache_creation_input_tokens"));
	usage_read(u, USAGE_OUTPUT, json_get(counts, "output_tokens"));
	if (anthropic)
		usage_read(u, USAGE_INPUT, input);
	else
		usage_input_with_cache(u, input);
}

static void
read_model(struct arena *a, struct span *s, const struct lookup *attributes)
{
	const struct json *format =
	    value_of(a, attributes, STR("mlflow.message.format"));

	if (s->model == NULL)
		s->model = value_of(a, attributes, STR("mlflow.llm.model"));
	if (s->provider == NULL)
		s->provider =
		    value_of(a, attributes, STR("mlflow.llm.provider"));
	if (s->usage.known == 0)
		read_usage(&s->usage,
		    value_of(a, attributes, STR("mlflow.chat.tokenUsage")),
		    json_str_is(format, "anthropic"));
}

void
otel_mlflow_read(struct arena *a, struct span *s, const struct json *span,
    const struct lookup *attributes)
{
	const struct json *type =
	    value_of(a, attributes, STR("mlflow.spanType"));
	const struct json *input, *output;

	if (type == NULL)
		return;
	s->kind = kind_of(type, s->kind);
	input = value_of(a, attributes, STR("mlflow.spanInputs"));
	output = value_of(a, attributes, STR("mlflow.spanOutputs"));
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
		read_model(a, s, attributes);
	usage_read(&s->usage, USAGE_COST,
	    json_get(
		value_of(a, attributes, STR("mlflow.llm.cost")), "total_cost"));
}
