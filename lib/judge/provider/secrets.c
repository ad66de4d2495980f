/* The secrets of an endpoint, and texts without them. */
#include "base/ascii.h"
#include "io/out.h"
#include "judge/provider/endpoint.h"

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
	for (size_t k = 0; k < 2; k++) {
		value = str_of(p->more[k]);
		if (value.n >= ENDPOINT_SECRET_LEAST && i-- == 0)
			return value;
	}
	for (const char **h = p->headers; h != NULL && *h != NULL; h++) {
		value = secret_of(str_of(*h));
		if (value.n >= ENDPOINT_SECRET_LEAST && i-- == 0)
			return value;
	}
	return (struct str){ 0 };
}

/* Returns the character that JSON may write as "\u0041"; -1 if the text does not
 * begin like that, after the backslash. */
static int
escaped_character(struct str text)
{
	int c = 0;

	if (text.n < 5 || *text.s != 'u')
		return -1;
	for (size_t i = 1; i < 5; i++) {
		int digit = ascii_hex((uint8_t)text.s[i]);

		if (digit < 0)
			return -1;
		c = c * 16 + digit;
	}
	return c;
}

/* Returns the length of the secret at the beginning of the text, in which JSON,
 * or JSON within JSON, may have escaped characters of the secret; 0 if the text
 * begins with something else. */
static size_t
secret_length(struct str text, struct str secret)
{
	size_t n = 0, end;

	for (size_t i = 0; i < secret.n; i++, n = end) {
		for (end = n; end < text.n && text.s[end] == '\\'; end++)
			continue;
		if (end > n && secret.s[i] == '\\')
			continue;
		if (end > n &&
		    escaped_character(str_from(text, end)) == secret.s[i])
			end += 5;
		else if (end < text.n && text.s[end] == secret.s[i])
			end++;
		else
			return 0;
	}
	return n;
}

/* Returns the text with "[key]" instead of the secret. */
static struct str
hide(struct str text, struct str secret, struct arena *a)
{
	size_t from = 0, n;
	struct str rest;
	struct out o;

	out_open_memory(&o);
	for (size_t at = 0; at < text.n; at++) {
		rest = str_from(text, at);
		if (*rest.s != *secret.s && *rest.s != '\\')
			continue;
		n = secret_length(rest, secret);
		if (n == 0)
			continue;
		out_str(&o, str_slice(text, from, at));
		out_text(&o, "[key]");
		from = at + n;
		at = from - 1;
	}
	if (from != 0) {
		out_str(&o, str_from(text, from));
		return out_keep(&o, a);
	}
	out_close(&o);
	return text;
}

struct str
endpoint_hide_secrets(
    const struct endpoint *p, struct arena *a, struct str text)
{
	struct str secret;

	for (size_t i = 0; (secret = endpoint_secret(p, i)).n != 0; i++)
		text = hide(text, secret, a);
	return text;
}
