/*
 * Files that are text only after a program has been over them: compressed
 * (gzip, zstd, xz, bzip2), archives of logs (zip, by bsdtar), and UTF-16 (by
 * iconv). They are known by their first bytes. The programs are the system's:
 * what is not there is asked for by name.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/str.h"

/* Zeroed, no program runs. */
struct decompress {
	const char *program;
	pid_t pid;
	bool unread; /* set it where reading failed; that alone is told then */
};

/*
 * The descriptor to read the text of a regular file from, which is open at its
 * start: the same one if it is text, or no regular file; else that of a program
 * which reads it, and then `fd` is closed, unless it is standard input. -1 if
 * there is none, or if it cannot be started; that is told, with the file's
 * name.
 */
int decompress_open(struct decompress *, int fd, const char *file);

/* Waits for the program, if one runs; its output must be closed before. That it
 * failed is told unless `early`: not all of its output was wanted. */
void decompress_close(struct decompress *, const char *file, bool early);

/* What is no text, by its first bytes: how a pipe's reader is to unpack it;
 * NULL of text. */
const char *decompress_hint(struct str start);
