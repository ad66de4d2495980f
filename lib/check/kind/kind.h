/*
 * The kinds of check. Each constructor returns a check of one kind for a view
 * of a run, of a turn or of a call's arguments (check/view.h); a dialect then
 * gives the check its type, label and reason. kind/X.c implements the
 * functions that begin with X_.
 *
 * A constructor copies the parameters that it gets by value or in a ..._want.
 * Whatever those point to must live as long as the check, as must an inner
 * check. A check owns the compiled patterns, paths and schemas that its
 * constructor got; check_close frees them.
 *
 * The word "why" below means the member of struct finding.
 */
#pragma once

#include "check/check.h"
#include "check/kind/embedded_json.h"
#include "check/kind/tool_result.h"
#include "query/jmespath/jmespath.h"
#include "query/jsonpath/jsonpath.h"
#include "query/jsonschema/jsonschema.h"
#include "regex/regex.h"
#include "yaml/document.h"

/* ---- text ---- */

enum text_how {
	TEXT_CONTAINS,
	TEXT_STARTS,
	TEXT_ENDS,
	TEXT_EQUALS,
};

/* Kind text: decides whether the view's text contains, begins with, ends with
 * or equals a literal text. */
struct check text_check(
    struct arena *, enum text_how, enum view_fold, struct str text);

enum phrases_how {
	PHRASES_ALL, /* YES if there are none to look for */
	PHRASES_ANY,
};

/* Kind overlap: decides whether the view's text has the same words as another,
 * in any letter case and order. The share is the number of words that both
 * have, of the words that any of both has. */
struct check phrases_overlap(struct arena *, struct str text);

/* Kind phrases: decides whether the view's text contains all, or any, of
 * several texts. `decisive` of the finding lists the texts that are missing
 * (ALL) or that are there (ANY). The share of ALL is the part of the texts that
 * is there. */
struct check phrases_check(
    struct arena *, enum phrases_how, enum view_fold, struct str_list);

/* Like phrases_check, but finds each word by its compiled pattern. */
struct check phrases_check_words(struct arena *, enum phrases_how,
    struct str_list words, struct regex **compiled);

/* Kind regex: decides whether a regular expression matches in the view's text.
 * The pattern as its author wrote it and the flags (REGEX_...) that it was
 * compiled with are for --lint. */
struct check pattern_check(
    struct arena *, struct regex *, struct str pattern, unsigned flags);

/* Like pattern_check, but `why` of a YES is the text that matches. */
struct check pattern_check_with_match(
    struct arena *, struct regex *, struct str pattern, unsigned flags);

/* Returns a copy of a pattern's check that also reports a NO which is only due
 * to letter case. `caseless` is the pattern compiled without regard to case;
 * NULL: the check reports nothing more. */
struct check pattern_with_case_hint(
    struct arena *, struct check, struct regex *caseless);

/* The largest size that each measure allows, and the least number of bytes;
 * NULL: no limit. */
struct max_length_want {
	const int64_t *least;
	const int64_t *bytes;
	const int64_t *tokens; /* a token is four bytes */
	const int64_t *sentences;
};

/* Kind length: decides whether the view's text is within limits, by PromptKit's
 * measures. `why` holds the lengths, as members of a JSON object; the share is
 * what one limit is of the length, or the length of the least. */
struct check max_length_check(struct arena *, const struct max_length_want *);

/* Kind instance: decides whether the answer has a Python type: int, float,
 * bool, list, dict; any other name is str. An answer is text, but a record that
 * was not made from a log may hold another value. `why` is how the answer
 * begins. */
struct check answer_value_type(struct arena *, struct str type);

struct answer_value_want {
	const struct json *expected; /* NULL: every answer is a YES */
	bool within;   /* a text that contains the expected text is a YES */
	bool caseless; /* the letter case of text does not count */
};

/* Kind equals: decides whether the answer equals the expected value as Python
 * compares values. `why` is how the answer begins. */
struct check answer_value_equals(
    struct arena *, const struct answer_value_want *);

enum metric {
	METRIC_LEVENSHTEIN, /* edits in UTF-16 code units, at most `limit` */
	METRIC_ROUGE,  /* F-measure of the words that both have, as ROUGE-1 */
	METRIC_BLEU,   /* of one to four words in a row, with brevity penalty */
	METRIC_GLEU,   /* the same, the smaller of precision and recall */
	METRIC_METEOR, /* of words and stems, with a penalty for disorder */
};

