/* The assertions that belong together, as advice sees them. */
#pragma once

#include "check/advice/advice.h"
#include "check/advice/notes.h"
#include "check/advice/shown.h"
#include "check/dialect/dialect.h"

struct advice_item {
	const struct check *check;
	const struct form *type;  /* a row without a role for no type */
	const struct json *keys;  /* the mapping with its keys; NULL: none */
	const struct json *value; /* of the type's keys; NULL: not there */
	struct str_list texts;    /* the texts in the value */
	bool added; /* is no assertion of the file, but an addition */
};

/* The assertions of a scenario. */
struct advice_set {
	struct arena *arena;
	struct advice_notes *notes;
	const struct scenario *scenario;
	const struct dialect *dialect;
	struct advice_item *items;
	size_t n;
	unsigned families; /* of all items */
	struct str name;   /* of the set, in notes */
	struct str about;  /* what its author says of it */
	struct place place;
	const struct advice_shown *shown; /* by runs; NULL: no runs */
};

struct advice_set advice_set_of(
    struct arena *, const struct scenario *, const struct dialect *);

struct advice_item advice_item_of(
    struct arena *, const struct dialect *, const struct check *);

/* Returns a text that two items have in common if they decide the same about the
 * same part of a run. */
struct str advice_key_of(struct arena *, const struct advice_item *);

/* Returns whether the assertions are about the same part of a run. */
bool advice_same_part(const struct advice_item *, const struct advice_item *);

/* Returns the name of the item's type as the author writes it. */
struct str advice_type_name(
    const struct advice_set *, const struct advice_item *);

/* Returns the place of a value of the item; that of the item for NULL, and for an
 * addition. */
struct place advice_place_of(const struct advice_item *, const struct json *);

/* Returns the place of the item's value, or else of the item. */
struct place advice_value_place(const struct advice_item *);

/* Returns the value of a key of the item; NULL if it has none. */
const struct json *advice_key(const struct advice_item *, const char *key);

/* Return whether any item has the role; the item, or NULL. */
const struct advice_item *advice_find(
    const struct advice_set *, enum assertion_role);

/* Returns whether the items require that the tool is called. */
bool advice_requires(const struct advice_set *, struct str tool);

/* Returns whether the set's agent has tools: always but in PromptKit's files, where an
 * assertion, a run or the arena's file in the folder of the scenario, or in the folder
 * around that one, shows tools. */
bool advice_has_tools(const struct advice_set *);

/* Returns whether patterns of the dialect count case, and can say that they do not:
 * those of JavaScript cannot. */
bool advice_can_ignore_case(const struct advice_set *);

/* Returns whether a part of a tool's output is compared exactly with a value of
 * several parts, or with a text that is natural language. */
bool advice_is_exact_output(struct arena *, const struct advice_item *);

/* Returns whether the text has a number with zeros behind its point, as nobody
 * writes one. */
bool advice_has_padded_number(struct str text);

/* Returns the number of words of a rubric that say something. */
size_t advice_words_of_rubric(struct str rubric);

/* Returns whether the rubric says too little to judge by; false if it is absent. */
bool advice_is_vague(struct str rubric);

/* Returns whether the judge's least score is not from 0.7 to 0.8. */
bool advice_score_is_far(const struct advice_item *);

/* ---- the advice, one topic each; each adds notes about the set ---- */

/* Adds what the set lacks; returns whether a judge decides all that there is. */
bool advise_families(struct advice_set *);

void advise_tools(struct advice_set *);      /* which and in what order */
void advise_strictness(struct advice_set *); /* too exact */
void advise_texts(struct advice_set *);      /* texts and patterns */
void advise_judges(struct advice_set *);     /* rubrics and scores */
void advise_limits(struct advice_set *);     /* times and numbers */
void advise_conflicts(struct advice_set *);  /* what no run can pass */
void advise_repeats(struct advice_set *);    /* the same again; too many */

/* Adds notes about the rules of a section; `runs` may be NULL. */
void advise_rules(struct advice_notes *, const struct scenario *,
    const struct advice_runs *runs);
/* Adds notes about how the calls of a rule are named. */
void advise_calls(struct advice_notes *, const struct check *);
