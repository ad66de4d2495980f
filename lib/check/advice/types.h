/* The purpose of each type of assertion, by dialect. */
#pragma once

#include "base/str.h"

enum advice_role {
	ROLE_OTHER,
	ROLE_CALLED,
	ROLE_NOT_CALLED,
	ROLE_COUNT, /* an exact number of calls */
	ROLE_ORDER,
	ROLE_ARGUMENTS,
	ROLE_NOT_ARGUMENTS,
	ROLE_OUTPUT,
	ROLE_HAS, /* the answer has a text */
	ROLE_LACKS,
	ROLE_BOUND, /* the answer begins or ends with a text */
	ROLE_EQUALS,
	ROLE_REGEX,
	ROLE_NOT_REGEX,
	ROLE_STRUCTURE, /* the answer is JSON of some shape */
	ROLE_JUDGE,
	ROLE_ITERATIONS,
	ROLE_TIME,
	ROLE_AMOUNT, /* calls, tokens, cost */
	ROLE_ERRORS,
	ROLE_FILE,
	ROLE_NO_FILE,
	ROLE_COMMAND,
	ROLE_STATE,
	ROLE_GUARDRAIL,
	ROLES,
};

/* The six families of mcp-eval's document, and the further points of its list. */
enum {
	FAMILY_TOOLS = 1,
	FAMILY_ARGUMENTS = 2,
	FAMILY_OUTPUT = 4,
	FAMILY_CONTENT = 8,
	FAMILY_QUALITY = 16,
	FAMILY_LIMITS = 32,
	FAMILY_TIME = 64,
	FAMILY_NEGATIVE = 128,
	FAMILY_ERRORS = 256,
	FAMILY_ORDER = 512,
	FAMILY_EFFICIENCY = 1024,
};

struct advice_type {
	const char *name;
	enum advice_role role;
	/* The keys, or paths of keys, separated by blanks, of which one has the
	 * tools, the text, the pattern, the rubric or the limit. */
	const char *keys;
};

struct advice_dialect {
	const char *name;
	const struct advice_type *types; /* ended by a row without a name */
	/* The key of the mapping with an assertion's keys; NULL: none. */
	const char *in;
	unsigned families; /* of which a set of assertions should have each */
	bool messages;     /* assertions have messages */
	bool caseless;     /* patterns ignore case by themselves */
};

/* Returns the dialect's row; NULL if no advice depends on its types. */
const struct advice_dialect *advice_dialect_of(struct str name);

/* Returns the type's row; one of the role ROLE_OTHER for an unknown type. */
const struct advice_type *advice_type_of(
    const struct advice_dialect *, struct str type);

/* Returns the families (FAMILY_... bits) that a role belongs to. */
unsigned advice_families_of(enum advice_role);
