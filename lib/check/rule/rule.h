/*
 * Rules of the dialect `rules`, as the parser hands them over. A rule is a tree
 * of claims. The claims about calls that belong to one section of a file form a
 * group: small state machines, all of which one pass over a run's calls drives.
 */
#pragma once

#include "base/hash.h"
#include "check/check.h"
#include "emulate/jsonpath/jsonpath.h"
#include "emulate/regex/regex.h"
#include "shell/pattern.h"

enum rule_op {
	RULE_EQ,
	RULE_NE,
	RULE_LT,
	RULE_LE,
	RULE_GT,
	RULE_GE,
};

/* Names of a path into arguments: a.b[0].c. */
struct rule_step {
	struct str name; /* absent: an index */
	size_t index;
	bool any; /* some element */
};

enum rule_of {
	RULE_ARG,    /* the argument at the path */
	RULE_ARGS,   /* all arguments */
	RULE_RESULT, /* the result, or what is at the path */
	RULE_MS,     /* the duration in milliseconds */
	RULE_TOOL,   /* the tool's name */
	RULE_AGENT,  /* the sub-agent's */
	RULE_SAID,   /* the text of an event that is no call */
};

enum rule_test {
	RULE_COMPARE, /* by `op` with `value`, or with the variable */
	RULE_MATCH,   /* `regex` matches in the text */
	RULE_HOLDS,   /* the text has `pattern`, in lower case */
	RULE_WITHIN,  /* the variable's text occurs in the text */
	RULE_IN,      /* one of `values` */
	RULE_ABSENT,  /* there is no such value */
	RULE_LENGTH,  /* the number of members or characters, by `op` */
	RULE_UNSEEN,  /* no prompt and no earlier result holds the value */
	RULE_FAILED,  /* the call failed */
	RULE_RUN,     /* a shell command fits one of `patterns` */
	RULE_ROLE,    /* the call is as one of `roles` has the tool */
};

enum { RULE_VARIABLES = 8 }; /* of one claim */

/* A named group of a pattern, which binds a variable. */
struct rule_capture {
	size_t number; /* in the pattern */
	int variable;
};

/* A condition of a call. */
struct rule_cond {
	enum rule_of of;
	enum rule_test test;
	enum rule_op op;
	bool negate; /* of every test but COMPARE */
	const struct rule_step *path;
	size_t nsteps;
	const struct json *value; /* NULL: the variable */
	double number;            /* of a `value` that is a number; else NaN */
	int variable;             /* below RULE_VARIABLES; -1: none */
	struct regex *regex;
	struct str pattern;
	bool caseless;
	bool stays;        /* more text behind a match cannot undo the match */
	bool minds_blanks; /* the pattern may tell JSON from JSON with blanks */
	const struct rule_capture *groups;
	size_t ngroups;
	const char *lacking; /* TRACE: the record has no such member */
	bool several; /* the path may lead to several values: some holds */
	const struct json **values; /* IN */
	size_t nvalues;
	struct str_list arguments; /* for which the path's first name stands;
				    * none: itself */
	const struct shell_pattern **patterns;
	size_t npatterns;
	const struct rule_role **roles;
	size_t nroles;
	bool is_path; /* the values are paths of files, by the call's roles */
	struct str_list globs; /* ROLE: of tools that are named beside roles */
	struct str written;    /* empty: added by the parser */
};

enum rule_kind {
	RULE_IS_CALL,
	RULE_IS_SAID, /* a text of an agent */
	RULE_IS_USER, /* an input of the user */
};

/* Events: calls of tools whose name fits one of the globs, or texts, that meet all
 * conditions. A text has a name of its own, which no tool has. */
struct rule_call {
	const struct str *globs;
	const size_t *numbers; /* of the globs, in the program */
	size_t nglobs;
	const struct rule_cond *conds;
	size_t nconds;
	/* A bit for each variable that a `=` or a group binds. */
	unsigned binds;
	unsigned uses; /* ... that any other condition reads */
	bool negated;  /* calls of all other tools */
	bool runs;     /* a condition is RULE_RUN */
	bool chooses;  /* a variable is bound to each of several values */
	bool by_role;  /* some globs are those of a role, */
	struct str_list plain; /* and these are not */
	bool late; /* such a call has happened when its result is there */
	bool just; /* no call is between this event and the one before it */
	enum rule_kind kind;
	/* BEFORE, and behind `after`: the event before this one in a chain; or
	 * NULL. */
	const struct rule_call *after;
	size_t bag; /* of the machine: in which such events are kept */
	struct str names, written; /* without and with the conditions */
};

/* Calls of any of several descriptions. */
struct rule_calls {
	const struct rule_call *list;
	size_t n;
};

