/*
 * promptfoo's configurations. promptfoo.c reads the file, tests.c its tests,
 * and gives each its assertions; a form makes a check of one assertion.
 *
 * To add a type: a row FORM("type", make, PARAMS(NEED("value", NAME), ...)) in the
 * list of forms of its file, and `make`, which asks for the value, the threshold
 * and any other key, and ends with promptfoo_finish. The form `not-type` is made
 * of the same row.
 */
#pragma once

#include "check/dialect/scenarios.h"
#include "check/promptfoo/vars.h"

/* ---- files (files.c) ---- */

enum { PROMPTFOO_DEEPEST = 16 }; /* files and references within each other */

/* A value, and the file that it is written in. */
struct promptfoo_part {
	const struct json *v; /* NULL: there is none */
	const struct document *doc;
};

/* The state that the parts of a configuration share. */
struct promptfoo_config {
	struct scenarios *scenarios;
	struct arena *arena;
	struct str folder;          /* the file's, in which file:// begins */
	struct promptfoo_part root; /* what references "#/..." lead into */
	struct forms forms;
	struct promptfoo_prompt *prompts;
	size_t nprompts;
	bool agentv; /* the file is AgentV's */
	bool
	    recorded; /* the file is promptfoo's results: nothing of its tests is
			* still to be expanded, and functions are lost */
	struct promptfoo_part suite; /* assertions for all its tests */
	size_t ntests;               /* read so far */
	size_t nresults; /* of these tests, by promptfoo's counting */
	size_t depth;    /* of files and lists that name others */
	/* The last reason that was reported for a test which a prompt does not
	 * find. */
	struct str unfound;
};

/* Returns the path that a reference "file://PATH" or a relative path names, from
 * the folder. */
struct str promptfoo_path(
    const struct promptfoo_config *, struct str folder, struct str reference);

/* Reads a file of YAML, JSON, JSON lines or CSV; NULL after a message. */
const struct document *promptfoo_read(
    struct promptfoo_config *, struct str path);

/* Returns the value of a text of YAML or JSON, NULL if it is neither. */
const struct json *promptfoo_yaml(struct str text, struct arena *);

/* Reads a file's text without the white space at both ends. Returns absent text
 * if it cannot be read. */
struct str promptfoo_read_text(struct promptfoo_config *, struct str path);

/* Returns the value that {"$ref": "#/path"} names, with the object's other
 * members added; and for a text "file://PATH" the file's value, if that is YAML
 * or JSON. Any other value is returned itself. Reports what is not there, and
 * returns a part without value. */
struct promptfoo_part promptfoo_resolve(
    struct promptfoo_config *, struct promptfoo_part);

/* ---- tests in CSV (csv.c) ---- */

/* Returns whether the path is that of a program (.js, .py and so on), which is
 * not run. */
bool promptfoo_is_program(struct str path);

/*
 * Returns the tests as a JSON list, in which each test is on the line of its
 * row. The columns __expected... are assertions of one of the types;
 * __description, __threshold, __metric, __prefix, __suffix, __config:... and
 * __metadata:... are what their names say; others are vars. Mistakes are
 * reported with the file's name.
 */
struct str promptfoo_csv(struct str text, const char *file,
    struct str_list types, struct policy *, struct arena *);

/* ---- prompts (prompts.c) ---- */

struct promptfoo_prompt {
	struct str raw; /* absent: not known, for this reason: */
	struct str unknown;
	bool rendered; /* with the vars filled in */
	struct str
	    program; /* FILE:FUNCTION, which makes the prompt; or absent */
};

/* Reads the prompts of a configuration. */
void promptfoo_read_prompts(struct promptfoo_config *, struct fields *root);

/* Returns the prompt as a run records it, with the vars filled in: of a chat the
 * last message of the user. Absent, with the reason in *why, if it is not
 * known. */
struct str promptfoo_prompt_text(struct promptfoo_config *,
    const struct promptfoo_prompt *, const struct promptfoo_vars *,
    struct str *why);

/* Returns the text as a value if the text is JSON, or YAML with a list of messages;
 * else NULL. */
const struct json *promptfoo_as_chat(struct str text, struct arena *);

/* Returns the text of a message: itself, or its parts that are text. */
struct str promptfoo_message_text(const struct json *message, struct arena *);

/* ---- vars (choices.c) ---- */

/* The values that a var takes in the combinations of a test. */
struct promptfoo_choices {
	struct str name;
	const struct json **values; /* texts file://... are paths */
	size_t n;
};

struct promptfoo_choice_list {
	struct promptfoo_choices *list;
	size_t n;
};

/* Reads `vars` of a part of a test: an object, or files of YAML that hold
 * objects. With `expand` each text of a list is a value of its own. */
void promptfoo_read_vars(struct promptfoo_config *,
    struct promptfoo_choice_list *, struct promptfoo_part, bool expand);

/* Sets the vars of an object, in place of those that were set. */
void promptfoo_set_choices(struct promptfoo_config *,
    struct promptfoo_choice_list *, const struct json *, bool expand);

enum { PROMPTFOO_COMBINATIONS = 10000 };

