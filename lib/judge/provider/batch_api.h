/*
 * The contract of a provider's Batch API: a file of requests goes there, their
 * replies are ready within a day, and cost less. It is called bulk here, since
 * a batch is something else (judge.h).
 *
 * A request is that of the provider, and so is a reply: all that is said here
 * is what stands around them, and how files come and go. Functions that fill
 * an exchange find it zeroed but for its arena.
 */
#pragma once

#include "judge/http/exchange.h"
#include "judge/provider/provider.h"
#include "json/json.h"

/* A file of requests, and what is known of its fate. */
struct batch_job {
	size_t number;
	char *requests;    /* path of the file */
	size_t n;          /* requests in it */
	struct str label;  /* ours, to know it again by; absent: sending has
	                       * not begun */
	int64_t begun;     /* when it did: milliseconds since 1970 */
	struct str upload; /* the server's name for the file, */
	struct str batch;  /* and for the batch; absent: not known */
	struct str status; /* in the server's words */
	bool over;         /* and its results are here */
};

/* What a server says of a batch or of an upload. */
struct batch_status {
	struct str name;       /* the server's; absent: this is neither */
	struct str status;     /* in its words */
	bool ended;            /* nothing changes any more */
	struct str results[2]; /* where to get what came of it; absent: there
	                        * is none */
	struct str trouble;    /* it failed as a whole; absent: it did not */
	double n, done;        /* requests, and how many are; n 0: not told */
};

/* What a server can list. */
enum batch_kind { BATCH_JOBS, BATCH_UPLOADS };

struct batch_api {
	/* How much a file may hold. */
	size_t requests, bytes;
	const char *suffix; /* of the file's name: "jsonl" */
	/* The file: this, requests with `between` between them, and that. */
	const char *begin, *between, *end;
	/* A request: it opens so, which its name follows as a JSON string; then
	 * `put` writes the rest of it, around the body that the provider
	 * wrote. */
	const char *open;
	void (*put)(struct out *, const struct endpoint *, struct str body);
	/* The member of a line of results that has the request's name. */
	const char *name;

	/* Sets status, reply and trouble as the provider's `read` would find
	 * them, had it been asked at once. What should be asked again has no
	 * status. */
	void (*take)(const struct json *line, struct exchange *);

	/* Sends the job's file; NULL: `create` does. */
	void (*upload)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Asks for an upload that cannot be used yet. */
	void (*await)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Has the job's upload, or file, worked on. */
	void (*create)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Asks for the batch. */
	void (*look)(const struct endpoint *, const struct batch_job *,
	    struct exchange *);
	/* Asks for a page of a list: the one that follows the place `after`
	 * (absent: the first). */
	void (*list)(const struct endpoint *, enum batch_kind, struct str after,
	    struct exchange *);
	bool lists_uploads; /* else batches alone */
	/* Gets the results that the news name. */
	void (*fetch)(const struct endpoint *, const struct batch_job *,
	    struct str results, struct exchange *);

	/* What a reply to any of these, or an element of a page, says: in the
	 * arena, or in the value's text. */
	void (*news)(
	    const struct json *, struct arena *, struct batch_status *);
	/* A page's elements, and the place that the next one follows, if there
	 * is one. */
	const char *elements;
	struct str (*next)(const struct json *page, struct arena *);
	/* Whether an element is what became of the job. */
	bool (*is_job)(const struct json *element, const struct batch_job *);
};
