/*
 * What the events of a sample of inspect_ai tell beside its messages: how long
 * tools worked, and what sub-agents did that ran within a tool's call.
 */
#pragma once

#include "base/hash.h"
#include "extract/run/builder.h"

struct inspect_sample {
	struct builder *builder;
	struct arena *arena; /* of the sample */
	/* Texts that stand apart, by name: see json_keys_last. */
	struct hash_table attachments;
	struct hash_table told; /* ids of the messages that were told */
};

/* The value with all that stands apart put back. */
const struct json *inspect_attached(
    struct inspect_sample *, const struct json *);

/* Tells a message of an assistant: its texts and calls. */
void inspect_said(struct inspect_sample *, const struct json *message);

/* Tells what the events tell, once all messages were told. */
void inspect_events(struct inspect_sample *, const struct json *events);
