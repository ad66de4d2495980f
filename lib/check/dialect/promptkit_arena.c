#include "check/dialect/promptkit_arena.h"

#include "base/hash.h"

/* A relative path starts where the file that names it lies. */
static const char *
beside(struct arena *a, const char *file, struct str path)
{
	size_t n = str_of(file).n;

	if (str_starts(path, "/"))
		return str_c(a, path);
	while (n > 0 && file[n - 1] != '/')
		n--;
	return str_cat(a, (struct str){ file, n }, path).s;
}

static struct str
name_of(const struct document *doc, struct arena *a)
{
	const struct json *metadata = json_get(doc->roots[0], "metadata");

	return json_text(json_get(metadata, "name"), a);
}

/* PromptKit keeps the last scenario of a name, and says nothing. */
static void
take_name(struct hash_table *names, struct str name, struct fields *e,
    const struct json *at)
{
	void **slot;

	if (name.s == NULL)
		return;
	slot = hash_put(names, name);
	if (*slot != NULL)
		fields_wrong(e, at, "another scenario has the name '%.*s'",
		    STR_FMT(name));
	*slot = names;
}

static void
add_file(struct promptkit_arena *arena, struct scenarios *r,
    struct hash_table *names, const struct json *v)
{
	struct fields e = fields_open(r->arena, r->doc, v, STR("scenarios"));
	struct str path = fields_str(&e, "file");
	struct document *doc = NULL;

	if (path.s != NULL)
		doc = document_read(
		    r->arena, beside(r->arena, r->doc->file, path));
	if (doc != NULL && doc->n == 0) {
		fields_wrong(
		    &e, json_get(v, "file"), "file: nothing in %s", doc->file);
		doc = NULL;
	}
	if (doc != NULL) {
		document_resolve(doc, TYPES_GO);
		take_name(
		    names, name_of(doc, r->arena), &e, json_get(v, "file"));
		*arena_push(r->arena, arena->files, arena->n) = doc;
	}
	fields_close(&e, NULL);
}

/* What applies to all scenarios came later. */
static void
refuse_later(struct fields *e)
{
	static const char *const later[] = { "globals", "pack_assertions" };

	for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
		if (fields_get(e, later[i]) != NULL)
			fields_wrong(e, json_get(e->object, str_of(later[i])),
			    "%s: of a later version of PromptKit", later[i]);
}

/* Of the many other keys, from version to version others, none is about a run
 * that is over. */
struct promptkit_arena
promptkit_arena(struct scenarios *r, const struct json *root)
{
	struct promptkit_arena arena = { 0 };
	struct hash_table names = { .arena = r->arena };
	struct fields top = fields_open(r->arena, r->doc, root, STR("arena"));
	const struct json *spec = fields_need(&top, "spec"), *list;
	struct fields e = fields_open(r->arena, r->doc, spec, STR("spec"));

	e.any_key = top.any_key = true;
	list = fields_list_if(&e, "scenarios");
	arena.specs = fields_object_if(&e, "scenario_specs");
	for (json_each(v, list))
		add_file(&arena, r, &names, v);
	for (json_members(key, arena.specs))
		take_name(&names, json_text(key, r->arena), &e, key);
	refuse_later(&e);
	if (list == NULL && arena.specs == NULL)
		fields_wrong(&e, spec, "missing key 'scenarios'");
	fields_close(&top, NULL);
	if (spec != NULL)
		fields_close(&e, NULL);
	return arena;
}
