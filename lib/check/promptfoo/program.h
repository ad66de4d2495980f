/* The author's programs in promptfoo's assertions; private to this folder. */
#pragma once

#include "check/kind/kind.h"
#include "check/program/program.h"
#include "check/promptfoo/promptfoo.h"

/* ---- the context (context.c) ---- */

/* Return the members of the context that are the same for all runs of the test, the
 * vars of which are known: the vars alone, and all; `config` is the assertion's, or
 * NULL. */
struct str promptfoo_context_vars(
    const struct promptfoo_test *, struct arena *);
struct str promptfoo_context(
    const struct promptfoo_test *, const struct json *config, struct arena *);

/* Write the vars, which are known, as members, and as the member `vars`. */
void promptfoo_put_vars(struct out *, const struct promptfoo_vars *);
void promptfoo_put_vars_in(struct out *, const struct promptfoo_vars *);

/* Return the arguments of a program, a JSON list: the output, which is JSON, and the
 * context with these constant members, of an assertion or of a change. `prompt` stands
 * for one that was not recorded. */
struct str promptfoo_arguments(
    struct view *, struct str output, struct str constant, struct str prompt);
struct str promptfoo_change_arguments(
    struct view *, struct str output, struct str constant, struct str prompt);

/* ---- calls, and changes of an answer (change.c) ---- */

/* A program, and the context that is the same for all runs. */
struct promptfoo_program {
	struct program_call call;
	struct str constant, prompt;
	bool changes; /* it changes an answer, and its context is small */
};

/* The programs that change an answer before a check looks at the answer: the test's
 * own and the assertion's; each may be NULL. promptfoo's results have the answer as
 * the test's own has changed it. */
struct promptfoo_changes {
	const struct promptfoo_program *test, *own;
};

/* Sets the file, the function and the language of the program that a reference FILE or
 * FILE:FUNCTION names, maybe behind file://. Returns false if the program is neither
 * JavaScript nor Python. */
bool promptfoo_find_program(struct str reference, struct program_call *);

/* Sets the program that a text is or names; `otherwise` is the function of a file of
 * Python. All vars must be known, since the program may look at each. */
void promptfoo_read_program(struct fields *, struct str text,
    const char *otherwise, struct promptfoo_program *);

/* Returns the program of a key such as `transform`; NULL if there is no value. */
const struct promptfoo_program *promptfoo_read_change(
    struct fields *, const struct json *);

struct promptfoo_changes promptfoo_read_changes(struct fields *);

/* Returns what the program returned for the output, which is JSON. */
struct program_answer promptfoo_call(
    const struct promptfoo_program *, struct view *, struct str output);

/* Returns the changes that the recorded answer lacks. */
struct promptfoo_changes promptfoo_lacking(
    const struct promptfoo_changes *, const struct view *);

/* Returns the finding of a program where none may run. */
struct finding promptfoo_not_run(void);

/* Returns the finding ERROR for this reason, which follows the words `before`. */
struct finding promptfoo_failed(
    struct view *, const char *before, struct str why);

/* Returns the recorded answer as JSON. Returns absent text, with *f, if no program may
 * see the answer. */
struct str promptfoo_recorded(struct view *, struct finding *);

/* Sets the output to what the changes make of the answer. Returns false, with *f, if
 * that is not known. */
bool promptfoo_change_answer(const struct promptfoo_changes *, struct view *,
    struct str *output, struct finding *);

/* Write the programs as members. The program may be NULL. */
void promptfoo_show_program(
    const struct promptfoo_program *, const char *key, struct out *);
void promptfoo_show_changes(const struct promptfoo_changes *, struct out *);

/* ---- verdicts ---- */

/* The kind of javascript and python, which changes the answer itself. */
extern const struct check_kind promptfoo_program_kind;

/* A GradingResult. */
struct promptfoo_grading {
	bool known, pass;
	double score;
	struct str reason;
};

/* Returns the result that an object is, whose member `pass` may also have the name
 * `alias`; unknown if the value is none. */
struct promptfoo_grading promptfoo_grading_of(
    const struct json *, const char *alias, struct arena *);

/* Returns the check of a program, which `named` refers to, that makes the verdict of the
 * results of the parts (scored.c). */
struct check promptfoo_scored(const struct promptfoo_test *,
    const struct json *named, const struct score_want *parts,
    const double *threshold);

/* ---- checks that programs make a part of (made.c) ---- */

/* Returns a check of the assertion, whose value a program makes for each run. */
struct check promptfoo_of_value(struct fields *);

/* Returns the check, of which programs change the answer by the assertion's key
 * `transform`, or make the context (promptfoo_now.context). */
struct check promptfoo_made(struct fields *, struct check);
