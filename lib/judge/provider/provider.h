/*
 * The interface of a provider, which is a protocol for asking a judge, and the
 * table of providers. A provider writes a prompt in the form that its protocol
 * requires and reads the reply. judge/scheduler.h waits, retries and caches.
 */
#pragma once

#include <stdbool.h>

#include "judge/http/exchange.h"
#include "judge/provider/prompt.h"
#include "trace/usage.h"

/* The judge: its address, and what was learnt about it from earlier
 * replies. */
struct endpoint {
	const struct provider *provider;
	const char *to;       /* base URL without a slash at its end, or a
			       * command */
	const char *model;    /* NULL: no model was named */
	const char *key;      /* secret: sent, never shown; NULL: no key */
	const char *more[2];  /* further secrets; NULL: none */
	const char *header;   /* text before the key: "x-api-key: " */
	struct str lacking;   /* the key that a request needs, and that nobody
			       * gave, as a message; absent: nothing */
	const char **headers; /* the user's, "Name: value", ended by NULL;
			       * NULL: none; never shown */
	double temperature;   /* negative: the server's default */
	size_t max_tokens;    /* of an answer; 0: a default */
	size_t most_tokens;   /* the largest limit that the server accepts, as
				* its error says; 0: not known */
	bool doubled; /* the default limit is doubled, after an answer that it
		       * cut off */
	size_t context_tokens; /* that the model takes; 0: not known */
	bool context_asked;    /* the server was asked for them */
	struct str params;     /* of provider/params.h; absent: none */
	unsigned refused; /* features that the server rejects: bits that belong
			   * to the provider */
	bool hasty; /* a feature counts as rejected at once, and not only after
		     * a request without the feature has succeeded: for
		     * batches, whose requests are written together */
};

enum answer_kind {
	ANSWER_TEXT,    /* the judge answered; the text is still to be parsed */
	ANSWER_RETRY,   /* a later try may succeed */
	ANSWER_REWRITE, /* the server rejects a feature; send the request
			 * without it */
	ANSWER_NONE,    /* this request has no answer */
	ANSWER_NEVER,   /* no request will have an answer */
};

struct answer {
	enum answer_kind kind;
	struct str text;  /* the judge's text, or the reason why there is
			   * none */
	struct str model; /* the server's name for it; absent: not given */
	struct usage usage;
	double wait;      /* seconds that the reply asks the client to wait; 0:
			   * none */
	unsigned refused; /* for ANSWER_REWRITE: the bit of the feature */
	size_t most_tokens; /* for ANSWER_REWRITE: the largest limit that the
			     * server accepts; 0: the limit is not the cause */
	bool cut_off;       /* the token limit cut the answer off */
};

struct provider {
	const char *name, *what;
	bool takes_images; /* write sends the prompt's images */
	const struct carrier *carrier;
	/* The default URL of a server ("": no default), and the environment
	 * variable that overrides it; NULL for a command. */
	const char *url, *url_variable;
	/* Returns the URL of the server that the environment names otherwise,
	 * in the arena; absent: none. The variable that is missing then. NULL:
	 * the environment does not name a server. */
	struct str (*place)(struct arena *);
	const char *place_variable;
	const char *own; /* end of the hosts of the company's own servers; NULL:
			  * that of the URL is the only one */
	/* Returns the base URL for a URL that the user gave, in the arena;
	 * NULL: the URL is used unchanged. */
	struct str (*base)(struct arena *, struct str url);
	/* Environment variables that may hold the key, and the header for the
	 * key; and those of further secrets with the second key, of which the
	 * first is required. */
	struct provider_key {
		const char *variable, *header;
	} keys[3];
	const char *more[2];
	unsigned refused; /* features that the server is known to reject */
	bool hosts;       /* offers models of other companies */
	bool preset;      /* a model of this name is asked for at the server
			   * that OPENAI_BASE_URL or OLLAMA_HOST names, if one
			   * does */
	/* Fills the exchange's members to, headers, body and sent, in the
	 * exchange's arena. */
	void (*write)(
	    const struct endpoint *, const struct prompt *, struct exchange *);
	/* Like write, but takes the body, as an earlier call of write made it
	 * for a batch. NULL without a Batch API. */
	void (*post)(
	    const struct endpoint *, struct exchange *, struct str body);
	/* Prepares the endpoint for its first request, by what is known of its
	 * model or its version; NULL: nothing is known. */
	void (*prepare)(struct endpoint *);
	/* Reads an exchange that has ended. The answer is zeroed before. */
	void (*read)(
	    struct endpoint *, const struct exchange *, struct answer *);
	/* Fills an exchange that asks the server about the model, given its
	 * reply to the last such exchange (absent: the first one). Returns
	 * false if there is nothing more to ask. NULL: the server does not
	 * say. */
	bool (*about)(
	    const struct endpoint *, struct exchange *, struct str last);
	/* The Batch API (NULL: none); the address of each request within a
	 * batch; and a function that returns the path of a file or a batch
	 * (NULL: the path is used unchanged). */
	const struct batch_api *batch_api;
	const char *batch_url;
	struct str (*batch_path)(
	    const struct endpoint *, struct arena *, struct str path);
};

extern const struct provider provider_anthropic, provider_azure,
    provider_bedrock, provider_exec, provider_gemini, provider_ollama,
    provider_openai, provider_openai_responses, provider_openrouter,
    provider_vertex;

/* The companies that speak OpenAI's protocol. */
enum preset {
	PRESET_MISTRAL,
	PRESET_GROQ,
	PRESET_XAI,
	PRESET_DEEPSEEK,
	PRESET_TOGETHER,
	PRESET_FIREWORKS,
	PRESETS
};
extern const struct provider provider_presets[PRESETS];

/* All providers in the order of --list-providers, ended by NULL. */
extern const struct provider *const provider_table[];

/* Returns the name of the i-th provider and sets *what to its description;
 * NULL after the last one. */
const char *provider_row(size_t i, const char **what);

const struct provider *provider_named(const char *name); /* NULL: unknown */
