/* What a chat server replies: whatever it is, it makes words of the judge or a
 * reason why there are none. The first byte picks the HTTP status. */
#include <assert.h>
#include <stdint.h>

#include "../../lib/diag.h"
#include "../../lib/provider.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int statuses[] = { 200, 400, 401, 422, 429, 500, 302 };
	struct str reply = { (const char *)data, size };
	struct peer peer = { .provider = &provider_openai,
		.to = "http://localhost",
		.model = "m",
		.max_tokens = 1 };
	struct arena arena = { 0 };
	struct exchange x = { .arena = &arena, .wait = -1 };
	struct answer answer = { 0 };

	if (size == 0)
		return 0;
	diag_quiet();
	x.status = statuses[data[0] % (sizeof statuses / sizeof statuses[0])];
	x.reply = str_from(reply, 1);
	peer.provider->read(&peer, &x, &answer);
	assert(answer.text.s != NULL);
	assert((answer.kind == ANSWER_REWRITE) == (peer.refused != 0));
	arena_free(&arena);
	return 0;
}
