/*
 * Runs programs that may misbehave: each in a process group of its own, without
 * our descriptors, for a limited time, with bounded output. When a program
 * ends, all that it left running is killed (io/keeper.h), so that a child that
 * holds the output open delays nothing. Several programs can run at once.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "io/out.h"

enum { PROC_OUTPUTS = 2 }; /* standard output, standard error */

struct proc {
	/* Set by the caller. */
	const char *command; /* for /bin/sh -c */
	char *const *argv;   /* instead of command, NULL-terminated; the
	                      * program is searched for in PATH */
	const char *dir;     /* where the program runs; NULL: here */
	char **environment;  /* NULL: ours */
	struct str input;    /* its whole standard input; absent: /dev/null */
	bool asked;          /* its input is what proc_ask writes */
	double seconds;      /* the longest time that it may run */
	size_t limit;        /* most bytes to keep of each output */
	struct arena *arena; /* for the texts of the outputs */
	void *owner;         /* free for the caller */
	bool errors;         /* keep standard error, too; else the program
	                      * writes to ours */
	bool last;           /* keep the last bytes, else the first */
	bool bounded;        /* more than `limit` bytes end the program */

	/* Set when the program is over. */
	bool timed_out;
	int failed;      /* errno if the program could not be started */
	int status;      /* as of waitpid */
	pid_t pid;       /* of its keeper */
	bool over;       /* all this is final */
	double deadline; /* private, as is: */
	int asking;      /* our end of the input, if `asked` */
	struct proc_output {
		struct str text;
		bool cut;  /* the program wrote more than `limit` bytes */
		int error; /* errno of the read that failed, or 0 */
		int fd;    /* private */
		struct out bytes;
	} output[PROC_OUTPUTS];
};

/* Starts the program. On failure the program is over at once: proc_next returns
 * it with `failed` set. */
void proc_start(struct proc *);

/*
 * Waits until one of the n started programs is over, until `seconds` have
 * passed, or until the descriptor `fd` (-1: none) can be read. Returns the
 * program that is over, which the caller removes from its list, or NULL.
 */
struct proc *proc_next(
    struct proc *const *started, size_t n, double seconds, int fd);

/* Writes a line to a program that is `asked`, and reads the line that the program
 * answers, without its end, from standard output; the line lies in the arena. Drops
 * what the program wrote before. Returns false without an answer: the program has
 * ended, gave no answer within `seconds`, or its answer has more than `limit` bytes.
 * The program is over then, and may be over after its answer; proc_trouble says why,
 * and the outputs are what the program wrote last. */
bool proc_ask(struct proc *, struct str line, struct str *answer);

/* Kills the program and all that it started. The program is over then. */
void proc_kill(struct proc *);

/* Starts the program and waits until it is over. */
void proc_run(struct proc *);

/* Returns the reason why the program failed, in its arena: "exit status 3",
 * "killed by signal 9", "no end within 10 seconds", "more than 100 bytes of
 * output". Returns the absent text if it succeeded. */
struct str proc_trouble(const struct proc *);
