/* All that is to be checked: the scenarios of all assertion files, and which of
 * them apply to a run. */
#pragma once

#include "base/hash.h"
#include "base/suggest.h"
#include "check/dialect/dialect.h"
#include "check/permission/permission.h"
#include "check/rule/rule.h"
#include "trace/trace.h"

struct spec {
	struct arena *arena;
	struct spec_file *files; /* in the order given */
	size_t n;
	size_t nscenarios;    /* of all files */
	size_t understood;    /* checks and captures without mistakes */
	struct policy policy; /* how strictly the files are read */
	/* Programs that run while files are read; NULL: none may. */
	struct programs *programs;

	/* private */
	struct rule_program rules;
	struct permission_sets permissions;
	const struct document *config; /* see struct scenarios */
	struct rule_group *options;    /* the rules of the command line */
	size_t noptions;
	struct str only; /* the id of spec_select_scenario; absent: any */
	struct hash_table patterns; /* compiled ones, shared by all files */
};

struct spec_matches {
	const struct scenario **list;
	size_t n;
};

/* Adds the scenarios of a file, or of all files *.yaml, *.yml and *.rules in a
 * folder and its sub-folders. Reports mistakes, and adds everything else that is in
 * the file. With dialect NULL the file's looks decide. */
void spec_load(struct spec *, const char *path, const struct dialect *);

/* Like spec_load, for the text of a file of this name. Both must live as long as the
 * spec. */
void spec_load_given(
    struct spec *, const char *name, struct str text, const struct dialect *);

/* Like spec_load, but takes the text of a file in a dialect with read_text. The
 * path and the text must live as long as the spec. */
void spec_load_text(
    struct spec *, const char *path, struct str text, const struct dialect *);

/* Like spec_load, but takes a document that was read. */
void spec_load_doc(struct spec *, struct document *, const struct dialect *);

/* The scenarios of one file. */
struct spec_scenarios {
	const struct dialect *dialect; /* NULL: of the command line */
	const struct scenario *list;
	size_t n;
};

/* Returns the scenarios of the file of this number, in the order given. */
struct spec_scenarios spec_scenarios_of(const struct spec *, size_t file);

/* Adds a check for every run, behind those that were added this way before. */
void spec_add(struct spec *, struct check);

/* Adds a rule of the command line, for every run: the argument of the option
 * `rule` or `forbid-call`. Reports a mistake. */
void spec_add_rule(struct spec *, const char *option, struct str argument);

/* Warns of what rules name and no run of the views has, see rule_report; what cannot
 * be meant is an error if the files are read strictly. */
void spec_warn_tools(const struct spec *, const struct rule_tools *);

/* Warns of the lines of permissions that other lines cover. */
void spec_warn_lines(struct spec *);

/* Returns whether a scenario that has checks is for runs with its id or
 * prompt. */
bool spec_has_keyed_scenarios(const struct spec *);

/* Makes the scenarios of this id apply to every run, and no others but those of
 * files without scenarios. Returns false, and the nearest id, if no scenario
 * has the id. */
bool spec_select_scenario(struct spec *, struct str id, struct suggest *near);

/*
 * Returns the scenarios that apply to the run. These are, of each file:
 * - every scenario that has neither an id nor a prompt;
 * - every scenario whose id is a glob that fits the run's scenario_id;
 * - those which the first of these keys finds, if one does: the id, the name in
 *   logs, the dialect's run_key, the prompt (white space does not count), and,
 *   if the dialect wraps prompts, the only prompt that is a part of the run's;
 * - if no key finds any, those that name the file of the run.
 * Of variants of one id, those with the run's key or else its prompt are kept, and of
 * several scenarios the one that the dialect picks by what else the run records.
 */
struct spec_matches spec_match(
    const struct spec *, const struct trace *, struct arena *);

/* Returns whether a scenario is for all runs whose scenario_id a glob fits. */
bool spec_has_sections(const struct spec *);

/* Warns of each such scenario that has checks and that no run met, or reports an
 * error if the files are read strictly. */
void spec_report_sections(const struct spec *, const bool *met);

/* Warns of each scenario that is for runs with its id or prompt, and that no
 * run met: met[number] is false. Returns whether there are such. */
bool spec_warn_unmet(const struct spec *, const bool *met);

/* Writes each check and rule that has no mistakes as a line of JSON. */
void spec_show(struct out *, const struct spec *);

/* Frees what the arena does not hold. */
void spec_close(struct spec *);
