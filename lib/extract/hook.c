#include "extract/hook.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/timestamp.h"
#include "extract/run/builder_engine.h"
#include "extract/value/fields.h"
#include "json/stream.h"

enum hook_kind {
	HOOK_ASKS,   /* about a call that is not made yet */
	HOOK_CALLED, /* a call was made */
	HOOK_PROMPT, /* the user said something */
	HOOK_STOPS,  /* the agent is about to end its turn */
};

/* An event. The names of events are those of the products' pages about hooks; a tool
 * of its own and the arguments are those of events that name no tool. */
struct hook_event {
	const char *name;
	enum hook_kind kind;
	bool failed;      /* the call failed */
	const char *tool; /* NULL: the input names the tool */
	const char *args; /* members of the input, with blanks between them */
};

static const struct hook_event events[] = {
	{ .name = "PreToolUse", .kind = HOOK_ASKS },
	{ .name = "PermissionRequest", .kind = HOOK_ASKS },
	{ .name = "PostToolUse", .kind = HOOK_CALLED },
	{ .name = "PostToolUseFailure", .kind = HOOK_CALLED, .failed = true },
	{ .name = "UserPromptSubmit", .kind = HOOK_PROMPT },
	{ .name = "Stop", .kind = HOOK_STOPS },
	{ .name = "SubagentStop", .kind = HOOK_STOPS },
	{ .name = "preToolUse", .kind = HOOK_ASKS },
	{ .name = "beforeShellExecution",
	    .kind = HOOK_ASKS,
	    .tool = "\"Shell\"",
	    .args = "command" },
	{ .name = "beforeMCPExecution", .kind = HOOK_ASKS },
	{ .name = "beforeReadFile",
	    .kind = HOOK_ASKS,
	    .tool = "\"Read\"",
	    .args = "file_path" },
	{ .name = "postToolUse", .kind = HOOK_CALLED },
	{ .name = "postToolUseFailure", .kind = HOOK_CALLED, .failed = true },
	{ .name = "afterShellExecution",
	    .kind = HOOK_CALLED,
	    .tool = "\"Shell\"",
	    .args = "command" },
	{ .name = "afterMCPExecution", .kind = HOOK_CALLED },
	{ .name = "afterFileEdit",
	    .kind = HOOK_CALLED,
	    .tool = "\"Write\"",
	    .args = "file_path edits" },
	{ .name = "beforeSubmitPrompt", .kind = HOOK_PROMPT },
	{ .name = "stop", .kind = HOOK_STOPS },
	{ .name = "subagentStop", .kind = HOOK_STOPS },
};

/* ---- the input ---- */

static const struct json *
member(const struct hook *h, const char *names)
{
	return field_find(h->input, names);
}

/* Returns the text as a JSON value, which lives as long as the hook. */
static const struct json *
parse(struct hook *h, struct str text)
{
	return copy_parsed(&h->arena, text);
}

/* Returns the agent, named as its format of transcripts. Only Cursor gives its version,
 * and only Codex the id of a turn. */
static const char *
agent_of(const struct hook *h)
{
	if (member(h, "cursor_version conversation_id") != NULL)
		return "cursor";
	return member(h, "turn_id") != NULL ? "codex" : "claude-code";
}

/* Returns the path of the transcript, in which ~/ is the user's folder; NULL: the input
 * names none. A sub-agent that ends has a transcript of its own. */
static char *
transcript_of(struct hook *h)
{
	const struct json *given =
	    member(h, "agent_transcript_path transcript_path");
	const char *home = getenv("HOME");
	struct str path = json_text(given, &h->arena);

	if (!json_is(given, JSON_STRING) || path.n == 0)
		return NULL;
	if (str_starts(path, "~/") && home != NULL)
		path = str_cat(&h->arena, str_of(home), str_from(path, 1));
	return str_c(&h->arena, path);
}

static const struct hook_event *
event_of(const struct json *name)
{
	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
		if (json_str_is(name, events[i].name))
			return &events[i];
	return NULL;
}

