/*
 * Kind arguments: whether the calls of a tool have the arguments that they
 * should, value by value, as Go compares them (go.h), or by patterns on Go's
 * text of the values.
 */
#pragma once

#include "check/check.h"
#include "regex/regex.h"
#include "yaml/document.h"

struct argument {
	struct str name;
	const struct json *value; /* NULL: any, if it is there */
	struct regex *regex;      /* or NULL */
	struct str pattern;
};

struct arguments_want {
	struct str tool; /* absent: any */
	const struct document *doc;
	struct argument *list;
	size_t n;
	bool some; /* YES: some call has some of the values. Else YES: each
		    * call has each, and if there is a tool it was called */
	bool idle; /* ... or was not called at all */
	bool sums; /* `why` also tells the first arguments that were wrong */
};

/*
 * Takes the regexes over. `why` is the members of a JSON object, without the
 * braces: of a NO that asks for each the violations, of a YES of `some` the
 * matches.
 */
struct check arguments_check(struct arena *, const struct arguments_want *);
