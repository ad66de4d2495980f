#include "judge/provider/endpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "io/slurp.h"
#include "judge/http/headers.h"

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

static bool
find_url(struct endpoint *p, struct arena *a, const char *base_url,
    struct str *wrong)
{
	const char *url = either(base_url, "MCPL_JUDGE_BASE_URL");
	struct str text;

	if (url == NULL)
		url = either(NULL, p->provider->url_variable);
	text = str_of(url == NULL ? p->provider->url : url);
	if (text.n == 0) {
		*wrong = str_printf(a, "--base-url: required unless %s is set",
		    p->provider->url_variable);
		return false;
	}
	while (str_ends(text, "/"))
		text = str_slice(text, 0, text.n - 1);
	if (p->provider->base != NULL)
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

/* ---- the whole ---- */

static const char *
nearest(struct arena *a, const char *name)
{
	struct suggest s = suggest_for(str_of(name));

	for (const struct provider *const *p = provider_table; *p; p++)
		suggest_try(&s, str_of((*p)->name));
	return suggest_text(&s, a);
}

static bool
find_server(struct endpoint *p, struct arena *a,
    const struct endpoint_options *o, struct str *wrong)
{
	p->model = either(o->model, "MCPL_JUDGE_MODEL");
	if (o->command != NULL)
		*wrong = str_printf(
		    a, "--exec: not with --provider %s", p->provider->name);
	else if (!is_something(p->model) && !o->dry)
		*wrong = STR("--model: no model is named");
	return wrong->s == NULL && find_url(p, a, o->base_url, wrong) &&
	    find_key(p, a, o->key_file, wrong) &&
	    find_headers(p, a, o->headers_file, wrong);
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
	else if (!is_something(p->model) ||
	    (!is_something(p->to) && !o->unasked))
		*wrong = STR("--exec: no command is named");
	return wrong->s == NULL;
}

bool
endpoint_find(struct endpoint *p, struct arena *a,
    const struct endpoint_options *o, struct str *wrong)
{
	const char *name = o->provider;

	if (name == NULL && o->command != NULL)
		name = provider_exec.name;
	name = either(name, "MCPL_JUDGE_PROVIDER");
	if (name == NULL && either(o->model, "MCPL_JUDGE_MODEL") == NULL &&
	    either(o->base_url, "MCPL_JUDGE_BASE_URL") == NULL && !o->dry)
		return true;
	p->provider = name == NULL ? &provider_openai : provider_named(name);
	if (p->provider == NULL)
		*wrong = str_printf(a,
		    "--provider: no provider '%s'%s; see --list-providers",
		    name, nearest(a, name));
	else if (p->provider->url == NULL)
		find_command(p, o, wrong);
	else
		find_server(p, a, o, wrong);
	return wrong->s == NULL;
}

/* ---- what it says ---- */

/* Returns the secret part of a header "Name: value": the text after the scheme
 * in "Name: Scheme secret" (RFC 9110, 11.4), which may be quoted alone, or
 * else the whole value. A first word that is long or has "=" is not a scheme
 * and may be secret, too: "session=...; token=..." */
static struct str
secret_of(struct str header)
{
	struct str value = header, rest, scheme;

	str_cut(&value, ' ');
	rest = value;
	scheme = str_cut(&rest, ' ');
	return rest.n < ENDPOINT_SECRET_LEAST ||
		str_find_char(rest, ' ') < rest.n ||
		scheme.n >= ENDPOINT_SECRET_LEAST ||
		str_find_char(scheme, '=') < scheme.n
	    ? value
	    : rest;
}

struct str
endpoint_secret(const struct endpoint *p, size_t i)
{
	struct str value = str_of(p->key);

	if (value.n >= ENDPOINT_SECRET_LEAST && i-- == 0)
		return value;
	for (const char **h = p->headers; h != NULL && *h != NULL; h++) {
		value = secret_of(str_of(*h));
		if (value.n >= ENDPOINT_SECRET_LEAST && i-- == 0)
			return value;
	}
	return (struct str){ 0 };
}

struct str
endpoint_hide_secrets(
    const struct endpoint *p, struct arena *a, struct str text)
{
	struct str secret;

	for (size_t i = 0; (secret = endpoint_secret(p, i)).n != 0; i++)
		if (str_contains(text, secret))
			text = str_replace(a, text, secret, STR("[key]"));
	return text;
}