struct metric_want {
	enum metric how;
	struct str_list references; /* at least one; the best counts */
	double limit; /* the score is at least this; or see above */
	double alpha, beta, gamma; /* of METRIC_METEOR */
};

/*
 * Kind metric: decides how much the view's text is like another, as promptfoo
 * measures it. The share is the score, which METRIC_LEVENSHTEIN has not. `why` is
 * the score with four digits, or the distance. METEOR also counts synonyms of
 * WordNet, which are not at hand: SKIP if they could change the finding, and no
 * share if they could change the score.
 */
struct check metric_check(struct arena *, const struct metric_want *);

/* The range in which a score lies. */
struct metric_range {
	double low, high;
};

/* Returns the METEOR of a candidate, which is not empty, by the best of the
 * references. The letters are in lower case. */
struct metric_range meteor_score(
    struct arena *, const struct metric_want *, struct str candidate);

/* Kind refusal: decides whether the view's text refuses to answer, by the turns
 * of phrase that promptfoo knows, in any letter case. YES if the text is empty,
 * with a share of 0 unless the check will be negated. */
struct check refusal_check(struct arena *, bool negated);

/* Kind html: decides whether the view's text is HTML, or has HTML `within`, as
 * check/kind/html.h says. `why` of a NO is the reason. */
struct check html_check(struct arena *, bool within);

struct xml_want {
	bool within;           /* a part of the text is enough */
	struct str_list paths; /* of elements, as xml_has_path() reads them */
};

/* Kind xml: decides whether the view's text is XML that has these elements. `why`
 * of a NO is the reason. SKIP if the text has parts that are not well-formed and
 * could count. */
struct check xml_check(struct arena *, const struct xml_want *);

/* The limits of a number of words; NULL: no limit. */
struct words_want {
	const double *least, *most;
};

/* Kind words: decides whether the number of words in the view's text, which
 * JavaScript's white space separates, is within limits. `why` is the number. */
struct check words_check(struct arena *, const struct words_want *);

/* Kind finish_reason: decides whether the model's answer ended for this reason,
 * in any letter case. A reason of a provider's own is recorded as promptfoo
 * calls it: stop, length, tool_calls, content_filter. SKIP if no reason was
 * recorded. `why` is the recorded reason. */
struct check finish_reason_check(struct arena *, struct str reason);

/* ---- JSON ---- */

struct json_text_want {
	bool within; /* an object anywhere in the text is enough, also one that
		      * is only YAML, or whose braces do not close */
	const struct json *equals;   /* the text's value; NULL: any */
	const struct json *schema;   /* NULL: any JSON is a YES */
	struct jsonschema *compiled; /* from `schema` */
};

/* Kind json: decides whether the view's text is, or contains, JSON that is equal
 * to a value or that a JSON Schema accepts. Text that is no JSON is a NO. `why`
 * of a NO is what is wrong. */
struct check json_text_check(struct arena *, const struct json_text_want *);

/* Kind jsonpath: decides whether a JSONPath selects any value in the view's
 * text, or, if `equals` is not NULL, a scalar that is equal to it: an object or
 * list equals nothing, as with JavaScript's ===. CANNOT if the text is no JSON.
 * `written` is the path's text, for --lint. */
struct check json_path_check(struct arena *, struct jsonpath *,
    struct str written, const struct json *equals);

/* The limits for what a JMESPath expression selects. A limit that is NULL, or
 * 0, does not apply. */
struct json_query_want {
	struct embedded_json where;
	struct str written;
	struct jmespath *path;
	const struct json *equals;
	const struct json *contains;     /* a list; the result has all items */
	const struct json *least, *most; /* numbers; the result is a number */
	int64_t least_items, most_items; /* the result is a list */
};

/* Kind jsonpath with JMESPath in its stead: decides whether the expression's
 * result in the view's JSON is within the limits. CANNOT if the text is no
 * JSON. `why` of a NO or CANNOT is members of a JSON object: `error` and
 * `content`, or `message` and the values. */
struct check json_query_check(struct arena *, const struct json_query_want *);

struct json_schema_want {
	struct embedded_json where;
	const struct json *written;  /* the schema; NULL: any JSON is a YES */
	struct jsonschema *compiled; /* from `written` */
};

