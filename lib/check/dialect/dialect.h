/* The dialects that assertion files are written in. */
#pragma once

#include "check/dialect/scenarios.h"

struct dialect {
	const char *name, *what;
	enum scalar_types schema;
	/* Whether the file looks like one of this dialect. NULL: no file is. */
	bool (*owns)(const struct document *);
	/* Reads the reader's doc, whose values are resolved. */
	void (*read)(struct scenarios *);
};

extern const struct dialect dialect_evolve;
extern const struct dialect dialect_mcplab;
extern const struct dialect dialect_mcp_eval;
extern const struct dialect dialect_mcpl;
extern const struct dialect dialect_promptkit;

/* In the order in which files are offered to them, ended by NULL. */
extern const struct dialect *const dialect_table[];

/* The i-th's name, and what it is; NULL behind the last. */
const char *dialect_row(size_t i, const char **what);

/* NULL if there is none of that name. */
const struct dialect *dialect_named(const char *name);
/* The first that owns the file, or NULL. */
const struct dialect *dialect_of(const struct document *);
