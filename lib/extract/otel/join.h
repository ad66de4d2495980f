/*
 * The spans of a file, each with the log events that belong to it: messages
 * that a model was given or gave are told beside the span that asked for them
 * (semantic conventions 1.28 to 1.36), or without it.
 */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "extract/otel/log.h"
#include "extract/span/spans.h"

struct otel_join {
	struct arena *arena;

	/* private */
	struct otel_joined *first, **end;
	struct hash_table by_id;
	struct otel_joined *unnamed; /* told by events that name no span */
};

void otel_join_init(struct otel_join *, struct arena *);

/* A span, of which a copy is kept in the arena, and where it stands. */
void otel_join_span(
    struct otel_join *, struct place, const struct lookup *span);

/* An event of messages; what names no span is of the request that the next
 * choice ends. */
void otel_join_event(struct otel_join *, struct place, const struct otel_log *);

/* All of them, in the order of the file, but for traces with a session that is
 * a key of the table. */
void otel_join_spans(
    struct otel_join *, struct spans *, const struct hash_table *sessions);
