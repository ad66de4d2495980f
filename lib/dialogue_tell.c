#include "dialogue_tell.h"

static void
tell_part(struct builder *b, const struct dialogue_message *m,
    const struct dialogue_part *p)
{
	if (p->kind == DIALOGUE_CALL)
		builder_call(b,
		    &(struct builder_call){
			.id = p->id,
			.tool = p->tool,
			.args = p->value,
			.decode = true,
		    });
	else if (p->kind == DIALOGUE_RESULT)
		builder_result(b,
		    &(struct builder_result){
			.id = p->id,
			.tool = p->tool,
			.value = p->value,
			.is_error = p->is_error,
		    });
	else if (m->role == DIALOGUE_USER)
		builder_prompt(b, p->value);
	else if (m->role == DIALOGUE_MODEL)
		builder_text(b, p->value);
}

/* Whether a part before it is the same call: some libraries have calls beside
 * the message's content, and of some models in it again. */
static bool
is_again(const struct dialogue_message *m, const struct dialogue_part *p)
{
	for (size_t i = 0; &m->parts[i] < p; i++)
		if (p->kind == DIALOGUE_CALL &&
		    m->parts[i].kind == DIALOGUE_CALL &&
		    json_raw(p->id).n != 0 &&
		    str_eq(json_raw(p->id), json_raw(m->parts[i].id)))
			return true;
	return false;
}

void
dialogue_tell(struct builder *b, const struct dialogue *d)
{
	for (size_t i = 0; i < d->n; i++)
		for (size_t k = 0; k < d->list[i].n; k++)
			if (!is_again(&d->list[i], &d->list[i].parts[k]))
				tell_part(b, &d->list[i], &d->list[i].parts[k]);
}
