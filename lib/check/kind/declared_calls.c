#include "check/kind/kind.h"

#include "check/got.h"

/* Returns why the call is not one of a declared tool with arguments that its
 * schema accepts; absent text if it is. */
static struct str
fault(const struct declared_calls_want *w, const struct trace_call *call,
    struct arena *a, bool *limit)
{
	struct jsonschema_error error;
	size_t i = 0;

	while (i < w->n && !trace_call_is(call, w->tools[i].name))
		i++;
	if (i == w->n)
		return STR("the tool is not declared");
	if (call->args == NULL || json_is(call->args, JSON_STRING))
		return STR("its arguments are no JSON");
	if (w->tools[i].compiled == NULL ||
	    jsonschema_valid(w->tools[i].compiled, call->args, a, &error))
		return (struct str){ 0 };
	*limit = error.limit;
	if (error.path.n == 0)
		return error.why;
	return str_printf(
	    a, "%.*s: %.*s", STR_FMT(error.path), STR_FMT(error.why));
}

static struct finding
declared_calls_find(const void *want, struct view *v)
{
	const struct declared_calls_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f = { .found = FOUND_NO, .why = STR("no calls") };
	bool limit = false;

	for (size_t i = 0; i < calls.n; i++) {
		struct str why = fault(w, &calls.list[i], v->arena, &limit);

		if (why.s == NULL)
			continue;
		f.found = limit ? FOUND_ERROR : FOUND_NO;
		f.why = str_printf(v->arena, "%.*s: %.*s",
		    STR_FMT(got_call(v, i)), STR_FMT(why));
		return f;
	}
	f.found = calls.n != 0 ? FOUND_YES : FOUND_NO;
	f.open = v->cut & VIEW_CALLS;
	return f;
}

static void
declared_calls_show(const void *want, struct out *o)
{
	const struct declared_calls_want *w = want;

	out_member_begin(o, "declared", '{');
	for (size_t i = 0; i < w->n; i++) {
		out_key_str(o, w->tools[i].name);
		out_json_raw(o, w->tools[i].schema->text);
	}
	out_end(o, '}');
}

static void
release(const void *want)
{
	const struct declared_calls_want *w = want;

	for (size_t i = 0; i < w->n; i++)
		jsonschema_free(w->tools[i].compiled);
}

struct check
declared_calls_check(struct arena *a, const struct declared_calls_want *want)
{
	static const struct check_kind kind = {
		.name = "declared",
		.find = declared_calls_find,
		.show = declared_calls_show,
		.release = release,
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
