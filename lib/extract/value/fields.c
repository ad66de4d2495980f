#include "extract/value/fields.h"

#include <string.h>

#include "extract/value/copy.h"

/* Returns a bit for the first byte of each name in the object, modulo 64; all
 * bits if a name begins with an escape. */
static uint64_t
initials(const struct json *object)
{
	uint64_t found = 0;

	for (json_members(key, object)) {
		char first = key->text.s[1];

		found |=
		    first == '\\' ? UINT64_MAX : UINT64_C(1) << (first & 63);
	}
	return found;
}

/* Returns the first name of a path. */
static struct str
first_name(const char *path)
{
	size_t n = 0;

	while (path[n] != '.' && path[n] != ' ' && path[n] != '\0')
		n++;
	return (struct str){ path, n };
}

/* Returns the value at the first of the paths and moves *paths to that path's
 * end. */
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

/* Most records have few of a format's names but are searched for all of them,
 * so that a look at the first bytes saves most searches. */
const struct json *
field_find(const struct json *v, const char *paths)
{
	uint64_t may_have = initials(v);

	for (; may_have != 0 && paths != NULL; paths = strchr(paths, ' ')) {
		const struct json *found;

		paths += *paths == ' ';
		if (!(may_have >> (*paths & 63) & 1))
			continue;
		found = find_first(v, &paths);
		if (found != NULL && found->type != JSON_NULL)
			return found;
	}
	return NULL;
}

void
field_pick(const struct json *object, const struct str *names, size_t n,
    size_t pairs, const struct json **found)
{
	json_pick(object, names, n, found);
	for (size_t i = 0; i < n; i++)
		if (json_is(found[i], JSON_NULL))
			found[i] = NULL;
	for (size_t i = 0; i < pairs; i++)
		if (found[i] == NULL)
			found[i] = found[pairs + i];
}

bool
field_is(const struct json *v, const char *key, const char *words)
{
	const struct json *word = json_get(v, str_of(key));
	struct str rest = str_of(words);

	if (!json_is(word, JSON_STRING))
		return false;
	if ((word->flags & JSON_ESCAPED) == 0)
		return str_is_one_of(json_raw(word), words);
	while (rest.s != NULL)
		if (json_key_is(word, str_cut(&rest, ' ')))
			return true;
	return false;
}

bool
field_is_type(const struct json *v, const char *words)
{
	return field_is(v, "type", words);
}

void
field_read_usage(
    struct usage *u, const struct json *counts, const struct field_usage *f)
{
	const char *const paths[USAGE_COUNT] = {
		[USAGE_INPUT] = f->input,
		[USAGE_OUTPUT] = f->output,
		[USAGE_CACHE_READ] = f->cache_read,
		[USAGE_CACHE_WRITE] = f->cache_write,
		[USAGE_CACHE_WRITE_1H] = f->cache_write_1h,
		[USAGE_REASONING] = f->reasoning,
		[USAGE_COST] = f->cost,
		[USAGE_LLM_CALLS] = f->llm_calls,
	};

	for (int kind = 0; kind < USAGE_COUNT; kind++)
		if (paths[kind] != NULL)
			usage_read(u, (enum usage_kind)kind,
			    field_find(counts, paths[kind]));
	if (f->input_and_cache != NULL)
		usage_input_with_cache(
		    u, field_find(counts, f->input_and_cache));
}

const struct json *
field_decode(struct arena *a, const struct json *string)
{
	return copy_parsed(a, json_text(string, a));
}
