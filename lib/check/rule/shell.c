/* The shell commands of calls. */
#include "shell/shell.h"

#include "check/rule/roles.h"
#include "check/rule/run.h"

static const char computed[] =
    "not known before the shell runs: a word of a command";

/* Returns whether the call is of a shell, and whether bash reads its commands. */
static enum rule_shell
shell_of(struct rule_run *run, size_t at)
{
	const struct trace_call *call = &run->calls.list[at];
	struct rule_program *p = run->group->program;
	struct rule_name *name = rule_name_of(p, run->view, call);

	if (name->shell != RULE_UNASKED)
		return name->shell;
	if (rule_role_tool_of(rule_role_find(p, STR("other_shell")), call) !=
	    NULL)
		return name->shell = RULE_OTHER_SHELL;
	return name->shell = rule_role_tool_of(
				 rule_role_find(p, STR("shell")), call) == NULL
	    ? RULE_NO_SHELL
	    : RULE_SHELL;
}

static enum rule_fit
fit_of(enum shell_match m)
{
	return m == SHELL_YES ? RULE_YES : m == SHELL_NO ? RULE_NO : RULE_MAYBE;
}

static struct shell
read_words(const struct json *list, struct arena *a)
{
	struct str *words = arena_new_n(a, struct str, json_count(list) + 1);
	size_t n = 0;

	for (json_each(word, list))
		words[n++] = json_text(word, a);
	return shell_read_words(a, words, n);
}

/* Returns the commands of a call of a shell, which are read once; NULL, with *lacking,
 * if they are not recorded. */
static const struct shell *
commands_of(struct rule_run *run, size_t at, const char **lacking)
{
	const struct trace_call *call = &run->calls.list[at];
	struct rule_texts *texts = rule_texts_of(run, at);
	const struct json *command;
	struct shell *shell;

	if (texts->shell != NULL)
		return texts->shell;
	command = rule_role_command(run->group->program, call);
	*lacking = "not recorded: the command of a call";
	if (call->args == NULL ||
	    (!json_is(command, JSON_STRING) && !json_is(command, JSON_ARRAY)))
		return NULL;
	shell = arena_new(run->arena, struct shell);
	*shell = json_is(command, JSON_STRING)
	    ? shell_read(run->arena, json_text(command, run->arena))
	    : read_words(command, run->arena);
	if (run->steps_cut && call->step != NULL &&
	    trace_step_cut(call->step, STR("args")))
		shell->unknown = true;
	run->work += command->text.n / 16;
	return texts->shell = shell;
}

enum rule_fit
rule_runs(struct rule_run *run, const struct rule_cond *c, size_t at,
    const char **lacking)
{
	enum rule_shell kind = shell_of(run, at);
	enum rule_fit best = RULE_NO;
	const struct shell *shell;

	if (kind == RULE_NO_SHELL)
		return RULE_NO;
	if (kind == RULE_OTHER_SHELL) {
		*lacking = "not read: the commands of a shell that is not bash";
		return RULE_MAYBE;
	}
	shell = commands_of(run, at, lacking);
	if (shell == NULL)
		return RULE_MAYBE;
	for (size_t i = 0; i < c->npatterns && best != RULE_YES; i++)
		best = rule_most(
		    best, fit_of(shell_pattern_find(c->patterns[i], shell)));
	if (best == RULE_MAYBE)
		*lacking = computed;
	return best;
}

/* Returns whether a call of a shell runs a program by which the role is filled. */
static enum rule_fit
runs_for(struct rule_run *run, const struct rule_role *role, size_t at,
    const char **lacking)
{
	const struct shell_pattern *program;
	enum rule_fit best = RULE_NO;

	for (size_t i = 0; i < role->ntools; i++) {
		struct rule_cond c = { .patterns = &program, .npatterns = 1 };

		program = role->tools[i].runs;
		if (program != NULL &&
		    rule_runs(run, &c, at, lacking) == RULE_YES)
			best = RULE_YES;
	}
	return best;
}

enum rule_fit
rule_has_role(struct rule_run *run, const struct rule_cond *c, size_t at,
    const char **lacking)
{
	const struct trace_call *call = &run->calls.list[at];
	enum rule_fit best = RULE_NO;

	for (size_t i = 0; i < c->globs.n; i++)
		if (rule_glob_fits(c->globs.list[i], call->tool) ||
		    rule_glob_fits(c->globs.list[i], call->name))
			return RULE_YES;
	for (size_t i = 0; i < c->nroles && best != RULE_YES; i++) {
		const struct rule_role_tool *t =
		    rule_role_tool_of(c->roles[i], call);
		enum rule_fit fit = RULE_NO;

		if (t != NULL)
			fit = t->argument.s != NULL && call->args == NULL
			    ? RULE_MAYBE
			    : rule_role_has_value(t, call, run->arena)
			    ? RULE_YES
			    : RULE_NO;
		else if (shell_of(run, at) == RULE_SHELL)
			fit = runs_for(run, c->roles[i], at, lacking);
		best = rule_most(best, fit);
	}
	if (best == RULE_MAYBE)
		*lacking = "not recorded: the arguments of a call";
	return best;
}

/* Returns whether the calls permit one command. A program that starts another is passed
 * over, but for those that change the user or the machine. */
static enum rule_fit
permits(struct rule_calls calls, const struct shell_command *command)
{
	enum rule_fit best = RULE_NO;

	if (command->starts &&
	    !str_is_one_of(shell_program(command), "sudo doas su ssh"))
		return RULE_YES;
	for (size_t i = 0; i < calls.n; i++)
		for (size_t k = 0; k < calls.list[i].nconds; k++) {
			const struct rule_cond *c = &calls.list[i].conds[k];

			for (size_t p = 0; p < c->npatterns; p++)
				best = rule_most(best,
				    fit_of(shell_pattern_fits(
					c->patterns[p], command)));
		}
	return best;
}

enum rule_fit
rule_runs_only(
    struct rule_run *run, struct rule_calls calls, const char **lacking)
{
	const struct shell *shell;
	enum rule_fit worst = RULE_YES;
	bool any = false;

	for (size_t i = 0; i < calls.n; i++)
		any |= calls.list[i].runs;
	if (!any || shell_of(run, run->at) != RULE_SHELL)
		return RULE_NO;
	shell = commands_of(run, run->at, lacking);
	if (shell == NULL)
		return RULE_MAYBE;
	if (shell->unknown || shell->invalid)
		worst = RULE_MAYBE;
	for (size_t i = 0; i < shell->n && worst != RULE_NO; i++)
		worst = rule_least(worst, permits(calls, &shell->list[i]));
	if (worst == RULE_MAYBE)
		*lacking = computed;
	return worst;
}