/* Kind schema: decides whether the view's text is JSON that a JSON Schema
 * accepts. CANNOT if the text is no JSON. `why` of a NO or CANNOT is members of
 * a JSON object: `error` and `content`, or `errors`. */
struct check json_schema_check(struct arena *, const struct json_schema_want *);

/* Kind members: decides whether the view's text is a JSON object that has the
 * given members, each equal as a whole as Python compares values; a missing
 * member equals null. */
struct check members_check(const struct json *members);

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

struct times_want {
	struct str tool;
	int64_t times;
};

/* Decides whether the tool was called exactly `times` times. */
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
	bool counted;    /* `optimal` is given; else the optimum is one call of
			  * each tool that was called */
	int64_t optimal; /* number of calls */
	int64_t extra;   /* number of calls allowed beyond the optimum */
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
	const double *least, *most;  /* NULL: no limit */
	const struct json *args;     /* NULL: unless STEPS_ARGUMENTS */
	bool exact;                  /* no other arguments */
	const struct json *defaults; /* an argument with this value does not
				      * count; or NULL */
	const struct step_match *ignored; /* arguments that never count */
	size_t nignored;
};

/* Kind steps: decides which steps a run made, as promptfoo's trajectory
 * assertions do. `why` is the steps that were made, or their number; `cause`
 * the step that decided, of ALL and ANY. */
struct check steps_check(struct arena *, const struct steps_want *);

