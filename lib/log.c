#include "log.h"

#include "keep.h"

/* The name that a path opens with. */
static struct str
first_name(const char *path)
{
	size_t n = 0;

	while (path[n] != '.' && path[n] != ' ' && path[n] != '\0')
		n++;
	return (struct str){ path, n };
}

/* The value at the first of the paths; *paths goes to its end. */
static const struct json *
find_first(const struct json *v, const char **paths)
{
	for (;; ++*paths) {
		struct str name = first_name(*paths);

		v = json_get(v, name);
		*paths += name.n;
		if (**paths != '.')
			return v;
	}
}

const struct json *
log_find(const struct json *v, const char *paths)
{
	do {
		const struct json *found = find_first(v, &paths);

		if (found != NULL && found->type != JSON_NULL)
			return found;
	} while (*paths++ == ' ');
	return NULL;
}

bool
log_is(const struct json *v, const char *key, const char *words)
{
	const struct json *word = json_get(v, str_of(key));
	struct str rest = str_of(words);

	while (rest.s != NULL)
		if (json_str_is(word, str_cut(&rest, ' ')))
			return true;
	return false;
}

bool
log_is_type(const struct json *v, const char *words)
{
	return log_is(v, "type", words);
}

const struct json *
log_decode(struct arena *a, const struct json *string)
{
	return keep_parsed(a, json_text(string, a));
}
