/* Counts the records and blocks of a log that no reader knows. */
#include "extract/run/builder.h"
#include "extract/run/builder_internal.h"
#include "extract/run/call_words.h"

enum { KINDS_MAX = 32 }; /* that a run lists; the last one counts all others */

void
builder_unread_add(struct builder_unread *to, const struct builder_unread *more)
{
	size_t n = to->n + more->n;

	if (to->n == 0)
		*to = *more;
	to->n = n;
}

/* Counts for the file what the run's list counts for the run. */
static void
count(struct builder *b, struct str kind, unsigned lost)
{
	struct builder_unread one = { .n = 1, .line = b->line };
	size_t n = kind.n < sizeof one.kind ? kind.n : sizeof one.kind - 1;

	if (n != 0)
		memcpy(one.kind, kind.s, n);
	builder_unread_add(lost != 0 ? &b->lost : &b->harmless, &one);
}

/* Returns whether the user says that this kind carries nothing. */
static bool
is_silenced(const struct builder *b, struct str kind)
{
	const char *const *lists[] = { b->options.carry_nothing,
		b->options.silent };

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		for (size_t n = 0; lists[i] != NULL && lists[i][n] != NULL; n++)
			if (str_is(kind, lists[i][n]))
				return true;
	return false;
}

/* Adds the kind to what the run in the builder has unread. */
static void
add(struct builder *b, struct str kind, unsigned lost, size_t line)
{
	struct run_unread **u;
	size_t kinds = 0;

	b->run->lost |= lost;
	for (u = &b->run->unread; *u != NULL; u = &(*u)->next)
		if (str_eq((*u)->kind, kind) || ++kinds == KINDS_MAX)
			break;
	if (*u == NULL) {
		*u = arena_new(&b->run_arena, struct run_unread);
		(*u)->kind = str_dup(&b->run_arena, kind);
		(*u)->line = line;
	}
	(*u)->n++;
}

void
builder_unread(struct builder *b, struct str kind, unsigned lost)
{
	b->reported |= BUILDER_UNREAD;
	if ((b->run != NULL && b->replay) || is_silenced(b, kind))
		return;
	count(b, kind, lost);
	if (b->run != NULL && !b->ended)
		add(b, kind, lost, b->line);
}

void
builder_tear(struct builder *b, size_t line)
{
	add(b, STR("no JSON"), RUN_LOST_CALL | RUN_LOST_TEXT, line);
}

void
builder_torn(struct builder *b, size_t line, bool next)
{
	if (is_silenced(b, STR("no JSON")))
		return;
	if (b->run != NULL && !b->ended)
		builder_tear(b, line);
	for (size_t i = 0; i < b->n_suspended; i++) {
		struct builder *s = b->suspended[i];

		if (s->mark.session != NULL && !b->interleaved)
			s->torn = line; /* lost if the session goes on */
		else
			builder_tear(s, line);
	}
	if (next)
		b->torn = line;
}

void
builder_torn_begin(struct builder *b)
{
	size_t line = b->torn != 0 ? b->torn : b->torn_all;

	if (line != 0)
		builder_tear(b, line);
	b->torn = 0;
}

/* Returns whether blocks of this type carry nothing that a trace has: what a model
 * thought, what it was shown, and marks of its API. */
static bool
carries_nothing(struct str type)
{
	static const char *const types[] = { "thinking", "redacted_thinking",
		"reasoning", "compaction", "fallback", "image", "image_url",
		"image_file", "input_image", "document", "file", "input_file",
		"audio", "input_audio", "video", "search_result",
		"container_upload", "reference", "ghost_snapshot", "step-start",
		NULL };

	for (size_t i = 0; types[i] != NULL; i++)
		if (str_is(type, types[i]))
			return true;
	return false;
}

void
builder_unread_block(struct builder *b, struct str type)
{
	unsigned lost = str_contains(type, STR("text")) ? RUN_LOST_TEXT : 0;

	if (word_hints_at_call(type))
		lost |= RUN_LOST_CALL;
	if (!carries_nothing(type))
		builder_unread(b, type, lost);
}

void
builder_unread_part(struct builder *b, const struct json *part)
{
	const struct json *type = json_get(part, "type");

	for (json_members(key, part)) {
		enum json_type of = json_value(key)->type;

		if (type == NULL && of != JSON_NULL && of != JSON_FALSE &&
		    of != JSON_TRUE)
			type = key;
	}
	if (type != NULL)
		builder_unread_block(b, json_raw(type));
}

/* Returns whether the member of a message holds calls by its name, though under no
 * name that the readers of APIs know. */
static bool
may_hold_calls(struct str name)
{
	return !str_is(name, "tool_calls") && !str_is(name, "function_call") &&
	    !word_describes_tools(name) && word_hints_at_call(name);
}

void
builder_unread_members(struct builder *b, const struct json *message)
{
	for (json_members(key, message)) {
		const struct json *value = json_value(key);

		if ((value->type == JSON_ARRAY || value->type == JSON_OBJECT) &&
		    value->span != 1 && may_hold_calls(json_raw(key)))
			builder_unread(b, json_raw(key), RUN_LOST_CALL);
	}
}
