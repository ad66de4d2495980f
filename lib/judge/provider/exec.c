/* Runs a program of the user's once per request: the program reads the
 * request's document on its standard input and writes the judge's answer on
 * its standard output. */
#include <string.h>
#include <sys/wait.h>

#include "io/proc.h"
#include "judge/provider/provider.h"

/* Exit statuses of the shell if a program cannot be run or is not found. */
enum { NOT_RUNNABLE = 126, NOT_FOUND = 127 };

/*
 * Returns the command for the shell. If the first word is a plain name, the
 * shell first checks silently that there is such a program, so that mcpl-judge
 * reports a missing program once and the shell does not report it for every
 * request.
 */
static const char *
guarded_command(struct arena *a, const char *command)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789_./+-";
	const char *word = command + strspn(command, " \t");
	size_t n = strspn(word, plain);
	const char *rest = word + n + strspn(word + n, " \t");
	bool alone = *rest == '\0' || (rest > word + n && *rest != '(');

	if (n == 0 || *word == '-' || !alone)
		return command;
	return str_c(a,
	    str_printf(a, "command -v %.*s >/dev/null || exit %d; %s", (int)n,
		word, NOT_FOUND, command));
}

/* The carrier: the programs that are running. */
struct programs {
	struct proc **started;
	size_t n;
};

static void *
programs_open(struct arena *a, size_t most)
{
	struct programs *all = arena_new(a, struct programs);

	all->started = arena_new_n(a, struct proc *, most);
	return all;
}

static void
programs_start(void *self, struct exchange *x)
{
	struct programs *all = self;
	struct proc *p = arena_new(x->arena, struct proc);

	*p = (struct proc){
		.command = guarded_command(x->arena, x->to),
		.input = x->body,
		.seconds = x->seconds,
		.limit = EXCHANGE_REPLY_MAX,
		.bounded = true,
		.arena = x->arena,
		.owner = x,
	};
	all->started[all->n++] = p;
	proc_start(p);
}

/* Returns why the program cannot answer at all; absent if it ran. */
static struct str
why_absent(const struct proc *p)
{
	int status = WIFEXITED(p->status) ? WEXITSTATUS(p->status) : 0;

	if (status == NOT_FOUND)
		return STR("no such program (exit status 127)");
	if (status == NOT_RUNNABLE)
		return STR("the program cannot be run (exit status 126)");
	return (struct str){ 0 };
}

static struct exchange *
programs_next(void *self, double seconds, int fd)
{
	struct programs *all = self;
	struct proc *p = proc_next(all->started, all->n, seconds, fd);
	struct exchange *x;

	if (p == NULL)
		return NULL;
	for (size_t i = 0; i < all->n; i++)
		if (all->started[i] == p)
			all->started[i] = all->started[--all->n];
	x = p->owner;
	x->reply = p->output[0].text;
	x->trouble = why_absent(p);
	x->unreachable = x->trouble.s != NULL;
	if (!x->unreachable)
		x->trouble = proc_trouble(p);
	x->status = x->trouble.s == NULL ? 200 : 0;
	return x;
}

static void
programs_stop(void *self)
{
	struct programs *all = self;

	for (size_t i = 0; i < all->n; i++)
		proc_kill(all->started[i]);
	all->n = 0;
}

static void
programs_close(void *self)
{
	(void)self;
}

static const struct carrier programs = { programs_open, programs_start,
	programs_next, programs_stop, programs_close };

static void
exec_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	x->to = endpoint->to;
	x->body = prompt_document(x->arena, p);
}

/* Reads the answer. A program that failed is not run again for the same
 * request: it can retry by itself. A program that is not there is not run for
 * any other request either. */
static void
exec_read(
    struct endpoint *endpoint, const struct exchange *x, struct answer *answer)
{
	(void)endpoint;
	answer->kind = x->status == 200 ? ANSWER_TEXT
	    : x->unreachable            ? ANSWER_NEVER
					: ANSWER_NONE;
	answer->text = x->status == 200 ? x->reply : x->trouble;
}

const struct provider provider_exec = {
	.name = "exec",
	.what = "a program: the request on its input, the answer on its output",
	.carrier = &programs,
	.write = exec_write,
	.read = exec_read,
};
