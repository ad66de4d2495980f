#include "judge/question/backoff.h"

#include <math.h>

/* From 0 to 1. */
static double
roll(struct backoff *b)
{
	b->dice = b->dice * 6364136223846793005ULL + 1442695040888963407ULL;
	return (double)(b->dice >> 11) / (double)(1ULL << 53);
}

double
backoff_wait(struct backoff *b, unsigned tries)
{
	return fmin(0.5 * pow(2, tries), 8) * (1 - 0.25 * roll(b));
}
