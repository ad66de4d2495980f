#include "extract/draft/call.h"

struct draft_found
draft_take(struct shape *of, enum draft_role role)
{
	struct draft_found f = draft_find(of, role);

	if (f.at != NULL)
		f.at->used = true;
	return f;
}

/* Returns the object in the step that holds the member, or the step. */
static struct shape *
holder(struct shape *step, struct draft_found member)
{
	if (member.at == NULL || member.at->parent == NULL ||
	    member.at->parent->element)
		return step;
	return member.at->parent;
}

/* Takes the member of the object in the step, or else of the nearest object around;
 * what the name makes sure comes first. */
static struct draft_found
take_in(struct shape *in, const struct shape *step, enum draft_role role)
{
	struct draft_found best = { 0 }, f;

	for (;; in = in->parent) {
		f = draft_find(in, role);
		if (f.at != NULL && f.sure > best.sure)
			best = f;
		if (in == step)
			break;
	}
	if (best.at != NULL)
		best.at->used = true;
	return best;
}

/* Takes a result from the step or an object in the step, or else the step's text. */
static struct draft_found
take_result(struct shape *s)
{
	if (draft_find(s, DRAFT_RESULT).sure == DRAFT_STRONG)
		return draft_take(s, DRAFT_RESULT);
	for (struct shape *m = s->first; m != NULL; m = m->next)
		if (m->items == NULL && !m->used &&
		    draft_find(m, DRAFT_RESULT).sure == DRAFT_STRONG)
			return draft_take(m, DRAFT_RESULT);
	return draft_take(s,
	    draft_find(s, DRAFT_TEXT).at != NULL ? DRAFT_TEXT : DRAFT_RESULT);
}

struct draft_call
draft_call_find(struct shape *s, bool is_result)
{
	struct draft_call c = { .tool = draft_take(s, DRAFT_TOOL) };
	struct shape *in = holder(s, c.tool);

	if (!is_result)
		c.args = draft_take(
		    draft_find(in, DRAFT_ARGS).at != NULL ? in : s, DRAFT_ARGS);
	if (in == s)
		in = holder(s, c.args);
	c.result = is_result ? take_result(s) : take_in(in, s, DRAFT_RESULT);
	if (in == s)
		in = holder(s, c.result);
	c.id = take_in(in, s, is_result ? DRAFT_RESULT_ID : DRAFT_CALL_ID);
	c.server = take_in(in, s, DRAFT_SERVER);
	c.ok = take_in(in, s, DRAFT_OK);
	c.failed = take_in(in, s, DRAFT_FAILED);
	c.status = take_in(in, s, DRAFT_STATUS);
	c.ms = take_in(in, s, DRAFT_MS);
	c.seconds = take_in(in, s, DRAFT_SECONDS);
	return c;
}
