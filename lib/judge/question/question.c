#include "judge/question/question.h"

#include "base/diag.h"
#include "base/sha256.h"

/* An upper bound of the mean length of a token in bytes. */
enum { TOKEN_BYTES_MAX = 12 };

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

void
question_name(struct question *q, const struct endpoint *p)
{
	struct prompt plain = prompt_plain(q->arena, &q->prompt);
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "provider", str_of(p->provider->name));
	if (p->provider->url != NULL)
		out_member_str(&o, "url", str_of(p->to));
	out_key(&o, "model");
	out_json_str(&o, str_of(p->model));
	if (p->temperature >= 0)
		out_member_double(&o, "temperature", p->temperature);
	if (p->max_tokens != 0)
		out_member_size(&o, "max_tokens", p->max_tokens);
	if (p->params.s != NULL) {
		out_key(&o, "params");
		out_json_raw(&o, p->params);
	}
	if (q->vote != 0)
		out_member_size(&o, "vote", q->vote);
	if (q->prompt.n_images != 0)
		out_member_begin(&o, "images", '[');
	for (size_t i = 0; i < q->prompt.n_images; i++)
		out_json_str(
		    &o, sha256_hex(q->arena, q->prompt.images[i].data));
	if (q->prompt.n_images != 0)
		out_end(&o, ']');
	out_key(&o, "document");
	out_json_raw(&o, prompt_document(q->arena, &plain));
	out_end(&o, '}');
	q->key = cache_key(q->arena, out_keep(&o, q->arena));
}

void
question_store(const struct question *q, const char *cache)
{
	struct prompt plain = prompt_plain(q->arena, &q->prompt);
	struct out o;

	if (q->verdicts.good < q->verdicts.n)
		return;
	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "verdicts");
	verdict_write(&o, q->arena, &plain, &q->verdicts);
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

/* Returns whether the server reports fewer tokens than the texts of the request
 * can have. A schema is not among the texts: not all servers make tokens of
 * it. */
static bool
is_unread(const struct question *q, const struct usage *u)
{
	const struct prompt *p = &q->prompt;
	double bytes = (double)(p->rules.n + p->list.n + p->data.n);
	double tokens = u->n[USAGE_INPUT] + u->n[USAGE_CACHE_READ] +
	    u->n[USAGE_CACHE_WRITE];

	return tokens > 0 && tokens * TOKEN_BYTES_MAX < bytes;
}

void
question_settle(
    struct question *q, const struct answer *answer, const char *cache)
{
	if (answer->kind != ANSWER_TEXT)
		question_fail(q, answer->text);
	else if (is_unread(q, &answer->usage))
		question_fail(q,
		    STR("the server did not read it all (it reports fewer "
			"tokens than a twelfth of the request's bytes)"));
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
	}
	all->list = list;
}

/* Reads a stored answer, which counts only if it decides every check. */
static bool
take_kept(struct question *q, const struct json *reply)
{
	const struct json *words = json_get(reply, "verdicts");
	struct prompt plain = prompt_plain(q->arena, &q->prompt);
	struct str why = { 0 };

	if (words == NULL ||
	    !verdict_read(&q->verdicts, q->arena, &plain, words->text, &why) ||
	    q->verdicts.good < q->verdicts.n || !passes_test(q, &why)) {
		q->verdicts = (struct verdicts){ 0 };
		return false;
	}
	q->model =
	    str_dup(q->arena, json_text(json_get(reply, "model"), q->arena));
	q->usage = usage_of(json_get(reply, "usage"));
	return true;
}

bool
question_recall(struct question *q, const char *cache)
{
	struct str text = cache_get(q->arena, cache, q->key);
	struct json_reader reader = { 0 };
	struct json_error error;

	if (text.s == NULL)
		return false;
	q->cached = take_kept(q, json_read(&reader, text, NULL, &error));
	q->done = q->cached;
	if (!q->cached)
		diag_warn(
		    (struct place){ cache_path(q->arena, cache, q->key), 0, 0 },
		    "cache: file skipped: no verdict on every check");
	json_reader_free(&reader);
	return q->cached;
}
