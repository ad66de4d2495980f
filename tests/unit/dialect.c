/* The assertion files of testdata/specs/DIALECT are taken for that dialect's,
 * by their looks. */
#include "../../lib/dialect.h"

#include <glob.h>

#include "unit.h"

/* The folder that DIALECT stands for in testdata/specs/DIALECT/... */
static struct str
dialect_in(const char *path)
{
	struct str rest = str_of(path);

	(void)str_cut(&rest, '/');
	(void)str_cut(&rest, '/');
	return str_cut(&rest, '/');
}

static void
offer(const char *path)
{
	struct arena arena = { 0 };
	const struct doc *doc = doc_read(&arena, path);
	const struct dialect *d = doc == NULL ? NULL : dialect_of(doc);

	if (d == NULL || !str_is(dialect_in(path), d->name)) {
		unit_failures++;
		fprintf(stderr, "%s is taken for %s\n", path,
		    d == NULL ? "nothing" : d->name);
	}
	arena_free(&arena);
}

int
main(void)
{
	glob_t found;

	CHECK(glob("testdata/specs/*/*.yaml", 0, NULL, &found) == 0);
	CHECK(glob("testdata/specs/*/*.json", GLOB_APPEND, NULL, &found) == 0);
	CHECK(
	    glob("testdata/specs/*/*/*.yaml", GLOB_APPEND, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++)
		offer(found.gl_pathv[i]);
	globfree(&found);
	CHECK(dialect_named(STR("mcplab")) == &dialect_mcplab);
	CHECK(dialect_named(STR("MCPLab")) == NULL);
	return unit_status();
}
