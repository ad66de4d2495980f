/* Writes members of an object, each left out if there is nothing to write. */
#pragma once

#include "io/out.h"
#include "json/json.h"

/* Writes a value's source, which is one line; absent: nothing. */
static inline void
put_value(struct out *o, const char *key, struct str value)
{
	if (value.s != NULL)
		out_member_line(o, str_of(key), value);
}

/* Writes a string from its body; absent: nothing. */
static inline void
put_body(struct out *o, const char *key, struct str body)
{
	if (body.s != NULL)
		out_member_body(o, str_of(key), body);
}

/* Writes a value of a log, which may have several lines; NULL: nothing. */
static inline void
put_json(struct out *o, const char *key, const struct json *v)
{
	if (v == NULL)
		return;
	out_key(o, key);
	out_json_raw(o, v->text);
}

/* Writes true; false: nothing. */
static inline void
put_true(struct out *o, const char *key, bool value)
{
	if (value)
		out_member_bool(o, key, true);
}
