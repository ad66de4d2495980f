/* Azure OpenAI: Chat Completions at the address of a deployment or, if the
 * base URL ends in /openai/v1, at the same path as OpenAI's. */
#include <stdlib.h>
#include <string.h>

#include "base/uri.h"
#include "judge/http/http.h"
#include "judge/provider/openai.h"

static struct str
version(void)
{
	const char *given = getenv("OPENAI_API_VERSION");

	return str_of(given == NULL || *given == '\0' ? "2024-10-21" : given);
}

/* Returns whether the base URL uses the same paths as OpenAI's. */
static bool
is_plain(const struct endpoint *endpoint)
{
	return str_ends(str_of(endpoint->to), "/openai/v1");
}

/* Returns the path of something that belongs to no deployment. It has the API
 * version, too. */
static struct str
path_of(const struct endpoint *endpoint, struct arena *a, struct str path)
{
	if (is_plain(endpoint))
		return path;
	return str_printf(a, "/openai%.*s%capi-version=%.*s", STR_FMT(path),
	    str_find_char(path, '?') < path.n ? '&' : '?',
	    STR_FMT(uri_encode(a, version())));
}

static void
azure_post(const struct endpoint *endpoint, struct exchange *x, struct str body)
{
	struct str path = STR("/chat/completions");
	struct arena *a = x->arena;

	if (!is_plain(endpoint))
		path = path_of(endpoint, a,
		    str_printf(a, "/deployments/%.*s/chat/completions",
			STR_FMT(uri_encode(a, str_of(endpoint->model)))));
	rest_post(endpoint, x, path, NULL, body);
}

static void
azure_write(
    const struct endpoint *endpoint, const struct prompt *p, struct exchange *x)
{
	azure_post(endpoint, x, openai_chat_body(endpoint, p, x->arena, ""));
}

/* Older versions know the token limit only by its old name. */
static void
azure_prepare(struct endpoint *endpoint)
{
	static const char first[] = "2024-09-01";

	if (!is_plain(endpoint) &&
	    strncmp(version().s, first, sizeof first - 1) < 0)
		endpoint->refused |= REST_OLD_LIMIT;
}

const struct provider provider_azure = {
	.name = "azure",
	.what = "Azure OpenAI; the model is the name of its deployment",
	.takes_images = true,
	.carrier = &http,
	.url = "",
	.url_variable = "AZURE_OPENAI_ENDPOINT",
	.keys = { { "AZURE_OPENAI_API_KEY", "api-key: " },
	    { "AZURE_OPENAI_AD_TOKEN", "Authorization: Bearer " } },
	.write = azure_write,
	.post = azure_post,
	.prepare = azure_prepare,
	.read = openai_chat_read,
	.batch_api = &batch_openai,
	.batch_url = "/chat/completions",
	.batch_path = path_of,
	.hosts = true,
	.own = ".azure.com",
};
