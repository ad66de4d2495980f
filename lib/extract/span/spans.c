#include "extract/span/spans.h"

struct spans *
spans_in(struct arena *a, void **slot)
{
	struct spans *s = *slot;

	if (s == NULL) {
		*slot = s = arena_new(a, struct spans);
		s->arena = a;
	}
	return s;
}

struct span *
spans_add(struct spans *s, const char *file, size_t line)
{
	struct span *new = arena_new(s->arena, struct span);

	*arena_push(s->arena, s->list, s->n) = new;
	new->file = file;
	new->line = line;
	new->index = s->n;
	new->start = new->end = SPAN_NO_TIME;
	return new;
}

static void
keep_earlier(struct span *s, const struct span *was)
{
	if (s->kind == SPAN_OTHER)
		s->kind = was->kind;
	if (s->parent.n == 0)
		s->parent = was->parent;
	if (s->data == NULL)
		s->data = was->data;
	if (s->start == SPAN_NO_TIME)
		s->start = was->start;
	if (s->end == SPAN_NO_TIME)
		s->end = was->end;
	if (s->usage.known == 0)
		s->usage = was->usage;
	if (json_is(was->is_error, JSON_TRUE))
		s->is_error = was->is_error;
	span_set_if_absent(&s->error, was->error);
	span_set_if_absent(&s->agent, was->agent);
	span_set_if_absent(&s->model, was->model);
	span_set_if_absent(&s->provider, was->provider);
	span_set_if_absent(&s->conversation, was->conversation);
	span_set_if_absent(&s->input, was->input);
	span_set_if_absent(&s->output, was->output);
	span_set_if_absent(&s->tool, was->tool);
	span_set_if_absent(&s->call, was->call);
	span_set_if_absent(&s->args, was->args);
	span_set_if_absent(&s->result, was->result);
}

struct span *
spans_done(struct spans *s, struct span *new, struct str key)
{
	struct span *known, was;
	void **slot;

	if (key.n == 0)
		return new;
	s->by_key.arena = s->arena;
	slot = hash_put_copy(&s->by_key, key);
	known = *slot;
	if (known == NULL)
		return *slot = new;
	was = *known;
	*known = *new;
	known->file = was.file;
	known->line = was.line;
	known->index = was.index;
	keep_earlier(known, &was);
	s->n--;
	return known;
}

struct span *
spans_get(const struct spans *s, struct str key)
{
	return key.n == 0 || s->n == 0 ? NULL : hash_get(&s->by_key, key);
}

struct trace_spans {
	struct trace_spans *next;
	struct span **list;
	size_t n;
	bool runs; /* contains an agent, a model or a tool */
};

static struct trace_spans *
traces_of(struct spans *s)
{
	struct hash_table by_id = { .arena = s->arena };
	struct trace_spans *first = NULL, **end = &first, *one;

	for (size_t i = 0; i < s->n; i++) {
		struct str id =
		    s->options.one_run ? STR("") : s->list[i]->trace;
		void **slot = hash_put(&by_id, id.s == NULL ? STR("") : id);

		one = *slot;
		if (one == NULL) {
			*slot = *end = one =
			    arena_new(s->arena, struct trace_spans);
			end = &one->next;
		}
		*arena_push(s->arena, one->list, one->n) = s->list[i];
		one->runs |= s->options.one_run || span_is_part(s->list[i]);
	}
	return first;
}

void
spans_emit(struct spans *s, struct builder *b, struct str text)
{
	for (struct trace_spans *one = traces_of(s); one != NULL;
	     one = one->next) {
		if (!one->runs)
			continue;
		builder_source(b, one->list[0]->file, one->list[0]->line);
		builder_begin_run_in(b, text);
		span_run(&s->options, s->arena, b, one->list, one->n);
	}
}
