#include "judge/question/question.h"

#include "base/ascii.h"
#include "base/diag.h"
#include "base/sha256.h"
#include "judge/question/measure.h"

/* A word that is certain to be no part of a token with another word. */
enum { WORD_LETTERS = 3 };

void
question_begin(struct question *q, double seconds)
{
	q->exchange = (struct exchange){
		.seconds = seconds,
		.arena = q->arena,
		.reply = STR(""),
		.wait = -1,
		.cost = -1,
		.owner = q,
		.images = q->prompt.n_images,
	};
	for (size_t i = 0; i < q->prompt.n_images; i++)
		q->exchange.image_bytes += q->prompt.images[i].data.n;
}

void
question_fail(struct question *q, struct str why)
{
	q->why = why;
	q->done = true;
}

/* Returns whether the verdicts pass the test of a canary: the last check, if
 * it is a canary, has to fail or to be not shown. Otherwise sets *why. */
static bool
passes_test(const struct question *q, struct str *why)
{
	const struct verdict *last = &q->verdicts.list[q->verdicts.n - 1];

	if (!q->canary || last->found == VERDICT_FAIL ||
	    last->found == VERDICT_NOT_SHOWN)
		return true;
	*why = STR("the answer passes a check that must fail");
	return false;
}

bool
question_accept(struct question *q, struct str words)
{
	struct str why = { 0 };

	if (!verdict_read(&q->verdicts, q->arena, &q->prompt, words, &why) ||
	    !passes_test(q, &why)) {
		q->verdicts.list = NULL;
		question_fail(q, why);
		return false;
	}
	q->done = true;
	return true;
}

/* The version of the prompt in the keys of caches. The first one has no number,
 * and its key has the whole document. */
enum { PROMPT_VERSION = 2 };

/* Begins the request of a key with all that an answer depends on but the
 * prompt. */
static void
begin_key(struct out *o, const struct question *q, const struct endpoint *p)
{
	out_open_memory(o);
	out_begin(o, '{');
	out_member_str(o, "provider", str_of(p->provider->name));
	if (p->provider->url != NULL)
		out_member_str(o, "url", str_of(p->to));
	out_key(o, "model");
	out_json_str(o, str_of(p->model));
	if (p->temperature >= 0)
		out_member_double(o, "temperature", p->temperature);
	if (p->max_tokens != 0)
		out_member_size(o, "max_tokens", p->max_tokens);
	if (p->params.s != NULL) {
		out_key(o, "params");
		out_json_raw(o, p->params);
	}
	if (q->vote != 0)
		out_member_size(o, "vote", q->vote);
}

/* Writes the digests of the images, of which the data has only marks. */
static void
put_images(struct out *o, const struct question *q)
{
	if (q->prompt.n_images == 0)
		return;
	out_member_begin(o, "images", '[');
	for (size_t i = 0; i < q->prompt.n_images; i++)
		out_json_str(o, sha256_hex(q->arena, q->prompt.images[i].data));
	out_end(o, ']');
}

void
question_name(struct question *q, const struct endpoint *p)
{
	struct out o;

	begin_key(&o, q, p);
	out_member_int(&o, "prompt", PROMPT_VERSION);
	out_key(&o, "checks");
	out_json_raw(&o, q->prompt.list);
	out_key(&o, "data");
	out_json_raw(&o, q->prompt.data);
	put_images(&o, q);
	out_end(&o, '}');
	q->key = cache_key(q->arena, out_keep(&o, q->arena));
}

struct cache_key
question_old_key(const struct question *q, const struct endpoint *p)
{
	struct prompt old = prompt_old(q->arena, &q->prompt);
	struct out o;

	begin_key(&o, q, p);
	out_key(&o, "document");
	out_json_raw(&o, prompt_document(q->arena, &old));
	out_end(&o, '}');
	return cache_key(q->arena, out_keep(&o, q->arena));
}

void
question_store(const struct question *q, const char *cache)
{
	struct prompt stored = prompt_stored(&q->prompt);
	struct out o;

	if (q->verdicts.good < q->verdicts.n)
		return;
	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "verdicts");
	verdict_write(&o, q->arena, &stored, &q->verdicts);
	if (q->model.n != 0) {
		out_key(&o, "model");
		out_json_str(&o, q->model);
	}
	if (q->usage.known != 0) {
		out_key(&o, "usage");
		usage_write(&o, &q->usage);
	}
	out_end(&o, '}');
	cache_put(q->arena, cache, q->key, out_keep(&o, q->arena));
}

/* Returns the number of words of the text, which is the least number of its
 * tokens: tokenizers cut texts at the ends of words first. A word is a run of
 * ASCII letters and apostrophes. */