bool
hook_read(struct hook *h, struct in *in)
{
	struct json_stream values;
	const struct json *input;
	size_t before = diag_errors();

	json_stream_open(&values, in, true);
	input = json_stream_next(&values);
	if (json_is(json_get(input, "hook_event_name"), JSON_STRING))
		h->input = copy_tree(&h->arena, input);
	else if (diag_errors() == before)
		diag_error((struct place){ .file = "<stdin>" },
		    "--hook: expected the input of a hook, an object with "
		    "hook_event_name, found %s",
		    input == NULL ? "nothing" : "another value");
	json_stream_close(&values);
	if (h->input == NULL)
		return false;
	h->event = event_of(json_get(h->input, "hook_event_name"));
	h->transcript = transcript_of(h);
	return true;
}

/* ---- what the input tells ---- */

/* Returns the time of the call as a JSON string: now, or what SOURCE_DATE_EPOCH says in
 * seconds, for a record that is the same each time. */
static const struct json *
now(struct hook *h)
{
	const char *given = getenv("SOURCE_DATE_EPOCH");
	char buf[TIMESTAMP_SIZE];
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (given != NULL)
		t = (struct timespec){ .tv_sec = strtoll(given, NULL, 10) };
	return parse(h,
	    str_printf(&h->arena, "\"%.*s\"",
		STR_FMT(timestamp_print(
		    (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000, buf))));
}

static const struct json *
args_of(struct hook *h)
{
	struct str object = STR("{"), rest, name;

	if (h->event->args == NULL)
		return member(h, "tool_input");
	for (rest = str_of(h->event->args); rest.s != NULL;) {
		const struct json *v;

		name = str_cut(&rest, ' ');
		v = json_get(h->input, name);
		if (v != NULL)
			object = str_printf(&h->arena, "%.*s%s\"%.*s\":%.*s",
			    STR_FMT(object), object.n > 1 ? "," : "",
			    STR_FMT(name), STR_FMT(v->text));
	}
	return parse(h, str_cat(&h->arena, object, STR("}")));
}

/* Returns the last step of the thread that the next events are of, if that is a call
 * that waits for its result and has these arguments; else NULL. */
static struct step *
waiting_with(struct hook *h, struct builder *b, const struct json *args)
{
	struct turn *t = builder_last_turn(b);
	struct step *s = t == NULL ? NULL : t->last_step;
	const struct json *its;

	if (s == NULL || !s->called || s->answered)
		return NULL;
	its = parse(h, s->args);
	for (json_members(key, args)) {
		const struct json *v = json_get(its, json_raw(key));

		if (v == NULL || !str_eq(v->text, json_value(key)->text))
			return NULL;
	}
	return s;
}

/* Adds the call unless the transcript has it. Returns its step. */
static struct step *
add_call(struct hook *h, struct builder *b)
{
	const struct json *id = member(h, "tool_use_id"), *args = args_of(h);
	const struct json *tool = h->event->tool == NULL
	    ? member(h, "tool_name")
	    : parse(h, str_of(h->event->tool));
	struct step *s = builder_step_of(b, json_raw(id));

	if (s == NULL && json_raw(id).n == 0)
		s = waiting_with(h, b, args);
	if (s == NULL || !s->called) {
		builder_message(b);
		builder_call(
		    b, .id = id, .tool = tool, .args = args, .decode = true);
		s = builder_last_call(b);
	}
	return s;
}

/* Adds the result of the call, unless the transcript has it. */
static void
add_result(struct hook *h, struct builder *b, struct step *s)
{
	const struct json *value =
	    member(h, "tool_response output result_json error error_message");
	const struct json *printed = member(h, "tool_output");

	if (s->answered)
		return;
	if (printed != NULL)
		value = field_decode(&h->arena, printed);
	builder_set_last_call(b, s);
	builder_result(b, .last = true,
	    .value = value != NULL ? value : printed,
	    .is_error = h->event->failed ? builder_bool(true) : NULL);
}

/* Adds what the user said, unless it is the last thing that the transcript has. */
static void
add_prompt(struct hook *h, struct builder *b)
{
	const struct json *prompt = member(h, "prompt");
	const struct turn *t = builder_last_turn(b);

	if (t != NULL && t->steps == NULL &&
	    str_eq((struct str){ t->prompt.s, t->prompt.n }, json_raw(prompt)))
		return;
	builder_input(b);
	builder_prompt(b, prompt);
}

/* Adds the agent's last text, unless the transcript has it. */
static void
add_answer(struct hook *h, struct builder *b)
{
	const struct json *answer = member(h, "last_assistant_message");
	const struct turn *t = builder_last_turn(b);
	const struct step *s = t == NULL ? NULL : run_last_text(t);

	if (s == NULL ||
	    !str_eq((struct str){ s->text.s, s->text.n }, json_raw(answer)))
		builder_text(b, answer);
}

/* Notes in `meta` what the hook asks, for mcpl-check --guard. */
static void
note_hook(struct hook *h, struct builder *b)
{
	const struct json *event = json_get(h->input, "hook_event_name");
	const struct json *id = member(h, "tool_use_id");
	const struct json *loop = member(h, "loop_count");
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "agent", str_of(agent_of(h)));
	out_key(&o, "event");
	out_json_raw(&o, event->text);
	if (json_is(id, JSON_STRING)) {
		out_key(&o, "call");
		out_json_raw(&o, id->text);
	}
	if (json_is(member(h, "stop_hook_active"), JSON_TRUE) ||
	    (json_is(loop, JSON_NUMBER) && json_double(loop) > 0))
		out_member_bool(&o, "again", true);
	out_end(&o, '}');
	builder_meta(b, "hook", parse(h, out_keep(&o, &h->arena)));
}

