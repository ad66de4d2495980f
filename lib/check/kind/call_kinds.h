/* The kinds of check of the calls of a run: which tools, how often, in
 * which order, with which arguments and results. kind.h says what all kinds have in
 * common. */
#pragma once

#include "check/check.h"
#include "check/kind/call_match.h"
#include "emulate/content/tool_result.h"
#include "emulate/jsonschema/jsonschema.h"
#include "emulate/regex/regex.h"
#include "yaml/document.h"

/* ---- calls ---- */

struct called_want {
	struct str_list tools;
	int64_t times; /* the least number of calls of each tool */
	bool any;      /* one of the tools is enough */
	bool one;      /* the check is about a single tool */
};

/* Kind called: decides whether a tool was called. */
struct check called_check(struct arena *, struct str tool);

/* Decides whether each of the tools was called at least `times` times.
 * `decisive` of a NO lists the tools that were not. */
struct check called_all(struct arena *, struct str_list tools, int64_t times);

/* Decides whether any of the tools was called. `decisive` of a YES lists the
 * tools that were. */
struct check called_any(struct arena *, struct str_list tools);

/* Decides whether a tool was called whose name matches the pattern, in which
 * '*' matches any text. `why` of a YES is the name. */
struct check called_like(struct arena *, struct str pattern);

/* Decides whether the tool was called exactly `times` times. `why` is how often. */
struct check called_exactly(struct arena *, struct str tool, int64_t times);

/* Decides whether the tools whose names match the pattern (absent: all tools)
 * were called at most `times` times altogether. `why` is the number of
 * calls. */
struct check called_at_most(struct arena *, struct str pattern, int64_t times);

/* Kind sequence: decides whether the tools were called in this order, with
 * other calls between them or not; each tool is searched for after the call of
 * the tool before it. Of a NO, `why` is the tool that was not found, and `seen`
 * is the number of its calls in the whole view. */
struct check sequence_check(struct arena *, struct str_list tools);

/* Decides whether the calls are exactly one of the lists. */
struct check sequence_check_exact(
    struct arena *, const struct str_list *lists, size_t n);

struct call_matches_want {
	struct regex *tool, *args;             /* args NULL: any arguments */
	struct str tool_pattern, args_pattern; /* as written */
	/* Single arguments, each equal to its value, or a text that its pattern
	 * matches; of an argument that the call lacks, the empty text. */
	const struct argument *list;
	size_t n;
	/* A pattern without anchors is a part of names, and no name. */
	bool part;
};

/* Kind call: decides whether the log has a call whose tool matches one pattern
 * and whose arguments, in the log's own bytes, match another. `why` of a YES is
 * the tool and the arguments. */
struct check call_matches_check(
    struct arena *, const struct call_matches_want *);

/* Kind rate: decides whether at least this share (0 to 1) of the tool's calls
 * did not fail; of all calls if the name is absent or empty. NO if there were
 * no calls. `why` is the count. */
struct check success_rate_check(struct arena *, struct str tool, double least);

/* Decides whether no call of the tool succeeded, which holds if there were no
 * calls. An absent or empty name and `why` are as above. */
struct check success_rate_none(struct arena *, struct str tool);

struct efficiency_limit {
	struct str tool;
	int64_t most;
};

struct efficiency_want {
	const int64_t *optimal; /* number of calls; NULL: one call of each tool
				 * that was called */
	int64_t extra;          /* number of calls allowed beyond the optimum */
	/* Tools to be called in this order, and each only as often as here;
	 * empty: any. */
	struct str_list sequence;
	/* Tools to be called in this order, and no others; empty: any. */
	struct str_list golden;
	bool backtracking; /* forbids a return to a tool after more than one
			    * call of others */
	bool repeats;      /* limits the calls of each tool: */
	const struct efficiency_limit *limits; /* by these limits */
	size_t nlimits;
	int64_t limit; /* or by this limit, for all other tools */
};

/* Kind efficiency: decides whether the calls took no detour, as mcp-eval's path
 * efficiency defines it. `why` of a NO lists everything that was wrong. */
struct check efficiency_check(struct arena *, const struct efficiency_want *);

/* ---- steps ---- */

/* A step as promptfoo's trajectories have it: a call of a tool, or of a shell,
 * which is a command. */
struct step_match {
	struct regex *name; /* of a name of the step; NULL: any */
	struct str pattern; /* as written */
	bool tools, commands;
};

enum steps_how {
	STEPS_ALL,       /* each of the steps was made */
	STEPS_ANY,       /* one of them */
	STEPS_COUNT,     /* the first one, from `least` to `most` times */
	STEPS_ORDER,     /* in this order, others between them or not */
	STEPS_EXACT,     /* in this order, and no others */
	STEPS_ARGUMENTS, /* a call of the first has the arguments */
};

struct steps_want {
	enum steps_how how;
	bool skills; /* the steps are skills: calls of Skill, by the skill's
		      * name, that did not fail */
	const struct step_match *list;
	size_t n;
	const double *least, *most; /* NULL: no limit */
	struct call_match call;     /* of STEPS_ARGUMENTS: the arguments */
};

