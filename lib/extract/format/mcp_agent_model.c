#include "extract/format/mcp_agent_model.h"

#include "extract/api/anthropic_message.h"
#include "extract/api/gemini_content.h"
#include "extract/api/openai_message.h"
#include "extract/format/format.h"

static bool
has_part(const struct chat_message *m, enum chat_kind kind)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->parts[i].kind == kind)
			return true;
	return false;
}

/* How many messages a model was given: the list was written down later, when
 * answers of the same turn may have come in already. */
static size_t
given(const struct chat *d, size_t answers)
{
	size_t asked = d->n, i;

	while (asked != 0 &&
	    (d->list[asked - 1].role != CHAT_USER ||
		has_part(&d->list[asked - 1], CHAT_RESULT)))
		asked--;
	for (i = asked; i < d->n; i++)
		if (d->list[i].role == CHAT_MODEL && answers-- == 0)
			break;
	return i;
}

/* What a model was given, without what the logger wrote in Python's words
 * because it lay too deep. */
static const struct json *
input_of(struct arena *a, const struct json *list, size_t answers)
{
	struct str *texts = arena_new_n(a, struct str, json_count(list) + 1);
	const struct json *objects;
	struct chat d;
	size_t n = 0, most;

	for (json_each(m, list))
		if (json_is(m, JSON_OBJECT))
			texts[n++] = m->text;
	objects = copy_parsed(a,
	    str_printf(a, "[%.*s]", STR_FMT(str_join(a, texts, n, STR(",")))));
	d = chat_read(a, objects, CHAT_USER);
	most = given(&d, answers);
	if (d.n != n || most == n)
		return objects;
	return copy_parsed(a,
	    str_printf(
		a, "[%.*s]", STR_FMT(str_join(a, texts, most, STR(",")))));
}

static void
read_counts(struct usage *u, const struct json *data)
{
	const struct json *counts = field_find(data, "usage usage_metadata");

	if (json_get(data, "choices") != NULL)
		openai_usage_read(u, counts);
	else if (json_get(data, "candidates") != NULL)
		gemini_usage_read(u, counts);
	else
		anthropic_usage_read(u, counts);
}

bool
mcp_agent_is_response(const struct json *v)
{
	return field_find(v, "choices candidates content") != NULL;
}

void
mcp_agent_asks(struct mcp_agent_talk *talk, struct arena *a, struct span *span,
    const struct json *request)
{
	span->model = json_get(request, "model");
	span->input = input_of(
	    a, field_find(request, "contents messages input"), talk->calls);
	talk->open = span;
}

void
mcp_agent_answers(struct mcp_agent_talk *talk, struct arena *a,
    struct span *span, const struct json *response)
{
	struct chat d = chat_read(a, response, CHAT_MODEL);

	talk->open = NULL;
	talk->calls =
	    d.n != 0 && has_part(&d.list[0], CHAT_CALL) ? talk->calls + 1 : 0;
	span->output = response;
	if (span->model == NULL)
		span->model = field_find(response, "model model_version");
	read_counts(&span->usage, response);
}
