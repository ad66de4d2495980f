/*
 * Finds the judge's address, model and secrets in options and environment
 * variables; options take precedence. A key comes only from a file or the
 * environment, because everybody on the machine can read command lines.
 */
#pragma once

#include "judge/provider/provider.h"

/* The options' values; NULL: not given. */
struct endpoint_options {
	const char *provider, *model, *base_url, *key_file, *headers_file;
	const char *command;
	bool unasked; /* nothing will be sent, so no command is needed */
	bool
	    measures; /* the service is no judge: the variables MCPL_JUDGE_... do
			* not count */
	bool dry;     /* only a dry run, so no model is needed */
};

/*
 * Sets provider, to, model, key, lacking and headers of the endpoint. The provider
 * stays NULL if no judge is named at all. If neither a provider nor a URL is
 * named, the name of the model (judge/provider/model_name.h) or else a variable
 * for the URL decides who is asked; a name that leaves a choice is invalid, so
 * that no record goes to a company that the user did not name. Returns false
 * and sets *wrong if the options are invalid, and *usage if that lies in the
 * options themselves and not in the files and keys that they need. Texts are in
 * the arena, or are those of the options and the environment.
 */
bool endpoint_find(struct endpoint *, struct arena *,
    const struct endpoint_options *, struct str *wrong, bool *usage);

/* Returns a text that names the variables in the environment that hold a key,
 * each with a command that uses the key; absent if there are none. */
struct str endpoint_keys_seen(struct arena *);

/* The least length of a secret in bytes. A shorter key is a dummy word for a
 * local server. */
enum { ENDPOINT_SECRET_LEAST = 16 };

/* Returns the i-th secret: the key, then the values of the user's headers,
 * except those that are too short. Absent after the last one. */
struct str endpoint_secret(const struct endpoint *, size_t i);

/* Returns the text with each secret replaced by "[key]": a server may quote
 * secrets. A reply is passed through this function before any of its texts is
 * decoded or cut. The copy, if any, is in the arena. */
struct str endpoint_hide_secrets(
    const struct endpoint *, struct arena *, struct str text);
