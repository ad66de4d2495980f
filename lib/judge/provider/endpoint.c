#include "judge/provider/endpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/diag.h"
#include "base/suggest.h"
#include "io/slurp.h"
#include "judge/http/headers.h"
#include "judge/provider/context_window.h"
#include "judge/provider/model_name.h"

enum { KEY_MAX = 16 * 1024 }; /* bytes; tokens may be long */

static bool
is_something(const char *text)
{
	return text != NULL && *text != '\0';
}

/* Returns the option, or else the variable if it is not empty, or else
 * NULL. */
static const char *
either(const char *option, const char *variable)
{
	const char *value = getenv(variable);

	if (option != NULL)
		return option;
	return is_something(value) ? value : NULL;
}

/* ---- the server ---- */

/* Returns whether a URL has a user name or a query, which may be secret: the
 * URL is shown in messages and stored. */
static bool
has_secrets(struct str url)
{
	return str_find_char(url, '@') < url.n ||
	    str_find_char(url, '?') < url.n;
}

static bool
is_plain_url(struct str url)
{
	struct str host = url;

	if (str_starts(url, "https://"))
		host = str_from(url, 8);
	else if (str_starts(url, "http://"))
		host = str_from(url, 7);
	for (size_t i = 0; i < host.n; i++)
		if (host.s[i] <= ' ' || host.s[i] > '~' || host.s[i] == '#')
			return false;
	return host.n < url.n && host.n != 0 && host.s[0] != '/' &&
	    !has_secrets(url);
}

/* Returns the scheme and the host of a URL. */
static struct str
origin_of(struct str url)
{
	struct str rest = str_from(url, str_find(url, STR("://")));
	size_t host = url.n - rest.n + (rest.n == 0 ? 0 : 3);

	return str_slice(
	    url, 0, host + str_find_char(str_from(url, host), '/'));
}

/* Returns whether the URL is on the server of the company that offers the
 * models, rather than on a gateway or a local server. */
static bool
is_own_server(const struct provider *provider, struct str url)
{
	struct str own = str_of(provider->url);

	return provider->own != NULL
	    ? str_ends(origin_of(url), str_of(provider->own))
	    : str_starts(own, "https://") &&
		str_eq(origin_of(own), origin_of(url));
}

/* Returns the variable that names another server than the company's own for
 * this provider, or NULL if it is not set. The variables of Ollama and Azure
 * are the usual way to name their servers, not a gateway. */
static const char *
gateway_of(const struct provider *provider)
{
	const char *url = either(NULL, provider->url_variable);

	return url == NULL || !str_starts(str_of(provider->url), "https://") ||
		is_own_server(provider, str_of(url))
	    ? NULL
	    : url;
}

/* Returns a variable's name, or one that no variable has, if the judge's own
 * variables do not count. */
static const char *
variable(const struct endpoint_options *o, const char *name)
{
	return o->measures ? "" : name;
}

static bool
find_url(struct endpoint *p, struct arena *a, const struct endpoint_options *o,
    struct str *wrong)
{
	const char *url =
	    either(o->base_url, variable(o, "MCPL_JUDGE_BASE_URL"));
	struct str text;

	if (url == NULL)
		url = either(NULL, p->provider->url_variable);
	text = str_of(url == NULL ? p->provider->url : url);
	if (url == NULL && p->provider->place != NULL)
		text = p->provider->place(a);
	if (text.n == 0) {
		*wrong = str_printf(a, "--base-url: required unless %s is set",
		    p->provider->place_variable != NULL
			? p->provider->place_variable
			: p->provider->url_variable);
		return false;
	}
	while (str_ends(text, "/"))
		text = str_slice(text, 0, text.n - 1);
	if (*p->provider->url != '\0' && is_own_server(p->provider, text) &&
	    str_eq(origin_of(text), text))
		text = str_of(p->provider->url);
	if (p->provider->base != NULL && text.n != 0)
		text = p->provider->base(a, text);
	p->to = str_c(a, text);
	if (!is_plain_url(text))
		*wrong = str_printf(a,
		    "--base-url: expected http://HOST/PATH or "
		    "https://HOST/PATH, found %.*s",
		    STR_FMT(has_secrets(text) ? STR("a user name or a query")
					      : text));
	return wrong->s == NULL;
}

/* ---- the key ---- */

