#include "extract/unknown_log.h"

enum { NEAREST = 3 };

/* Returns the names of at most three formats, separated by commas, that would read
 * most from the records; absent if no format would read anything. */
static struct str
nearest_formats(const struct unknown_log *u, struct arena *a)
{
	const struct log_format *const *table = u->formats;
	const struct log_format *best[NEAREST] = { NULL };
	size_t weights[NEAREST] = { 0 };
	struct str names = { 0 };

	for (; *table != NULL; table++) {
		const struct log_format *format = *table;
		size_t weight = log_try(format, &u->records).weight;

		for (int i = 0; i < NEAREST; i++) {
			const struct log_format *other = best[i];
			size_t weight_of_other = weights[i];

			if (weight <= weight_of_other)
				continue;
			best[i] = format;
			weights[i] = weight;
			format = other;
			weight = weight_of_other;
		}
	}
	for (int i = 0; i < NEAREST && best[i] != NULL; i++)
		names = str_printf(a, "%.*s%s%s", STR_FMT(names),
		    i == 0 ? "" : ", ", best[i]->name);
	return names;
}

/* Describes the first record of a file of unknown format to the user. */
static struct str
looks_like(const struct json *record, struct arena *a)
{
	struct str list = STR("an object with");
	size_t n = 0;

	if (!json_is(record, JSON_OBJECT) || json_first(record) == NULL)
		return str_of(json_type_name(record));
	for (json_members(key, record)) {
		if (n++ == 6)
			return str_cat(a, list, STR(", ..."));
		list = str_printf(a, "%.*s%s '%.*s'", STR_FMT(list),
		    n > 1 ? "," : "", STR_FMT(json_raw(key)));
	}
	return list;
}

static bool
is_trace(const struct json *record)
{
	return json_str_is(json_get(record, "type"), "trace");
}

struct str
unknown_log_why(struct arena *a, const struct json *first)
{
	if (is_trace(first))
		return STR("expected a log, found a trace");
	return str_printf(a, "unknown log format: the first record is %.*s",
	    STR_FMT(looks_like(first, a)));
}

struct str
unknown_log_remedy(
    struct arena *a, const struct unknown_log *u, const struct json *first)
{
	const char *dialect =
	    u->dialect_of == NULL ? NULL : u->dialect_of(first);
	struct str near;

	if (is_trace(first))
		return STR("mcpl-check reads traces");
	if (dialect != NULL)
		return str_printf(a,
		    "mcpl-check -s reads it as an assertion file of %s",
		    dialect);
	near = nearest_formats(u, a);
	if (near.n != 0)
		near = str_printf(a, "nearest: %.*s; ", STR_FMT(near));
	return str_printf(a,
	    "%.*s-f FORMAT forces a format; --map FILE reads it by rules, "
	    "which --map-draft drafts",
	    STR_FMT(near));
}
