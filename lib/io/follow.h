/*
 * A file that is still written: waiting for more of it. It may grow, be cut
 * down and begun again, or be moved away for a new one in its place. An
 * interrupt (interrupt.h) ends all waiting.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* At the end of the regular file, which was read up to there: waits until there
 * is more. False if nothing came for so many seconds, and at once if nothing
 * will: it was cut down, or another file is in its place. */
bool follow_more(int fd, const char *path, double seconds);

/* What was known of a file. Zeroed: nothing. */
struct follow {
	dev_t device;
	ino_t number;
	off_t size;
	struct timespec changed;
};

/* Takes note of the file before it is read, waiting until there is one (which
 * is told). False if an interrupt came. */
bool follow_begin(struct follow *, const char *path);

/* Waits until the file is not what it was then. False if an interrupt came. */
bool follow_again(struct follow *, const char *path);
