/* The public JMESPath suite, where $SHARED has it: each case's result or
 * kind of error. benchmarks.json has no results and is only compiled. */
#include <dirent.h>

#include "emulate/jmespath/jmespath.h"
#include "tests/unit/shared.h"
#include "tests/unit/unit.h"

static size_t agreed, disagreed;

static bool
agrees(const struct json *given, const struct json *c, struct arena *a)
{
	struct jmespath_error error;
	struct str text = json_text(json_get(c, "expression"), a);
	struct jmespath *path = jmespath_compile(a, text, &error);
	const struct json *want = json_get(c, "result");
	const struct json *got = NULL;

	if (path != NULL)
		got = jmespath_search(path, given, a, &error);
	if (json_get(c, "error") != NULL)
		return got == NULL;
	if (json_get(c, "bench") != NULL)
		return path != NULL;
	return got != NULL && json_equal(got, want);
}

static void
run_file(struct str text, const char *name)
{
	struct json_reader reader = { 0 };
	struct arena a = { 0 };
	const struct json *groups = json_read(&reader, text, NULL, NULL);

	CHECK(groups != NULL);
	for (json_each(group, groups)) {
		for (json_each(c, json_get(group, "cases"))) {
			bool good = agrees(json_get(group, "given"), c, &a);

			agreed += good;
			disagreed += !good;
			if (!good)
				printf("%s: %.*s\n", name, STR_FMT(c->text));
		}
	}
	arena_free(&a);
	json_reader_free(&reader);
}

int
main(void)
{
	struct arena a = { 0 };
	const char *folder = shared_path(&a, "data/jmespath");
	struct dirent *entry;
	struct str text;
	DIR *dir = opendir(folder);

	if (dir == NULL) {
		printf("jmespath: no suite at %s\n", folder);
		return 77;
	}
	while ((entry = readdir(dir)) != NULL) {
		struct str name = str_of(entry->d_name);

		if (str_ends(name, ".json") &&
		    shared_read(&a,
			str_printf(&a, "data/jmespath/%s", entry->d_name).s,
			&text))
			run_file(text, entry->d_name);
	}
	closedir(dir);
	printf("jmespath: %zu agreed, %zu disagreed\n", agreed, disagreed);
	CHECK(agreed > 0 && disagreed == 0);
	arena_free(&a);
	return unit_status();
}
