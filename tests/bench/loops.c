/*
 * Measures the innermost loops of the commands on a log in memory, and how other
 * libraries read the same lines (readers/, built as shared libraries):
 *	loops FILE ROUNDS [READER.so]...
 * Prints a line for each loop and round: number, microseconds, name and count.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "json/json.h"

struct loop {
	const char *name;
	size_t (*run)(struct loop *, struct str text); /* returns a count */
	bool (*read_line)(const char *line, size_t n); /* of a shared library */
};

static size_t
split_lines(struct loop *self, struct str text)
{
	size_t n = 0;

	(void)self;
	while (text.s != NULL) {
		str_cut(&text, '\n');
		n++;
	}
	return n;
}

static size_t
read_values(struct loop *self, struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	size_t n = 0;

	(void)self;
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

static size_t
read_lines(struct loop *self, struct str text)
{
	size_t n = 0;

	for (; text.n != 0; n++) {
		struct str line = str_cut(&text, '\n');

		if (!self->read_line(line.s, line.n)) {
			fprintf(stderr, "loops: no JSON for %s\n", self->name);
			exit(2);
		}
	}
	return n;
}

static void *
found(void *p, const char *what)
{
	if (p == NULL) {
		fprintf(stderr, "loops: %s: %s\n", what, dlerror());
		exit(2);
	}
	return p;
}

static struct loop
reader(const char *path)
{
	void *library = found(dlopen(path, RTLD_NOW), path);
	void *read_line = found(dlsym(library, "read_line"), path);
	const char *const *name = found(dlsym(library, "name"), path);
	struct loop loop = { *name, read_lines, NULL };

	memcpy(&loop.read_line, &read_line, sizeof read_line);
	return loop;
}

/* Returns the text of a file, followed by zeros, which some readers access. */
static struct str
load(const char *path)
{
	enum { BEHIND = 64 };
	FILE *f = fopen(path, "r");
	size_t n = 0, size = 1 << 20;
	char *text = NULL;

	do {
		text = realloc(text, (size *= 2) + BEHIND);
		if (text != NULL && f != NULL)
			n += fread(text + n, 1, size - n, f);
	} while (text != NULL && n == size);
	if (text == NULL || f == NULL || ferror(f)) {
		perror(path);
		exit(2);
	}
	memset(text + n, 0, BEHIND);
	fclose(f);
	return (struct str){ text, n };
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
	enum { MOST = 16 };
	struct loop loops[MOST] = {
		{ "split into lines", split_lines, NULL },
		{ "read JSON, grammar and UTF-8 checked", read_values, NULL },
	};
	size_t n = 2;
	struct str text;

	if (argc < 3) {
		fputs("usage: loops FILE ROUNDS [READER.so]...\n", stderr);
		return 2;
	}
	text = load(argv[1]);
	for (int i = 3; i < argc && n < MOST; i++)
		loops[n++] = reader(argv[i]);
	for (long round = strtol(argv[2], NULL, 10); round > 0; round--) {
		for (size_t i = 0; i < n; i++) {
			long began = microseconds();
			size_t count = loops[i].run(&loops[i], text);

			printf("%zu %ld %s (%zu)\n", i, microseconds() - began,
			    loops[i].name, count);
		}
	}
	return 0;
}
