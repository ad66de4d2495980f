/*
 * The loops at the core, over a log in memory: loops FILE ROUNDS. Prints a
 * line for each: its name and the microseconds of each round.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "../../lib/json.h"

struct loop {
	const char *name;
	size_t (*run)(struct str text); /* how many it counted */
};

static size_t
split_lines(struct str text)
{
	size_t n = 0;

	while (text.s != NULL) {
		str_cut(&text, '\n');
		n++;
	}
	return n;
}

static size_t
read_values(struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	size_t n = 0;

	while (text.n != 0) {
		struct str line = str_cut(&text, '\n');

		if (json_read(&reader, line, NULL, &error) == NULL) {
			fprintf(stderr, "loops: no JSON: %s\n", error.why);
			exit(2);
		}
		n += reader.n;
	}
	json_reader_free(&reader);
	return n;
}

static struct str
map(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0)
		p = mmap(NULL, (size_t)st.st_size, PROT_READ,
		    MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (p == MAP_FAILED) {
		perror(path);
		exit(2);
	}
	return (struct str){ p, (size_t)st.st_size };
}

static long
microseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int
main(int argc, char **argv)
{
	static const struct loop loops[] = {
		{ "split into lines", split_lines },
		{ "read JSON, grammar and UTF-8 checked", read_values },
	};
	size_t n = sizeof loops / sizeof *loops;
	struct str text;

	if (argc != 3) {
		fputs("usage: loops FILE ROUNDS\n", stderr);
		return 2;
	}
	text = map(argv[1]);
	for (long round = strtol(argv[2], NULL, 10); round > 0; round--) {
		for (size_t i = 0; i < n; i++) {
			long began = microseconds();
			size_t found = loops[i].run(text);

			printf("%zu %ld %s (%zu)\n", i, microseconds() - began,
			    loops[i].name, found);
		}
	}
	return 0;
}
