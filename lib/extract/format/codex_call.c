#include "extract/format/codex_call.h"

#include <math.h>
#include <stdlib.h>

#include "extract/format/unread.h"
#include "extract/value/copy.h"

/* The names of events and items of each kind, and of the tool: absent if they
 * name the tool themselves. The items of codex exec are named by their type
 * only. */
static const struct kind {
	struct str event, item, newer, tool;
} kinds[] = {
	{ STR_CONST("exec_command"), STR_CONST("command_execution"),
	    STR_CONST("CommandExecution"), STR_CONST("exec_command") },
	{ STR_CONST("mcp_tool_call"), STR_CONST("mcp_tool_call"),
	    STR_CONST("McpToolCall"), { NULL, 0 } },
	{ STR_CONST("patch_apply"), STR_CONST("file_change"),
	    STR_CONST("FileChange"), STR_CONST("apply_patch") },
	{ STR_CONST("web_search"), STR_CONST("web_search"),
	    STR_CONST("WebSearch"), STR_CONST("web_search") },
	{ STR_CONST("web_search"), STR_CONST(""), STR_CONST("web.search"),
	    STR_CONST("web_search") },
	{ STR_CONST("dynamic_tool_call"), STR_CONST("dynamic_tool_call"),
	    STR_CONST("DynamicToolCall"), { NULL, 0 } },
	{ STR_CONST("collab_agent_spawn"), STR_CONST(""), STR_CONST(""),
	    STR_CONST("spawn_agent") },
	{ STR_CONST("collab_agent_interaction"), STR_CONST(""), STR_CONST(""),
	    STR_CONST("send_input") },
	{ STR_CONST("collab_waiting"), STR_CONST(""), STR_CONST(""),
	    STR_CONST("wait") },
	{ STR_CONST("collab_close"), STR_CONST(""), STR_CONST(""),
	    STR_CONST("close_agent") },
	{ STR_CONST("collab_resume"), STR_CONST(""), STR_CONST(""),
	    STR_CONST("resume_agent") },
	{ STR_CONST("collab"), STR_CONST("collab_tool_call"),
	    STR_CONST("CollabAgentToolCall"), STR_CONST("collab_tool_call") },
	{ STR_CONST("image_generation"), STR_CONST("image_generation"),
	    STR_CONST("ImageGeneration"), STR_CONST("image_generation") },
	{ STR_CONST("image_generation"), STR_CONST(""),
	    STR_CONST("image_gen.generation"), STR_CONST("image_generation") },
	{ STR_CONST("view_image"), STR_CONST("view_image_tool_call"),
	    STR_CONST("ImageView"), STR_CONST("view_image") },
};

enum part { NO_PART, BEGIN, END, WHOLE };

static enum part
part_of(struct str type, struct str *stem)
{
	static const struct {
		struct str suffix;
		enum part part;
	} suffixes[] = { { STR_CONST("_begin"), BEGIN },
		{ STR_CONST("_request"), BEGIN }, { STR_CONST("_end"), END },
		{ STR_CONST("_response"), END } };

	*stem = type;
	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
		struct str suffix = suffixes[i].suffix;

		if (!str_ends(type, suffix))
			continue;
		*stem = str_slice(type, 0, type.n - suffix.n);
		return suffixes[i].part;
	}
	return WHOLE;
}

/* Returns the type of an event; for an extension, the kind of the extension. */
static const struct json *
type_of(const struct json *event)
{
	const struct json *type = json_get(event, "type");

	if (json_str_is(type, "Extension"))
		return json_get(event, "kind");
	return type != NULL && type->type != JSON_NULL
	    ? type
	    : field_find(event, "item_type");
}

static const struct kind *
kind_of(const struct json *type, enum part *part)
{
	struct str stem;

	*part = part_of(json_raw(type), &stem);
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		const struct kind *k = &kinds[i];

		if (*part == WHOLE ? json_str_is(type, k->item) ||
			    json_str_is(type, k->newer)
				   : str_starts(stem, k->event))
			return k;
	}
	return NULL;
}

/* An event or item about a call. */
struct call {
	const struct json *event, *type, *id;
	const struct kind *kind;
	enum part part;
};

static bool
is_call(struct call *c, const struct json *event)
{
	c->event = event;
	c->type = type_of(event);
	c->kind = kind_of(c->type, &c->part);
	c->id = c->kind == NULL ? NULL : field_find(event, "call_id callId id");
	return c->id != NULL;
}

static const struct json *
tool_of(struct builder *b, const struct call *c)
{
	const struct json *named = field_find(c->event, "invocation.tool tool");

	if (named != NULL || c->kind->tool.s == NULL)
		return named;
	return json_str_is(c->type, c->kind->item)
	    ? c->type
	    : builder_str(b, c->kind->tool);
}

static const struct json *
args_of(const struct call *c)
{
	return field_find(c->event,
	    "invocation.arguments arguments command changes action query "
	    "prompt revised_prompt revisedPrompt path");
}

