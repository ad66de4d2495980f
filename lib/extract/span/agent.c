#include "extract/span/agent.h"

#include "base/hash.h"
#include "extract/value/copy.h"
#include "extract/value/cut_mark.h"
#include "extract/value/tool_name.h"

/* Counts how often something was reported, and how often the current list of
 * messages contains it. */
struct repeat {
	size_t emitted, met, list;
};

void
span_agent_init(
    struct span_agent *g, struct arena *arena, struct builder *builder)
{
	*g = (struct span_agent){ .arena = arena, .builder = builder };
	g->repeats.arena = g->calls.arena = arena;
}

/* ---- what was reported before ---- */

static struct repeat *
repeat_of(struct span_agent *g, const char *what, struct str a, struct str b)
{
	struct str texts[] = { str_of(what), a, b };
	void **slot = hash_put(&g->repeats, hash_key(g->arena, texts, 3));

	if (*slot == NULL)
		*slot = arena_new(g->arena, struct repeat);
	return *slot;
}

/* Returns whether the current list repeats something that was reported before;
 * if it does not, counts the item as reported. */
static bool
is_repeated(struct span_agent *g, const char *what, struct str a, struct str b)
{
	struct repeat *s = repeat_of(g, what, a, b);

	if (s->list != g->calls.list)
		s->met = 0;
	s->list = g->calls.list;
	if (++s->met <= s->emitted)
		return true;
	s->emitted++;
	return false;
}

/* ---- calls ---- */

/* Reports the call itself. Its result may have been reported before: a message
 * or a span may name the tool only after another one had the result. */
static void
emit_call(
    struct span_agent *g, struct span_call *c, const struct builder_call *call)
{
	c->reported = true;
	c->tool = json_raw(call->tool);
	builder_add_call(g->builder, call);
	if (cut_mark_is(call->args))
		builder_mark_cut(g->builder);
}

static void
emit_call_of_message(
    struct span_agent *g, struct span_call *c, const struct chat_part *p)
{
	emit_call(g, c,
	    &(struct builder_call){
		.id = p->id,
		.tool = p->tool,
		.args = p->value,
		.decode = true,
	    });
}

/* Returns the id under which the call is known. Some instrumentations write
 * another id into a model's input than into the answer before it. */
static const struct json *
known_id(struct span_agent *g, const struct chat_part *p)
{
	const struct json *id = span_call_first_id(&g->calls, p->id);
	struct span_call *c;

	if (json_raw(id).n == 0 || span_call_is_known(&g->calls, id))
		return id;
	c = span_call_unmet(&g->calls, p->tool, chat_value(g->arena, p->value));
	if (c == NULL || c->id.n == 0)
		return id;
	span_call_other_id(&g->calls, json_raw(id), c);
	return span_call_first_id(&g->calls, id);
}

/* Reads a call in a message. before: the model was given the message, so that a
 * tool's span may have reported the call already. */
static void
read_call(struct span_agent *g, const struct chat_part *p, bool before)
{
	struct span_side call = {
		.id = before ? known_id(g, p) : p->id,
		.tool = p->tool,
	};
	struct str id = json_raw(call.id), tool = json_raw(p->tool);
	struct str args = p->value == NULL ? STR("") : p->value->text;
	struct span_call *c;

	if (tool.n == 0)
		return;
	if (id.n == 0 && before && is_repeated(g, "c", tool, args))
		return;
	c = span_call_of_message(&g->calls, &call, p->value, before);
	if (c == NULL && before) {
		c = span_call_find(&g->calls, SPAN_RAN, &call);
		if (c != NULL && id.n != 0)
			span_call_name(&g->calls, id, c);
	}
	if (c != NULL) {
		c->met |= before;
		span_call_emitted(&g->calls, c, SPAN_ASKED);
		if (!c->reported)
			emit_call_of_message(g, c, p);
		return;
	}
	if (id.n == 0 && !before)
		repeat_of(g, "c", tool, args)->emitted++;
	c = span_call_add(&g->calls, &call);
	c->by_message = true;
	if (!before)
		span_call_answer(&g->calls, c);
	span_call_emitted(&g->calls, c, SPAN_ASKED);
	emit_call_of_message(g, c, p);
}

/* ---- results ---- */

/* Returns whether tool spans report the calls of this tool, and so their
 * results. */
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
	if (repeat_of(g, "t", c->tool, STR(""))->emitted++ == 0)
		*arena_push(g->arena, g->ran, g->n_ran) = c->tool;
}

/* Reports a result under the id and the name that the builder knows for the
 * call. */
static void
emit_result(struct span_agent *g, struct span_call *c, struct builder_result *r)
{
	r->id = c->id.n == 0 ? NULL : copy_string(g->arena, c->id);
	r->tool = copy_string(g->arena, c->tool);
	builder_add_result(g->builder, r);
	if (cut_mark_is(r->value))
		builder_mark_cut(g->builder);
	c->answered |= r->value != NULL;
}

/* Returns whether the current input has a result under this id (a body). */
static bool
has_result(struct span_agent *g, struct str id)
{
	const struct chat *d = g->input;

	if (g->results.arena != NULL)
		return hash_get(&g->results, id) != NULL;
	g->results.arena = g->arena;
	for (size_t i = 0; i < d->n; i++) {
		const struct chat_message *m = &d->list[i];

		for (size_t k = 0; k < m->n; k++)
			if (m->parts[k].kind == CHAT_RESULT &&
			    json_raw(m->parts[k].id).n != 0)
				*hash_put(
				    &g->results, json_raw(m->parts[k].id)) = g;
	}
	return hash_get(&g->results, id) != NULL;
}

