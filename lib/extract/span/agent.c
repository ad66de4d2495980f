#include "extract/span/agent.h"

#include "base/hash.h"
#include "extract/value/copy.h"
#include "extract/value/tool_name.h"

/* How often something was told, and how often the list of messages that is
 * read now has it. */
struct said {
	size_t told, met, list;
};

void
span_agent_init(
    struct span_agent *g, struct arena *arena, struct builder *builder)
{
	*g = (struct span_agent){ .arena = arena, .builder = builder };
	g->said.arena = g->calls.arena = arena;
}

/* ---- what was told before ---- */

static struct said *
said(struct span_agent *g, const char *what, struct str a, struct str b)
{
	struct str texts[] = { str_of(what), a, b };
	void **slot = hash_put(&g->said, hash_key(g->arena, texts, 3));

	if (*slot == NULL)
		*slot = arena_new(g->arena, struct said);
	return *slot;
}

/* Whether this was told as often as the list that is read has it; else it
 * counts as told. */
static bool
is_repeated(struct span_agent *g, const char *what, struct str a, struct str b)
{
	struct said *s = said(g, what, a, b);

	if (s->list != g->calls.list)
		s->met = 0;
	s->list = g->calls.list;
	if (++s->met <= s->told)
		return true;
	s->told++;
	return false;
}

/* ---- calls ---- */

/* A call in a message. What was said before may be of a call that a tool's
 * span told. */
static void
hear_call(struct span_agent *g, const struct chat_part *p, bool before)
{
	struct str id = json_raw(p->id), tool = json_raw(p->tool);
	struct str args = p->value == NULL ? STR("") : p->value->text;
	struct span_side call = { .id = p->id, .tool = p->tool };
	struct span_call *c;

	if (tool.n == 0)
		return;
	if (id.n == 0 && before && is_repeated(g, "c", tool, args))
		return;
	c = span_call_meant(&g->calls, &call, p->value, before);
	if (c == NULL && before) {
		c = span_call_find(&g->calls, SPAN_RAN, &call);
		if (c != NULL && id.n != 0)
			span_call_name(&g->calls, id, c);
	}
	if (c != NULL) {
		span_call_emitted(&g->calls, c, SPAN_ASKED);
		return;
	}
	if (id.n == 0 && !before)
		said(g, "c", tool, args)->told++;
	c = span_call_add(&g->calls, &call);
	c->heard = true;
	c->said = !before;
	span_call_emitted(&g->calls, c, SPAN_ASKED);
	builder_call(g->builder, .id = p->id, .tool = p->tool, .args = p->value,
	    .decode = true);
}

/* ---- results ---- */

/* Whether a tool's span tells calls of the tool, and so their results. */
static bool
has_run(const struct span_agent *g, const struct json *tool)
{
	for (size_t i = 0; i < g->n_ran && i < SPAN_LOOK_MAX; i++)
		if (tool_name_same(g->ran[i], json_raw(tool)))
			return true;
	return false;
}

static void
note_run(struct span_agent *g, const struct span_call *c)
{
	if (said(g, "t", c->tool, STR(""))->told++ == 0)
		*arena_push(g->arena, g->ran, g->n_ran) = c->tool;
}

/* Tells a result as that of the call, by what the builder knows of it. */
static void
tell_result(struct span_agent *g, struct span_call *c, struct builder_result *r)
{
	r->id = c->id.n == 0 ? NULL : copy_string(g->arena, c->id);
	r->tool = copy_string(g->arena, c->tool);
	builder_add_result(g->builder, r);
	c->answered |= r->value != NULL;
}

static void
hear_result(struct span_agent *g, const struct chat_part *p)
{
	struct builder_result r = {
		.value = chat_value(g->arena, p->value),
		.is_error = p->is_error,
	};
	struct str value = r.value == NULL ? STR("") : r.value->text;
	struct span_call *c = span_call_due(&g->calls, p->id);

	if (json_raw(p->id).n == 0) {
		if (is_repeated(g, "r", json_raw(p->tool), value))
			return;
		/* A result without an id is of the first that waits. */
		c = span_call_find(&g->calls, SPAN_UNANSWERED,
		    &(struct span_side){ .tool = p->tool });
		if (c == NULL && has_run(g, p->tool))
			return;
	}
	if (c == NULL)
		c = span_call_add(&g->calls,
		    &(struct span_side){ .id = p->id, .tool = p->tool });
	if (!c->answered)
		tell_result(g, c, &r);
}

