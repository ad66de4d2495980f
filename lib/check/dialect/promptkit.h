/* What the files of the promptkit dialect share. */
#pragma once

#include "check/dialect/scenarios.h"

/* Where an assertion stands, by which PromptKit knows other types. */
enum {
	PROMPTKIT_TURN = 1,
	PROMPTKIT_CONVERSATION = 2,
	PROMPTKIT_STEP = 4, /* of a workflow */
	PROMPTKIT_WIDE = PROMPTKIT_CONVERSATION | PROMPTKIT_STEP,
	PROMPTKIT_ANYWHERE = 7,
};

struct promptkit_place {
	unsigned level; /* PROMPTKIT_ANYWHERE: its author does not tell */
	struct scope scope;
};

bool promptkit_has_type(struct str type);

/* The assertions in a list (NULL: none). */
void promptkit_assertions(struct scenarios *, const struct json *list,
    const struct promptkit_place *);

/* The assertion at this value. */
void promptkit_assertion(
    struct scenarios *, const struct json *, const struct promptkit_place *);

/* The pattern of a content_matches by itself. */
void promptkit_pattern(
    struct scenarios *, const struct json *, const struct promptkit_place *);
