/*
 * Runs a program that is trusted to run but not to behave: in a process group
 * of its own, without our descriptors, for a limited time, with bounded
 * output. It ends with its group: what it leaves running is killed, and a
 * child that holds the output open delays nothing. Several can run at once.
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
	char *const *argv;   /* in its place, NULL at its end; the program is
	                      * looked for in PATH */
	const char *dir;     /* where it runs; NULL: here */
	struct str input;    /* its standard input; absent: /dev/null */
	double seconds;      /* how long it may run */
	size_t limit;        /* bytes kept of each output */
	struct arena *arena; /* where the outputs are kept */
	void *owner;         /* the caller's own */
	bool errors;         /* keep standard error too; else it is ours */
	bool last;           /* keep the last bytes; else the first ones */

	/* Told when it is over. */
	bool timed_out;
	int failed; /* errno if it could not be started */
	int status; /* as waitpid gives it */
	pid_t pid;
	double deadline; /* private */
	struct proc_output {
		struct str text;
		bool cut;  /* there was more */
		int error; /* errno of the read that failed, or 0 */
		int fd;    /* private */
		struct out bytes;
	} output[PROC_OUTPUTS];
};

/* Starts it. If that fails it is over at once, and proc_next tells. */
void proc_start(struct proc *);

/*
 * Waits until one of those that were started is over, until the time is up,
 * or until the descriptor `fd` (-1: none) can be read. Returns the one that is
 * over, which the caller takes off the list, or NULL.
 */
struct proc *proc_next(
    struct proc *const *started, size_t n, double seconds, int fd);

/* Kills it and its group: nobody waits for it any more. */
void proc_kill(struct proc *);

/* Starts it and waits until it is over. */
void proc_run(struct proc *);

/* Why it did not end well: "exit status 3", "killed by signal 9", "no end
 * within 10 seconds", "more than 100 bytes of output"; absent if it did. */
struct str proc_trouble(const struct proc *);