static bool
is_key(struct str key)
{
	for (size_t i = 0; i < key.n; i++)
		if (key.s[i] <= ' ' || key.s[i] > '~')
			return false;
	return key.n != 0;
}

/* Returns whether a file name may be a key that was given by mistake: there is
 * no such file, and the name does not look like a path. Depends on errno. */
static bool
may_be_key(struct str name)
{
	enum { PATH_MOST = 32 }; /* keys may contain dots, but are longer */

	return (errno == ENOENT || errno == ENAMETOOLONG) &&
	    str_find_char(name, '/') == name.n &&
	    (str_find_char(name, '.') == name.n || name.n > PATH_MOST);
}

/* Reads the key of --api-key-file. Returns an absent text and sets *wrong if
 * that fails. */
static struct str
read_key(const char *file, struct arena *a, struct str *wrong)
{
	struct str key = { 0 };

	errno = EFBIG;
	if (slurp_file(a, file, KEY_MAX, &key) && key.n < KEY_MAX)
		return str_trim(key);
	*wrong = may_be_key(str_of(file))
	    ? str_printf(a,
		  "--api-key-file: cannot read the file (its name is not "
		  "shown, because it may be a key): %s",
		  strerror(errno))
	    : str_printf(a, "--api-key-file: %s: cannot read: %s", file,
		  strerror(errno));
	return (struct str){ 0 };
}

/* Finds the key in the file or the environment. No message quotes a text that
 * is not a valid key: it may be half of one. */
static bool
find_key(
    struct endpoint *p, struct arena *a, const char *file, struct str *wrong)
{
	const struct provider_key *k = p->provider->keys;
	struct str key;

	while (file == NULL && either(NULL, k->variable) == NULL &&
	    k[1].variable != NULL)
		k++;
	key = file == NULL ? str_trim(str_of(either(NULL, k->variable)))
			   : read_key(file, a, wrong);
	if (key.s != NULL && !is_key(key))
		*wrong =
		    str_printf(a, "%s%s: expected one word of ASCII characters",
			file == NULL ? k->variable : "--api-key-file: ",
			file == NULL ? "" : file);
	p->key = key.s == NULL ? NULL : str_c(a, key);
	p->header = k->header;
	for (size_t i = 0; k == &p->provider->keys[1] && i < 2; i++)
		if (p->key != NULL && p->provider->more[i] != NULL)
			p->more[i] = either(NULL, p->provider->more[i]);
	return wrong->s == NULL;
}

static bool
find_headers(
    struct endpoint *p, struct arena *a, const char *file, struct str *wrong)
{
	struct str why;

	if (file == NULL || headers_read(a, file, &p->headers, &why))
		return true;
	*wrong = str_cat(a, STR("--headers-file: "), why);
	return false;
}

/* Returns whether the user's headers have the header of the provider's key. */
static bool
has_key_header(const struct endpoint *p)
{
	for (const struct provider_key *k = p->provider->keys;
	     k->variable != NULL; k++)
		for (const char **h = p->headers; h != NULL && *h != NULL; h++)
			if (headers_same_name(*h, k->header))
				return true;
	return false;
}

/* Returns other ways to ask for the model, for the message that a key is
 * missing: the record goes there only if the user says so. */
static struct str
other_ways(const struct endpoint *p, struct arena *a)
{
	const char *key = provider_openrouter.keys[0].variable;
	const char *gateway = gateway_of(&provider_openai);
	struct str ways = STR("");

	if (p->provider != &provider_openrouter && either(NULL, key) != NULL)
		ways = str_printf(a,
		    "; %s is set: -m openrouter/%s/%s asks OpenRouter", key,
		    p->provider->name, p->model);
	if (p->provider != &provider_openai && gateway != NULL)
		ways = str_printf(a, "%.*s; %s is set: -p openai asks %s",
		    STR_FMT(ways), provider_openai.url_variable, gateway);
	return ways;
}

/* Refuses what a company's own server would refuse: a model that the name says
 * is another company's. */
static bool
check_company(const struct endpoint *p, struct arena *a, struct str *wrong)
{
	const struct provider *provider = p->provider;
	struct model_name m = model_name_read(str_of(p->model));

	if (is_own_server(provider, str_of(p->to)) && m.provider != NULL &&
	    !provider->hosts && !model_name_same_company(m.provider, provider))
		*wrong = str_printf(a,
		    "--model: %s is a model of %s, and %s is the server of %s",
		    p->model, m.provider->name, p->to, provider->name);
	return wrong->s == NULL;
}

