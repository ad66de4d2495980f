#include "call.h"

enum { ARGS_SHOWN = 120 }; /* bytes */

static struct str
shown(struct arena *a, struct str args)
{
	size_t n = args.n < ARGS_SHOWN ? args.n : ARGS_SHOWN;

	while (n < args.n && n > 0 && ((unsigned char)args.s[n] & 0xc0) == 0x80)
		n--;
	return n == 0 ? STR("") : str_cat(a, STR(" "), str_slice(args, 0, n));
}

static struct finding
find(const void *want, struct view *v)
{
	const struct call_want *w = want;
	struct finding f = { .open = v->cut & VIEW_CALLS };
	struct trace_calls calls = view_calls(v);

	for (size_t i = 0; i < calls.n && f.found != FOUND_YES; i++) {
		const struct trace_call *c = &calls.list[i];
		struct str args = c->args == NULL ? STR("") : c->args->text;
		enum regex_found found =
		    regex_search(w->tool, c->tool, NULL, v->arena);

		if (found == REGEX_YES && w->args != NULL)
			found = regex_search(w->args, args, NULL, v->arena);
		if (found == REGEX_LIMIT)
			f.found = FOUND_ERROR;
		if (found != REGEX_YES)
			continue;
		f = (struct finding){ .found = FOUND_YES,
			.why =
			    str_cat(v->arena, c->tool, shown(v->arena, args)) };
	}
	if (f.found == FOUND_ERROR)
		f.why = STR("no verdict within the step limit");
	return f;
}

static void
show(const void *want, struct out *o)
{
	const struct call_want *w = want;

	out_key(o, "tool");
	out_json_str(o, w->tool_pattern);
	if (w->args != NULL) {
		out_key(o, "args");
		out_json_str(o, w->args_pattern);
	}
}

static void
release(const void *want)
{
	const struct call_want *w = want;

	regex_free(w->tool);
	regex_free(w->args);
}

struct check
call_check(struct arena *a, const struct call_want *want)
{
	static const struct check_kind kind = {
		.name = "call", .find = find, .show = show, .release = release
	};
	struct call_want *w = arena_new(a, struct call_want);

	*w = *want;
	return (struct check){ .kind = &kind, .want = w, .needs = VIEW_CALLS };
}
