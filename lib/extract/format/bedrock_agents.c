/*
 * Traces of Amazon Bedrock Agents: the events of InvokeAgent with a "trace", or
 * the inner objects alone, one a line or in a list. An event has one part of a
 * step: what a model was given or wrote, an invocation, or the observation of
 * an invocation. The format is C because parameters are lists of {name, type,
 * value}, and because collaborators' steps go into the call of the collaborator.
 * The names are those of AWS's reference of the API (TracePart,
 * OrchestrationTrace, InvocationInput, Observation).
 */
#include "extract/format/log_rows.h"

/* A collaborator that was called. */
struct collaborator {
	struct str name, call; /* bodies: its name, the id of the last call */
};

struct state {
	bool in_turn; /* a turn of the main agent is not over */
	bool main;    /* the event is the main agent's */
	struct collaborator *list;
	size_t n;
};

/* A step's object. */
#define STEP \
	"orchestrationTrace.modelInvocationInput|" \
	"orchestrationTrace.modelInvocationOutput|" \
	"orchestrationTrace.invocationInput|orchestrationTrace.observation|" \
	"orchestrationTrace.rationale|preProcessingTrace|" \
	"postProcessingTrace|routingClassifierTrace|" \
	"failureTrace.failureReason"

/* Returns the step's object in an event: the innermost "trace". */
static const struct json *
step_of(const struct json *r)
{
	const struct json *step = json_get(r, "trace");
	const struct json *inner = json_get(step, "trace");

	return inner != NULL ? inner : step != NULL ? step : r;
}

/* Returns the part of the event that names the session and the agent. */
static const struct json *
part_of(const struct json *r)
{
	const struct json *part = json_get(r, "trace");

	return json_has(part, "trace") ? part : r;
}

/* ---- invocations ---- */

/* Adds {name, type, value} as members to the text of an object. A value is a
 * string, whatever its type. */
static struct str
add_parameters(struct arena *a, struct str text, const struct json *list)
{
	for (json_each(parameter, list)) {
		const struct json *name = json_get(parameter, "name");
		const struct json *value = json_get(parameter, "value");
		const struct json *typed = field_is_type(parameter, "string")
		    ? NULL
		    : field_decode(a, value);

		if (typed == NULL)
			typed = value;
		if (name == NULL || typed == NULL)
			continue;
		text = str_printf(a, "%.*s%s%.*s:%.*s", STR_FMT(text),
		    text.n == 1 ? "" : ",", STR_FMT(name->text),
		    STR_FMT(typed->text));
	}
	return text;
}

/* Reads a call of an action group: a function, or an operation of an API. */
static void
read_action(struct log *log, const struct json *input)
{
	struct builder *b = log->builder;
	struct arena *a = builder_arena(b);
	const struct json *function = field_find(input, "function");
	struct str path = json_raw(json_get(input, "apiPath"));
	struct str verb = json_raw(json_get(input, "verb"));
	struct str args =
	    add_parameters(a, STR("{"), json_get(input, "parameters"));

	for (json_members(type, json_path(input, "requestBody.content")))
		args = add_parameters(a, args, json_value(type));
	if (function == NULL && path.n != 0)
		function = builder_str(b,
		    str_printf(a, "%.*s%s%.*s", STR_FMT(verb),
			verb.n == 0 ? "" : " ", STR_FMT(path)));
	builder_call(b,
	    .tool = function != NULL ? function
				     : json_get(input, "actionGroupName"),
	    .server = json_get(input, "actionGroupName"),
	    .args = copy_parsed(a, str_cat(a, args, STR("}"))));
}

