/* evolve's fixtures: where each of an eval's files would come to lie. */
#include "base/hash.h"
#include "check/dialect/evolve.h"
#include "trace/workspace.h"

/* In the folder of the evals; false if it leads out. */
static bool
source_of(struct arena *a, struct str path, struct str *source)
{
	if (str_starts(path, "/") || !workspace_clean(a, path, source))
		return false;
	if (str_starts(*source, "evals/"))
		*source = str_from(*source, 6);
	return true;
}

/* In the run's folder: what is in files/ keeps its folders. */
static struct str
target_of(struct str source)
{
	struct str name;

	if (str_starts(source, "files/"))
		return str_from(source, 6);
	do
		name = str_cut(&source, '/');
	while (source.s != NULL);
	return name;
}

static void
add_file(struct fields *e, struct hash_table *targets, const struct json *v)
{
	struct str *path = arena_new(e->arena, struct str);
	struct str source, target;
	const struct str *first;
	void **known;

	if (!json_is(v, JSON_STRING)) {
		fields_wrong(e, v, "files: expected a path, found %s",
		    json_type_name(v));
		return;
	}
	*path = json_text(v, e->arena);
	if (!source_of(e->arena, *path, &source)) {
		fields_wrong(e, v,
		    "files: '%.*s' leads out of the folder of the evals",
		    STR_FMT(*path));
		return;
	}
	target = target_of(source);
	known = hash_put(targets, target);
	first = *known;
	if (first != NULL)
		fields_wrong(e, v,
		    "files: '%.*s' and '%.*s' both become '%.*s'",
		    STR_FMT(*first), STR_FMT(*path), STR_FMT(target));
	*known = path;
}

void
evolve_files(struct fields *e)
{
	struct hash_table targets = { .arena = e->arena };
	const struct json *list = fields_get(e, "files");

	if (list != NULL && !json_is(list, JSON_ARRAY))
		fields_wrong(e, list,
		    "files: expected a list of paths, found %s%s",
		    json_type_name(list),
		    json_is(list, JSON_OBJECT)
			? " (what is in a file cannot be given here)"
			: "");
	else
		for (json_each(v, list))
			add_file(e, &targets, v);
}
