/*
 * What a model was given and what it answered, in whatever shape it was logged
 * with a span: lists of messages of OpenAI, Anthropic, Gemini, Bedrock (so
 * Strands'), LangChain, the Vercel AI SDK, OpenTelemetry and OpenInference, requests and responses that
 * hold them, all of that as JSON in a string, or plain text.
 */
#pragma once

#include "json/json.h"

enum chat_role {
	CHAT_SYSTEM,
	CHAT_USER,
	CHAT_MODEL,
	CHAT_TOOL,
};

enum chat_kind {
	CHAT_TEXT,
	CHAT_CALL,
	CHAT_RESULT,
};

/* A part of a message. */
struct chat_part {
	enum chat_kind kind;
	const struct json *value;     /* text: a string; arguments; result */
	const struct json *id, *tool; /* of a call or result */
	const struct json *is_error;  /* true or false */
};

struct chat_message {
	enum chat_role role;
	struct chat_part *parts;
	size_t n;
};

struct chat {
	struct chat_message *list;
	size_t n;
};

/* Reads the value; what says no role has the role given. Nothing is found in
 * what is of none of the shapes. All is in the arena, or in the value. */
struct chat chat_read(struct arena *, const struct json *, enum chat_role);

/* Whether it is a list of what Bedrock's messages are made of, each an object
 * whose only member says what it is: {"text": "..."}, {"toolUse": {...}}. */
bool chat_is_blocks(const struct json *);

/* A value that was made a string is what it was; any other is itself. Only
 * lists and objects count as made strings. */
const struct json *chat_value(struct arena *, const struct json *);
