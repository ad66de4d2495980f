/* promptkit.c reads PromptKit Arena's files; promptkit_assertion.c reads the
 * assertions in them. */
#pragma once

#include "check/dialect/scenarios.h"

/* The levels of a file that an assertion may be at. PromptKit knows other types
 * at each level. */
enum {
	PROMPTKIT_TURN = 1,
	PROMPTKIT_CONVERSATION = 2,
	PROMPTKIT_STEP = 4, /* of a workflow */
	PROMPTKIT_WIDE = PROMPTKIT_CONVERSATION | PROMPTKIT_STEP,
	PROMPTKIT_ANYWHERE = 7,
};

struct promptkit_place {
	unsigned level; /* PROMPTKIT_ANYWHERE: the file does not say */
	struct scope scope;
	/* Set by promptkit_assertion: */
	bool current;     /* the type is judged as by the current version */
	bool only_code;   /* no names of parameters from the documentation */
	struct str inner; /* the type that an assertion of type assertion names;
			   * absent: it is of another type. Its: */
	const struct json *params;         /* or NULL */
	const struct check_bounds *bounds; /* or NULL */
	struct fields *assertion;          /* the object around the params */
};

/* The types that PromptKit has. */
extern const struct form_list promptkit_types[];

/* Returns whether PromptKit has assertions of this type. */
bool promptkit_has_type(struct str type);

/* Adds the assertions of a list (NULL: none). */
void promptkit_assertions(struct scenarios *, const struct json *list,
    const struct promptkit_place *);

/* Adds the assertion at this value. */
void promptkit_assertion(
    struct scenarios *, const struct json *, const struct promptkit_place *);

/* Adds a content_matches assertion of which the file has the pattern alone. */
void promptkit_pattern(
    struct scenarios *, const struct json *, const struct promptkit_place *);
