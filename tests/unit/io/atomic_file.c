/* A new file gets its name when it is complete, and leaves no other file. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/atomic_file.h"
#include "tests/unit/unit.h"

static int
files_here(void)
{
	DIR *folder = opendir(".");
	struct dirent *entry;
	int n = 0;

	while ((entry = readdir(folder)) != NULL)
		n += entry->d_name[0] != '.';
	closedir(folder);
	return n;
}

static bool
holds(const char *path, const char *text)
{
	char buf[64] = "";
	FILE *f = fopen(path, "r");
	size_t n;

	if (f == NULL)
		return false;
	n = fread(buf, 1, sizeof buf - 1, f);
	fclose(f);
	return n == strlen(text) && strcmp(buf, text) == 0;
}

static unsigned
mode_of(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 ? st.st_mode & 0777 : 0;
}

static bool
write_new(const char *path, const char *text, bool keep)
{
	struct atomic_file f;
	size_t n = strlen(text);

	if (!atomic_file_open(&f, path))
		return false;
	CHECK(write(f.fd, text, n) == (ssize_t)n);
	return atomic_file_close(&f, keep);
}

static void
appears_when_it_is_whole(void)
{
	struct atomic_file f;

	umask(027);
	CHECK(atomic_file_open(&f, "a"));
	CHECK(write(f.fd, "one", 3) == 3);
	CHECK(access("a", F_OK) != 0);
	CHECK(atomic_file_close(&f, true));
	CHECK(holds("a", "one") && mode_of("a") == 0640);
	CHECK(atomic_file_open(&f, "./a"));
	CHECK(write(f.fd, "two", 3) == 3);
	CHECK(holds("a", "one"));
	CHECK(atomic_file_close(&f, true));
	CHECK(holds("a", "two") && files_here() == 1);
}

static void
changes_nothing_else(void)
{
	CHECK(write_new("a", "three", false));
	CHECK(holds("a", "two") && files_here() == 1);
	CHECK(write_new("b", "three", false) && access("b", F_OK) != 0);
	CHECK(chmod("a", 0604) == 0 && write_new("a", "four", true));
	CHECK(mode_of("a") == 0604 && files_here() == 1);
	CHECK(!write_new("none/a", "x", true) && errno == ENOENT);
	CHECK(!write_new(".", "x", true) && errno == EISDIR);
	CHECK(files_here() == 1);
}

/* The file that a link names is replaced, not the link. */
static void
follows_links(void)
{
	struct stat st;

	CHECK(symlink("a", "link") == 0 && write_new("link", "five", true));
	CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
	CHECK(holds("a", "five") && files_here() == 2);
	CHECK(unlink("link") == 0);
}

static void
writes_straight_to_a_pipe(void)
{
	char buf[8] = "";
	int end;

	CHECK(mkfifo("pipe", 0600) == 0);
	end = open("pipe", O_RDONLY | O_NONBLOCK);
	CHECK(write_new("pipe", "six", true));
	CHECK(read(end, buf, sizeof buf) == 3 && strcmp(buf, "six") == 0);
	close(end);
	CHECK(unlink("pipe") == 0 && files_here() == 1);
}

/* A program that is killed meanwhile leaves no file, if the system has files without a
 * name. */
static void
is_gone_with_its_writer(void)
{
	struct atomic_file f;
	bool nameless;
	pid_t child;

	CHECK(atomic_file_open(&f, "a"));
	nameless = f.temporary == NULL;
	CHECK(atomic_file_close(&f, false));
	child = fork();
	if (child == 0)
		_exit(atomic_file_open(&f, "a") ? 0 : 1);
	CHECK(waitpid(child, NULL, 0) == child);
	if (!nameless) {
		char left[64];

		snprintf(left, sizeof left, "a.%ld-0", (long)child);
		CHECK(unlink(left) == 0);
	}
	CHECK(holds("a", "five") && files_here() == 1);
}

int
main(void)
{
	char folder[] = "/tmp/mcpl-test-XXXXXX";

	if (mkdtemp(folder) == NULL || chdir(folder) != 0)
		return 2;
	appears_when_it_is_whole();
	changes_nothing_else();
	follows_links();
	writes_straight_to_a_pipe();
	is_gone_with_its_writer();
	CHECK(unlink("a") == 0 && rmdir(folder) == 0);
	return unit_status();
}