static size_t
count_words(struct str text)
{
	size_t words = 0, letters = 0;

	for (size_t i = 0; i <= text.n; i++) {
		if (i < text.n &&
		    (ascii_is_letter((uint8_t)text.s[i]) ||
			text.s[i] == '\'')) {
			letters++;
			continue;
		}
		words += letters >= WORD_LETTERS;
		letters = 0;
	}
	return words;
}

/* Returns why the request was not read whole; absent: it may have been. The
 * nonces prove that the instructions and both ends of the data were read, the
 * number of tokens that the middle was. Only the data counts: some servers leave a
 * prefix that they have seen before out of their numbers. */
static struct str
why_unread(const struct question *q, const struct usage *u)
{
	double tokens = u->n[USAGE_INPUT] + u->n[USAGE_CACHE_READ] +
	    u->n[USAGE_CACHE_WRITE];
	size_t words = tokens > 0 ? count_words(q->prompt.data) : 0;

	if (tokens >= (double)words)
		return (struct str){ 0 };
	return str_printf(q->arena,
	    "the server did not read it all (it reports %.0f tokens for %zu "
	    "words)",
	    tokens, words);
}

/* Like question_accept, for the reply to a prompt whose texts are measured. */
static bool
accept_measure(struct question *q, struct str reply)
{
	struct verdict *v = arena_new(q->arena, struct verdict);
	struct str why = { 0 };

	if (!measure_decide(v, q->arena, &q->prompt, reply, &why)) {
		question_fail(q, why);
		return false;
	}
	q->verdicts = (struct verdicts){ .list = v, .n = 1, .good = 1 };
	q->done = true;
	return true;
}

void
question_settle(
    struct question *q, const struct answer *answer, const char *cache)
{
	struct str unread = why_unread(q, &answer->usage);

	if (answer->kind != ANSWER_TEXT)
		question_fail(q, answer->text);
	else if (q->prompt.measured) {
		if (accept_measure(q, answer->text) && cache != NULL)
			question_store(q, cache);
	} else if (unread.s != NULL)
		question_fail(q, unread);
	else if (question_accept(q, answer->text) && cache != NULL)
		question_store(q, cache);
}

void
question_keep(struct question *q, struct arena *a)
{
	struct verdicts *all = &q->verdicts;
	struct verdict *list = arena_new_n(a, struct verdict, all->n);

	if (q->why.s != NULL)
		q->why = str_dup(a, q->why);
	if (q->entry.path != NULL)
		q->entry.path = str_c(a, str_of(q->entry.path));
	q->model = str_dup(a, q->model);
	if (all->list == NULL)
		return;
	for (size_t i = 0; i < all->n; i++) {
		list[i] = all->list[i];
		list[i].reason = str_dup(a, list[i].reason);
		if (list[i].quotes.s != NULL)
			list[i].quotes = str_dup(a, list[i].quotes);
	}
	all->list = list;
}

/* Reads a stored answer, which counts only if it decides every check. */
static bool
take_kept(struct question *q, const struct prompt *p, const struct json *reply)
{
	const struct json *words = json_get(reply, "verdicts");
	struct str why = { 0 };

	if (words == NULL ||
	    !verdict_read(&q->verdicts, q->arena, p, words->text, &why) ||
	    q->verdicts.good < q->verdicts.n || !passes_test(q, &why)) {
		q->verdicts = (struct verdicts){ 0 };
		return false;
	}
	q->model =
	    str_dup(q->arena, json_text(json_get(reply, "model"), q->arena));
	q->usage = usage_of(json_get(reply, "usage"));
	return true;
}

/* Takes the answer that is stored under the key for this prompt. */
static bool
recall_by(struct question *q, const char *cache, struct cache_key key,
    const struct prompt *p)
{
	struct str text = cache_get(q->arena, cache, key);
	struct json_reader reader = { 0 };
	struct json_error error;

	if (text.s == NULL)
		return false;
	q->cached = take_kept(q, p, json_read(&reader, text, NULL, &error));
	q->done = q->cached;
	if (!q->cached)
		diag_warn(
		    (struct place){ cache_path(q->arena, cache, key), 0, 0 },
		    "cache: file skipped: no verdict on every check");
	json_reader_free(&reader);
	return q->cached;
}

bool
question_recall(
    struct question *q, const char *cache, const struct endpoint *endpoint)
{
	struct prompt stored = prompt_stored(&q->prompt), old;

	if (recall_by(q, cache, q->key, &stored))
		return true;
	old = prompt_old(q->arena, &q->prompt);
	return recall_by(q, cache, question_old_key(q, endpoint), &old);
}
