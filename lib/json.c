#include "json.h"

const char *
json_type_name(const struct json *v)
{
	static const char *const names[] = { "nothing", "null", "a boolean",
		"a boolean", "a number", "a string", "a list", "an object" };

	return names[v == NULL ? 0 : v->type];
}

const struct json *
json_get(const struct json *object, struct str name)
{
	const struct json *found = NULL, *end;

	if (!json_is(object, JSON_OBJECT))
		return NULL;
	end = object + object->span;
	for (const struct json *key = object + 1; key < end;
	     key += 1 + key[1].span)
		if (json_key_is(key, name))
			found = key + 1;
	return found;
}

const struct json *
json_path(const struct json *v, const char *names)
{
	struct str rest = str_of(names);

	while (rest.s != NULL && v != NULL)
		v = json_get(v, str_cut(&rest, '.'));
	return v;
}

const struct json *
json_at(const struct json *list, size_t index)
{
	for (json_each(v, list))
		if (index-- == 0)
			return v;
	return NULL;
}

size_t
json_count(const struct json *container)
{
	size_t n = 0;

	for (json_each(v, container))
		n++;
	for (json_members(key, container))
		n++;
	return n;
}
