/* The names of tools and of their arguments, in the calls and in the rules: private to
 * this folder. */
#pragma once

#include "check/kind/kind.h"
#include "check/rule/fit.h"
#include "check/rule/rule.h"

struct rule_run;

/* ---- names.c ---- */

struct rule_name {
	struct arena *arena; /* that it lives in */
	enum rule_kind kind;
	struct str tool, server, name;
	const unsigned char *fits; /* by glob: enum rule_fit */
	struct str key;            /* in the table of names */
	struct rule_keys *keys;
	/* The call is of a shell; once it was asked for. */
	enum rule_shell {
		RULE_UNASKED,
		RULE_NO_SHELL,
		RULE_OTHER_SHELL,
		RULE_SHELL
	} shell;
	/* By group: the machines that such a call matters to. */
	struct rule_concerned {
		const size_t *machines;
		size_t n;
		bool known;
	} * groups;
};

/* Returns the name of texts of this kind. */
struct rule_name *rule_name_of_kind(
    const struct rule_program *, struct view *, enum rule_kind);
/* Returns what is known of the call's name. */
struct rule_name *rule_name_of(
    const struct rule_program *, struct view *, const struct trace_call *);
/* Returns how the name fits the call's globs. */
static inline enum rule_fit
rule_name_fits(const struct rule_name *name, const struct rule_call *call)
{
	enum rule_fit best = RULE_NO;

	for (size_t i = 0; i < call->nglobs && best != RULE_YES; i++)
		if (name->fits[call->numbers[i]] > best)
			best = (enum rule_fit)name->fits[call->numbers[i]];
	return call->negated && name->kind == RULE_IS_CALL ? rule_opposite(best)
							   : best;
}

/* Counts a run whose calls are recorded, for the group or for no group (NULL). */
void rule_names_count_run(
    const struct rule_program *, const struct rule_group *, struct view *);
/* Notes the positive claims of the group that applied to a call of the run. */
void rule_names_note_applied(const struct rule_run *);
/* Returns where the call is mentioned. */
struct place rule_place(const struct rule_mention *);

/* ---- arguments.c ---- */

/* The names of the arguments that calls of a tool have, noted until all that rules ask
 * for are among them. */
struct rule_keys {
	struct hash_table known;
	struct str *list;
	size_t n;
	size_t wanted; /* names that rules ask for and no call has so far */
	bool called;   /* the arguments of a call are recorded */
	bool many;     /* there are more names than are kept */
};

/* Facts about a tool that all threads found out. */
struct rule_tool {
	const unsigned char *fits;
	struct rule_keys *keys;
};

struct rule_tools {
	struct hash_table by_name; /* of `names` */
	struct str *names;         /* also without servers */
	size_t nnames;
	struct hash_table by_key; /* of `tools` */
	struct rule_tool *tools;
	size_t n;
	bool many;     /* there are more tools than are kept */
	bool *met;     /* by glob: a call fits */
	bool *applied; /* by positive claim: it applied to a call */
	bool *groups;  /* by group: a run whose calls are recorded */
	size_t runs;   /* whose calls are recorded */
};

/* Prints a message. */
typedef void rule_reporter(struct place, const char *format, ...);

/* Returns the keys of a tool whose name fits these globs, before any call. */
struct rule_keys *rule_keys_of(
    const struct rule_program *, const unsigned char *fits, struct arena *);
/* Notes the arguments of the current call. */
void rule_keys_note(const struct rule_run *, struct rule_keys *);
void rule_keys_add(struct rule_keys *sum, const struct rule_keys *);
/* Reports the arguments of the mention of p->asked[from] that no call of the mention
 * has, and sets *any if there is one. Returns the index of the first argument that
 * another mention asks for. */
size_t rule_arguments_report(const struct rule_program *, size_t from,
    const struct rule_tools *, rule_reporter *, bool *any);
