#include "growing.h"

#include "../hash.h"

static uint64_t
hash_messages(const struct json *messages, size_t n)
{
	uint64_t h = HASH_START;

	for (json_each(m, messages)) {
		if (n-- == 0)
			break;
		h = hash_add(h, m->text);
	}
	return h;
}

size_t
growing_told(struct growing *g, const struct json *messages, bool answered,
    bool (*by_model)(const struct json *message))
{
	size_t n = json_count(messages), told = 0, i = 0;

	if (g->n != 0 && (n > g->n || (n == g->n && g->failed)) &&
	    hash_messages(messages, g->n) == g->hash)
		told = g->n;
	for (json_each(m, messages))
		if (i++ == told && told != 0 && by_model != NULL && by_model(m))
			told++;
	g->n = answered ? n : 0;
	g->hash = hash_messages(messages, g->n);
	g->failed = false;
	return told;
}

void
growing_failed(struct growing *g, const struct json *messages,
    bool (*by_model)(const struct json *message))
{
	bool any = false;

	for (json_each(m, messages))
		any = any || by_model(m);
	if (!any)
		return;
	g->n = json_count(messages);
	g->hash = hash_messages(messages, g->n);
	g->failed = true;
}
