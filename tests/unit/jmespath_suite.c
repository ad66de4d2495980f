/* The public JMESPath suite, where $SHARED has it: each case's result or
 * kind of error. benchmarks.json has no results and is only compiled. */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/jmespath.h"
#include "unit.h"

static size_t agreed, disagreed;

static bool
agrees(const struct json *given, const struct json *c, struct arena *a)
{
	struct jmespath_error error;
	struct str text = json_text(json_get(c, STR("expression")), a);
	struct jmespath *path = jmespath_compile(a, text, &error);
	const struct json *want = json_get(c, STR("result"));
	const struct json *got = NULL;

	if (path != NULL)
		got = jmespath_search(path, given, a, &error);
	if (json_get(c, STR("error")) != NULL)
		return got == NULL;
	if (json_get(c, STR("bench")) != NULL)
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
		for (json_each(c, json_get(group, STR("cases")))) {
			bool good =
			    agrees(json_get(group, STR("given")), c, &a);

			agreed += good;
			disagreed += !good;
			if (!good)
				printf("%s: %.*s\n", name, STR_FMT(c->text));
		}
	}
	arena_free(&a);
	json_reader_free(&reader);
}

static void
run_path(const char *folder, const char *name)
{
	char path[4096], *text = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "r");
	CHECK(f != NULL);
	if (f != NULL && getdelim(&text, &size, '\0', f) > 0)
		run_file(str_of(text), name);
	if (f != NULL)
		fclose(f);
	free(text);
}

int
main(void)
{
	const char *shared = getenv("SHARED");
	char folder[4096];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof folder, "%s/data/jmespath",
	    shared == NULL ? "../shared" : shared);
	dir = opendir(folder);
	if (dir == NULL) {
		printf("jmespath: no suite at %s\n", folder);
		return 0;
	}
	while ((entry = readdir(dir)) != NULL)
		if (strstr(entry->d_name, ".json") != NULL)
			run_path(folder, entry->d_name);
	closedir(dir);
	printf("jmespath: %zu agreed, %zu disagreed\n", agreed, disagreed);
	CHECK(disagreed == 0);
	return unit_status();
}