/* Returns the number of combinations, or one that is larger than
 * PROMPTFOO_COMBINATIONS. */
size_t promptfoo_count_combinations(const struct promptfoo_choice_list *);

/* Returns the n-th combination of the values. */
struct promptfoo_vars promptfoo_combination(
    struct promptfoo_config *, const struct promptfoo_choice_list *, size_t n);

/* ---- what programs make (generate.c) ---- */

/* Returns whether programs may run, and the reference FILE or FILE:FUNCTION is one in
 * JavaScript or Python. */
bool promptfoo_generates(const struct promptfoo_config *, struct str reference);

/* Returns the tests that a program returns for this `config` (NULL: none); NULL after a
 * message. */
const struct document *promptfoo_generate_tests(struct promptfoo_config *,
    struct promptfoo_part at, struct str reference, const struct json *config);

/* Returns the vars that the program `transformVars` adds or changes, as an object; NULL:
 * they are not known. */
const struct json *promptfoo_generate_vars(struct promptfoo_config *,
    struct str program, const struct promptfoo_vars *);

/* Returns the prompt that a program makes of the vars; absent, with the reason in *why,
 * if it is not known. */
struct str promptfoo_generate_prompt(struct promptfoo_config *,
    struct str program, const struct promptfoo_vars *, struct str *why);

/* ---- tests (tests.c, test_parts.c) ---- */

/* A test consists of parts: defaultTest, the data of a scenario, and itself. A
 * later part has precedence. */
struct test_parts {
	struct promptfoo_part list[3];
	size_t n;
	bool defaulted; /* the first part is defaultTest */
};

/* Returns the value under the key of the last part that has one. */
struct promptfoo_part test_part(const struct test_parts *, const char *key);

/* Like test_part, within the object `options` of each part; NULL: none has the key. */
const struct json *test_option(const struct test_parts *, const char *key);

/* Reports the mistakes in a part's own keys. `what` names the part in messages. */
void test_part_check(
    struct promptfoo_config *, struct promptfoo_part, const char *what);

/* Adds the tests of a value as under the key `tests`. */
void promptfoo_read_tests(struct promptfoo_config *, struct promptfoo_part,
    const struct promptfoo_part *defaults);

/* Adds the tests of a value as under the key `scenarios`. */
void promptfoo_read_scenarios(struct promptfoo_config *, struct promptfoo_part,
    const struct promptfoo_part *defaults);

/* Reports the mistakes in the keys of defaultTest. */
void promptfoo_check_default(
    struct promptfoo_config *, struct promptfoo_part defaults);

/* Adds the assertions of defaultTest for the runs of each prompt, of a
 * configuration without tests. */
void promptfoo_read_default(
    struct promptfoo_config *, struct promptfoo_part defaults);

/* The test that an assertion belongs to. */
struct promptfoo_test {
	struct promptfoo_config *config;
	struct promptfoo_vars vars;
	struct str prompt;    /* one of the rendered prompts, or absent */
	struct str undecided; /* why no assertion is decided, or absent */
	struct str criteria;  /* AgentV's, or absent */
	const struct json *input, *metadata; /* AgentV's, or NULL */
	const struct json *rubric_prompt; /* of the test's options, or NULL */
	struct promptfoo_part parts[3];   /* in which the test is written; later
					 * ones have precedence */
	size_t nparts;
	const struct json *transform; /* of the test's answers, or NULL */
	bool part;                    /* the results are parts of a score */
	/* promptfoo's numbers (testIdx) of the test's results: from `number` on,
	 * `repeat` times in steps of `step`. */
	size_t number, step, repeat;
	bool changed;           /* a program that is not run changes the vars */
	struct str assert_hash; /* of its assertions, as in the runs' meta */
	/* State of the assertion that is being read. */
	struct promptfoo_now {
		struct str undecided;     /* by promptfoo_undecided */
		const struct json *value; /* with the vars filled in */
		bool programmed;          /* the value names a program's file */
		bool
		    context; /* a program makes the context that a judge sees */
		bool made;   /* for a run: programs have made their part */
	} * now;
};

/* Adds the assertions of the test, which are in n lists. With a threshold
 * (NULL: none) they are parts of a score, which a check of its own holds
 * against the threshold; or a program of the author, which `scored` names (NULL: none),
 * makes the verdict of their results. */
void promptfoo_read_assertions(struct promptfoo_test *,
    const struct promptfoo_part *lists, size_t n, const double *threshold,
    const struct json *scored);

/* ---- results (results.c) ---- */

/* Returns whether the file's value is promptfoo's results, or a result of a file with a
 * result a line. */
bool promptfoo_is_results(const struct json *root);

/* Adds the tests that stand in the results. */
void promptfoo_read_results(struct promptfoo_config *);

/* Returns the hash of the assertions in n lists, as text. */
struct str promptfoo_assert_hash(
    const struct promptfoo_part *lists, size_t n, struct arena *);

/* Returns which of the tests, each with the struct promptfoo_test as its own, the run
 * is of (struct dialect). The run's meta has the hash of its test's assertions
 * and the test's number among all. The number counts only where the
 * vars do not contradict it: a repetition, a filter of tests, or a change of the
 * configuration shifts the numbers. */
