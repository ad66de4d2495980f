#include "dialect.h"

/* The order is the order in which files are offered to them. */
static const struct dialect *const dialects[] = {
	&dialect_mcp_eval,
	&dialect_mcplab,
	&dialect_evolve,
	&dialect_promptkit,
	&dialect_mcpl,
};

const struct dialect *
dialect_at(size_t n)
{
	return n < sizeof dialects / sizeof dialects[0] ? dialects[n] : NULL;
}

const struct dialect *
dialect_named(struct str name)
{
	const struct dialect *d;

	for (size_t i = 0; (d = dialect_at(i)) != NULL; i++)
		if (str_is(name, d->name))
			return d;
	return NULL;
}

const struct dialect *
dialect_of(const struct doc *doc)
{
	const struct dialect *d;

	for (size_t i = 0; (d = dialect_at(i)) != NULL; i++)
		if (d->owns != NULL && d->owns(doc))
			return d;
	return NULL;
}