enum rule_form {
	/* about calls: state machines */
	RULE_CHAIN,    /* calls of all stages in this order */
	RULE_BEFORE,   /* each call of stage 0 has one of stage 1 earlier */
	RULE_EVERY,    /* each call of stage 0 has one of stage 1 later */
	RULE_COUNT,    /* the number of calls compares with `n` by `op` */
	RULE_SUM,      /* the sum of the values at `cond` does so */
	RULE_DISTINCT, /* ... the number of different values */
	RULE_ROW,      /* ... of identical calls with nothing between them */
	RULE_FIRST,    /* the first event of the kind is one of stage 0 */
	RULE_LAST,     /* ... the last */
	RULE_ONLY,     /* each call is one of stage 0 */
	RULE_SAME,     /* the calls are those of a good run */
	RULE_LAST_OF_CALLS = RULE_SAME,
	/* about the answer or the prompts */
	RULE_HAS,
	RULE_LACKS,
	RULE_MATCHES,
	RULE_IS,
	RULE_PATH,
	RULE_GROUNDED,
	RULE_LAST_OF_TEXTS = RULE_GROUNDED,
	/* about amounts */
	RULE_CALLS,
	RULE_ERRORS,
	RULE_TURNS,
	RULE_TOKENS,
	RULE_COST,
	RULE_TIME,
	RULE_LAST_OF_AMOUNTS = RULE_TIME,
	RULE_TRACE, /* a member of the record */
	/* for the judge */
	RULE_JUDGE,
	/* of other claims */
	RULE_OR,
	RULE_AND,
	RULE_NOT,
	RULE_FORMS, /* their number */
};

/* The subject of a claim: each has files of its own, and its forms stand together. */
enum rule_about {
	RULE_ABOUT_CALLS,
	RULE_ABOUT_TEXTS,
	RULE_ABOUT_AMOUNTS,
	RULE_ABOUT_RECORD,
	RULE_ABOUT_JUDGE,
	RULE_ABOUT_CLAIMS,
};
enum rule_about rule_about(enum rule_form);

struct rule_claim {
	struct str written;
	const struct rule_claim *const *parts; /* OR, AND, NOT */
	size_t nparts;
	struct rule_calls *stages;
	size_t nstages;
	/* The calls of `since`, `until`, and `before` in EVERY: none of these is
	 * between the calls of two stages. */
	struct rule_calls end;
	double within; /* seconds between the calls of two stages, if `timed` */
	bool timed;
	bool adjoins;      /* some event is `just` behind another */
	bool chooses;      /* an event may bind a variable to several values */
	bool windowed;     /* there is any such limit */
	bool calls, texts; /* the claim is about such events: */
	bool says, hears;  /* texts of agents, inputs of the user */
	size_t nbags;      /* of the machine */
	size_t machine;    /* of a claim about calls: its number in the group */
	size_t positive;   /* its number in the program; 0: none */
	double n;
	struct str text, folded; /* HAS, LACKS, IS; JUDGE: the rubric, and what
				  * the judge is shown, as written; else the
				  * time behind `within` */
	struct regex *regex;
	struct str pattern;
	struct jsonpath *path;
	const struct json *value;     /* PATH: NULL: any */
	const struct rule_good *good; /* SAME */
	/* SAME: paths of arguments, by their path. */
	const struct rule_cond *ignored;
	size_t nignored;
	const struct rule_cond *cond; /* TRACE; SUM, DISTINCT: the path */
	const struct check *judge;    /* JUDGE */
	enum rule_form form;
	enum rule_op op;
	bool absent; /* CHAIN: holds if there is no such chain (no A after B) */
	bool of_prompt;       /* about the prompts, not the answer */
	bool caseless, stays; /* of `regex` */
	bool in_order;        /* SAME */
	bool in_brackets;
	bool alone; /* it is all of a rule */
};

enum {
	RULE_ASKS_TEXTS = 1,
	RULE_ASKS_RESULTS = 2, /* when they are there */
	RULE_ASKS_AGENTS = 4,
	RULE_ASKS_TIMES = 8,
};

/* The parts of a run, of which each is a run of its own for a rule. */
enum rule_per {
	RULE_PER_RUN, /* the run */
	RULE_PER_TURN,
	RULE_PER_AGENT,
	RULE_PER_MESSAGE,
	RULE_PERS,
};

/* The claims about calls of one section, in rules about the same parts. */
struct rule_group {
	struct rule_program *program;
	size_t number; /* in the program */
	struct rule_claim **machines;
	struct rule_state *fresh; /* of each machine, before the first call */
	size_t n;
	const struct rule_claim **positive; /* the claims that have a number */
	size_t npositive;
	enum rule_per per;
	bool texts;                           /* some claims are about texts */
	struct rule_group *others[RULE_PERS]; /* of the section; or NULL */
	/* RULE_ASKS_... bits: what the claims ask of a run's events. */
	unsigned asks;
};

