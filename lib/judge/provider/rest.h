/*
 * The common part of the HTTP providers: a request is posted with a key, the
 * reply is JSON or an error in one of many forms, and a feature that the
 * server rejects is left out of the next request.
 */
#pragma once

#include "io/out.h"
#include "judge/provider/provider.h"
#include "json/json.h"

enum {                           /* bits: features that a server rejects */
	REST_NO_SCHEMA = 1,      /* a JSON schema; a simpler form is sent */
	REST_NO_JSON = 2,        /* the simpler form; no form is asked for */
	REST_NO_TEMPERATURE = 4, /* a temperature */
	REST_OLD_LIMIT = 8, /* the new name of the token limit; the old name is
			     * sent */
	REST_NO_LIMIT = 16, /* a token limit by any name */
	REST_NO_IMAGES = 32,
};

struct rest {
	/* Words in an error message that refer to the form of the answer
	 * (ended by NULL), and the forms that are tried instead, in the words
	 * of the warning: "for any JSON". */
	const char *format[6];
	const char *less, *least; /* NULL: no such form */
	/* Words in an error with status 404 of a gateway that knows no
	 * provider that supports this form; NULL: not a gateway. */
	const char *no_provider;
	/* The name of the token limit and its old name; NULL: no such name. */
	const char *limit, *old_limit;
	bool limit_required; /* a request without a limit is refused */
	/* Returns an error within a reply with a good status; NULL: there is
	 * no such place. */
	const struct json *(*inner)(const struct json *body);
	/* Reads the body of a successful reply. The answer's kind is
	 * ANSWER_NONE before. */
	void (*read)(const struct json *body, struct arena *, struct answer *);
};

/* Fills an exchange that gets the path below the endpoint's URL, with the
 * key. */
void rest_get(const struct endpoint *, struct exchange *, struct str path);

/* Adds a header "Name: value", unless the user gave a header of that name. At
 * most three headers can be added. */
void rest_header(struct exchange *, const char *header);

/* Fills an exchange that posts a body of this content type
 * ("application/json") to the path. */
void rest_send(const struct endpoint *, struct exchange *, struct str path,
    const char *type, struct str body);

/* Like rest_send, but for a body in JSON. `header` (NULL: none) is added. */
void rest_post(const struct endpoint *, struct exchange *, struct str path,
    const char *header, struct str body);

/* Ends the body of a request, whose object is open, and returns it with the
 * user's parameters. */
struct str rest_body(const struct endpoint *, struct out *body, struct arena *);

/* Returns the token limit of an answer: the user's, or else a default that
 * depends on the number of checks and has room for the thoughts of a model whose
 * thoughts count. Returns 0 if no limit is to be sent: the server rejects limits,
 * or might route or refuse the request by a limit that nobody asked for
 * (OpenRouter, Azure). */
size_t rest_limit(const struct endpoint *, const struct prompt *);

/* Implements a provider's `read`. */
void rest_read(const struct rest *, struct endpoint *, const struct exchange *,
    struct answer *);

/* Says that a token limit cut the answer off. */
void rest_cut_off(struct answer *);

/* Return the reason why an answer does not count, in words that are the same
 * for all protocols. */
struct str rest_refused(struct arena *, struct str words);
struct str rest_filtered(void);

/* Returns whether the server's word for the end of an answer is null, absent or
 * one of the words (ended by NULL). Otherwise sets the answer's text: an answer
 * that ended in any other way is not believed. */
bool rest_ended(const struct json *end, const char *const *words,
    struct arena *, struct answer *);

/* Returns the joined texts of the objects in the list that have this type
 * (NULL: any type); absent if there are none. */
struct str rest_parts(
    const struct json *list, const char *type, struct arena *);
