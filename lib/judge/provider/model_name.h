/*
 * Reads the name of a model: a provider and a model, as "openai/gpt-5-mini" or
 * "openai:gpt-5-mini", or a model alone, as "gpt-5-mini". A prefix ends at the
 * first slash or colon.
 */
#pragma once

#include "judge/provider/provider.h"

struct model_name {
	const struct provider *provider; /* NULL: the name does not say */
	struct str model; /* the name without the provider and without the name
			   * of an API ("openai:chat:gpt-5-mini") */
	bool prefixed;    /* the name begins with a provider */
	bool in_folder;   /* the name begins with another word and a slash */
};

struct model_name model_name_read(struct str name);

/* Returns whether models of one provider are also models of the other: OpenAI
 * has two protocols. */
bool model_name_same_company(const struct provider *, const struct provider *);