static void
begin(struct builder *b, const struct call *c, bool early)
{
	builder_call(b, .id = c->id, .tool = tool_of(b, c),
	    .server = field_find(c->event, "invocation.server server"),
	    .ended = c->part == END, .early = early, .args = args_of(c));
}

/* Returns whether the call failed; NULL if the log does not say so in any
 * way. */
static const struct json *
error_of(const struct json *event, const struct json *status)
{
	const struct json *flag, *code, *success;

	if (json_str_is(status, "failed") || json_str_is(status, "declined") ||
	    field_find(event, "result.Err error") != NULL)
		return builder_bool(true);
	flag = field_find(event,
	    "result.Ok.isError result.Ok.is_error "
	    "result.isError result.is_error");
	if (flag != NULL)
		return flag;
	code = field_find(event, "exit_code exitCode");
	if (json_is(code, JSON_NUMBER))
		return builder_bool(json_double(code) != 0);
	success = json_get(event, "success");
	if (success != NULL)
		return builder_bool(json_is(success, JSON_FALSE));
	return json_str_is(status, "completed") ? builder_bool(false) : NULL;
}

static double
duration_of(const struct json *event)
{
	const struct json *d = json_get(event, "duration");

	if (json_is(d, JSON_OBJECT))
		return json_double(json_get(d, "secs")) * 1e3 +
		    json_double(json_get(d, "nanos")) / 1e6;
	return json_double(field_find(event, "duration_ms durationMs"));
}

static void
end(struct builder *b, const struct call *c, const struct json *status,
    bool value)
{
	builder_result(b, .id = c->id, .tool = tool_of(b, c),
	    .server = field_find(c->event, "invocation.server server"),
	    .name = field_find(c->event, "invocation.tool"),
	    .value = !value ? NULL
			    : field_find(c->event,
				  "result.Ok result.Err result error "
				  "aggregated_output aggregatedOutput "
				  "formatted_output formattedOutput "
				  "stdout content_items contentItems "
				  "output results agents_states "
				  "agentsStates statuses"),
	    .is_error = error_of(c->event, status));
	builder_call_duration(b, duration_of(c->event));
}

/* ---- tools of the API, whose items may come before or after the event ---- */

static bool
is_search(const struct call *c)
{
	return str_is(c->kind->event, "web_search");
}

/* Reads the event of a search, whose item has no id, the same id or another. If
 * the event comes first, the item completes the call. */
static void
read_search(struct builder *b, const struct call *c, struct codex_calls *how)
{
	bool known = builder_has_call(b, c->id);

	if (c->part == BEGIN)
		return;
	if (known || how->asked != 0) {
		builder_result(b, .id = known ? c->id : NULL,
		    .tool = tool_of(b, c),
		    .value = json_get(c->event, "results"));
		how->asked -= how->asked != 0;
	} else {
		end(b, c, json_get(c->event, "status"), true);
		builder_set_args(b, c->id, args_of(c));
		*arena_push(builder_arena(b), how->seen, how->n_seen) =
		    copy_body(builder_arena(b), c->id);
	}
}

/* Returns whether the item is an image whose event, which came before it, has
 * all that the item has. */
static bool
is_known_image(
    const struct builder *b, const struct json *item, struct codex_calls *how)
{
	if (how->images == 0 ||
	    !json_str_is(json_get(item, "type"), "image_generation_call") ||
	    !builder_has_call(b, json_get(item, "id")))
		return false;
	how->images--;
	return true;
}

bool
codex_item_read(
    struct builder *b, const struct json *item, struct codex_calls *how)
{
	const struct json *id = json_get(item, "id");

	if (is_known_image(b, item, how))
		return true;
	if (!json_str_is(json_get(item, "type"), "web_search_call"))
		return false;
	if (how->n_paired == how->n_seen) {
		how->asked++;
		return false;
	}
	if (!builder_has_call(b, id))
		id = builder_str(b, how->seen[how->n_paired]);
	how->n_paired++;
	builder_call(b, .id = id, .tool = builder_str(b, STR("web_search")),
	    .args = field_find(item, "action query"));
	return true;
}

void
codex_calls_turn(struct codex_calls *how)
{
	*how = (struct codex_calls){ .items = how->items };
}

/* ---- any call ---- */

bool
codex_call_read(
    struct builder *b, const struct json *event, struct codex_calls *how)
{
	const struct json *status;
	struct call c;
	bool known;

	if (!is_call(&c, event))
		return false;
	known = builder_has_call(b, c.id);
	if (how->items && how->within.n == 0 && is_search(&c)) {
		read_search(b, &c, how);
		return true;
	}
	how->images += how->items && !known && c.part == END &&
	    str_is(c.kind->event, "image_generation");
	if (!known && how->within.n != 0)
		builder_enter_call(b, how->within);
	if (!known || c.part == BEGIN)
		begin(b, &c, how->items && c.part == WHOLE);
	status = json_get(event, "status");
	if (c.part != BEGIN && !json_str_is(status, "in_progress"))
		end(b, &c, status,
		    !how->items || !known || c.kind->tool.s == NULL);
	return true;
}

