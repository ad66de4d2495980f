/*
 * Whom to ask, found from options and environment; an option wins. A key is
 * taken from a file or the environment alone: command lines are there for all
 * to see.
 */
#ifndef PEER_H
#define PEER_H

#include "provider.h"

/* What the options say; NULL: nothing. */
struct peer_options {
	const char *provider, *model, *base_url, *key_file, *command;
	bool unasked; /* nothing will be sent: no command is needed */
	bool dry;     /* nor need anybody be named */
};

/*
 * Fills provider, to, model and key of the peer; the provider is NULL if
 * nobody is named at all. False, and *wrong, if the options make no sense.
 */
bool peer_find(struct peer *, struct arena *, const struct peer_options *,
    struct str *wrong);

/* What a server says, without its key, which it may quote. */
struct str peer_hide_key(const struct peer *, struct arena *, struct str text);

#endif
