/* Tables of what the names of members, and the kinds of steps, usually mean. */
#pragma once

#include "extract/draft/shape.h"

enum draft_role {
	DRAFT_KIND,
	DRAFT_TOOL,
	DRAFT_ARGS,
	DRAFT_RESULT,
	DRAFT_CALL_ID,
	DRAFT_RESULT_ID,
	DRAFT_SERVER,
	DRAFT_FAILED, /* true or text where a call failed */
	DRAFT_OK,     /* false where a call failed */
	DRAFT_STATUS, /* a word for how a call went */
	DRAFT_MS,
	DRAFT_SECONDS,
	DRAFT_TIME,
	DRAFT_TEXT,
	DRAFT_THOUGHT, /* a text where the steps have no kinds */
	DRAFT_PROMPT,
	DRAFT_FINAL,
	DRAFT_SESSION,
	DRAFT_SCENARIO,
	DRAFT_INDEX,
	DRAFT_AGENT,
	DRAFT_MODEL,
	DRAFT_START,
	DRAFT_END,
	DRAFT_INPUT_TOKENS,
	DRAFT_OUTPUT_TOKENS,
	DRAFT_ROLES,
};

/* The strength with which a name suggests the role of a member. */
enum draft_sure { DRAFT_NO, DRAFT_WEAK, DRAFT_STRONG };

struct draft_found {
	struct shape *at; /* NULL: none */
	enum draft_sure sure;
	int rank; /* of the name among those of the role: the lower, the better */
};

/* Returns the unused member of the shape, also within objects, whose name and
 * values suit the role best. */
struct draft_found draft_find(struct shape *, enum draft_role);

/* Like draft_find, but not within objects. */
struct draft_found draft_find_here(struct shape *, enum draft_role);

/* Returns whether the name says that a member holds what is expected of an agent. */
bool draft_is_expected(struct str name);

/* The classes of steps. */
enum draft_class {
	DRAFT_IS_PROMPT,
	DRAFT_IS_TEXT,
	DRAFT_IS_CALL,
	DRAFT_IS_RESULT,
	DRAFT_IS_TOOL, /* a call or a result */
	DRAFT_IS_UNKNOWN,
};

enum draft_class draft_class_of(struct str kind);

/* Returns whether the kind of a step is that of neither a user nor an agent. */
bool draft_is_nobody(struct str kind);

/* Returns whether the word says that a call went well. */
bool draft_is_ok(struct str word);
