#include "check/permission/claude_product.h"

static const char *const names[CLAUDE_MODES] = {
	[CLAUDE_DEFAULT] = "default",
	[CLAUDE_ACCEPT_EDITS] = "acceptEdits",
	[CLAUDE_PLAN] = "plan",
	[CLAUDE_AUTO] = "auto",
	[CLAUDE_DONT_ASK] = "dontAsk",
	[CLAUDE_BYPASS] = "bypassPermissions",
};

bool
claude_mode_of(struct str name, enum claude_mode *mode)
{
	for (size_t i = 0; i < CLAUDE_MODES; i++)
		if (str_is(name, names[i])) {
			*mode = (enum claude_mode)i;
			return true;
		}
	*mode = CLAUDE_DEFAULT;
	return str_is(name, "manual");
}
