#include "judge/provider/params.h"

#include "io/out.h"
#include "json/json.h"

/* Members that mcpl-judge writes, in the words of any protocol, and the option
 * that sets them (NULL: none does). */
static const struct {
	const char *path, *option;
} reserved[] = {
	{ "model", "--model" },
	{ "modelId", "--model" },
	{ "messages", NULL },
	{ "instructions", NULL },
	{ "input", NULL },
	{ "prompt", NULL },
	{ "system", NULL },
	{ "contents", NULL },
	{ "systemInstruction", NULL },
	{ "system_instruction", NULL },
	{ "response_format", NULL },
	{ "format", NULL },
	{ "text.format", NULL },
	{ "output_config.format", NULL },
	{ "output_format", NULL },
	{ "outputConfig.textFormat", NULL },
	{ "generation_config", NULL },
	{ "generationConfig.responseMimeType", NULL },
	{ "generationConfig.responseSchema", NULL },
	{ "generationConfig.responseJsonSchema", NULL },
	{ "generationConfig.candidateCount", NULL },
	{ "tools", NULL },
	{ "tool_choice", NULL },
	{ "toolConfig", NULL },
	{ "stream", NULL },
	{ "store", NULL },
	{ "n", "--votes" },
	{ "truncate", NULL },
	{ "shift", NULL },
	{ "options.num_ctx", NULL },
	{ "provider.require_parameters", NULL },
	{ "temperature", "--temperature" },
	{ "options.temperature", "--temperature" },
	{ "generationConfig.temperature", "--temperature" },
	{ "inferenceConfig.temperature", "--temperature" },
	{ "max_tokens", "--max-tokens" },
	{ "max_completion_tokens", "--max-tokens" },
	{ "max_output_tokens", "--max-tokens" },
	{ "options.num_predict", "--max-tokens" },
	{ "generationConfig.maxOutputTokens", "--max-tokens" },
	{ "inferenceConfig.maxTokens", "--max-tokens" },
};

static const struct json *
parse(struct json_reader *reader, struct str text)
{
	struct json_error error;

	return json_read(reader, text, NULL, &error);
}

/* ---- merging ---- */

static void
put_merged(struct out *o, struct arena *a, const struct json *below,
    const struct json *above)
{
	out_begin(o, '{');
	for (json_members(key, below)) {
		const struct json *old = json_value(key);
		const struct json *new = json_get(above, json_text(key, a));

		out_key_body(o, json_raw(key));
		if (json_is(old, JSON_OBJECT) && json_is(new, JSON_OBJECT))
			put_merged(o, a, old, new);
		else
			out_json_raw(o, new == NULL ? old->text : new->text);
	}
	for (json_members(key, above))
		if (json_get(below, json_text(key, a)) == NULL) {
			out_key_body(o, json_raw(key));
			out_json_raw(o, json_value(key)->text);
		}
	out_end(o, '}');
}

struct str
params_merge(struct arena *a, struct str body, struct str params)
{
	struct json_reader below = { 0 }, above = { 0 };
	struct out o;

	if (params.s == NULL)
		return body;
	out_open_memory(&o);
	put_merged(&o, a, parse(&below, body), parse(&above, params));
	json_reader_free(&below);
	json_reader_free(&above);
	return out_keep(&o, a);
}

/* ---- reading ---- */

/* Returns {"NAME":{"MEMBER":VALUE}} for "NAME.MEMBER"; absent if a name is
 * empty. */
static struct str
nested(struct arena *a, struct str name, struct str value)
{
	struct str first = str_cut(&name, '.');

	if (first.n == 0)
		return (struct str){ 0 };
	if (name.s != NULL)
		value = nested(a, name, value);
	if (value.s == NULL)
		return value;
	return str_printf(
	    a, "{%.*s:%.*s}", STR_FMT(out_quote(a, first)), STR_FMT(value));
}

/* Returns whether the parameters set the member at the path, or a value in
 * place of an object on the path. */
static bool
sets(const struct json *params, struct str path)
{
	while (path.s != NULL && json_is(params, JSON_OBJECT))
		params = json_get(params, str_cut(&path, '.'));
	return params != NULL;
}

static bool
is_allowed(const struct json *params, struct arena *a, struct str *wrong)
{
	for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
		if (sets(params, str_of(reserved[i].path))) {
			*wrong = str_printf(a,
			    "--param: mcpl-judge itself sets '%s'%s%s",
			    reserved[i].path,
			    reserved[i].option == NULL ? "" : "; see ",
			    reserved[i].option == NULL ? ""
						       : reserved[i].option);
			return false;
		}
	return true;
}

bool
params_add(
    struct str *params, struct arena *a, struct str argument, struct str *wrong)
{
	struct json_reader reader = { 0 };
	struct str value = argument, name = str_cut(&value, '='), added;
	bool allowed;

	if (value.s != NULL && parse(&reader, value) == NULL)
		value = out_quote(a, value);
	added = value.s == NULL ? value : nested(a, name, value);
	if (added.s == NULL) {
		json_reader_free(&reader);
		*wrong =
		    str_printf(a, "--param: expected NAME=VALUE, found '%.*s'",
			STR_FMT(argument));
		return false;
	}
	allowed = is_allowed(parse(&reader, added), a, wrong);
	json_reader_free(&reader);
	if (allowed)
		*params =
		    params->s == NULL ? added : params_merge(a, *params, added);
	return allowed;
}
