/*
 * Files that become text only through a program: compressed files (gzip, zstd,
 * xz, bzip2), archives of logs (zip, by bsdtar or unzip; tar), and UTF-16 (by
 * iconv), and what io/database.h reads. The
 * first bytes of a file decide which program runs. The programs are the
 * system's; a message names a program that is not installed.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

/* A program that unpacks a file. A zeroed struct means that no program runs. */
struct decompress {
	const char *program;
	pid_t pid;
	/* The caller sets this if reading failed, so that decompress_close adds
	 * no message. */
	bool read_failed;
	int messages; /* a file for the program's messages; 0: they are discarded */
};

/*
 * Returns the descriptor from which to read the text of the file that is open
 * at its start as `fd`: `fd` itself if the file is text or no regular file,
 * else the output of a program that reads `fd`; then `fd` is closed, unless it
 * is standard input. Returns -1, after an error message with the name `file`,
 * if no program can read the file or the program cannot be started.
 */
int decompress_open(struct decompress *, int fd, const char *file);

/* Waits for the program, if one runs. The caller has closed the program's
 * output. Returns false, after an error message, if the program failed, unless
 * `early` says that the caller did not want all of the output. */
bool decompress_close(struct decompress *, const char *file, bool early);

/* Starts the program with these arguments (NULL-terminated) and this descriptor as its
 * input (-1: none). Returns the descriptor of its output, or -1 with errno. */
int decompress_start(struct decompress *, const char *const *args, int from);

/* Waits for the program. Returns its status, of waitpid, and its first message, in
 * the arena; empty if there is none. The status is -1, and the message says why, if
 * another part of the process has taken the status. */
int decompress_wait(struct decompress *, struct arena *, struct str *message);

/* Returns whether a file that begins with this text is a database of SQLite. */
bool decompress_is_database(struct str start);

/* Returns a hint that says how the user can unpack an input that begins with
 * these bytes and comes through a pipe. Returns NULL for text. */
const char *decompress_hint(struct str start);
