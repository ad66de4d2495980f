#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "check/kind/kind.h"
#include "io/proc.h"

enum {
	OUTPUT_MAX = 4 * 1024 * 1024, /* bytes of an answer */
	REASON_MAX = 200,             /* bytes of it that a reason shows */
};

/* The score from which AgentV takes a grader's verdict for "pass"
 * (packages/core/src/evaluation/graders/scoring.ts, version 4.42.4). */
static const double enough = 0.8;

/* ---- the answer ---- */

static struct finding
failed(struct view *v, struct str why)
{
	return finding_why(FOUND_ERROR,
	    str_cat(v->arena, STR("the program failed: "),
		view_ellipsize(v, why, REASON_MAX)));
}

/* Returns the line of a program's messages that names its error: the first that begins
 * with an exception's name, else the last line. */
static struct str
error_line(struct str messages)
{
	struct str line, last = { 0 };

	while (messages.n != 0) {
		struct str name;

		line = str_trim(str_cut(&messages, '\n'));
		name = str_slice(line, 0, str_find_char(line, ':'));
		if (name.n != line.n && str_find_char(name, ' ') == name.n &&
		    (str_ends(name, "Error") || str_ends(name, "Exception")))
			return line;
		if (line.n != 0)
			last = line;
	}
	return last;
}

static bool
is_true(const struct json *v)
{
	return v != NULL && !json_is(v, JSON_NULL) && !json_is(v, JSON_FALSE) &&
	    !(json_is(v, JSON_STRING) && json_raw(v).n == 0) &&
	    !(json_is(v, JSON_NUMBER) && json_double(v) == 0);
}

static double
clamped(const struct json *score)
{
	double n = json_double(score);

	return n > 1 ? 1 : n > 0 ? n : 0;
}

/* The parts of an answer: its assertions, or in version 5 its checks. */
struct parts {
	size_t n;
	double sum;       /* of their scores */
	struct str wrong; /* the texts of those that do not hold */
};

/* Adds a part, if it is well-formed. */
static void
add_part(
    struct parts *all, const struct json *part, bool checks, struct arena *a)
{
	const struct json *pass = json_get(part, checks ? "pass" : "passed"),
			  *score = json_get(part, "score");
	struct str text = json_text(json_get(part, "text"), a);
	bool holds = is_true(pass);

	if (text.s == NULL ||
	    (checks &&
		(!(json_is(pass, JSON_TRUE) || json_is(pass, JSON_FALSE)) ||
		    !json_is(json_get(part, "reason"), JSON_STRING))))
		return;
	all->n++;
	all->sum +=
	    checks && json_is(score, JSON_NUMBER) ? clamped(score) : holds;
	if (!holds)
		all->wrong = str_printf(a, "%.*s%s%.*s", STR_FMT(all->wrong),
		    all->wrong.n == 0 ? "" : "; ", STR_FMT(text));
}

/* Decides by an answer that is an object. */
static struct finding
read_object(
    const struct code_grader_want *w, const struct json *answer, struct view *v)
{
	const struct json *score = json_get(answer, "score"),
			  *pass = json_get(answer, "pass");
	bool says = w->checks &&
	    (json_is(pass, JSON_TRUE) || json_is(pass, JSON_FALSE));
	struct finding f = { .graded = true };
	struct parts all = { 0 };
	struct str why;

	for (json_each(
		 part, json_get(answer, w->checks ? "checks" : "assertions")))
		add_part(&all, part, w->checks, v->arena);
	if (json_is(score, JSON_NUMBER))
		f.share = clamped(score);
	else if (all.n != 0)
		f.share = all.sum / (double)all.n;
	else if (says)
		f.share = json_is(pass, JSON_TRUE);
	else if (w->checks)
		return failed(v, STR("no pass, score or checks in its answer"));
	f.found = (says ? json_is(pass, JSON_TRUE) : f.share >= enough)
	    ? FOUND_YES
	    : FOUND_NO;
	why = json_text(json_get(answer, "reason"), v->arena);
	if (why.s == NULL)
		why = all.wrong;
	f.why =
	    str_printf(v->arena, "%.4g%s%.*s", f.share, why.n == 0 ? "" : ": ",
		STR_FMT(view_ellipsize(v, why, REASON_MAX)));
	return f;
}

