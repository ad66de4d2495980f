/*
 * Waiting for more of a file that is still written. The file may grow, be
 * truncated and begun again, or be moved away and replaced by a new file. An
 * interrupt (io/interrupt.h) ends all waiting.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Waits at the end of a regular file, which `fd` has read up to there, until
 * the file grows. Returns false if the file does not grow for this number of
 * seconds, and at once if it was truncated, or if `path` is another file
 * now. */
bool follow_more(int fd, const char *path, double seconds);

/* The last known state of a file. Zeroed at first. */
struct follow {
	dev_t device;
	ino_t number;
	off_t size;
	struct timespec changed;
};

/* Stores the state of the file before it is read. Waits, after a warning, until
 * the file exists. Returns false after an interrupt. */
bool follow_begin(struct follow *, const char *path);

/* Waits until the state of the file differs from the stored one, and stores the
 * new state. Returns false after an interrupt. */
bool follow_again(struct follow *, const char *path);
