/*
 * The interface of a provider's Batch API: a file of requests is sent, the
 * replies are ready within a day, and they cost less.
 *
 * The provider itself (provider.h) writes each request and reads each reply.
 * This interface covers what surrounds them, and the transfer of the files.
 * Functions that fill an exchange get one that is zeroed except for its arena.
 */
#pragma once

#include "judge/http/exchange.h"
#include "judge/provider/provider.h"
#include "json/json.h"

/* A file of requests, and its known state. */
struct batch_job {
	size_t number;
	char *requests;    /* path of the file */
	size_t n;          /* number of requests */
	struct str label;  /* our own name, by which the job is found on the
			    * server; absent: sending has not begun */
	int64_t begun;     /* start of sending: milliseconds since 1970 */
	struct str upload; /* the server's name for the file; absent: not
			    * known */
	struct str batch;  /* the server's name for the batch; absent: not
			    * known */
	struct str status; /* the server's word */
	bool over;         /* the results were fetched */
};

/* A server's report on a batch or an upload. */
struct batch_status {
	struct str name;       /* the server's name; absent: the report is
			        * about neither */
	struct str status;     /* the server's word */
	bool ended;            /* nothing will change any more */
	struct str results[2]; /* where to fetch the results and the errors;
			        * absent: there are none */
	struct str trouble;    /* why all of it failed; absent: no failure */
	double n, done;        /* number of requests (0: not given), and of
			        * those that are done */
};

/* The lists that a server offers. */
enum batch_kind { BATCH_JOBS, BATCH_UPLOADS };

struct batch_api {
	/* The most that a file may hold. */
	size_t requests, bytes;
	const char *suffix; /* suffix of the file's name: "jsonl" */
	/* The texts before the first request, between two requests and after
	 * the last request of a file. */
	const char *begin, *between, *end;
	/* A request begins with `open` and its name as a JSON string; then
	 * `put` writes the rest, around the body that the provider wrote. */
	const char *open;
	void (*put)(struct out *, const struct endpoint *, struct str body);
	/* The member of a result line that holds the name of the request. */
	const char *name;
	/* The member of a line of requests that holds the body. */
	const char *body;
	/* Writes the rest of a result line, after the name: the server
	 * refused the request with this status and this JSON. */
	void (*put_refusal)(struct out *, int status, const struct json *reply);

	/* Sets status, reply and trouble of the exchange from a result line,
	 * as if the request had been sent on its own. A request that should be
	 * sent again gets status 0. */
	void (*take)(const struct json *line, struct exchange *);

	/* Fills an exchange that sends the job's file; NULL: `create` sends
	 * it. */
	void (*upload)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Fills an exchange that asks for the state of the upload. */
	void (*await)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Fills an exchange that makes a batch of the upload or of the
	 * file. */
	void (*create)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Fills an exchange that asks for the state of the batch. */
	void (*look)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Fills an exchange that asks for the page of a list that follows the
	 * position `after` (absent: the first page). */
	void (*list)(const struct endpoint *, enum batch_kind, struct str after,
	    struct exchange *);
	bool lists_uploads; /* whether uploads can be listed, too */
	/* Fills an exchange that fetches `results`, which `news` returned. */
	void (*fetch)(const struct endpoint *, const struct batch_job *,
	    struct str results, struct exchange *);

	/* Reads a reply to one of these exchanges, or an element of a page.
	 * The texts are in the arena or are slices of the value. */
	void (*news)(
	    const struct json *, struct arena *, struct batch_status *);
	/* The member that holds a page's elements, and a function that returns
	 * the position for the next page; absent: there is no next page. */
	const char *elements;
	struct str (*next)(const struct json *page, struct arena *);
	/* Returns whether an element of a page belongs to the job. */
	bool (*is_job)(const struct json *element, const struct batch_job *);
};
