/* main() of a fuzz target without a fuzzer: passes an empty input to the target, then
 * each file of the arguments; of a folder, all files in it and in its folders. Prints the
 * name of each file first, so that the last name is that of the file which broke the
 * target. */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static void
die(const char *path)
{
	perror(path);
	exit(2);
}

/* Passes a file to the target, in a block of the size of the file, so that ASan sees a
 * read beyond its end. */
static void
feed(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data;
	long size = -1;

	if (f != NULL && fseek(f, 0, SEEK_END) == 0)
		size = ftell(f);
	if (size < 0)
		die(path);
	rewind(f);
	data = malloc(size > 0 ? (size_t)size : 1);
	if (data == NULL || fread(data, 1, (size_t)size, f) != (size_t)size)
		die(path);
	fclose(f);
	puts(path);
	fflush(stdout);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
}

/* Passes the file to the target, or each file in the folder and its folders, in the
 * order of their names. */
static void
feed_all(const char *path)
{
	struct dirent **entries;
	int n = scandir(path, &entries, NULL, alphasort);
	char inner[4096];

	if (n < 0 && errno != ENOTDIR)
		die(path);
	if (n < 0) {
		feed(path);
		return;
	}
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		if (snprintf(inner, sizeof inner, "%s/%s", path, name) >=
		    (int)sizeof inner) {
			errno = ENAMETOOLONG;
			die(path);
		}
		if (name[0] != '.')
			feed_all(inner);
		free(entries[i]);
	}
	free(entries);
}

int
main(int argc, char **argv)
{
	static const uint8_t nothing;

	LLVMFuzzerTestOneInput(&nothing, 0);
	for (int i = 1; i < argc; i++)
		feed_all(argv[i]);
	return 0;
}
