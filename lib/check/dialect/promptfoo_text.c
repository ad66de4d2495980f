/* promptfoo's assertions about the output as a text. */
#include "check/dialect/promptfoo.h"

#include "check/kind/kind.h"

static struct check
text(struct fields *e)
{
	const struct form *form = scenarios_form(e);
	struct str wanted = promptfoo_text(e);

	return promptfoo_finish(e,
	    text_check(
		e->arena, (enum text_how)form->how, VIEW_AS_WRITTEN, wanted),
	    wanted);
}

const struct form promptfoo_text_forms[] = {
	FORM("equals", text, .how = TEXT_EQUALS),
	FORM("contains", text, .how = TEXT_CONTAINS),
	FORM("starts-with", text, .how = TEXT_STARTS),
	FORM(NULL, NULL),
};
