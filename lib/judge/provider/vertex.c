/*
 * Google's Vertex AI: Gemini's generateContent at the address of a project and a
 * region, or, with a key, of no project. Addresses and variables are those of npm's
 * @google/genai 2.32.0; CLOUDSDK_AUTH_ACCESS_TOKEN is gcloud's.
 */
#include <stdlib.h>

#include "judge/http/http.h"
#include "judge/provider/gemini.h"

static struct str
variable(const char *name, struct str otherwise)
{
	struct str value = str_of(getenv(name));

	return value.n == 0 ? otherwise : value;
}

static struct str
location(void)
{
	return variable("GOOGLE_CLOUD_LOCATION", STR("global"));
}

static struct str
project(void)
{
	return variable("GOOGLE_CLOUD_PROJECT", (struct str){ 0 });
}

static struct str
vertex_place(struct arena *a)
{
	struct str where = location();

	if (project().s == NULL || str_is(where, "global"))
		return STR("https://aiplatform.googleapis.com");
	return str_printf(
	    a, "https://%.*s-aiplatform.googleapis.com", STR_FMT(where));
}

/* Completes the URL of a server with the folder of Google's models. */
static struct str
base(struct arena *a, struct str url)
{
	struct str place = project();

	if (str_contains(url, "/publishers/"))
		return url;
	if (!str_ends(url, "/v1") && !str_ends(url, "/v1beta1"))
		url = str_cat(a, url, STR("/v1"));
	if (place.s != NULL)
		url = str_printf(a, "%.*s/projects/%.*s/locations/%.*s",
		    STR_FMT(url), STR_FMT(place), STR_FMT(location()));
	return str_cat(a, url, STR("/publishers/google"));
}

const struct provider provider_vertex = {
	.name = "vertex",
	.what = "Google Vertex AI: Gemini",
	.takes_images = true,
	.carrier = &http,
	.url = "",
	.url_variable = "GOOGLE_VERTEX_BASE_URL",
	.place = vertex_place,
	.own = "aiplatform.googleapis.com",
	.base = base,
	.keys = { { "CLOUDSDK_AUTH_ACCESS_TOKEN", "Authorization: Bearer " },
	    { "GOOGLE_API_KEY", "x-goog-api-key: " } },
	.hosts = true,
	.preset = true,
	.write = gemini_write,
	.read = gemini_read,
};
