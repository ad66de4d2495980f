/*
 * Whom to ask, found from options and environment; an option wins. A key is
 * taken from a file or the environment alone: command lines are there for all
 * to see.
 */
#pragma once

#include "judge/provider/provider.h"

/* What the options say; NULL: nothing. */
struct endpoint_options {
	const char *provider, *model, *base_url, *key_file, *headers_file;
	const char *command;
	bool unasked; /* nothing will be sent: no command is needed */
	bool dry;     /* nor need anybody be named */
};

/*
 * Fills provider, to, model and key of the peer; the provider is NULL if
 * nobody is named at all. False, and *wrong, if the options make no sense.
 */
bool endpoint_find(struct endpoint *, struct arena *,
    const struct endpoint_options *, struct str *wrong);

/* Bytes: what is shorter is no secret, but a word that a local server is content
 * with. */
enum { ENDPOINT_SECRET_LEAST = 16 };

/* The i-th text that nobody may see: the key, then what of a user's headers,
 * as far as they are as long as a key is. Absent behind the last. */
struct str endpoint_secret(const struct endpoint *, size_t i);

/* What a server says, without these, which it may quote. */
struct str endpoint_hide_secrets(
    const struct endpoint *, struct arena *, struct str text);