/* Kind steps: decides which steps a run made, as promptfoo's trajectory
 * assertions do. `why` is the steps that were made, or their number; `cause`
 * the step that decided, of ALL and ANY. */
struct check steps_check(struct arena *, const struct steps_want *);

/* ---- triggers ---- */

struct trigger_want {
	struct str skill; /* absent: any */
	bool part;        /* a loaded skill's name need only contain `skill` */
};

/* Kind trigger: decides whether a run used the skill: by a call that loads the skill, a
 * read of its SKILL.md, or a command of the user. `why` says which, or that there is none. */
struct check trigger_check(struct arena *, const struct trigger_want *);

/* Returns the name of the skill that the call loads; absent if it loads none, or the
 * name is not recorded. */
struct str trigger_skill(const struct trace_call *, struct arena *);

enum expected_mode {
	EXPECTED_IN_ORDER,  /* with others between them or not */
	EXPECTED_EXACTLY,   /* in this order, and no others */
	EXPECTED_ALL,       /* in any order, with others or not */
	EXPECTED_NO_OTHERS, /* no calls but those, each as often as may be */
};

struct expected_calls_want {
	enum expected_mode mode;
	const struct call_match *list;
	size_t n;
	bool skills; /* the calls are those that load a skill, by its name */
	bool whole;  /* EXPECTED_IN_ORDER searches for a call by its arguments,
		      * too; else for the tool, whose next call must have them */
};

/* Kind expected-calls: decides whether calls with such arguments were made, as
 * AgentV's tool-trajectory does. A call whose arguments are needed and were not
 * recorded is a SKIP. `why` of a NO is what is missing or too much. */
struct check expected_calls_check(
    struct arena *, const struct expected_calls_want *);

enum trajectory_mode {
	TRAJECTORY_STRICT,    /* the same messages with the same calls */
	TRAJECTORY_UNORDERED, /* SUBSET and SUPERSET */
	TRAJECTORY_SUBSET,    /* each call takes an expected call of its own */
	TRAJECTORY_SUPERSET,  /* each expected call takes a call of its own */
};

/* A message of a conversation. */
struct trajectory_message {
	struct str role; /* user, assistant or tool */
	struct call_match *calls;
	size_t n;
};

struct trajectory_want {
	enum trajectory_mode mode;
	const struct trajectory_message *list;
	size_t n;
};

/*
 * Kind trajectory: decides whether the calls, and with TRAJECTORY_STRICT the messages, are
 * those of a conversation, as LangChain's agentevals does. Calls of sub-agents do not count.
 * SKIP if arguments that decide, or which calls are of one message, were not recorded.
 * `why` of a NO is the first difference.
 */
struct check trajectory_check(struct arena *, const struct trajectory_want *);

struct tool_f1_want {
	struct str_list tools;
	double least;
	/* The check's `negate`, since the score is not inverted. */
	bool negated;
};

/* Kind tool_f1: decides whether the F1 measure of the called tools, as a set,
 * against the wanted ones is at least a number. The measure is the share. */
struct check tool_f1_check(struct arena *, const struct tool_f1_want *);

enum spans_how {
	SPANS_COUNT,    /* the number of spans is from `least` to `most` */
	SPANS_DURATION, /* the longest, or the `percent` percentile, takes at
			 * most `most` ms */
	SPANS_ERRORS,   /* at most `most` failed, or `percent` of them */
};

struct spans_want {
	enum spans_how how;
	struct regex *name;
	struct str pattern;
	const double *least, *most, *percent; /* NULL: no limit */
};

/* Kind spans: decides about the calls whose tool's name matches, as promptfoo
 * does about spans. SKIP if there are none, since other spans are not
 * recorded. */
struct check spans_check(struct arena *, const struct spans_want *);

/* A tool that a model was offered. */
struct declared_tool {
	struct str name;
	const struct json *schema;   /* of its arguments */
	struct jsonschema *compiled; /* from `schema` */
};

struct declared_calls_want {
	const struct declared_tool *tools;
	size_t n;
};

/* Kind declared: decides whether there are calls, and each is one of a declared
 * tool whose schema accepts the arguments. `why` of a NO is the first call that
 * is not, and what is wrong with it. */
struct check declared_calls_check(
    struct arena *, const struct declared_calls_want *);

/* ---- arguments ---- */

/* Kind args: decides whether the arguments of any call of the tool
 * (view_arguments) pass the inner check. CANNOT if the tool was not called;
 * `seen` is the number of its calls, `matched` the number that passed. */
struct check args_pass_check(
    struct arena *, struct str tool, const struct check *inner);

struct args_equal_want {
	struct call_match call; /* with single arguments alone */
	bool some; /* YES if any call has any of the values. Else YES if each
		    * call has each value, and the tool, if one is named, was
		    * called */
	bool idle; /* ... or was not called at all */
	bool sums; /* `why` also reports the first wrong arguments */
};

