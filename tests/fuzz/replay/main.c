/* main() of a fuzz target without a fuzzer: passes an empty input to the target, then
 * each file of the arguments, or in folders of the arguments. Prints the name of each
 * file first, so that the last name is that of the file which broke the target. */
#include <dirent.h>
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

static void
feed_folder(const char *folder)
{
	struct dirent **entries;
	int n = scandir(folder, &entries, NULL, alphasort);
	char path[4096];

	for (int i = 0; i < n; i++) {
		snprintf(
		    path, sizeof path, "%s/%s", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.')
			feed(path);
		free(entries[i]);
	}
	if (n < 0)
		feed(folder);
	else
		free(entries);
}

int
main(int argc, char **argv)
{
	static const uint8_t nothing;

	LLVMFuzzerTestOneInput(&nothing, 0);
	for (int i = 1; i < argc; i++)
		feed_folder(argv[i]);
	return 0;
}
