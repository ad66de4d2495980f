/*
 * What the protocols over HTTP have in common: a request is posted with a key,
 * a reply is JSON or an error in one of many forms, and what a server does not
 * take of a request is left out of the next one.
 */
#pragma once

#include "judge/provider/provider.h"
#include "json/json.h"

enum {                      /* what a server does not take: bits */
	REST_NO_SCHEMA = 1, /* answers by a schema; something less */
	REST_NO_JSON = 2,   /* nor that */
	REST_NO_TEMPERATURE = 4,
	REST_OLD_LIMIT = 8, /* the limit of tokens has its old name */
	REST_NO_LIMIT = 16, /* it has none */
};

struct rest {
	/* The words by which a refusal names the form of an answer (NULL ends
	 * them), and what is asked for instead: "for any JSON". */
	const char *format[6];
	const char *less, *least; /* NULL: there is none */
	/* How a server that passes requests on says, with the status 404, that
	 * it knows nobody who takes this form; NULL: none does. */
	const char *nobody;
	/* The limit's name, and its old one; NULL: there is none, or it has to
	 * be given. */
	const char *limit, *old_limit;
	/* An error within a reply that else is well; NULL: nowhere to look. */
	const struct json *(*inner)(const struct json *body);
	/* Reads the body of a reply that is well into an answer of the kind
	 * ANSWER_NONE. */
	void (*read)(const struct json *body, struct arena *, struct answer *);
};

/* Has the exchange go to the peer's URL with this path, with its key; it gets
 * what is there. */
void rest_get(const struct endpoint *, struct exchange *, struct str path);

/* Has a header more go with it, "Name: value", unless the user has one of that
 * name; no more than three. */
void rest_header(struct exchange *, const char *header);

/* Has it post the body, of this type: "application/json". */
void rest_send(const struct endpoint *, struct exchange *, struct str path,
    const char *type, struct str body);

/* The same of a body that is JSON; `header` (NULL: none) goes with it. */
void rest_post(const struct endpoint *, struct exchange *, struct str path,
    const char *header, struct str body);

/* A provider's `read`. */
void rest_read(const struct rest *, struct endpoint *, const struct exchange *,
    struct answer *);

/* Why an answer does not count, whatever the protocol calls it. */
struct str rest_refused(struct arena *, struct str words);
struct str rest_cut_off(void);
struct str rest_filtered(void);

/* The texts of a list's objects that have this type (NULL: any), joined;
 * absent if there is none. */
struct str rest_parts(
    const struct json *list, const char *type, struct arena *);
