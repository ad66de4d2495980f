#pragma once

/* The three answers to a question about a call. MAYBE: evidence is lacking. */
enum rule_fit {
	RULE_NO,
	RULE_MAYBE,
	RULE_YES,
};

static inline enum rule_fit
rule_least(enum rule_fit a, enum rule_fit b)
{
	return a < b ? a : b;
}

static inline enum rule_fit
rule_most(enum rule_fit a, enum rule_fit b)
{
	return a > b ? a : b;
}

static inline enum rule_fit
rule_opposite(enum rule_fit f)
{
	return (enum rule_fit)(RULE_YES - f);
}
