/*
 * Who can be asked to judge: the contract of a provider, and the table. A
 * provider puts a prompt into the form that its protocol wants and reads what
 * comes back; waiting, trying again and keeping answers is asker's affair.
 */
#pragma once

#include <stdbool.h>

#include "judge/http/exchange.h"
#include "judge/provider/prompt.h"
#include "trace/usage.h"

/* How one is reached, and what was learnt about it on the way. */
struct endpoint {
	const struct provider *provider;
	const char *to;    /* base URL without a slash at its end, or command */
	const char *model; /* NULL: not named */
	const char *key;   /* NULL: none. Sent, and never shown */
	const char *header;   /* what stands before it: "x-api-key: " */
	const char **headers; /* of a user's, "Name: value", NULL at the end;
	                       * NULL: none. Not shown either */
	double temperature;   /* negative: the server's own */
	size_t max_tokens;    /* of an answer; 0: the server's own */
	unsigned refused; /* what the server does not take; the provider's */
};

enum answer_kind {
	ANSWER_TEXT,    /* the judge answered; what it says is not yet read */
	ANSWER_RETRY,   /* not now */
	ANSWER_REWRITE, /* not in this form: `refused` has changed */
	ANSWER_NONE,    /* no */
	ANSWER_NEVER,   /* no, and no other request will fare better */
};

struct answer {
	enum answer_kind kind;
	struct str text;  /* the judge's words, or why there are none */
	struct str model; /* as the server names it; absent: it does not */
	struct usage usage;
	double wait;      /* seconds that a reply wants us to wait; 0: none */
	unsigned refused; /* of ANSWER_REWRITE: what the peer's `refused` has
	                   * to have; the provider's */
};

struct provider {
	const char *name, *what;
	const struct carrier *carrier;
	/* Of a server, its usual URL ("": it has none); NULL for one that is
	 * reached by a command. */
	const char *url, *url_variable;
	/* What a user's URL means, in the arena; NULL: what it says. */
	struct str (*base)(struct arena *, struct str url);
	/* Where a key is found, and the header that it goes into. */
	struct provider_key {
		const char *variable, *header;
	} keys[3];
	/* Fills to, headers, body and sent, in the exchange's arena. */
	void (*write)(
	    const struct endpoint *, const struct prompt *, struct exchange *);
	/* Reads an exchange that is over; the answer is zeroed. */
	void (*read)(
	    struct endpoint *, const struct exchange *, struct answer *);
	/* Its Batch API (NULL: there is none), what a request within it is
	 * addressed to, and where the path of a file or a batch is (NULL: where
	 * it says). */
	const struct batch_api *batch_api;
	const char *batch_url;
	struct str (*batch_path)(
	    const struct endpoint *, struct arena *, struct str path);
};

extern const struct provider provider_anthropic, provider_azure, provider_exec,
    provider_gemini, provider_ollama, provider_openai,
    provider_openai_responses, provider_openrouter;

/* All providers in the order of --list-providers, ended by NULL. */
extern const struct provider *const provider_table[];

/* The i-th's name, and what it is; NULL behind the last. */
const char *provider_row(size_t i, const char **what);

const struct provider *provider_named(const char *name); /* NULL: none */
