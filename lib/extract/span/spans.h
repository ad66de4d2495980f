/*
 * Span sets: logs that tell what an agent did as a tree of timed spans. A
 * format collects the spans of a file, each with what it says of an agent, a
 * call of a model or a call of a tool; at the file's end the runs in it are
 * told to the builder, one for each trace id.
 *
 * What several spans tell is told once. Tokens are counted where they are
 * logged deepest in the tree, so a sum over spans below is not added to them.
 * A model's span that has another one within is a wrapper. A tool's span, the
 * call in the answer of a model before it, and the result in what a later
 * model was given are one call; so are spans of the same tool within each
 * other (an agent's, a client's, a server's). Messages that a model is given
 * again are not told again. What happens within a tool's span is a
 * sub-agent's.
 */
#pragma once

#include "base/hash.h"
#include "extract/span/to_run.h"

struct spans {
	struct arena *arena;
	struct span_options options; /* set by the format */

	/* private */
	struct span **list;
	size_t n;
	struct hash_table by_key;
};

/* The spans that *slot keeps; at first use new ones, in the arena. */
struct spans *spans_in(struct arena *, void **slot);

/* A span that is to be filled in; it stands where the log's record does. */
struct span *spans_add(struct spans *, const char *file, size_t line);

/* The same of one that a key, which is copied, tells from all others: it is
 * told as it is logged last. Without a key it is a new one. */
struct span *spans_put(
    struct spans *, struct str key, const char *file, size_t line);

/* The span of spans_put() is filled in: what was logged of it before and is not
 * said again stays. Some lists of an API leave out what was said and done. */
void spans_filled(struct span *);

/* Tells the runs of all spans, in the order in which they begin in the file.
 * The last one stays open. */
void spans_emit(struct spans *, struct builder *);