/* Notes what a company's own server would refuse: a request without a key. */
static void
note_lacking(struct endpoint *p, struct arena *a)
{
	if (is_own_server(p->provider, str_of(p->to)) && p->key == NULL &&
	    !has_key_header(p))
		p->lacking = str_printf(a,
		    "%s needs a key: set %s or give --api-key-file%.*s", p->to,
		    p->provider->keys[0].variable, STR_FMT(other_ways(p, a)));
	else if (p->key != NULL && p->header == p->provider->keys[1].header &&
	    p->provider->more[0] != NULL && p->more[0] == NULL)
		p->lacking = str_printf(a, "%s: required with %s",
		    p->provider->more[0], p->provider->keys[1].variable);
}

/* ---- the provider of a model ---- */

/* Returns a suggestion of a provider that has models. */
static const char *
nearest(struct arena *a, struct str name)
{
	struct suggest s = suggest_for(name);

	for (const struct provider *const *p = provider_table; *p; p++)
		if (*p != &provider_exec)
			suggest_try(&s, str_of((*p)->name));
	return suggest_text(&s, a);
}

/* Chooses the server of a model whose name does not say who offers it: a server
 * that the environment names. A name in a folder is no name of Ollama's. */
static void
choose_named_server(struct endpoint *p, struct arena *a,
    const struct model_name *m, struct str *wrong)
{
	struct str word = str_slice(m->model, 0, str_find_char(m->model, '/'));
	const char *gateway = gateway_of(&provider_openai);
	const char *local = either(NULL, provider_ollama.url_variable);

	p->provider = gateway != NULL ? &provider_openai : &provider_ollama;
	if (gateway != NULL && local != NULL)
		*wrong = str_printf(a,
		    "--model: '%s' may be a model of %s (-p openai) or of "
		    "%s (-p ollama): add one of these options",
		    p->model, provider_openai.url_variable,
		    provider_ollama.url_variable);
	else if (gateway == NULL && m->in_folder)
		*wrong = str_printf(a,
		    "--model: no provider '%.*s'%s; for '%s', add -p PROVIDER "
		    "or --base-url URL, or write openrouter/%s",
		    STR_FMT(word), nearest(a, word), p->model, p->model);
	else if (gateway == NULL && local == NULL)
		*wrong = str_printf(a,
		    "--model: '%s' does not say who to ask; write "
		    "PROVIDER/%s (openai, anthropic, gemini, ollama, "
		    "openrouter), or add -p PROVIDER or --base-url URL",
		    p->model, p->model);
}

/* Returns whether a name with the prefix of a preset is one of a server that the
 * environment names: gateways have names such as "mistral/x", and Ollama has names
 * such as "mistral:7b". */
static bool
is_named_server(const struct model_name *m, struct str name)
{
	return m->provider->preset &&
	    (gateway_of(&provider_openai) != NULL ||
		(either(NULL, provider_ollama.url_variable) != NULL &&
		    str_find_char(name, '/') == name.n));
}

/* Chooses the provider by the name of the model, where neither an option nor
 * the environment names a provider or a URL. A gateway gets the whole name,
 * because many gateways' names have such prefixes. */
static bool
choose_by_model(struct endpoint *p, struct arena *a, struct str *wrong)
{
	struct model_name m = model_name_read(str_of(p->model));

	p->provider = m.provider;
	if (m.provider == NULL || is_named_server(&m, str_of(p->model)))
		choose_named_server(p, a, &m, wrong);
	else if (m.model.n == 0)
		*wrong = str_printf(a,
		    "--model: expected PROVIDER/MODEL, found '%s'", p->model);
	else if (gateway_of(m.provider) == NULL)
		p->model = str_c(a, m.model);
	return wrong->s == NULL;
}

/* Chooses the protocol at a URL that the user gave, which is OpenAI's. The name of
 * a model of Ollama's does not fit: at a URL without a path, Ollama's is meant;
 * elsewhere a gateway may have such names. */
