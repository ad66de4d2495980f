/* Claude Code as a product with permissions, and what its settings say beside the
 * lines. */
#pragma once

#include "check/permission/permission.h"

/* The modes of permissions.defaultMode. */
enum claude_mode {
	CLAUDE_DEFAULT, /* or manual */
	CLAUDE_ACCEPT_EDITS,
	CLAUDE_PLAN,
	CLAUDE_AUTO,
	CLAUDE_DONT_ASK,
	CLAUDE_BYPASS,
	CLAUDE_MODES,
};

/* A set's `of` points to this; NULL: the default mode and no further folder. */
struct claude_settings {
	enum claude_mode mode;
	struct str_list folders; /* additionalDirectories */
};

/* Returns false if no mode has the name. */
bool claude_mode_of(struct str name, enum claude_mode *);

/* Its lines' `of` are struct claude_entry. */
extern const struct permission_product permission_claude;
