/* The first byte selects the HTTP status; the rest is the reply of a server. Each
 * provider must find an answer of the judge in the reply, or a reason why there is
 * none. */
#include <assert.h>
#include <stdint.h>

#include "base/diag.h"
#include "judge/provider/provider.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
ask(const struct provider *provider, int status, struct str reply)
{
	static const struct prompt_check check = { .rubric = { "\"x\"", 3 } };
	struct endpoint endpoint = { .provider = provider,
		.to = "http://localhost",
		.model = "m",
		.max_tokens = 1 };
	struct arena arena = { 0 };
	struct prompt prompt = prompt_make(&arena, &check, 1, STR("{}"));
	struct exchange x = { .arena = &arena, .wait = -1 };
	struct answer answer = { 0 };

	provider->write(&endpoint, &prompt, &x);
	x.status = status;
	x.reply = reply;
	provider->read(&endpoint, &x, &answer);
	assert(answer.text.s != NULL && answer.wait >= 0);
	assert((answer.kind == ANSWER_REWRITE) == (answer.refused != 0));
	assert(endpoint.refused == 0); /* until a request without it succeeds */
	arena_free(&arena);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int statuses[] = { 200, 400, 401, 422, 429, 500, 302 };
	struct str reply = { (const char *)data, size };
	const struct provider *const *p = provider_table;

	if (size == 0)
		return 0;
	diag_quiet();
	for (; *p != NULL; p++)
		if ((*p)->url != NULL)
			ask(*p,
			    statuses[data[0] %
				(sizeof statuses / sizeof *statuses)],
			    str_from(reply, 1));
	return 0;
}