/* Kind arguments: decides whether the calls of a tool have the expected
 * arguments, value by value, as Go compares values (lang/go.h), or by patterns
 * that match Go's text of the values. `why` is members of a JSON object,
 * without the braces: the violations of a NO, or with `some` the matches of a
 * YES. */
struct check args_equal_check(struct arena *, const struct args_equal_want *);

/* ---- output ---- */

struct tool_answer_want {
	struct str tool, text;
};

/* Kind answer: decides whether any answer of the tool contains the text, letter
 * for letter. */
struct check tool_answer_check(
    struct arena *, struct str tool, struct str text);

enum tool_output_how {
	OUTPUT_EXACT,    /* the value is equal, or a text contains the text */
	OUTPUT_CONTAINS, /* a text or list contains the expected value */
	OUTPUT_REGEX,    /* the expected pattern matches */
	OUTPUT_PARTIAL,  /* an object or list contains all of another one */
	OUTPUT_EQUALS,   /* the value is equal */
};

struct tool_output_want {
	struct str tool;
	int64_t call; /* which of the tool's calls; negative: from the end */
	struct field_path field;
	enum tool_output_how how;
	const struct json *expected;
	struct regex *regex; /* NULL: the expected value is no pattern */
	bool caseless;
};

/* Kind output: decides whether the result of a call is as expected. `why` is
 * how the value begins that was found. */
struct check tool_output_check(struct arena *, const struct tool_output_want *);

/* Returns the name of a comparison ("exact" and so on); NULL behind the
 * last. */
const char *tool_output_how_name(enum tool_output_how);

enum call_rules_how {
	RULES_SOME,  /* at least `times` calls keep the first rule */
	RULES_CHAIN, /* for each rule in turn, the next call of its tool keeps
		      * the rule */
	RULES_KEPT,  /* an argument named in `fields` that a call of the first
		      * rule's tool had is in all later ones */
};

struct call_rules_want {
	enum call_rules_how how;
	const struct call_match *rules;
	size_t n;
	int64_t times;
	struct str_list fields;
};

/* Kind rules: decides whether calls keep rules. `why` of a NO is what was found
 * instead. The share of a chain is the part of its rules that were kept, the
 * share of `fields` the part of them. */
struct check call_rules_check(struct arena *, const struct call_rules_want *);

/* ---- names that occurred, and how often, as PromptKit counts them ---- */

enum names_of {
	NAMES_TOOLS,  /* that were called */
	NAMES_SKILLS, /* that were activated: the argument `name` of calls of
		       * skill__activate */
	NAMES_STATES, /* that the workflow entered */
};

enum names_how {
	NAMES_EACH,     /* each, at least `least`, at most `most` times */
	NAMES_ANY,      /* one of them */
	NAMES_SAME,     /* all of them, and no others */
	NAMES_REPEATED, /* one of them (none are given: any) more than `most`
			 * times in a row */
};

struct names_want {
	enum names_of of; /* tools or skills */
	enum names_how how;
	struct str_list names;
	const int64_t *least, *most; /* least of EACH and most of REPEATED
				      * there; else NULL: no limit */
	bool succeeded;              /* calls that failed do not count */
	bool excused; /* unless it was for invalid arguments, which no log
		       * records: SKIP if such calls matter */
	bool given;   /* calls without arguments do not count */
};

/* Kind occurrences: decides which names occurred. `decisive` lists the names that are
 * missing (EACH) or there (ANY, REPEATED). EACH has a share. */
struct check names_check(struct arena *, const struct names_want *);

struct names_order_want {
	enum names_of of;
	enum names_order_how {
		NAMES_ORDER,   /* the names occurred in this order, others
				* between them or not */
		NAMES_ONE_OF,  /* those of one of the lists did in its order */
		NAMES_ALLOWED, /* calls are in the list of the workflow's state,
				* if it has one: names[i] has lists[i] */
	} how;
	struct str_list names;
	const struct str_list *lists;
	size_t n;
};

/* Kind occurrences: decides about the order or the lists of names. `decisive` is the name
 * that is missing, the list that is there, or the names that are not allowed. ORDER has a
 * share. */
struct check names_order_check(struct arena *, const struct names_order_want *);

struct call_limits_want {
	enum call_limits_how {
		LIMITS_COUNT, /* from `least` to `most` calls of the tools */
		LIMITS_CLEAN, /* no call of the tools failed */
		LIMITS_EFFICIENT, /* at most `most` calls, `errors`, `rate` */
	} how;
	struct str_list names; /* of tools; none: all */
	int64_t least;
	const int64_t *most;         /* NULL: any number */
	const double *errors, *rate; /* calls that failed, as a number and as a
				      * part of all; NULL: any */
};

/* Kind occurrences: decides whether the number of calls is within limits. `why` is the
 * number; CLEAN lists the tools whose calls failed in `decisive`. CLEAN and EFFICIENT have
 * a share. */
struct check call_limits_check(struct arena *, const struct call_limits_want *);