/* Reads a call of another agent, whose steps come before its answer. */
static void
read_collaborator(struct log *log, const struct json *invocation)
{
	struct state *s = log->state;
	const struct json *input =
	    json_get(invocation, "agentCollaboratorInvocationInput");
	const struct json *id = json_get(invocation, "traceId");
	const struct json *name = json_get(input, "agentCollaboratorName");

	builder_call(log->builder, .id = id, .tool = name,
	    .args = json_get(input, "input"));
	*arena_push(log->arena, s->list, s->n) = (struct collaborator){
		.name = copy_body(log->arena, name),
		.call = copy_body(log->arena, id),
	};
}

/* Reads a call of a tool of the service's own. */
static void
read_own(struct log *log, const struct json *invocation)
{
	const struct json *search =
	    json_get(invocation, "knowledgeBaseLookupInput");
	struct str tool =
	    search != NULL ? STR("knowledge_base") : STR("code_interpreter");

	builder_call(log->builder, .tool = builder_str(log->builder, tool),
	    .args = search != NULL
		? search
		: json_get(invocation, "codeInterpreterInvocationInput"));
}

static const struct log_row invocations[] = {
	LOG_ROW("actionGroupInvocationInput", LOG_HOOK,
	    .of = "actionGroupInvocationInput", .read = read_action),
	LOG_ROW("knowledgeBaseLookupInput|codeInterpreterInvocationInput",
	    LOG_HOOK, .read = read_own),
	LOG_ROW("agentCollaboratorInvocationInput", LOG_HOOK,
	    .read = read_collaborator),
	LOG_LAST,
};

/* ---- observations ---- */

/* Reads the output of the call before the event. */
static void
read_output(struct log *log, const struct json *output)
{
	const struct json *error = field_find(output, "executionError");
	const struct json *value =
	    field_find(output, "text retrievedReferences executionOutput");

	builder_result(log->builder, .last = true,
	    .value = error != NULL ? error : value,
	    .is_error = error != NULL ? builder_bool(true) : NULL,
	    .duration = json_path(output, "metadata.totalTimeMs"));
}

static void
read_final(struct log *log, const struct json *text)
{
	struct state *s = log->state;

	builder_text(log->builder, text);
	s->in_turn &= !s->main;
}

static const struct log_row observations[] = {
	LOG_ROW("actionGroupInvocationOutput|knowledgeBaseLookupOutput|"
		"codeInterpreterInvocationOutput",
	    LOG_HOOK,
	    .of = "actionGroupInvocationOutput knowledgeBaseLookupOutput "
		  "codeInterpreterInvocationOutput",
	    .read = read_output),
	LOG_ROW("agentCollaboratorInvocationOutput", LOG_RESULT,
	    .id = "traceId",
	    .tool = "agentCollaboratorInvocationOutput.agentCollaboratorName",
	    .result = "agentCollaboratorInvocationOutput.output.text "
		      "agentCollaboratorInvocationOutput.output",
	    .duration =
		"agentCollaboratorInvocationOutput.metadata.totalTimeMs"),
	LOG_ROW("finalResponse.text", LOG_HOOK, .of = "finalResponse.text",
	    .read = read_final),
	LOG_ROW("repromptResponse, finalResponse", LOG_NOTHING),
	LOG_LAST,
};

/* ---- models ---- */

/* Returns the text of a user's message. The service writes the message's blocks
 * as Java does: [{text=..., type=text}]. */
static const struct json *
text_of(struct builder *b, const struct json *content)
{
	struct str text = json_raw(content);

	if (!str_starts(text, "[{text=") || !str_ends(text, "}]"))
		return content;
	text = str_slice(text, 7, text.n - 2);
	if (str_ends(text, ", type=text"))
		text.n -= 11;
	return builder_str(b, text);
}

/* Returns the user's words in what a model was given, or NULL. */
static const struct json *
prompt_of(struct builder *b, const struct json *input)
{
	const struct json *request =
	    field_decode(builder_arena(b), json_get(input, "text"));
	const struct json *prompt = NULL;

	for (json_each(m, json_get(request, "messages")))
		if (field_is(m, "role", "user"))
			prompt = text_of(b, json_get(m, "content"));
	return prompt;
}

