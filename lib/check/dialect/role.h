/* The purpose of a type of assertion, as advice on a set of assertions sees it. */
#pragma once

enum assertion_role {
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
	/* The families of dialects of calls, and of those that know more of a run. */
	FAMILIES_OF_CALLS = FAMILY_TOOLS | FAMILY_CONTENT | FAMILY_NEGATIVE |
	    FAMILY_ORDER | FAMILY_ARGUMENTS | FAMILY_QUALITY,
	FAMILIES_OF_RUNS = FAMILIES_OF_CALLS | FAMILY_OUTPUT | FAMILY_LIMITS |
	    FAMILY_ERRORS | FAMILY_EFFICIENCY,
};