void
codex_event_unread(struct log *log, const struct json *event)
{
	unsigned lost = unread_lost(event);

	if (field_find(event, "call_id callId") != NULL)
		lost |= RUN_LOST_CALL;
	log_unread_as(log, event, lost);
}

void
codex_server_read(struct builder *b, const struct json *item)
{
	struct str tool = json_raw(json_get(item, "name"));
	size_t end = str_find(tool, "__");

	if (end == 0 || end + 2 >= tool.n || str_starts(tool, "mcp__"))
		return;
	builder_result(b, .id = json_get(item, "call_id"),
	    .server = builder_str(b, str_slice(tool, 0, end)),
	    .name = builder_str(b, str_from(tool, end + 2)));
}

/* ---- what the model saw ---- */

/* Returns the number after the label, or NAN. The head has lines like "Exit
 * code: 1", "Process exited with code 1", "Wall time: 0.1 seconds", "Wall time
 * 0.1 seconds". */
static double
number_after(struct str head, const char *label)
{
	size_t at = str_find(head, str_of(label));
	char number[32];
	size_t n = 0;

	if (head.s == NULL || at == head.n)
		return NAN;
	head = str_from(head, at + str_of(label).n);
	while (n < head.n && n < sizeof number - 1 &&
	    (head.s[n] == '.' || (head.s[n] >= '0' && head.s[n] <= '9'))) {
		number[n] = head.s[n];
		n++;
	}
	number[n] = '\0';
	return n == 0 ? NAN : strtod(number, NULL);
}

enum { HEAD_MOST = 300 }; /* bytes */

/* Returns the lines before the output itself, or the object that is logged after
 * the output; absent if there are neither. An output may be long: only its
 * begin or its end is searched. */
static struct str
head_of(struct str body)
{
	const struct str mark = STR("Output:");
	struct str end, begin = str_slice(body, 0, HEAD_MOST + mark.n - 1);
	size_t at;

	if (str_starts(body, "{\\\"output\\\":")) {
		end =
		    str_from(body, body.n > HEAD_MOST ? body.n - HEAD_MOST : 0);
		at = str_find(end, "\\\"metadata\\\":{");
		if (at != end.n)
			return str_from(end, at);
	}
	at = str_find(begin, mark);
	return at < HEAD_MOST ? str_slice(begin, 0, at) : (struct str){ 0 };
}

/* Returns whether the call failed, or NULL if the lines do not say so. A
 * command is judged by its exit code, a program that makes calls by its first
 * words. */
static const struct json *
failed(struct str head)
{
	double code = number_after(head, "Exit code: ");

	if (isnan(code))
		code = number_after(head, "Process exited with code ");
	if (isnan(code))
		code = number_after(head, "\\\"exit_code\\\":");
	if (!isnan(code))
		return builder_bool(code != 0);
	if (str_starts(head, "Script failed\\n"))
		return builder_bool(true);
	return str_starts(head, "Script completed\\n") ? builder_bool(false)
						       : NULL;
}

void
codex_output_read(struct builder *b, const struct json *item)
{
	const struct json *output = json_get(item, "output");
	const struct json *text = json_get(json_at(output, 0), "text");
	struct str head = head_of(json_raw(text != NULL ? text : output));
	double seconds = number_after(head, "Wall time: ");
	const struct json *is_error = failed(head);

	if (isnan(seconds))
		seconds = number_after(head, "Wall time ");
	if (isnan(seconds))
		seconds = number_after(head, "\\\"duration_seconds\\\":");
	if (is_error != NULL)
		builder_result(
		    b, .id = json_get(item, "call_id"), .is_error = is_error);
	builder_call_duration(b, seconds * 1000);
}

struct usage
codex_usage(const struct json *counts)
{
	const struct json *input = json_get(counts, "input_tokens");
	struct usage u = { 0 };

	usage_read(
	    &u, USAGE_CACHE_READ, json_get(counts, "cached_input_tokens"));
	usage_read(&u, USAGE_CACHE_WRITE,
	    json_get(counts, "cache_write_input_tokens"));
	usage_input_with_cache(&u, input);
	/* It is part of the input. */
	if (json_double(input) < u.n[USAGE_CACHE_READ])
		u.n[USAGE_CACHE_READ] = fmax(0, json_double(input));
	usage_read(&u, USAGE_OUTPUT, json_get(counts, "output_tokens"));
	usage_read(
	    &u, USAGE_REASONING, json_get(counts, "reasoning_output_tokens"));
	return u;
}

int64_t
codex_time_of_id(struct str id)
{
	int64_t ms = 0;
	size_t digits = 0;

	if (id.n != 36 || id.s[14] != '7')
		return 0;
	for (size_t i = 0; digits < 12; i++) {
		char c = id.s[i];

		if (c == '-')
			continue;
		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
			return 0;
		ms = ms * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
		digits++;
	}
	return ms;
}
