/*
 * One request on its way to a judge and what came back, whoever carries it: a
 * connection or a program.
 */
#ifndef EXCHANGE_H
#define EXCHANGE_H

#include <stddef.h>

#include "str.h"

enum { EXCHANGE_REPLY_MAX = 16 * 1024 * 1024 }; /* bytes */

struct exchange {
	/* What goes out. */
	const char *to;       /* URL or command */
	const char **headers; /* "Name: value", NULL-terminated; NULL: none */
	struct str body;
	double seconds;      /* how long it may take */
	struct arena *arena; /* where the reply is kept */

	/* What came back. */
	int status;       /* HTTP's; 200 of a program that ended well; 0:
	                     * no reply, and trouble says why */
	int retry;        /* the server's word: 1 yes, -1 no, 0 none */
	double wait;      /* seconds it wants us to wait; < 0: no word */
	struct str reply; /* never absent */
	struct str trouble;

	void *owner; /* the asker's own */
	void *way;   /* the carrier's own */
};

struct carrier {
	/* `most` is how many exchanges will be under way at once. */
	void *(*open)(size_t most);
	void (*start)(void *self, struct exchange *);
	/*
	 * Waits until one is over, the time is up, the descriptor `fd` (-1:
	 * none) can be read, or for no reason at all. The one that is over, or
	 * NULL.
	 */
	struct exchange *(*next)(void *self, double seconds, int fd);
	/* Nothing may be under way. */
	void (*close)(void *self);
};

#endif
