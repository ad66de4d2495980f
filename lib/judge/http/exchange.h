/*
 * Defines one request to a judge and its reply (struct exchange), and the
 * interface of whatever carries the request (struct carrier): an HTTP
 * connection or a program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { EXCHANGE_REPLY_MAX = 16 * 1024 * 1024 }; /* bytes */

struct exchange {
	/* The request. */
	const char *to;       /* URL or command */
	const char **headers; /* "Name: value", NULL-terminated; NULL: none */
	struct str body;      /* absent: the request is a GET and has no body */
	const char *file;     /* path of a file that is sent after the body;
			       * NULL: no file */
	struct str tail;      /* text that is sent after the file */
	const char *save;     /* path: a complete reply with a 2xx status is
			       * written to this file and is not kept in
			       * `reply`; NULL: no file */
	bool once;            /* the carrier must not send the request a second
			       * time by itself: it cannot know whether the
			       * first one arrived, and a duplicate may do
			       * harm */
	double seconds;       /* time limit */
	struct arena *arena;  /* owns the reply */

	/* The result. The carrier sets only the members that differ from their
	 * initial values: the caller begins with zeros, except that wait and
	 * cost are -1 and the reply is an empty text. */
	int status;         /* HTTP status; 200: a program that succeeded; 0:
			     * there is no reply, and trouble gives the
			     * reason */
	struct str reply;   /* never absent */
	struct str trouble; /* absent unless status is 0 */
	double wait;        /* seconds that the server asks the client to wait;
			     * negative: not given */
	double rest;        /* seconds to wait before the next request, by the
			     * server's limits */
	double cost;        /* US dollars; negative: not given */
	int retry;          /* the server's advice on another try: 1 yes, -1
			     * no, 0 none */
	bool unreachable;   /* no connection, or no such program */
	bool timed_out;     /* the request was sent, and no reply came in
			     * time */

	/* Members that the carrier does not use. */
	unsigned sent; /* form of the body; its meaning belongs to the provider
		        * that wrote the body */
	void *owner;   /* the caller's own */
	size_t images, image_bytes; /* images in the body */
};

enum { EXCHANGE_IMAGE_TOKENS = 1600 }; /* of an image: larger ones are scaled */

/* Returns the number of bytes of the body without images, which a server that
 * refuses images is not sent. */
static inline size_t
exchange_text_bytes(const struct exchange *x)
{
	return x->body.n - (x->image_bytes < x->body.n ? x->image_bytes : 0);
}

/* Returns a rough estimate of the number of tokens in the body: four bytes are
 * one token. */
static inline double
exchange_tokens(const struct exchange *x)
{
	return (double)exchange_text_bytes(x) / 4 +
	    (double)(x->images * EXCHANGE_IMAGE_TOKENS);
}

struct carrier {
	/* Allocates a carrier in the arena. `most` is the largest number of
	 * exchanges that will be under way at once. */
	void *(*open)(struct arena *, size_t most);
	void (*start)(void *self, struct exchange *);
	/*
	 * Waits until an exchange ends, the time is up or the descriptor `fd`
	 * (-1: none) can be read; it may also return early for no reason.
	 * Returns the exchange that ended, or NULL. At least one exchange must
	 * have been started before.
	 */
	struct exchange *(*next)(void *self, double seconds, int fd);
	/* Aborts all exchanges that are under way. */
	void (*stop)(void *self);
	/* Frees the carrier. No exchange may be under way. */
	void (*close)(void *self);
};
