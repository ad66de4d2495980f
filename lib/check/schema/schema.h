/*
 * JSON Schemas (draft-07) of assertion files and of traces, for editors. That of a
 * dialect is found out by asking the dialect's own reader: the reader reads
 * examples, and what it asks of them is watched (yaml/fields.h).
 */
#pragma once

#include "check/dialect/dialect.h"
#include "io/out.h"

/* Writes the schema of a dialect's files. Returns false if these are neither YAML
 * nor JSON. */
bool schema_of_dialect(struct out *, const struct dialect *);

/* Writes the schema of a record of mcpl-trace(5). */
void schema_of_trace(struct out *);
