/* OpenRouter: Chat Completions that are routed to any provider of the model.
 * The request restricts the route to providers that support the form of the
 * answer. */
#include "judge/http/http.h"
#include "judge/provider/openai.h"

static void
openrouter_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	const char *more = endpoint->refused & REST_NO_JSON
	    ? ""
	    : ",\"provider\":{\"require_parameters\":true}";

	rest_post(endpoint, x, STR("/chat/completions"), NULL,
	    openai_chat_body(endpoint, p, x->arena, more));
}

const struct provider provider_openrouter = {
	.name = "openrouter",
	.what = "OpenRouter",
	.takes_images = true,
	.carrier = &http,
	.url = "https://openrouter.ai/api/v1",
	.url_variable = "OPENROUTER_BASE_URL",
	.keys = { { "OPENROUTER_API_KEY", "Authorization: Bearer " } },
	.write = openrouter_write,
	.read = openai_chat_read,
	.about = openai_about,
	.hosts = true,
};