/* Returns the call that a result with an unknown id answers, or NULL: the first
 * waiting call, if the same input has that call, but no result under its id. */
static struct span_call *
call_of_other_id(struct span_agent *g, const struct chat_part *p)
{
	struct span_call *c;

	if (g->input == NULL)
		return NULL;
	c = span_call_find(
	    &g->calls, SPAN_UNANSWERED, &(struct span_side){ 0 });
	if (c == NULL || c->id.n == 0 || c->list != g->calls.list ||
	    has_result(g, c->id))
		return NULL;
	span_call_other_id(&g->calls, json_raw(p->id), c);
	return c;
}

static void
read_result(struct span_agent *g, const struct chat_part *p)
{
	const struct json *id = span_call_first_id(&g->calls, p->id);
	struct builder_result r = { .is_error = p->is_error };
	struct span_call *c = span_call_due(&g->calls, id);

	if (json_raw(id).n == 0) {
		r.value = chat_value(g->arena, p->value);
		if (is_repeated(g, "r", json_raw(p->tool),
			r.value == NULL ? STR("") : r.value->text))
			return;
		/* A result without an id answers the first waiting call. */
		c = span_call_find(&g->calls, SPAN_UNANSWERED,
		    &(struct span_side){ .tool = p->tool });
		if (c == NULL && has_run(g, p->tool))
			return;
	} else if (c == NULL) {
		c = call_of_other_id(g, p);
	}
	if (c == NULL)
		c = span_call_add(&g->calls,
		    &(struct span_side){ .id = id, .tool = p->tool });
	if (c->answered)
		return;
	if (r.value == NULL)
		r.value = chat_value(g->arena, p->value);
	emit_result(g, c, &r);
}

void
span_agent_tool(struct span_agent *g, const struct span_tool *t)
{
	struct span_side call = { .id = t->id, .tool = t->tool };
	struct span_call *c = span_call_of_span(&g->calls, &call, t->args);
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
	if (c == NULL)
		c = span_call_add(&g->calls, &call);
	if (!c->reported)
		emit_call(g, c,
		    &(struct builder_call){
			.id = t->id,
			.tool = t->tool,
			.server = t->server,
			.name = t->name,
			.args = t->args,
			.decode = true,
		    });
	/* The model uses a longer name for the tool: SERVER_TOOL. */
	if (t->server != NULL && json_raw(t->tool).n < c->tool.n)
		r.name = t->tool;
	span_call_emitted(&g->calls, c, SPAN_RAN);
	note_run(g, c);
	g->at.ts = t->end;
	builder_locate_at(g->builder, &g->at);
	emit_result(g, c, &r);
}

/* ---- messages ---- */

/* Returns all texts of the message, by which a repetition is recognized. */
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
emit_texts(struct span_agent *g, const struct chat_message *m)
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
		if (cut_mark_is(text))
			builder_mark_cut(g->builder);
	}
}

static void
read_message(struct span_agent *g, const struct chat_message *m, bool before)
{
	struct str text = text_of(g, m);
	const char *what = m->role == CHAT_USER ? "u" : "m";
	bool speaks = m->role == CHAT_USER || m->role == CHAT_MODEL;
	bool is_new_prompt = m->role == CHAT_USER && !before;

	if (m->role == CHAT_MODEL)
		builder_message(g->builder);
	if (speaks && (text.n != 0 || is_new_prompt)) {
		if (!before)
			repeat_of(g, what, text, STR(""))->emitted++;
		if (!before || !is_repeated(g, what, text, STR("")))
			emit_texts(g, m);
	}
	for (size_t i = 0; i < m->n; i++) {
		if (m->role == CHAT_SYSTEM && m->parts[i].kind == CHAT_TEXT)
			builder_system_message(g->builder, m->parts[i].value);
		if (m->parts[i].kind == CHAT_CALL)
			read_call(g, &m->parts[i], before);
		else if (m->parts[i].kind == CHAT_RESULT)
			read_result(g, &m->parts[i]);
	}
}

/* Begins to read a list of messages. */
static void
begin_list(struct span_agent *g, const struct chat *d)
{
	g->calls.list++;
	if (d->n != 0)
		builder_locate_at(g->builder, &g->at);
}

void
span_agent_input(struct span_agent *g, const struct chat *d, bool is_new)
{
	begin_list(g, d);
	g->input = d;
	g->results = (struct hash_table){ 0 };
	for (size_t i = 0; i < d->n; i++)
		read_message(g, &d->list[i], !is_new);
	g->input = NULL;
}

void
span_agent_output(struct span_agent *g, const struct chat *d)
{
	begin_list(g, d);
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].role != CHAT_USER)
			read_message(g, &d->list[i], false);
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
		emit_texts(g, &d->list[i - 1]);
	}
}

void
span_agent_asked(struct span_agent *g, const struct chat *d)
{
	begin_list(g, d);
	for (size_t i = 0; i < d->n; i++)
		if (d->list[i].role == CHAT_USER)
			read_message(g, &d->list[i], true);
}
