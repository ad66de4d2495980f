/*
 * What spans say of agents: the vocabularies of attributes and events that
 * instrumentations have. OpenTelemetry's GenAI conventions (gen_ai.*, all
 * versions) and MCP's, OpenInference, OpenLLMetry, the Vercel AI SDK,
 * Pydantic AI, Langfuse's SDK, Logfire, Strands, Google's ADK, Semantic
 * Kernel, MLflow.
 */
#pragma once

#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* Fills in what the span says, given its attributes (otel_attributes) and
 * events, a list or NULL. A format that knows better changes it
 * afterwards. */
void otel_genai_read(struct arena *, struct span *, const struct json *span,
    const struct lookup *attributes, const struct json *events);

/* The span is of a model that embeds texts: what it costs is of the run, but
 * its tokens and its name are not those of the model that answers. */
void otel_genai_embeds(struct span *);

/* Counts and cost of a model's call as Langfuse names them. */
void otel_genai_langfuse(
    struct usage *, const struct json *counts, const struct json *cost);
