/*
 * Reads from a span what it says about agents, in the vocabularies of
 * attributes and events that instrumentations use: OpenTelemetry's GenAI
 * conventions (gen_ai.*, all versions) and MCP's, OpenInference, OpenLLMetry,
 * the Vercel AI SDK, Pydantic AI, Langfuse's SDK, Logfire, Strands, Google's
 * ADK, Semantic Kernel, MLflow.
 */
#pragma once

#include "extract/span/span.h"
#include "extract/value/lookup.h"

/* Fills in the span from its attributes (see otel_attributes) and its events, a
 * list or NULL. A format that has better data changes the span afterwards. */
void otel_genai_read(struct arena *, struct span *, const struct json *span,
    const struct lookup *attributes, const struct json *events);

/* Adjusts the span of an embedding model: its cost counts for the run, but its
 * tokens and its name are not those of the model that answers. */
void otel_genai_set_embedding(struct span *);

/* Reads counts and cost of a model call as Langfuse names them. */
void otel_genai_langfuse(
    struct usage *, const struct json *counts, const struct json *cost);
