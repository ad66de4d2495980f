/*
 * Services that measure texts: vectors (embeddings), and categories that are flagged
 * (moderation). Each is a provider whose `write` sends the texts of the prompt's data,
 * and whose answer is a JSON list, for measure_decide (judge/question/measure.h).
 */
#pragma once

#include "judge/provider/provider.h"

/* Makes the endpoint of a judge one that returns embeddings, or that moderates, with
 * memory of the arena. Returns false if its provider has no such service. */
bool measuring_embeddings(struct endpoint *, struct arena *);
bool measuring_moderation(struct endpoint *, struct arena *);
