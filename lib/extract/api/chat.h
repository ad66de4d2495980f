/*
 * What a model was given and what it answered, in whatever shape it was logged
 * with a span: lists of messages of OpenAI, Anthropic, Gemini, Bedrock (so
 * Strands'), LangChain, the Vercel AI SDK, OpenTelemetry and OpenInference, requests and responses that
 * hold them, all of that as JSON in a string, or plain text.
 */
#ifndef DIALOGUE_H
#define DIALOGUE_H

#include "json/json.h"

enum dialogue_role {
	DIALOGUE_SYSTEM,
	DIALOGUE_USER,
	DIALOGUE_MODEL,
	DIALOGUE_TOOL,
};

enum dialogue_kind {
	DIALOGUE_TEXT,
	DIALOGUE_CALL,
	DIALOGUE_RESULT,
};

/* A part of a message. */
struct dialogue_part {
	enum dialogue_kind kind;
	const struct json *value;     /* text: a string; arguments; result */
	const struct json *id, *tool; /* of a call or result */
	const struct json *is_error;  /* true or false */
};

struct dialogue_message {
	enum dialogue_role role;
	struct dialogue_part *parts;
	size_t n;
};

struct dialogue {
	struct dialogue_message *list;
	size_t n;
};

/* Reads the value; what says no role has the role given. Nothing is found in
 * what is of none of the shapes. All is in the arena, or in the value. */
struct dialogue dialogue_read(
    struct arena *, const struct json *, enum dialogue_role);

/* Whether it is a list of what Bedrock's messages are made of, each an object
 * whose only member says what it is: {"text": "..."}, {"toolUse": {...}}. */
bool dialogue_is_blocks(const struct json *);

/* A value that was made a string is what it was; any other is itself. Only
 * lists and objects count as made strings. */
const struct json *dialogue_value(struct arena *, const struct json *);

#endif
