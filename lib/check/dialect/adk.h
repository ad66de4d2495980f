/* adk.c reads ADK's eval sets and makes their checks; adk_criteria.c reads the criteria
 * by which the sets are evaluated. */
#pragma once

#include "check/dialect/scenarios.h"
#include "check/kind/kind.h"

enum adk_how {
	TRAJECTORY,
	RESPONSE,
	JUDGED,
	RUBRICS,
	UNDECIDED,
};

struct adk_metric {
	/* `how` is of enum adk_how, `key` what the judge is asked, or why the metric is not
	 * decided. */
	struct form form;
	unsigned context; /* JUDGE_... bits */
	bool scored;      /* the judge gives a score */
};

struct adk_criterion {
	const struct adk_metric
	    *metric; /* NULL: `wrong` says why there is none */
	struct str name, wrong;
	double threshold;
	enum expected_mode mode;
	bool ignore_args;
	const struct json *rubrics;
};

struct adk_criteria {
	struct adk_criterion *list;
	size_t n;
};

/* Returns the member of one of the names, which are separated by a blank; NULL also for
 * null. */
const struct json *adk_member(const struct json *, const char *names);

/* Returns the rubrics of a case, an invocation or a criterion; NULL: there are none. */
const struct json *adk_rubrics(struct fields *, const struct json *);

/* Returns whether the value is a configuration with criteria of ADK's. */
bool adk_is_config(const struct json *);

/* Returns the criteria of a configuration, and reports its mistakes. */
struct adk_criteria adk_read_config(struct arena *, const struct document *);

/* Returns the criteria that count where no configuration is. */
struct adk_criteria adk_default_criteria(struct arena *);
