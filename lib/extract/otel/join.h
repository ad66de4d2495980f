/* Joins the spans of a file with the log events that belong to them. Under the
 * semantic conventions 1.28 to 1.36, messages to and from a model are logged
 * next to the model's span, or without a span. */
#pragma once

#include "base/diag.h"
#include "base/hash.h"
#include "extract/otel/log_record.h"
#include "extract/span/spans.h"

struct otel_join {
	struct arena *arena;

	/* private */
	struct otel_joined *first, **end;
	struct hash_table by_id;
	struct otel_joined *unnamed; /* entry for events that name no span */
	bool again;                  /* an id occurs again */
};

void otel_join_init(struct otel_join *, struct arena *);

/* Adds a span, which must outlive the set, and its position. */
void otel_join_span(struct otel_join *, struct place, const struct json *span);

/* Adds an event that holds messages. An event that names no span belongs to the
 * request that the next gen_ai.choice event ends. */
void otel_join_event(struct otel_join *, struct place, const struct otel_log *);

/* Adds all spans to the set in the order of the file. */
void otel_join_spans(struct otel_join *, struct spans *);