const struct scenario *promptfoo_pick(const struct scenario *const *, size_t n,
    bool changed, const struct trace *, struct arena *);

/* ---- keys of an assertion (assertion.c) ---- */

/* Sets the configuration's forms. */
void promptfoo_set_forms(struct promptfoo_config *);

/* The types that promptfoo and AgentV have. */
extern const struct form_list promptfoo_lists[];

/* Returns whether an assertion may be of the type. */
bool promptfoo_has_type(const struct promptfoo_config *, struct str type);

/* Returns the types that promptfoo itself has. */
struct str_list promptfoo_types(const struct promptfoo_config *);

const struct promptfoo_test *promptfoo_test_of(const struct fields *);

/* Returns whether the assertion's type begins with `not-`, or AgentV's key
 * `negate` says the same. */
bool promptfoo_is_negated(const struct fields *);

/* Returns the assertion's value with the test's vars filled in, or NULL if
 * there is none. No form is asked for a check if the value cannot be known. */
const struct json *promptfoo_value(struct fields *);

/* Returns a value that must be text; a number is its text. */
struct str promptfoo_text(struct fields *);

/* Notes that a recorded run cannot decide the assertion: promptfoo_finish then
 * returns a check that is skipped for the first such reason. */
void promptfoo_undecided(struct fields *, struct str why);
/* The reason may be a string literal. */
#define promptfoo_undecided(e, ...) \
	promptfoo_undecided((e), AS_STR((__VA_ARGS__)))

/* Ends an assertion: reads the keys that all types have (weight, metric,
 * provider, transform and so on), and returns the check with its label, which
 * is the type and `about`, and with `negate` if the type begins with `not-`. The
 * check's reason, if the form sets none, is the label. */
struct check promptfoo_finish(struct fields *, struct check, struct str about);

/* Compiles a pattern in which '*' is any text and '?' a character, in any letter
 * case. */
struct regex *promptfoo_caseless(struct fields *, struct str pattern);

/* Returns the limit under a key of a value, in the arena; NULL if there is
 * none. */
const double *promptfoo_limit(
    struct fields *, const struct json *object, const char *key);

/* Spoils the assertion for keys of a value that would bound the verdict, but for
 * the limits min and max of the assertion's whole value. */
void promptfoo_check_limits(struct fields *, const struct json *);

/* Reports limits of which the least is above the most. */
void promptfoo_need_order(struct fields *, const struct json *object,
    const double *least, const double *most);

/* Returns the limits in words: "at most 3". */
struct str promptfoo_range(
    const double *least, const double *most, struct arena *);

/* ---- the author's prompt for the judge (rubric_prompt.c) ---- */

/* The names that a type of assertion gives to parts of the judge's prompt; NULL: the
 * prompt of this type has none. */
struct promptfoo_names {
	const char *rubric, *answer, *input, *transcript;
};

/* Returns the question for the judge: the rubric, or the key rubricPrompt of the
 * assertion or of its test with the vars and the rubric filled in. A prompt that
 * cannot be filled in is reported, and so is each prompt if there are no names. */
struct str promptfoo_question(
    struct fields *, const struct promptfoo_names *, struct str rubric);

/* ---- AgentV (agentv.c) ---- */

enum { PROMPTFOO_AGENTV = 1 }; /* form->levels: only AgentV has the type */

/* Returns whether the configuration is AgentV's. */
bool promptfoo_is_agentv(const struct json *root);

/* The keys that AgentV has and that no verdict depends on. */
extern const char promptfoo_agentv_root_keys[], promptfoo_agentv_test_keys[];

/* Adds the prompt and the vars that a test has under its own keys; each may be
 * NULL. */
void promptfoo_agentv_test(struct promptfoo_config *, struct promptfoo_test *,
    const struct json *input, const struct json *expected);

/* Returns a check in which a judge verifies the statement, which stands here. */
struct check promptfoo_statement(
    const struct promptfoo_test *, struct promptfoo_part at, struct str text);

/* Make AgentV's checks of rubrics: of a list of criteria or a single one, and of an
 * llm-rubric, whose judge sees what that of a statement sees. */
struct check promptfoo_rubrics(struct fields *, const struct json *list);
struct check promptfoo_llm_rubric(struct fields *);

/* The reason for which a prompt of the author for a judge decides nothing. */
extern const char promptfoo_own_judge[];

/* Makes the check of a program that grades the run (packages/core/src/evaluation,
 * loaders/grader-parser.ts of versions 4.42.4 and 5); the form's `how`: the program is one
 * of version 5. */
struct check promptfoo_grader(struct fields *);

/* Makes the check of the scores of other assertions, which are its members. */
struct check promptfoo_composite(struct fields *);

/* ---- types, each list ended by a form without a name ---- */

extern const struct form promptfoo_text_forms[], promptfoo_json_forms[],
    promptfoo_run_forms[], promptfoo_trajectory_forms[], promptfoo_span_forms[],
    promptfoo_judged_forms[], promptfoo_outside_forms[],
    promptfoo_agentv_forms[], promptfoo_metric_forms[],
    promptfoo_program_forms[];
