#include "judge/provider/rest.h"

#include "base/diag.h"
#include "judge/http/headers.h"
#include "judge/provider/error.h"

enum { HEADERS_MAX = 4 }; /* of our own */

/* ---- out ---- */

void
parley_header(struct exchange *x, const char *header)
{
	const char **h = x->headers;

	while (*h != NULL && !headers_same_name(*h, header))
		h++;
	if (*h == NULL)
		*h = header;
}

/* Room for ours behind those that the user wants, whose names win. */
static const char **
headers_of(const struct peer *peer, struct arena *a)
{
	const char **all;
	size_t n = 0;

	while (peer->headers != NULL && peer->headers[n] != NULL)
		n++;
	all = arena_new_n(a, const char *, n + HEADERS_MAX + 1);
	for (size_t i = 0; i < n; i++)
		all[i] = peer->headers[i];
	return all;
}

void
parley_get(const struct peer *peer, struct exchange *x, struct str path)
{
	struct arena *a = x->arena;

	x->to = str_c(a, str_cat(a, str_of(peer->to), path));
	x->headers = headers_of(peer, a);
	if (peer->key != NULL)
		parley_header(x,
		    str_c(a,
			str_cat(a, str_of(peer->header), str_of(peer->key))));
}

void
parley_send(const struct peer *peer, struct exchange *x, struct str path,
    const char *type, struct str body)
{
	struct arena *a = x->arena;

	parley_get(peer, x, path);
	parley_header(
	    x, str_c(a, str_cat(a, STR("Content-Type: "), str_of(type))));
	x->body = body;
}

void
parley_post(const struct peer *peer, struct exchange *x, struct str path,
    const char *header, struct str body)
{
	parley_send(peer, x, path, "application/json", body);
	if (header != NULL)
		parley_header(x, header);
	x->sent = peer->refused;
}

/* ---- a refusal ---- */

static bool
finds_nobody(const struct parley *p, const struct failure *f)
{
	return f->status == 404 && p->nobody != NULL &&
	    str_contains(f->message, str_of(p->nobody));
}

static bool
blames_format(const struct parley *p, const struct failure *f)
{
	if (finds_nobody(p, f))
		return true;
	for (const char *const *word = p->format; *word != NULL; word++)
		if (failure_blames(f, *word))
			return true;
	return false;
}

/* What of the request, as it was sent, the server does not take; 0: it
 * complains of something else. */
static unsigned
refusal(const struct parley *p, const struct peer *peer, unsigned sent,
    const struct failure *f)
{
	bool bare = sent & PARLEY_NO_JSON ||
	    (sent & PARLEY_NO_SCHEMA && p->least == NULL);

	if (f->status != 400 && f->status != 422 && !finds_nobody(p, f))
		return 0;
	if (!bare && blames_format(p, f))
		return sent & PARLEY_NO_SCHEMA ? PARLEY_NO_JSON
					       : PARLEY_NO_SCHEMA;
	if (peer->temperature >= 0 && !(sent & PARLEY_NO_TEMPERATURE) &&
	    failure_blames(f, "temperature"))
		return PARLEY_NO_TEMPERATURE;
	if (peer->max_tokens == 0 || p->limit == NULL || sent & PARLEY_NO_LIMIT)
		return 0;
	if (p->old_limit == NULL || sent & PARLEY_OLD_LIMIT)
		return failure_blames(
			   f, p->old_limit == NULL ? p->limit : p->old_limit)
		    ? PARLEY_NO_LIMIT
		    : 0;
	return failure_blames(f, p->limit) ? PARLEY_OLD_LIMIT : 0;
}

static void
tell_refusal(const struct parley *p, const struct peer *peer, unsigned refused)
{
	const struct {
		unsigned bit;
		const char *what, *how, *instead;
	} words[] = {
		{ PARLEY_NO_SCHEMA, "answer by a schema", "", p->less },
		{ PARLEY_NO_JSON, "JSON mode", "", p->least },
		{ PARLEY_NO_TEMPERATURE, "temperature", "", "without" },
		{ PARLEY_OLD_LIMIT, p->limit, "with ", p->old_limit },
		{ PARLEY_NO_LIMIT, "limit of tokens", "", "without" },
	};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (words[i].bit == refused)
			diag_warn((struct place){ 0 },
			    "%s: %s takes no %s; asking %s%s", peer->to,
			    peer->model, words[i].what, words[i].how,
			    words[i].instead);
}

static void
read_failure(const struct parley *p, struct peer *peer, const struct failure *f,
    struct answer *answer)
{
	unsigned refused = refusal(p, peer, f->exchange->sent, f);

	answer->kind = failure_kind(f);
	if (refused != 0) {
		answer->kind = ANSWER_REWRITE;
		answer->refused = refused;
		if (!(peer->refused & refused))
			tell_refusal(p, peer, refused);
		peer->refused |= refused;
	}
	answer->text = failure_told(f, f->exchange->arena);
	answer->wait = f->wait;
}

/* ---- back ---- */

static void
read_body(const struct parley *p, struct peer *peer, const struct exchange *x,
    const struct json *body, struct answer *answer)
{
	const struct json *inner =
	    p->inner == NULL || body == NULL ? NULL : p->inner(body);
	struct failure f;

	if (failure_read(&f, x, body, inner)) {
		read_failure(p, peer, &f, answer);
	} else if (body == NULL) { /* half a reply, or some proxy's page */
		answer->kind = ANSWER_RETRY;
		answer->text = STR("the reply is not JSON");
	} else {
		answer->kind = ANSWER_NONE;
		answer->text = STR("the reply holds no answer");
		p->read(body, x->arena, answer);
	}
}

void
parley_read(const struct parley *p, struct peer *peer, const struct exchange *x,
    struct answer *answer)
{
	struct json_reader reader = { 0 };
	struct json_error error;

	read_body(
	    p, peer, x, json_read(&reader, x->reply, NULL, &error), answer);
	json_reader_free(&reader);
}

/* ---- words ---- */

struct str
parley_refused(struct arena *a, struct str words)
{
	if (words.n == 0)
		return STR("the judge refused");
	return str_printf(
	    a, "the judge refused: %.*s", STR_FMT(failure_clip(words)));
}

struct str
parley_cut_off(void)
{
	return STR("the answer was cut off at a token limit");
}

struct str
parley_filtered(void)
{
	return STR("a content filter held the answer back");
}

struct str
parley_parts(const struct json *list, const char *type, struct arena *a)
{
	struct str *texts = NULL;
	size_t n = 0;

	for (json_each(part, list)) {
		struct str text = json_text(json_get(part, STR("text")), a);

		if (text.s != NULL &&
		    (type == NULL ||
			json_str_is(json_get(part, STR("type")), str_of(type))))
			*arena_push(a, texts, n) = text;
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, texts, n, STR(""));
}
