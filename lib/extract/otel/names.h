/* The names of members of spans and log records and of their attributes.
 * Exporters and instrumentations have different names for a thing, and some had
 * other names in older versions. */
#pragma once

#include "base/str.h"

enum otel_name {
	/* Members of a span, a log record, or a value as OTLP wraps it. */
	OTEL_TRACE_ID,
	OTEL_SPAN_ID,
	OTEL_PARENT_ID,
	OTEL_SPAN_NAME,
	OTEL_START,
	OTEL_END,
	OTEL_TIMES,
	OTEL_STATUS_CODE,
	OTEL_STATUS_MESSAGE,
	OTEL_ATTRIBUTES,
	OTEL_EVENTS,
	OTEL_EVENT_NAME,
	OTEL_BODY,

	/* Attributes of a failure. */
	OTEL_ERROR,

	/* Attributes of agents and models. */
	OTEL_AGENT,
	OTEL_AGENT_ENTITY, /* names that other spans have, too */
	OTEL_MODEL,
	OTEL_STOP,
	OTEL_SYSTEM,
	OTEL_PROVIDER,
	OTEL_CONVERSATION,
	OTEL_INPUT_MESSAGES,
	OTEL_OUTPUT_MESSAGES,
	OTEL_INPUT,
	OTEL_OUTPUT,
	OTEL_OUTPUT_ELSE, /* used if no other name has a value */
	OTEL_ANSWER,      /* of the Vercel AI SDK */

	/* Attributes of token counts. */
	OTEL_INPUT_TOKENS,
	OTEL_OUTPUT_TOKENS,
	OTEL_TOTAL_TOKENS,
	OTEL_CACHE_READ,
	OTEL_CACHE_WRITE,
	OTEL_REASONING,
	OTEL_COST,

	/* Attributes of tools. */
	OTEL_TOOL,
	OTEL_SERVER,
	OTEL_CALL_ID,
	OTEL_ARGS,
	OTEL_RESULT,
	OTEL_RESULT_JSON, /* a text is encoded as JSON */
	OTEL_RESULT_ELSE,

	OTEL_NAMES
};

/* The names of each member, in order of preference; an absent text ends
 * them. */
enum { OTEL_NAMES_MAX = 10 };
extern const struct str otel_names[OTEL_NAMES][OTEL_NAMES_MAX];
