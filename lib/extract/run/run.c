#include "extract/run/run.h"

#include <string.h>

#include "base/hash.h"

void
text_append(struct arena *a, struct text *t, struct str more)
{
	if (t->n == 0) { /* most texts come in one piece */
		struct str kept = copy_text(a, more);

		*t = (struct text){ .s = kept.s, .n = kept.n };
		return;
	}
	if (t->room == NULL || t->size - t->n < more.n) {
		t->size = (t->n + more.n) * 2;
		t->room = arena_room(a, t->size);
		t->s = memcpy(t->room, t->s, t->n);
	}
	if (more.n != 0)
		memcpy(t->room + t->n, more.s, more.n);
	t->n += more.n;
}

void
text_append_line(struct arena *a, struct text *t, struct str body)
{
	if (t->n != 0 && body.n != 0)
		text_append(a, t, STR("\\n"));
	text_append(a, t, body);
}

/* Returns whether the body has characters, all of which are white space. */
static bool
is_blank(const struct text *t)
{
	size_t i = 0;

	while (i < t->n &&
	    (t->s[i] == ' ' ||
		(t->s[i] == '\\' && i + 1 < t->n &&
		    strchr("nrt", t->s[i + 1]) != NULL)))
		i += t->s[i] == ' ' ? 1 : 2;
	return t->n != 0 && i == t->n;
}

struct str
run_step_agent(const struct step *s)
{
	const struct thread *t = s->turn->thread;

	for (; t->inner && t->call != NULL; t = s->turn->thread)
		s = t->call;
	return s->agent != NULL ? *s->agent : t->name;
}

const struct step *
run_last_text(const struct turn *turn)
{
	const struct step *last = NULL;

	for (const struct step *s = turn->steps; s != NULL; s = s->next)
		if (!s->is_call && !s->interim && !is_blank(&s->text))
			last = s;
	return last;
}

uint64_t
run_hash(const struct thread *thread)
{
	uint64_t h = HASH_START;

	for (const struct turn *t = thread->turns; t != NULL; t = t->next) {
		h = hash_add(h, (struct str){ t->prompt.s, t->prompt.n });
		h = hash_add(h, STR("\n"));
		for (const struct step *s = t->steps; s != NULL; s = s->next) {
			h = hash_add(h, (struct str){ s->text.s, s->text.n });
			h = hash_add(h, s->tool);
			h = hash_add(h, s->args);
			h = hash_add(h, s->result);
			h = hash_add(h, STR("\n"));
		}
	}
	return h;
}