/* Decides by what the program printed: an object, or a text, with which the exit status
 * is the verdict. */
static struct finding
read_answer(
    const struct code_grader_want *w, const struct proc *p, struct view *v)
{
	struct str printed = str_trim(p->output[0].text),
		   errors = str_trim(p->output[1].text);
	const struct json *answer;
	int code = WIFEXITED(p->status) ? WEXITSTATUS(p->status) : -1;

	if (code < 0 || p->timed_out || p->output[0].cut)
		return failed(v, proc_trouble(p));
	if (code != 0 &&
	    (errors.n != 0 || str_starts(printed, "{") ||
		str_starts(printed, "[")))
		return failed(v,
		    str_printf(v->arena, "exit status %d%s%.*s", code,
			errors.n == 0 ? "" : ": ",
			STR_FMT(error_line(errors))));
	answer = json_parse(v->arena, printed);
	if (json_is(answer, JSON_OBJECT))
		return read_object(w, answer, v);
	if (printed.n == 0)
		printed = str_printf(v->arena, "exit %d", code);
	return (struct finding){ .found = code == 0 ? FOUND_YES : FOUND_NO,
		.graded = true,
		.share = code == 0,
		.why = str_printf(v->arena, "%d: %.*s", code == 0,
		    STR_FMT(view_ellipsize(v, printed, REASON_MAX))) };
}

/* ---- the kind ---- */

/* Returns the absolute path of the folder, which a sandbox needs; NULL if there is no such
 * folder, for the reason errno. */
static char *
folder_of(const struct code_grader_want *w, struct arena *a)
{
	char *path = realpath(str_c(a, w->folder), NULL);
	char *kept = path == NULL ? NULL : str_c(a, str_of(path));

	free(path);
	return kept;
}

/* Returns the command, before which the run's folder, if there is one, gets the name that
 * AgentV has for it. */
static char *
command_of(const struct code_grader_want *w, struct view *v)
{
	if (v->workspace == NULL)
		return str_c(v->arena, w->run);
	return str_c(v->arena,
	    str_printf(v->arena, "export AGENTV_WORKSPACE_PATH='%.*s'\n%.*s",
		STR_FMT(str_replace(
		    v->arena, str_of(v->workspace), STR("'"), STR("'\\''"))),
		STR_FMT(w->run)));
}

static struct finding
code_grader_find(const void *want, struct view *v)
{
	const struct code_grader_want *w = want;
	struct proc p = { .command = command_of(w, v),
		.dir = folder_of(w, v->arena),
		.seconds = v->options.seconds,
		.limit = OUTPUT_MAX,
		.bounded = true,
		.arena = v->arena,
		.errors = true };
	struct finding f;

	if (!v->options.commands)
		return finding_skip(
		    "programs are not run without --allow-commands");
	if (p.dir == NULL)
		return failed(v, str_of(strerror(errno)));
	p.input = code_grader_input(w, v);
	if (!command_run(&p, v))
		return failed(v, str_of(strerror(p.failed)));
	f = read_answer(w, &p, v);
	f.open = (v->cut & (VIEW_TEXT | VIEW_CALLS)) != 0;
	return f;
}

static const struct check_kind code_grader_check_kind = { .name = "code-grader",
	.find = code_grader_find,
	WANTS(WANT("run", WANT_STR, code_grader_want, run),
	    WANT("config", WANT_JSON, code_grader_want, config)) };

struct check
code_grader_check(struct arena *a, const struct code_grader_want *want)
{
	return check_new(
	    a, &code_grader_check_kind, want, sizeof *want, VIEW_TEXT);
}
