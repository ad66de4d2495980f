/* How long to wait before another try: half a second, twice as long each time
 * up to 8 seconds, less up to a quarter of it, so that many that failed at once
 * are not tried at once. */
#pragma once

/* If a server asks us to wait for more seconds, it is not asked again. */
static const double backoff_max = 120;

struct backoff {
	unsigned long long dice; /* of any value */
};

/* In seconds, after so many tries besides the first. */
double backoff_wait(struct backoff *, unsigned tries);