static void
choose_by_url(struct endpoint *p, struct arena *a, struct str url)
{
	struct model_name m = model_name_read(str_of(p->model));

	if (m.provider != &provider_ollama || m.model.n == 0)
		return;
	while (str_ends(url, "/"))
		url = str_slice(url, 0, url.n - 1);
	if (str_eq(origin_of(url), url)) {
		p->provider = m.provider;
		p->model = str_c(a, m.model);
		return;
	}
	diag_warn((struct place){ 0 },
	    "asking by OpenAI's protocol for the model '%s'; -p ollama -m "
	    "%.*s asks by Ollama's",
	    p->model, STR_FMT(m.model));
}

/* ---- the whole ---- */

static bool
find_server(struct endpoint *p, struct arena *a,
    const struct endpoint_options *o, struct str *wrong, bool *usage)
{
	if (o->command != NULL)
		*wrong = str_printf(
		    a, "--exec: not with --provider %s", p->provider->name);
	else if (!is_something(p->model) && !o->dry)
		*wrong = STR("--model: no model is named");
	*usage = wrong->s != NULL || !find_url(p, a, o, wrong) ||
	    !(o->unasked || check_company(p, a, wrong));
	if (*usage || !find_key(p, a, o->key_file, wrong) ||
	    !find_headers(p, a, o->headers_file, wrong))
		return false;
	note_lacking(p, a);
	return true;
}

/* Sets a command. The model names the judge in records and in the cache.
 * MCPL_JUDGE_MODEL does not apply to commands. */
static bool
find_command(
    struct endpoint *p, const struct endpoint_options *o, struct str *wrong)
{
	p->to = o->command;
	p->model = is_something(o->model) ? o->model : o->command;
	if (o->base_url != NULL || o->key_file != NULL ||
	    o->headers_file != NULL)
		*wrong = STR("--exec: not with --base-url, --api-key-file or "
			     "--headers-file");
	else if (p->params.s != NULL)
		*wrong = STR("--exec: not with --param");
	else if (!is_something(p->model) ||
	    (!is_something(p->to) && !o->unasked))
		*wrong = STR("--exec: no command is named");
	return wrong->s == NULL;
}

/* Sets the provider. Returns false if none is named, or with *wrong. */
static bool
choose(struct endpoint *p, struct arena *a, const struct endpoint_options *o,
    struct str *wrong)
{
	const char *name = o->provider;
	const char *url =
	    either(o->base_url, variable(o, "MCPL_JUDGE_BASE_URL"));

	if (name == NULL && o->command != NULL)
		name = provider_exec.name;
	name = either(name, variable(o, "MCPL_JUDGE_PROVIDER"));
	p->model = either(o->model, variable(o, "MCPL_JUDGE_MODEL"));
	p->provider = name == NULL ? &provider_openai : provider_named(name);
	if (p->provider == NULL)
		*wrong = str_printf(a,
		    "--provider: no provider '%s'%s; see --list-providers",
		    name, nearest(a, str_of(name)));
	else if (name == NULL && is_something(p->model) && url == NULL)
		choose_by_model(p, a, wrong);
	else if (name == NULL && is_something(p->model))
		choose_by_url(p, a, str_of(url));
	else if (name == NULL && p->model == NULL && !o->dry && url == NULL)
		p->provider = NULL;
	return p->provider != NULL && wrong->s == NULL;
}

bool
endpoint_find(struct endpoint *p, struct arena *a,
    const struct endpoint_options *o, struct str *wrong, bool *usage)
{
	*usage = true;
	if (!choose(p, a, o, wrong))
		return wrong->s == NULL;
	if (p->provider->url == NULL)
		return find_command(p, o, wrong);
	p->context_tokens = context_window_of(str_of(p->model));
	p->refused |= p->provider->refused;
	return find_server(p, a, o, wrong, usage);
}

/* ---- what it says ---- */

struct str
endpoint_keys_seen(struct arena *a)
{
	struct str *seen = NULL;
	const char *last = "";
	size_t n = 0;

	for (const struct provider *const *p = provider_table; *p; p++) {
		const struct provider_key *k = (*p)->keys;

		while (k->variable != NULL && either(NULL, k->variable) == NULL)
			k++;
		if (k->variable == NULL || strcmp(k->variable, last) == 0)
			continue;
		last = k->variable;
		*arena_push(a, seen, n) = str_printf(a,
		    "%s is set: try mcpl-judge -m %s/MODEL", last, (*p)->name);
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(a, seen, n, STR("; "));
}
