/* The public suite of JSON parsers' tests, with every kernel that runs here:
 * y_ files are accepted, n_ files refused, i_ files may be either. */
#include <dirent.h>
#include <string.h>

#include "tests/unit/shared.h"
#include "tests/unit/unit.h"
#include "json/json.h"
#include "json/kernel.h"

static bool
check_file(const struct json_kernel *kernel, const char *name, struct str text)
{
	struct json_reader reader = { .kernel = kernel };
	struct json_error e = { 0 };
	const struct json *v = json_read(&reader, text, NULL, &e);
	bool good = name[0] == 'i' || (v != NULL) == (name[0] == 'y');

	CHECK(good);
	CHECK(v != NULL || (e.why != NULL && e.offset <= text.n));
	if (!good)
		fprintf(stderr, "%s, %s: %s\n", name, kernel->name,
		    v != NULL ? "accepted" : e.why);
	json_reader_free(&reader);
	return good;
}

static void
check_all(DIR *folder)
{
	struct arena a = { 0 };
	struct dirent *entry;
	size_t files = 0, bad = 0;

	while ((entry = readdir(folder)) != NULL) {
		const char *name = entry->d_name;
		struct str path, text = { 0 };

		path = str_printf(&a, "data/JSONTestSuite/%s", name);
		if (strchr("yni", name[0]) == NULL || !str_ends(path, ".json"))
			continue;
		CHECK(shared_read(&a, path.s, &text));
		files++;
		for (size_t k = 0; json_kernels[k] != NULL; k++)
			if (json_kernels[k]->runs() &&
			    !check_file(json_kernels[k], name, text))
				bad++;
	}
	CHECK(files > 300);
	printf("json: %zu agreed, %zu disagreed\n", files - bad, bad);
	arena_free(&a);
}

int
main(void)
{
	struct arena a = { 0 };
	const char *name = shared_path(&a, "data/JSONTestSuite");
	DIR *folder = opendir(name);

	if (folder == NULL) {
		printf("no folder %s, nothing checked\n", name);
		return 77;
	}
	check_all(folder);
	closedir(folder);
	arena_free(&a);
	return unit_status();
}
