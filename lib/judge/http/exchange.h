/*
 * One request on its way to a judge and what came back, whoever carries it: a
 * connection or a program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { EXCHANGE_REPLY_MAX = 16 * 1024 * 1024 }; /* bytes */

struct exchange {
	/* What goes out. */
	const char *to;       /* URL or command */
	const char **headers; /* "Name: value", NULL-terminated; NULL: none */
	struct str body;      /* absent: nothing goes out, something is got */
	const char *file;     /* its bytes follow the body; NULL: none do */
	struct str tail;      /* and this follows them */
	const char *save;     /* a reply whose status is 2xx becomes this file,
	                       * if it comes whole, and is not kept here; NULL:
	                       * no file */
	bool once;            /* it may do harm if the carrier, which cannot
	                       * tell whether it arrived, sends it again */
	double seconds;       /* how long it may take */
	struct arena *arena;  /* where the reply is kept */

	/* What came back: set by the carrier, as is not so by itself. An asker
	 * starts with zero, with wait and cost -1 and an empty reply. */
	int status;         /* HTTP's; 200 of a program that ended well; 0: no
	                     * reply came, and trouble says why */
	struct str reply;   /* never absent */
	struct str trouble; /* absent unless status is 0 */
	double wait;        /* seconds that the server wants us to wait;
	                     * negative: it does not say */
	double rest;        /* seconds that its limits want before the next */
	double cost;        /* US dollars; negative: it does not say */
	int retry;          /* shall one try again: 1 yes, -1 no, 0 no word */
	bool unreachable;   /* nobody is there at all */

	/* Not looked at here. */
	unsigned sent; /* what form the body has: its writer's own */
	void *owner;   /* the asker's own */
};

/* The tokens of its body, by a rough guess: they have four bytes each. */
static inline double
exchange_tokens(const struct exchange *x)
{
	return (double)x->body.n / 4;
}

struct carrier {
	/* `most` is how many exchanges will be under way at once. */
	void *(*open)(struct arena *, size_t most);
	void (*start)(void *self, struct exchange *);
	/*
	 * For one who has started any. Waits until one is over, the time is
	 * up, the descriptor `fd` (-1: none) can be read, or for no reason at
	 * all. The one that is over, or NULL.
	 */
	struct exchange *(*next)(void *self, double seconds, int fd);
	/* Gives up all that is under way: nobody waits for it any more. */
	void (*stop)(void *self);
	/* Nothing may be under way. */
	void (*close)(void *self);
};
