#include "judge/question/window.h"

#include "io/interrupt.h"
#include "io/out.h"
#include "judge/provider/context_window.h"
#include "judge/question/cache.h"

enum { SECONDS = 10 };

static const double nap = 0.2; /* libcurl does not wake up for signals */

/* Returns the exchange's reply; absent if there is none with a good status. */
static struct str
carry(const struct carrier *c, struct exchange *x)
{
	void *self = c->open(x->arena, 1);
	bool done = false;

	c->start(self, x);
	while (!done && !interrupt_came())
		done = c->next(self, nap, -1) != NULL;
	if (!done)
		c->stop(self);
	c->close(self);
	return done && x->status == 200 ? x->reply : (struct str){ 0 };
}

/* Asks the server, and for more where its reply does not say it all. Returns the
 * tokens; 0: not known. */
static size_t
ask(const struct endpoint *p, struct arena *a)
{
	struct str reply = { 0 };
	size_t tokens = 0;

	for (;;) {
		struct exchange x = { .arena = a,
			.seconds = SECONDS,
			.reply = STR(""),
			.wait = -1,
			.cost = -1 };
		size_t said;

		if (!p->provider->about(p, &x, reply))
			return tokens;
		reply = carry(p->provider->carrier, &x);
		if (reply.s == NULL)
			return tokens;
		said = context_window_said(reply, str_of(p->model));
		if (said != 0 && (tokens == 0 || said < tokens))
			tokens = said;
	}
}

/* Returns the key of the answer, which has no rubrics and so is no other's. */
static struct cache_key
key_of(const struct endpoint *p, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "provider", str_of(p->provider->name));
	out_member_str(&o, "url", str_of(p->to));
	out_member_str(&o, "model", str_of(p->model));
	out_member_bool(&o, "context", true);
	out_end(&o, '}');
	return cache_key(a, out_keep(&o, a));
}

void
window_find(struct endpoint *p, const char *cache, bool silent)
{
	struct arena a = { 0 };
	struct cache_key key;

	if (p->context_tokens != 0 || p->context_asked ||
	    p->provider->about == NULL)
		return;
	p->context_asked = true;
	key = key_of(p, &a);
	if (cache != NULL)
		p->context_tokens = context_window_said(
		    cache_get(&a, cache, key), str_of(p->model));
	if (p->context_tokens == 0 && !silent) {
		p->context_tokens = ask(p, &a);
		if (p->context_tokens != 0 && cache != NULL)
			cache_put(&a, cache, key,
			    str_printf(&a, "{\"context_length\":%zu}",
				p->context_tokens));
	}
	arena_free(&a);
}
