#include "check/kind/kind.h"

#include "text/ansi.h"

/* Returns the answer. For the output of codex exec, evolve takes all messages
 * of the agent, separated by newlines. */
static struct str
response(struct view *v)
{
	struct view_messages said;

	if (!json_str_is(json_get(v->trace->member[TRACE_SOURCE], "format"),
		"codex-exec"))
		return view_text(v, VIEW_AS_WRITTEN);
	said = view_messages(v);
	return str_join(v->arena, said.list, said.n, STR("\n"));
}

static struct view *
strip(struct view *v)
{
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	struct str plain = ansi_strip(v->arena, response(v));
	struct view *other = v;

	if (plain.s != text.s) {
		other = view_of_text(v, plain);
		other->cut = v->cut & VIEW_TEXT;
	}
	return other;
}

static struct view *
without_escapes(struct view *v)
{
	if (v->memo[VIEW_WITHOUT_ESCAPES] == NULL)
		v->memo[VIEW_WITHOUT_ESCAPES] = strip(v);
	return v->memo[VIEW_WITHOUT_ESCAPES];
}

static struct finding
without_escapes_find(const void *want, struct view *v)
{
	const struct check *inner = *(const struct check *const *)want;

	return inner->kind->find(inner->want, without_escapes(v));
}

static bool
case_differs(const void *want, struct view *v)
{
	return check_case_differs(
	    *(const struct check *const *)want, without_escapes(v));
}

static const struct check_kind plain_kind = { .name = "plain",
	.find = without_escapes_find,
	.case_differs = case_differs,
	WANTS({ NULL, WANT_CHECK, 0 }) };

struct check
without_escapes_check(struct arena *a, const struct check *inner)
{
	return check_new(a, &plain_kind, &inner, sizeof inner, VIEW_TEXT);
}
