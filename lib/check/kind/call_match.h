/* The matcher of calls, for all kinds: what is expected of a call's tool, of its arguments
 * and of its result. */
#pragma once

#include "check/check.h"
#include "emulate/regex/regex.h"
#include "yaml/document.h"

/* The wish for one argument; of an argument with neither value nor pattern only
 * that it is there. */
struct argument {
	struct str name;
	const struct json *value; /* or NULL */
	struct regex *regex;      /* of the value's text; or NULL */
	struct str pattern;
};

/* The ways to compare the values of arguments. */
enum argument_by {
	BY_GO,      /* as Go compares values; the texts of patterns are Go's */
	BY_GO_TEXT, /* by the texts that Go prints of them */
	BY_JSON,    /* as JSON; a missing argument has the empty text */
};

enum argument_fit {
	ARGUMENT_FITS,
	ARGUMENT_MISSING,
	ARGUMENT_DIFFERS,
	ARGUMENT_UNDECIDED, /* the pattern met the step limit */
};

/* The ways to compare the object of arguments with `args`. */
enum expected_args {
	EXPECTED_ANY,
	EXPECTED_EQUAL,
	EXPECTED_SUPERSET, /* the call has these members, and maybe others */
	EXPECTED_SUBSET,   /* the call has no other members than these */
	EXPECTED_FIELDS, /* equal at these paths, where these members have one */
	EXPECTED_PATHS,  /* equal at these paths */
	EXPECTED_PARTS,  /* the values have these parts at any depth */
	EXPECTED_COUNTED, /* equal, but for arguments that do not count */
};

struct call_match {
	struct str tool; /* absent or empty: any */
	enum expected_args how;
	const struct json *args; /* NULL: ANY; but for the last two an object */
	struct str_list fields;  /* paths of keys with dots between them */
	/* PARTS and COUNTED: an argument with this value does not count (or NULL),
	 * nor do those that have one of these names or fit the pattern of one. */
	const struct json *defaults;
	const struct argument *ignored;
	size_t nignored;
	/* Single arguments, compared in this way, their values of this document. */
	const struct argument *list;
	size_t n;
	enum argument_by by;
	const struct document *doc;
	/* The result: */
	struct str_list includes; /* texts that it has, in any letter case */
	struct regex *matches;    /* NULL: none */
	struct str pattern;       /* of `matches`, as written */
	bool succeeds;            /* the call did not fail */
};

/* Returns whether the call is of the tool. */
bool call_match_is_of(const struct call_match *, const struct trace_call *);

/* Decides about the arguments and the result of a call of the tool. CANNOT if what decides
 * was not recorded, ERROR if a pattern met its limit; `why` of a NO is what differs. */
struct finding call_match_fit(
    const struct call_match *, const struct trace_call *, struct arena *);

/* Returns whether the object of arguments, which was recorded, is as expected. */
bool call_match_object(
    const struct call_match *, const struct json *args, struct arena *);

/* Decides about the result alone. Of a NO, *what is the violation by PromptKit's name, and
 * `why` the text or pattern, if there is one. */
struct finding call_match_result(const struct call_match *,
    const struct trace_call *, struct arena *, const char **what);

/* Returns how a call's argument (NULL: missing) fits the wanted one of the match. */
enum argument_fit call_match_argument(const struct call_match *,
    const struct argument *wanted, const struct json *actual, struct arena *);

/* Calls `each` with the patterns, some of which may be NULL. */
void call_match_patterns(
    const struct call_match *, check_pattern *each, void *arg);

/* Writes the tool and the expected object of arguments as an object, for --lint. */
void call_match_show(const struct call_match *, struct out *);

/* Returns the text of a result, which is text, a list of parts or an MCP
 * result; of anything else its JSON. */
struct str tool_answer_text(const struct json *result, struct arena *);
/* Returns the texts of a list of parts, joined; absent if no part has a text. */
struct str tool_parts_text(
    const struct json *list, struct str between, struct arena *);
