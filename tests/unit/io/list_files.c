/* The files of a folder, however deep, each folder once. */
#include "io/list_files.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"

static void
touch(const char *path)
{
	FILE *f = fopen(path, "w");

	if (f == NULL)
		abort();
	fclose(f);
}

static void
make_folder(const char *path)
{
	if (mkdir(path, 0700) != 0)
		abort();
}

static void
link_to(const char *target, const char *path)
{
	if (symlink(target, path) != 0)
		abort();
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

/* Returns the paths, with a blank after each. */
static struct str
list(struct arena *a, char **paths, size_t n)
{
	struct str all = STR("");

	for (size_t i = 0; i < n; i++)
		all = str_cat(a, all, str_printf(a, "%s ", paths[i]));
	return all;
}

/* Returns the files of the working folder. */
static struct str
found(struct arena *a)
{
	struct folder f = list_files(a, ".");

	return list(a, f.paths, f.n);
}

static void
names_hidden_folders(struct arena *a)
{
	struct folder f;

	make_folder(".h");
	touch(".h/f");
	make_folder("c/.h");
	f = list_files(a, ".");
	CHECK_STR(list(a, f.hidden, f.n_hidden), "./.h ./c/.h ");
	CHECK_STR(list(a, f.paths, f.n), "./b ./c/d ");
	f = list_readable_files(a, ".", 1);
	CHECK_STR(list(a, f.paths, f.n), "./b ");
}

int
main(void)
{
	struct arena arena = { 0 };
	struct str deep = STR("/f");
	char dir[] = "/tmp/mcpl-test-XXXXXX";

	if (mkdtemp(dir) == NULL || chdir(dir) != 0)
		abort();
	touch("b");
	touch(".hidden");
	make_folder("c");
	touch("c/d");
	link_to("..", "c/up"); /* a circle */
	link_to("c", "z");     /* a second way */
	link_to("none", "gone");
	CHECK_STR(found(&arena), "./b ./c/d ");
	names_hidden_folders(&arena);
	for (int i = 0; i < 20; i++) {
		make_folder("a");
		touch("a/f");
		if (chdir("a") != 0)
			abort();
		deep = str_cat(&arena, STR("/a"), deep);
	}
	if (chdir(dir) != 0)
		abort();
	CHECK(str_find(found(&arena), deep) < found(&arena).n);
	if (chdir("/") != 0 ||
	    nftw(dir, remove_one, 30, FTW_DEPTH | FTW_PHYS) != 0)
		abort();
	arena_free(&arena);
	return unit_status();
}
