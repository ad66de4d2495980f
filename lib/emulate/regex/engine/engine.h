/*
 * The engines behind a regular expression. A search asks each engine in turn
 * whether its answer on this text would be the flavour's; the first engine that
 * reaches a verdict decides. Tests run each engine separately.
 */
#pragma once

#include "emulate/regex/engine/dfa_search.h"
#include "emulate/regex/engine/pcre2.h"
#include "emulate/regex/engine/program.h"
#include "emulate/regex/tree/analysis.h"
#include "emulate/regex/tree/types.h"

struct artifacts;

/* A pattern that its flavour accepts. */
struct regex {
	enum regex_flavour flavour;
	unsigned flags;
	struct str source;
	struct str key;           /* flavour, flags and source together */
	struct str_list literals; /* as regex_literals returns them */
	struct caseless_set *set; /* of the literals; NULL: none, or too many */
	bool
	    written_alike; /* JSON has the literals so as well, but for escapes that
			     * no text needs */
	struct str plain_text; /* as literals_plain_text returns it */
	/* the data that searches have computed so far */
	struct artifacts *artifacts;
};

struct parsed {
	const struct pattern *pattern; /* without its tree */
	struct analysis analysis;
	bool bytes;                /* PCRE2 takes texts as bytes */
	struct pcre2_regex *pcre2; /* NULL: PCRE2 cannot run the pattern */
};

/* Return the data that the engines need. They are computed when a search first
 * needs them, since most patterns of a large assertion file never meet a text.
 * Several threads may call these functions at once. */
const struct parsed *regex_parsed(const struct regex *);
/* NULL: the pattern has backreferences, or is too large */
struct dfa_search *regex_dfa_search(const struct regex *);
struct program *regex_program(const struct regex *);

/* One search: whether the text matches and, if spans is not NULL, where its
 * groups begin and end (two elements for each group). */
struct query {
	const struct regex *re;
	struct str text;
	size_t *spans;
	size_t from; /* where in the text a match may begin */
};

struct engine {
	const char *name;
	bool gives_spans; /* else a search for groups continues after YES */
	bool bounded;     /* its time is linear in the text's length */
	bool (*serves)(const struct query *);
	enum regex_found (*search)(const struct query *);
};

extern const struct engine engines[];
extern const size_t engines_n;

/* Fills the match from the spans of the query. */
void query_match(const struct query *, struct regex_match *, struct arena *);