struct tool_f1_want {
	struct str_list tools;
	double least;
	bool
	    negated; /* the check's `negate`, since the score is not inverted */
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

struct argument {
	struct str name;
	const struct json *value; /* NULL: any value, if it is there */
	struct regex *regex;      /* or NULL */
	struct str pattern;
};

struct args_equal_want {
	struct str tool; /* absent: any */
	const struct document *doc;
	struct argument *list;
	size_t n;
	bool texts; /* values are equal if Go prints the same */
	const struct call_rule *rule; /* of the result of each call; or NULL */
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

/* Returns the text of a result, which is text, a list of parts or an MCP
 * result; of anything else its JSON. */
struct str tool_answer_text(const struct json *result, struct arena *);

/* An expectation of PromptKit about one call. */
struct call_rule {
	struct str tool;             /* absent or empty: any */
	const struct argument *args; /* values, each of which must be there; or
				      * patterns that match Go's text */
	size_t nargs;
	struct str_list includes; /* texts in the result, in any letter case */
	struct regex *matches;    /* in the result; NULL: none */
	struct str pattern;       /* of `matches`, as written */
	bool succeeds;            /* the call did not fail */
};

/* Decides the parts of the rule that are about the call's result. CANNOT if the
 * result was not recorded; of a NO, *what is the violation by PromptKit's name
 * and `why` the text or pattern, if there is one. */
struct finding call_rule_result(const struct call_rule *,
    const struct trace_call *, struct arena *, const char **what);

enum call_rules_how {
	RULES_SOME,  /* at least `times` calls keep the first rule */
	RULES_CHAIN, /* for each rule in turn, the next call of its tool keeps
		      * the rule */
	RULES_KEPT,  /* an argument named in `fields` that a call of the first
		      * rule's tool had is in all later ones */
};

struct call_rules_want {
	enum call_rules_how how;
	const struct call_rule *rules;
	size_t n;
	int64_t times;
	struct str_list fields;
	const struct document *doc;
	bool texts; /* as in struct args_equal_want */
};

/* Kind rules: decides whether calls keep rules. `why` of a NO is what was found
 * instead. The share of a chain is the part of its rules that were kept, the
 * share of `fields` the part of them. */
struct check call_rules_check(struct arena *, const struct call_rules_want *);

/* ---- names in the order of their occurrence ---- */

enum occurrences_of {
	OCCUR_TOOLS,  /* that were called */
	OCCUR_SKILLS, /* that were activated: the argument `name` of calls of
		       * skill__activate */
	OCCUR_STATES, /* that the workflow entered */
};

enum occurrences_how {
	OCCUR_EACH,      /* each name, at least `least`, at most `most` times */
	OCCUR_ANY,       /* one of the names */
	OCCUR_ORDER,     /* the names in this order, others between them or not
			  */
	OCCUR_ORDERS,    /* the names of one of the lists in its order */
	OCCUR_COUNT,     /* from `least` to `most` of the names together; no
			  * names: of all */
	OCCUR_SAME,      /* the names, and no others */
	OCCUR_REPEATED,  /* one of the names (no names: any) more than `most`
			  * times in a row */
	OCCUR_CLEAN,     /* no call of the names (no names: of any) failed */
	OCCUR_EFFICIENT, /* at most `most` calls, `errors` and `rate` */
	OCCUR_ALLOWED,   /* only calls in the list of the workflow's state, if
			  * it has one: names[i] has lists[i] */
};

struct occurrences_want {
	enum occurrences_of of;
	enum occurrences_how how;
	struct str_list names;
	const struct str_list *lists;
	size_t n;
	int64_t least, most;         /* most negative: any number */
	const double *errors, *rate; /* limits for calls that failed, as a
				      * number and as a part of all; or NULL */
	bool succeeded;              /* calls that failed do not count */
	bool excused; /* unless it was for invalid arguments, which no log
			 * records: SKIP if such calls matter */
	bool given;   /* calls without arguments do not count */
};

/* Kind occurrences: decides which names occurred, as PromptKit counts them.
 * `decisive` lists the names that are missing (EACH, ORDER) or there (ANY,
 * REPEATED, CLEAN, ALLOWED), `why` says the same, or the number that was found.
 * EACH, ORDER, CLEAN and EFFICIENT have a share. */
struct check occurrences_check(struct arena *, const struct occurrences_want *);

/* ---- limits ---- */

enum limit {
	LIMIT_LLM_CALLS, /* number of requests to the model */
	LIMIT_TOKENS,    /* input, from a cache or not, and output */
	LIMIT_COST,      /* US dollars */
	LIMIT_SECONDS,   /* from the run's start to its end */
};

/* Kinds llm_calls, tokens, cost and seconds: decide whether the run used at
 * most this amount. `why` is the amount that was used. */
struct check limits_check(struct arena *, enum limit, double most);

/* Kind call_time: decides whether all calls together took at most this number
 * of milliseconds. `why` is the time that they took. */
struct check limits_call_time(struct arena *, double most);

/* The limits of a run; NULL: no limit. */
struct budget_want {
	const double *cost, *input, *output, *total;
};

/* Kind budget: decides whether the run used at most this much money and this
 * number of tokens. `why` is what was exceeded. The share is the part of the
 * money that is left. */
struct check limits_budget(struct arena *, const struct budget_want *);

/* Kind latency: decides whether the turn took at most this number of
 * milliseconds. `why` is its time. The share is what the limit is of it. */
struct check limits_turn_time(struct arena *, double most);

/* ---- files and commands ---- */

/* Kind file: decides whether the path exists in the folder that the run left
 * behind. CANNOT if the path leads out of the folder, which `why` says. */
struct check file_check(struct arena *, struct str path);

/* Kind content: decides whether the inner check, which is of text, finds what
 * it wants in a file of that folder. CANNOT, with the reason in `why`, if there
 * is no such file or the path leads out. Bytes that are no UTF-8 are read as
 * U+FFFD. */
struct check file_content_check(
    struct arena *, struct str path, const struct check *inner);

struct command_want {
	struct str run;      /* for the shell */
	struct str cwd;      /* within the folder; absent or empty: itself */
	struct str requires; /* a program without which the check is skipped;
	                      * absent or empty: none */
	int64_t exit;        /* the status that is a YES; -1: a signal or the
	                      * time limit ended the command */
	double seconds;      /* time limit; 0: the user's */
};

/* Kind command: decides whether a shell command in the run's folder ends with
 * the expected status. SKIP if the user does not allow commands, or the
 * required program is missing. CANNOT if cwd is no folder or leads out. `why`
 * is evidence: "exit N: " and the end of what the command printed. */
struct check command_check(struct arena *, const struct command_want *);

/* ---- workflow ---- */

enum state_how {
	STATE_IS,       /* `why` is the state */
	STATE_REACHED,  /* some transition led to the state */
	STATE_COMPLETE, /* the workflow is at its end */
	STATE_SPOKEN,   /* the assistant said something in a turn that ended in
			 * the state */
};

struct state_want {
	enum state_how how;
	struct str state; /* absent for STATE_COMPLETE */
};

/* Kind state: decides whether the run's workflow is in a state, or has been in
 * it; for a turn's view, after that turn. SKIP if the log does not say what the
 * state was by then. */
struct check state_check(struct arena *, enum state_how, struct str state);

/* Returns whether the transition is known to have happened before the view's
 * turn ended. */
bool state_transition_made(const struct view *, const struct json *transition);

/* Returns whether the log says for each transition whether it happened before
 * the view's turn ended. */
bool state_transitions_known(const struct view *);

struct guardrail_want {
	struct str name;      /* absent: any */
	struct str direction; /* input or output; absent or other: both */
	bool last; /* the last record of exactly that name counts. Else the
		    * first, also one of PromptKit's older name:
		    * BannedWordsValidator for banned_words */
	struct str older; /* private */
};

/* Kind guardrail: decides whether a guardrail fired in the view's turn: whether
 * its record did not pass; with an absent name, whether any record did not
 * pass. */
struct check guardrail_check(struct arena *, const struct guardrail_want *);

/* Kind media: represents assertions about images, sounds or films. Always SKIP,
 * since traces hold texts and calls, but no media. `medium` is image, audio or
 * video; `params`, an object or NULL, is for --lint. */
struct check media_check(
    struct arena *, const char *medium, const struct json *params);

/* Kind live: represents assertions that a recorded run cannot decide. Always
 * SKIP; `why` is the reason, `params` as above. */
struct check media_check_live(
    struct arena *, struct str why, const struct json *params);

/* ---- judge ---- */

/* Context that the judge gets to see beside the judged text. */
enum {
	JUDGE_PROMPT = 1,
	JUDGE_TOOL_SEQUENCE = 2,
	JUDGE_TOOL_INPUTS = 4,
	JUDGE_TRANSCRIPT = 8,
	JUDGE_EXPECTED = 16,
	JUDGE_WORKSPACE = 32, /* the files of the folder, if the user named it
			       */
};

enum judge_text {
	JUDGE_FINAL, /* the run's final answer is judged */
	JUDGE_TURN,  /* the answer of the turn that the check is about */
	JUDGE_ALL,   /* everything that was said and called */
};

struct judge_want {
	enum judge_text text;
	struct str rubric;
	unsigned context;    /* JUDGE_... bits */
	struct str prompt;   /* the scenario's; absent: the recorded prompt */
	struct str expected; /* what the author would like to see, or absent */
	bool scored;         /* the judge gives a score; it passes from */
	double min_score;    /* this score (0 to 1) */
	bool reasoned;       /* a verdict without a reason does not count */
	struct regex *fails; /* a text that matches it fails without a judge;
			      * NULL: none */
	struct str_list tools; /* of JUDGE_TOOL_INPUTS: without a call of one of
				* them (none: of any) the check is skipped */
	bool called;           /* `tools` counts */
	const struct judge_criteria *criteria; /* NULL: the rubric alone */
};

/* Several rubrics, each with a score of its own. */
struct judge_criteria {
	const struct judge_criterion *list;
	size_t n;
	struct str aggregate; /* weighted, min, harmonic_mean; anything else is
			       * the plain mean */
	bool all;             /* each criterion must reach its own min_score,
			       * not the aggregate */
	bool confidence;      /* the judge says how sure it is */
};

struct judge_criterion {
	struct str name, description;
	const struct json *examples; /* by score, or NULL */
	double weight, min_score;
};

/* Kind judge: PENDING, with everything that mcpl-judge must know, since
 * mcpl-judge reads no assertion file. SKIP if something that the judge must see
 * was not recorded in full. */
struct check judge_check(struct arena *, const struct judge_want *);

/* ---- combinations ---- */

struct score_part {
	const struct check *check; /* NULL: `set`, or not decided */
	const struct score_want *set;
	double weight;
};

struct score_want {
	const struct score_part *parts;
	size_t n;
	double least;
};

/* Kind score: decides whether the weighted mean of other checks' scores
 * (check_score) is at least a number; 0 if no weight counts. The other checks
 * stay their scenario's. SKIP if those that are not decided matter. `why` is the
 * score, which is also the share if all are decided. */
struct check score_check(struct arena *, const struct score_want *);

/* Kind messages: decides whether the inner check finds what it wants in any
 * message of the assistant. `why` is that of the message that decided, else of
 * the last message. */
struct check messages_check(const struct check *inner);

/* Kind plain: asks the inner check of what evolve takes for the run's answer,
 * without the escape sequences of terminals. */
struct check without_escapes_check(const struct check *inner);
