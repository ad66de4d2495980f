/*
 * Reads what a model was given and what the model answered, in any shape in
 * which it is logged with a span: lists of messages of OpenAI, Anthropic,
 * Gemini, Bedrock (and so Strands), LangChain, the Vercel AI SDK, OpenTelemetry
 * and OpenInference; requests and responses that hold such lists; all of these
 * as JSON in a string; or plain text.
 */
#pragma once

#include "json/json.h"

enum chat_role {
	CHAT_SYSTEM,
	CHAT_USER,
	CHAT_MODEL,
	CHAT_TOOL,
	CHAT_OTHER, /* none of these */
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
	const struct json
	    *stop; /* why a model ended the message; NULL: unknown */
};

struct chat {
	struct chat_message *list;
	size_t n;
	struct str *unread; /* types (bodies) of parts of no known type */
	size_t n_unread;
};

/* Reads the value; a message that names no role gets `role`. A value of any
 * other shape gives no messages. The result is in the arena or in the value. */
struct chat chat_read(struct arena *, const struct json *, enum chat_role);

/* Returns whether the value is a list of Bedrock's content blocks: objects
 * whose only member names the kind, such as {"text": "..."} and {"toolUse":
 * {...}}. */
bool chat_is_blocks(const struct json *);

/* A chat, and the value that it was read from. */
struct chat_source {
	struct chat chat;
	const struct json *value;
	bool list; /* the value is, or holds as JSON, a list */
};

/* Reads the value as chat_read does, with less work if it is the value of `before` with
 * more messages at its end, as the inputs of an agent's models are. */
struct chat_source chat_read_after(struct arena *,
    const struct chat_source *before, const struct json *, enum chat_role);

/* Returns the list or object that a string holds as JSON; any other value is
 * returned unchanged. */
const struct json *chat_value(struct arena *, const struct json *);
