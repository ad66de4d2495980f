/* OpenRouter: Chat Completions passed on to whoever offers the model, but only
 * to those who keep to the form that is asked for. */
#include "judge/http/http.h"
#include "judge/provider/openai_chat.h"

static void
openrouter_write(
    const struct peer *peer, const struct prompt *p, struct exchange *x)
{
	const char *more = peer->refused & PARLEY_NO_JSON
	    ? ""
	    : ",\"provider\":{\"require_parameters\":true}";

	parley_post(peer, x, STR("/chat/completions"), NULL,
	    chat_body(peer, p, x->arena, more));
}

const struct provider provider_openrouter = {
	.name = "openrouter",
	.what = "OpenRouter",
	.carrier = &http,
	.url = "https://openrouter.ai/api/v1",
	.url_variable = "OPENROUTER_BASE_URL",
	.keys = { { "OPENROUTER_API_KEY", "Authorization: Bearer " } },
	.write = openrouter_write,
	.read = chat_read,
};
