/* OpenAI's Chat Completions, and the many servers that speak it. */
#include "judge/http/http.h"
#include "judge/provider/openai_batch.h"
#include "judge/provider/openai_chat.h"

static void
openai_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	rest_post(endpoint, x, STR("/chat/completions"), NULL,
	    openai_chat_body(endpoint, p, x->arena, ""));
}

const struct provider provider_openai = {
	.name = "openai",
	.what = "OpenAI Chat Completions, and the servers that speak it",
	.carrier = &http,
	.url = "https://api.openai.com/v1",
	.url_variable = "OPENAI_BASE_URL",
	.keys = { { "OPENAI_API_KEY", "Authorization: Bearer " } },
	.write = openai_write,
	.read = openai_chat_read,
	.batch_api = &batch_openai,
	.batch_url = "/v1/chat/completions",
};