void
span_agent_tool(struct span_agent *g, const struct span_tool *t)
{
	struct span_side call = { .id = t->id, .tool = t->tool };
	struct span_call *c = span_call_run(&g->calls, &call, t->args);
	struct builder_result r = {
		.server = t->server,
		.name = t->name,
		.value = t->value,
		.is_error = t->is_error,
		.duration = t->duration,
		.ts_start = t->start,
		.agent = t->agent,
	};

	if (c == NULL)
		c = span_call_find(&g->calls, SPAN_ASKED, &call);
	g->at.ts = t->start;
	builder_locate_at(g->builder, &g->at);
	if (c == NULL) {
		c = span_call_add(&g->calls, &call);
		builder_call(g->builder, .id = t->id, .tool = t->tool,
		    .server = t->server, .name = t->name, .args = t->args,
		    .decode = true);
	}
	/* The model knows the tool by a longer name: SERVER_TOOL. */
	if (t->server != NULL && json_raw(t->tool).n < c->tool.n)
		r.name = t->tool;
	span_call_emitted(&g->calls, c, SPAN_RAN);
	note_run(g, c);
	g->at.ts = t->end;
	builder_locate_at(g->builder, &g->at);
	tell_result(g, c, &r);
}

/* ---- messages ---- */

/* All that is said in the message, to know it again. */
static struct str
text_of(struct span_agent *g, const struct chat_message *m)
{
	struct str *texts = arena_new_n(g->arena, struct str, m->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++)
		if (m->parts[i].kind == CHAT_TEXT)
			texts[n++] = json_raw(m->parts[i].value);
	return str_join(g->arena, texts, n, STR("\\n"));
}

static void
tell_texts(struct span_agent *g, const struct chat_message *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct json *text = m->parts[i].value;

		if (m->parts[i].kind != CHAT_TEXT)
			continue;
		if (m->role == CHAT_USER) {
			g->prompted = true;
			builder_prompt(g->builder, text);
		} else {
			g->spoke = true;
			builder_text(g->builder, text);
		}
	}
}

static void
hear_message(struct span_agent *g, const struct chat_message *m, bool before)
{
	struct str text = text_of(g, m);
	const char *what = m->role == CHAT_USER ? "u" : "m";
	bool speaks = m->role == CHAT_USER || m->role == CHAT_MODEL;

	builder_locate_at(g->builder, &g->at);
	if (speaks && text.n != 0) {
		if (!before)
			said(g, what, text, STR(""))->told++;
		if (!before || !is_repeated(g, what, text, STR("")))
			tell_texts(g, m);
	}
	for (size_t i = 0; i < m->n; i++) {
		if (m->parts[i].kind == CHAT_CALL)
			hear_call(g, &m->parts[i], before);
		else if (m->parts[i].kind == CHAT_RESULT)
			hear_result(g, &m->parts[i]);
	}
}

void
span_agent_input(struct span_agent *g, const struct chat *d)
{
	g->calls.list++;
	for (size_t i = 0; i < d->n; i++)
		hear_message(g, &d->list[i], true);
}

void
span_agent_output(struct span_agent *g, const struct chat *d)
{
	g->calls.list++;
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].role != CHAT_USER)
			hear_message(g, &d->list[i], false);
}

void
span_agent_final_answer(struct span_agent *g, const struct chat *d)
{
	size_t i = d->n;

	while (i != 0 &&
	    (d->list[i - 1].role != CHAT_MODEL ||
		text_of(g, &d->list[i - 1]).n == 0))
		i--;
	if (i != 0) {
		builder_locate_at(g->builder, &g->at);
		tell_texts(g, &d->list[i - 1]);
	}
}

void
span_agent_asked(struct span_agent *g, const struct chat *d)
{
	g->calls.list++;
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].role == CHAT_USER)
			hear_message(g, &d->list[i], true);
}
