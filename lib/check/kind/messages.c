#include "check/kind/kind.h"

/* Views of the assistant's messages. */
struct messages {
	struct view **list;
	size_t n;
};

static struct messages *
look_at(struct view *v)
{
	struct messages *m = arena_new(v->arena, struct messages);
	struct view_messages said = view_messages(v);

	m->list = arena_new_n(v->arena, struct view *, said.n);
	for (; m->n < said.n; m->n++) {
		m->list[m->n] = view_of_text(v, said.list[m->n]);
		m->list[m->n]->cut = said.cut[m->n] ? VIEW_TEXT : 0;
	}
	return m;
}

static const struct messages *
messages_of(struct view *v)
{
	if (v->memo[VIEW_MESSAGES] == NULL)
		v->memo[VIEW_MESSAGES] = look_at(v);
	return v->memo[VIEW_MESSAGES];
}

static struct finding
messages_find(const void *want, struct view *v)
{
	const struct check *inner = *(const struct check *const *)want;
	const struct messages *m = messages_of(v);
	struct finding best = { .found = FOUND_NO };
	bool open = false;

	for (size_t i = 0; i < m->n; i++) {
		struct finding f = inner->kind->find(inner->want, m->list[i]);

		if (f.found == FOUND_YES && !f.open)
			return f;
		open |= f.open;
		if (best.found != FOUND_ERROR)
			best = f;
	}
	best.open = open;
	if (best.found == FOUND_NO && v->trace->member[TRACE_TURNS] == NULL)
		return finding_skip("not recorded: turns");
	return best;
}

/* Returns whether only letter case differs in any message. */
static bool
case_differs(const void *want, struct view *v)
{
	const struct messages *m = messages_of(v);

	for (size_t i = 0; i < m->n; i++)
		if (check_case_differs(
			*(const struct check *const *)want, m->list[i]))
			return true;
	return false;
}

static void
messages_show(const void *want, struct out *o)
{
	(void)want;
	out_member_str(o, "messages", STR("each"));
}

static const struct check_kind messages_kind = { .name = "messages",
	.find = messages_find,
	.show = messages_show,
	.case_differs = case_differs,
	WANTS({ NULL, WANT_CHECK, 0 }) };

struct check
messages_check(struct arena *a, const struct check *inner)
{
	return check_new(a, &messages_kind, &inner, sizeof inner, VIEW_TEXT);
}
