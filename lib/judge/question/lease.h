/*
 * Lets several processes that share the folder of a cache ask each question once:
 * a process that asks holds a lease on the answer, which is a file that only one
 * process can create (O_EXCL), DIR/SHA256.lease. It names its process, so that the
 * lease of a process that was killed ends at once on the same host, and on other
 * hosts when it was not renewed in time. Two processes that take a lease over at
 * the same moment may both ask; nothing worse happens.
 */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "judge/question/cache.h"

struct lease {
	const char *path; /* NULL: no lease is held */
	ino_t file;       /* private */
};

/*
 * Takes the lease on the answer to a request, whose tries take up to `seconds`
 * each. Returns false if another process holds the lease. Returns true without a
 * lease if its file cannot be created: then the question is asked all the same.
 * The path is in the arena.
 */
bool lease_take(struct lease *, struct arena *, const char *dir,
    struct cache_key, double seconds);

/* Says that another try begins. */
void lease_renew(const struct lease *);

/* Ends the lease, if one is held. */
void lease_end(struct lease *);
