#include "check/kind/kind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/utf8.h"
#include "io/proc.h"
#include "io/sandbox.h"
#include "text/ansi.h"
#include "text/unicode.h"
#include "trace/workspace.h"

enum {
	OUTPUT_MAX = 4 * 1024 * 1024, /* bytes of output that are kept */
	TAIL = 200,                   /* bytes of output that are evidence */
	ERRORS_TAIL = 4096, /* bytes of standard error that are kept */
};

/* ---- the required program ---- */

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    access(path, X_OK) == 0;
}

/* Returns whether a program is installed, as Go's exec.LookPath decides: a name
 * with a slash is a path; a relative entry of PATH does not count. */
static bool
installed(struct arena *a, struct str name)
{
	struct str rest = str_of(getenv("PATH"));

	if (str_find_char(name, '\0') < name.n)
		return false;
	if (str_find_char(name, '/') < name.n)
		return is_program(str_c(a, name));
	while (rest.s != NULL) {
		struct str folder = str_cut(&rest, ':');

		if (str_starts(folder, "/") &&
		    is_program(str_printf(
			a, "%.*s/%.*s", STR_FMT(folder), STR_FMT(name))
				   .s))
			return true;
	}
	return false;
}

/* ---- running the command ---- */

static struct str
tail(struct str text, size_t n)
{
	return str_from(text, text.n > n ? text.n - n : 0);
}

/* Returns the end of the output, without colors, cut between characters. */
static struct str
printed(struct proc *p, const struct view *v)
{
	struct str errors = view_shown(v, p->output[1].text), all;

	errors = str_trim(tail(errors, ERRORS_TAIL));
	all = str_cat(p->arena, p->output[0].text, errors);
	all = ansi_strip(p->arena, unicode_repair(p->arena, all));
	all = tail(view_shown(v, all), TAIL);
	while (all.n != 0 && utf8_is_within(all.s[0]))
		all = str_from(all, 1);
	return all;
}

static int
exit_of(const struct proc *p)
{
	return p->timed_out || !WIFEXITED(p->status) ? -1
						     : WEXITSTATUS(p->status);
}

static struct finding
cannot(struct view *v, struct str why)
{
	return finding_why(
	    FOUND_CANNOT, str_cat(v->arena, STR("command error: "), why));
}

/* Returns evolve's message, which names the shell, with the folder appended. */
static struct finding
no_folder(struct view *v, struct str cwd)
{
	bool there = workspace_look(v->arena, v->workspace, cwd, NULL) ==
	    WORKSPACE_THERE;

	return cannot(v,
	    str_printf(v->arena, "fork/exec /bin/sh: %s (cwd %.*s)",
		there ? "not a directory" : "no such file or directory",
		STR_FMT(cwd)));
}

/* Ends the program if the system ran out of resources: a verdict must not
 * depend on that. */
static void
must_run(const struct proc *p)
{
	errno = p->failed;
	for (size_t i = 0; i < PROC_OUTPUTS && errno == 0; i++)
		errno = p->output[i].error;
	if (diag_exhausted(errno))
		diag_die("cannot run a command:");
}

bool
command_run(struct proc *p, const struct view *v)
{
	if (v->options.sandbox) {
		p->argv = sandbox_command(v->arena, p->dir, p->command);
		p->environment = v->options.environment;
	}
	proc_run(p);
	must_run(p);
	return p->failed == 0;
}

static struct finding
run(const struct command_want *w, struct view *v)
{
	struct proc p = { .command = str_c(v->arena, w->run),
		.seconds = w->seconds > 0 ? w->seconds : v->options.seconds,
		.limit = OUTPUT_MAX,
		.last = true,
		.arena = v->arena,
		.errors = true };
	struct str cwd = w->cwd.n == 0 ? STR(".") : w->cwd, folder;

	if (str_find_char(w->run, '\0') < w->run.n)
		return cannot(v, STR("fork/exec /bin/sh: invalid argument"));
	switch (workspace_folder(v->arena, v->workspace, cwd, &folder)) {
	case WORKSPACE_OUTSIDE:
		return cannot(v,
		    str_cat(v->arena, cwd, STR(" leads out of the workspace")));
	case WORKSPACE_MISSING:
	case WORKSPACE_LARGE:
		return no_folder(v, cwd);
	case WORKSPACE_THERE:
		break;
	}
	p.dir = folder.s;
	if (!command_run(&p, v))
		return cannot(v,
		    str_printf(
			v->arena, "fork/exec /bin/sh: %s", strerror(p.failed)));
	return (struct finding){
		.found = exit_of(&p) == w->exit ? FOUND_YES : FOUND_NO,
		.why = str_printf(v->arena, "exit %d: %.*s", exit_of(&p),
		    STR_FMT(printed(&p, v))),
	};
}

static struct finding
command_find(const void *want, struct view *v)
{
	const struct command_want *w = want;

	if (w->requires.n != 0 && !installed(v->arena, w->requires))
		return (struct finding){ .found = FOUND_SKIP,
			.why =
			    str_printf(v->arena, "skipped: %.*s not installed",
				STR_FMT(w->requires)),
			.skipped_by = "requires" };
	if (!v->options.commands)
		return finding_skip(
		    "commands are not run without --allow-commands");
	return run(w, v);
}

static const struct check_kind command_check_kind = { .name = "command",
	.find = command_find,
	WANTS(WANT("run", WANT_STR, command_want, run),
	    WANT("cwd", WANT_STR | WANT_IF, command_want, cwd),
	    WANT("requires", WANT_STR | WANT_IF, command_want, requires),
	    WANT("exit", WANT_INT, command_want, exit),
	    WANT("seconds", WANT_DOUBLE | WANT_IF, command_want, seconds)) };

struct check
command_check(struct arena *a, const struct command_want *want)
{
	return check_new(
	    a, &command_check_kind, want, sizeof *want, VIEW_WORKSPACE);
}
