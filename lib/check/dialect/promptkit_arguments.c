/* PromptKit Arena's assertions about the arguments of calls. */
#include "check/dialect/promptkit_assertion.h"
#include "check/dialect/promptkit_reasons.h"
#include "check/kind/kind.h"

struct wanted {
	struct argument *list;
	size_t n;
};

static void
want_values(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		if (!json_is(json_value(key), JSON_NULL))
			a->value = json_value(key);
	}
}

static void
want_patterns(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		struct argument *a = arena_push(p->arena, w->list, w->n);

		a->name = json_text(key, p->arena);
		a->pattern = json_text(v, p->arena);
		if (a->pattern.s == NULL)
			fields_wrong(p, v,
			    "args_match: expected text, found %s",
			    json_type_name(v));
		a->regex = promptkit_compile(p, "args_match", v, a->pattern);
	}
}

static struct check
tool_calls_with_args(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str tool = fields_str_if(&p, "tool_name");
	const struct json *turn = fields_object_if(&p, "expected_args"),
			  *run = fields_object_if(&p, "required_args");
	struct wanted w = { 0 };
	struct args_equal_want want = { .tool = tool, .doc = e->doc };
	struct check c;

	if (turn != NULL && run != NULL)
		fields_wrong(&p, run,
		    "expected_args and required_args are the same: one too "
		    "many");
	want_values(&p, &w, turn != NULL ? turn : run);
	want_patterns(&p, &w, fields_object_if(&p, "args_match"));
	want.list = w.list;
	want.n = w.n;
	want.sums = want.idle = promptkit_is_wide(e);
	want.idle &= w.n == 0;
	c = args_equal_check(e->arena, &want);
	c.explain = promptkit_reason_members;
	c.reason = tool.n == 0
	    ? STR("a call has other arguments")
	    : str_printf(e->arena, "not called with these arguments: %.*s",
		  STR_FMT(tool));
	return promptkit_finish(e, &p, c, tool);
}

/* The values that one argument may not have. */
static void
want_any(struct fields *p, struct wanted *w, const struct json *object)
{
	for (json_members(key, object)) {
		const struct json *v = json_value(key);
		const struct argument one = { .name = json_text(key, p->arena),
			.value = v };
		struct argument *a;

		if (!json_is(v, JSON_ARRAY))
			*arena_push(p->arena, w->list, w->n) = one;
		for (json_each(item, v)) {
			a = arena_push(p->arena, w->list, w->n);
			*a = one;
			a->value = item;
		}
	}
}

static struct check
tools_not_called_with_args(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str tool = fields_str_if(&p, "tool_name");
	struct wanted w = { 0 };
	struct args_equal_want want = {
		.tool = tool, .doc = e->doc, .some = true
	};
	struct check c;

	want_any(&p, &w, fields_object_if(&p, "forbidden_args"));
	want.list = w.list;
	want.n = w.n;
	c = args_equal_check(e->arena, &want);
	c.negate = true;
	c.explain = promptkit_reason_members;
	c.reason = STR("called with arguments that are forbidden");
	return promptkit_finish(e, &p, c, tool);
}

const struct promptkit_type promptkit_arguments[] = {
	{ "tool_calls_with_args", tool_calls_with_args, PROMPTKIT_ANYWHERE },
	{ "tools_not_called_with_args", tools_not_called_with_args,
	    PROMPTKIT_WIDE },
	{ NULL, NULL, 0 },
};