static void
read_input(struct log *log, const struct json *input)
{
	struct builder *b = log->builder;
	struct state *s = log->state;
	const struct json *prompt;

	if (s->main && !s->in_turn) {
		prompt = prompt_of(b, input);
		builder_input(b);
		if (prompt != NULL)
			builder_prompt(b, prompt);
		s->in_turn = true;
	}
	builder_model(b, json_get(input, "foundationModel"));
}

/* ---- events ---- */

static const struct log_row parts[] = {
	LOG_ROW("modelInvocationInput", LOG_HOOK, .of = "modelInvocationInput",
	    .read = read_input),
	LOG_ROW("modelInvocationOutput.metadata.usage", LOG_USAGE,
	    .of = "modelInvocationOutput.metadata.usage",
	    .counts = LOG_COUNTS([USAGE_INPUT] = "inputTokens",
		[USAGE_OUTPUT] = "outputTokens")),
	LOG_ROW("modelInvocationOutput !modelInvocationOutput.metadata.usage",
	    LOG_REQUEST),
	LOG_ROW("", LOG_MESSAGE,
	    .id = "invocationInput.traceId observation.traceId"),
	LOG_ROW("invocationInput", LOG_IN, .of = "invocationInput",
	    .rows = invocations),
	LOG_ROW(
	    "observation", LOG_IN, .of = "observation", .rows = observations),
	LOG_ROW("rationale", LOG_NOTHING),
	LOG_LAST,
};

static const struct log_row steps[] = {
	LOG_ROW("preProcessingTrace|orchestrationTrace|postProcessingTrace|"
		"routingClassifierTrace",
	    LOG_IN,
	    .of = "preProcessingTrace orchestrationTrace "
		  "postProcessingTrace routingClassifierTrace",
	    .rows = parts),
	LOG_ROW("failureTrace", LOG_ERROR, .of = "failureTrace.failureReason"),
	LOG_ROW("guardrailTrace", LOG_NOTHING),
	LOG_LAST,
};

/* A call that returnControl asks for is in the trace before it. */
static const struct log_row rows[] = {
	LOG_ROW("trace", LOG_IN, .of = "trace.trace trace", .rows = steps),
	LOG_ROW(
	    "!trace chunk, !trace files, !trace returnControl", LOG_NOTHING),
	LOG_ROW("else", LOG_IN, .of = "", .rows = steps),
	LOG_LAST,
};

/* Returns the id of the call in which the event's agent works; absent for the
 * main agent. */
static struct str
call_of(const struct state *s, struct str name)
{
	for (size_t i = s->n; i > 0 && name.n != 0; i--)
		if (str_eq(s->list[i - 1].name, name))
			return s->list[i - 1].call;
	return (struct str){ 0 };
}

static void
before(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;
	const struct json *part = part_of(r);
	const struct json *name = json_get(part, "collaboratorName");
	struct state *s;
	struct str call;
	bool known;

	known = log_rows_holds(STEP, step_of(r));
	if (known)
		log_run(log, json_get(part, "sessionId"));
	s = log->state;
	if (!known)
		return;
	call = call_of(s, json_raw(name));
	s->main = call.n == 0;
	builder_locate(b, .ts = json_get(part, "eventTime"),
	    .sidechain = call.n != 0, .agent = call.n == 0 ? NULL : name,
	    .name = call.n == 0 ? NULL : name, .parent = call);
	if (s->main)
		builder_set_first(
		    b, RUN_AGENT, field_find(part, "agentName agentId"));
	builder_error(b, NULL);
}

const struct log_format log_format_bedrock_agents = {
	.name = "bedrock-agents",
	.what = "Amazon Bedrock Agents: traces of InvokeAgent",
	.sure = STEP,
	.nested = "trace trace.trace",
	.before = before,
	.rows = rows,
	.state = sizeof(struct state),
	.knows_blocks = true,
};
