/* lib/judge/workspace_files: which files of a run's folder a judge sees, and how much
 * of them. */
#include "judge/workspace_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/unit.h"
#include "json/json.h"

static struct arena arena;

static void
make_file(const char *path, struct str text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && write(fd, text.s, text.n) == (ssize_t)text.n);
	close(fd);
}

static void
remove_files(const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *entry;
	char path[4096];

	while (d != NULL && (entry = readdir(d)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		if (remove(path) == 0)
			continue;
		remove_files(path);
		CHECK(rmdir(path) == 0);
	}
	CHECK(d != NULL && closedir(d) == 0);
}

static struct str
shown(void)
{
	struct str why = { 0 };
	struct str all = workspace_files_write(&arena, ".", NULL, 65536, &why);

	CHECK(all.s != NULL && why.s == NULL);
	return all;
}

static void
test_kinds(void)
{
	CHECK_STR(shown(), "[]");
	CHECK(mkdir("b", 0700) == 0 && mkdir(".git", 0700) == 0);
	make_file("b/text", STR("t\303\251\n"));
	make_file("b.empty", STR(""));
	make_file("a.png", STR("\211PNG"));
	make_file("nul", STR("a\0b"));
	make_file(".git/config", STR("x"));
	make_file(".hidden", STR("h"));
	CHECK(symlink("/etc", "out") == 0 && symlink("nowhere", "b/l") == 0);
	CHECK(mkfifo("pipe", 0600) == 0);
	CHECK_STR(shown(),
	    "[{\"path\":\".hidden\",\"text\":\"h\"},"
	    "{\"path\":\"a.png\","
	    "\"shown\":\"nothing of 4 bytes: it is no text\"},"
	    "{\"path\":\"b.empty\",\"text\":\"\"},"
	    "{\"path\":\"b/l\",\"link\":\"nowhere\"},"
	    "{\"path\":\"b/text\",\"text\":\"t\303\251\\n\"},"
	    "{\"path\":\"nul\",\"shown\":\"nothing of 3 bytes: it is no "
	    "text\"},"
	    "{\"path\":\"out\",\"link\":\"/etc\"},"
	    "{\"path\":\"pipe\",\"shown\":\"nothing of 0 bytes: it is no "
	    "file\"}"
	    "]");
	remove_files(".");
}

static struct str
member(const struct json *files, size_t i, const char *key)
{
	return json_text(json_get(json_at(files, i), str_of(key)), &arena);
}

/* Two long files share the bytes that a short file leaves; no character is split. */
static void
test_budget(void)
{
	char *accents = arena_alloc(&arena, 200000);
	struct str text = { accents, 200000 };
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *files;

	for (size_t i = 0; i < text.n; i++)
		accents[i] = "\303\251"[i % 2];
	make_file("long", text);
	make_file("longer", str_from(text, 100000));
	make_file("short", STR("three"));
	files = json_read(&reader, shown(), NULL, &error);
	CHECK(json_count(files) == 3);
	CHECK(member(files, 0, "text").n == 32764); /* of (65536 - 5) / 2 */
	CHECK_STR(
	    member(files, 0, "shown"), "only the first 32764 of 200000 bytes");
	CHECK(member(files, 1, "text").n == 32764);
	CHECK_STR(member(files, 2, "text"), "three");
	CHECK(member(files, 2, "shown").s == NULL);
	json_reader_free(&reader);
	remove_files(".");
}

static void
test_many(void)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *files;

	for (int i = 0; i < 1003; i++)
		make_file(str_printf(&arena, "f%04d", i).s, STR("x"));
	files = json_read(&reader, shown(), NULL, &error);
	CHECK(json_count(files) == 1001);
	CHECK_STR(member(files, 999, "path"), "f0999");
	CHECK_STR(member(files, 1000, "shown"), "no more than 1000 files");
	json_reader_free(&reader);
	remove_files(".");
}

int
main(void)
{
	char dir[] = "/tmp/mcpl-test-XXXXXX";
	struct str why = { 0 };

	CHECK(mkdtemp(dir) != NULL && chdir(dir) == 0);
	test_kinds();
	test_budget();
	test_many();
	CHECK(chdir("/") == 0 && rmdir(dir) == 0);
	CHECK(workspace_files_write(&arena, dir, NULL, 65536, &why).s == NULL);
	CHECK(str_ends(why, "cannot be read: No such file or directory"));
	arena_free(&arena);
	return unit_status();
}
