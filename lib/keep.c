#include "keep.h"

#include "when.h"

struct str
keep_value(struct arena *a, const struct json *v)
{
	if (v == NULL || v->type == JSON_NULL)
		return (struct str){ 0 };
	return str_dup(a, v->text);
}

struct str
keep_number(struct arena *a, const struct json *v)
{
	return keep_value(a, json_is(v, JSON_NUMBER) ? v : NULL);
}

struct str
keep_body(struct arena *a, const struct json *v)
{
	struct str body = json_raw(v);

	return body.n == 0 ? (struct str){ 0 } : str_dup(a, body);
}

struct moment
keep_moment(struct arena *a, const struct json *v)
{
	struct str body = json_raw(v);
	struct moment m = { 0 };
	char buf[WHEN_SIZE];

	if (json_is(v, JSON_NUMBER) ? !when_number(json_double(v), &m.ms)
				    : !when_text(body, &m.ms))
		return m;
	if (!str_ends(body, STR("Z")))
		body = when_print(m.ms, buf);
	m.text = str_dup(a, body);
	return m;
}