/* All groups, and the globs of their calls. */
struct rule_program {
	struct arena *arena;
	struct rule_glob *globs; /* each text once */
	size_t nglobs;
	struct hash_table by_text; /* to the number of a glob */
	size_t ngroups;
	struct rule_mention *mentions; /* of calls in rules, for rule_report */
	size_t nmentions;
	bool watches;             /* some mentions are of checks */
	struct rule_asked *asked; /* arguments in conditions, for rule_report */
	size_t nasked;
	struct rule_positive *positive; /* by number, which begins with 1 */
	size_t npositive;
	struct hash_table good;   /* the files of RULE_SAME, by path */
	struct rule_roles *roles; /* once one was asked for */
};

/* A claim that says nothing where nothing is done: BEFORE, EVERY or ONLY, with the
 * mention of what it is about. */
struct rule_positive {
	const struct rule_claim *claim;
	const struct rule_group *group;
	size_t mention;
};

/* An argument that a condition of a mentioned call looks at. */
struct rule_asked {
	size_t mention;
	struct str name;
};

struct rule_glob {
	struct str text;
	bool watched; /* rule_watch added a mention of the glob */
};

/* A call that a rule names, and where. */
struct rule_mention {
	const struct rule_call *call;
	const char *file;
	size_t line, column;
	bool of_check; /* of rule_watch */
};

/* A rule: a claim that must hold, unless the condition does not. */
struct rule_want {
	const struct rule_group *group;
	const struct rule_claim *claim, *condition; /* condition NULL: none */
	bool quick; /* the claim is the whole rule, and decided quickly */
	struct str written;
	/* The words of a result if the condition does not hold. */
	struct str unmet;
	/* All that the claims have, to be freed. */
	struct regex **regexes;
	size_t nregexes;
	struct jsonpath **paths;
	size_t npaths;
};

/* Starts a group, with a number of its own. */
struct rule_group *rule_group_new(struct rule_program *);

/* Returns the group of the section for rules about such parts. */
struct rule_group *rule_group_per(struct rule_group *, enum rule_per);
/* Returns the word for such parts. */
const char *rule_per_name(enum rule_per);

/* Gives the claim, which is about calls, its machine in the group. */
void rule_group_add(struct rule_group *, struct rule_claim *);

/* Returns the glob of texts of this kind. */
struct str rule_kind_glob(enum rule_kind);

/* Returns the number of the glob in the program. */
size_t rule_glob_number(struct rule_program *, struct str glob);

/* Kind rule: decides whether a rule holds. SKIP where evidence that is not
 * recorded could decide otherwise, or where the condition does not hold. */
struct check rule_check(struct arena *, struct rule_want);

/* Returns the part of the claim that a judge decides, or NULL. */
const struct rule_claim *rule_judged(const struct rule_claim *);

/* Returns whether the text fits the glob, in which '*' is any text and '?' any
 * character. */
bool rule_glob_fits(struct str glob, struct str text);
/* Returns whether one of the call's globs fits the name. */
bool rule_call_fits(const struct rule_call *, struct str name);

/* The tools that the runs of a view called. */
struct rule_tools;

/* Adds the tools that the runs of the view called to `sum`, which may be NULL.
 * Returns the sum, in the arena. */
struct rule_tools *rule_tools_add(const struct rule_program *,
    struct rule_tools *, struct arena *, const struct view *);

/* Adds the positive claims that a rule makes: its whole claim, or parts that `and`
 * joins. The rule's mentions begin with this number. */
void rule_positive_add(struct rule_program *, struct rule_group *,
    const struct rule_claim *, size_t mentions);

/* Adds an argument that a condition of the program's last mention looks at. */
void rule_argument_ask(struct rule_program *, struct str name);

/* Adds a tool that a check which is no rule forbids or limits: rule_report warns if no
 * run calls the tool, and a run calls a tool with nearly the same name. A tool with a
 * short name, or one that was added before, is passed over. */
void rule_watch(struct rule_program *, struct str tool, struct place);

/* Notes the names of the calls of a run for such checks, if there are any. */
void rule_watch_run(const struct rule_program *, struct view *);

/* Reports what cannot be meant: a call whose name fits no tool of any run, but nearly
 * does, an argument that no such call has, and a positive claim that no call of any run
 * is about. These are warnings, or errors if `strict`. A call that is only not made is a
 * warning. Says nothing if no run recorded its calls. */
void rule_report(
    const struct rule_program *, const struct rule_tools *, bool strict);

/* ---- good runs ---- */

enum { RULE_IGNORED_MAX = 64 }; /* arguments that a claim ignores */

/* Reads a file of traces for a claim, RULE_SAME; each file is read once. The calls that
 * the claim compares are those that its stage describes. Returns NULL and sets *why if
 * the file cannot be read or holds no traces. */
const struct rule_good *rule_good_read(struct rule_program *, const char *path,
    const struct rule_claim *, struct str *why);

/* Writes the arguments that are free, by scenario and tool, for --lint. */
void rule_good_show(const struct rule_claim *, struct out *);