static bool
has_meta(struct builder *b, const char *name)
{
	const struct run_item *m = builder_current_run(b)->meta;

	while (m != NULL && !str_is(m->name, name))
		m = m->next;
	return m != NULL;
}

/* Adds the facts about the session that the transcript lacks. */
static void
note_session(struct hook *h, struct builder *b)
{
	const struct run *run = builder_current_run(b);

	builder_set_first(b, RUN_ID, member(h, "session_id conversation_id"));
	if (!has_meta(b, "cwd"))
		builder_meta(b, "cwd",
		    json_raw(member(h, "cwd")).n != 0
			? member(h, "cwd")
			: json_first(member(h, "workspace_roots")));
	if (run->main.models == NULL && run->threads == NULL)
		builder_model(b, member(h, "model"));
}

void
hook_report(struct hook *h, struct builder *b)
{
	const struct json *agent = member(h, "agent_id");
	bool is_new;
	struct step *s;

	h->reported = true;
	builder_open_last_run(b)->asked = true;
	is_new = agent != NULL && !builder_has_agent(b, agent);
	builder_locate(
	    b, .ts = now(h), .sidechain = agent != NULL, .agent = agent);
	if (is_new)
		builder_agent(b, member(h, "agent_type"));
	note_session(h, b);
	note_hook(h, b);
	if (h->event == NULL)
		return;
	switch (h->event->kind) {
	case HOOK_ASKS:
		s = add_call(h, b);
		s->pending = !s->answered;
		break;
	case HOOK_CALLED:
		add_result(h, b, add_call(h, b));
		break;
	case HOOK_PROMPT:
		add_prompt(h, b);
		break;
	case HOOK_STOPS:
		add_answer(h, b);
	}
}

void
hook_write_alone(
    struct hook *h, const struct builder_options *options, bool known)
{
	struct builder b;

	builder_init(&b, options);
	b.options.trace.format = agent_of(h);
	builder_source(
	    &b, h->transcript == NULL ? "<stdin>" : h->transcript, 1);
	hook_report(h, &b);
	builder_set_broken(&b, !known);
	builder_close(&b);
}
