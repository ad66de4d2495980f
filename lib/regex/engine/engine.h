/*
 * The machines behind a regular expression. Each is asked in turn whether its
 * answer would be the flavour's for the text at hand; the first that comes to
 * an answer decides. Tests force each of them.
 */
#pragma once

#include "regex/engine/dfa_search.h"
#include "regex/engine/pcre2.h"
#include "regex/engine/program.h"
#include "regex/tree/analysis.h"
#include "regex/tree/types.h"

struct artifacts;

/* A pattern that its flavour takes. */
struct regex {
	enum regex_flavour flavour;
	unsigned flags;
	struct str source;
	struct str key;              /* all of these */
	struct str_list literals;    /* as regex_literals gives them */
	struct str whole;            /* as literals_whole gives it */
	struct artifacts *artifacts; /* that were made of it so far */
};

struct parsed {
	const struct pattern *pattern; /* without its tree */
	struct analysis analysis;
	bool bytes;                /* PCRE2 takes texts as bytes */
	struct pcre2_regex *pcre2; /* NULL: PCRE2 cannot */
};

/* What is made of a pattern when a text first needs it: most patterns of a
 * large assertion file never meet one. Several threads may ask at once. */
const struct parsed *regex_parsed(const struct regex *);
struct dfa_search *regex_dfa_search(
    const struct regex *); /* NULL: it refers back, or
						      is too large */
struct program *regex_program(const struct regex *);

/* What is asked: whether the text matches and, if spans is not NULL, where
 * its groups begin and end (two for each group). */
struct query {
	const struct regex *re;
	struct str text;
	size_t *spans;
	size_t from; /* where in the text a match may begin */
};

struct engine {
	const char *name;
	bool gives_spans; /* else YES is no full answer to who asks for them */
	bool bounded;     /* its time grows with the text's length alone */
	bool (*serves)(const struct query *);
	enum regex_found (*search)(const struct query *);
};

extern const struct engine engines[];
extern const size_t engines_n;

/* The spans that were found, as slices. */
void query_match(const struct query *, struct regex_match *, struct arena *);
