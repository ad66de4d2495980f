/*
 * A set of spans: for logs that record an agent's work as a tree of timed
 * spans. A format collects the spans of a file, each with its data about an
 * agent, a model call or a tool call. At the end of the file the runs, one for
 * each trace id, are reported to the builder.
 *
 * What several spans record is reported once. Tokens are counted at the deepest
 * spans that have them; a sum in a span above is not added. A model's span that
 * contains another model's span is a wrapper. A tool's span, the call in an
 * earlier model's answer and the result in a later model's input are one call;
 * so are nested spans of the same tool (an agent's, a client's, a server's).
 * Messages that a model is given again are not reported again. What happens
 * inside a tool's span belongs to a sub-agent.
 */
#pragma once

#include "base/hash.h"
#include "extract/span/to_run.h"

struct spans {
	struct arena *arena;
	struct span_options options; /* set by the format */
	struct span **list;          /* in the order of the file */
	size_t n;

	/* private */
	struct hash_table by_key;
};

/* Returns the set in *slot; creates it in the arena at first use. */
struct spans *spans_in(struct arena *, void **slot);

/* Adds a span at this position of the log, for the caller to fill in. */
struct span *spans_add(struct spans *, const char *file, size_t line);

/* Completes the span that the caller filled in last, and returns the span that counts.
 * A span with the key (which is copied) of an earlier span is that span, logged again:
 * the last version counts, at the place of the first; members that the last version
 * lacks, as some lists of an API omit inputs and outputs, keep their earlier values.
 * Without a key the span is new. */
struct span *spans_done(struct spans *, struct span *, struct str key);

/* Returns the span with the key of spans_done, or NULL. */
struct span *spans_get(const struct spans *, struct str key);

/* Reports the runs of all spans in the order in which they begin in the file.
 * The last run stays open. `text`, unless absent, has values of the spans and outlives
 * the runs (builder_begin_run_in). */
void spans_emit(struct spans *, struct builder *, struct str text);
