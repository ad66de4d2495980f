/*
 * Events in which Anthropic's API streams a message.
 */
#pragma once

#include "extract/run/builder.h"

/* A message that is streamed, in one run; zeroed is ready. */
struct anthropic_stream {
	const struct json *id; /* in the run's arena; NULL: none */
	struct str key;        /* what it uses is counted under */
};

/* Tells the builder what the event adds. With the first of a message the run is
 * broken off, until the last has come. */
void anthropic_event_read(
    struct anthropic_stream *, struct builder *, const struct json *event);

/* Whether it is a list of such events, from the first one of a message on. */
bool anthropic_events_are(const struct json *list);
/* Tells the builder of all of them. */
void anthropic_events_read(struct builder *, const struct json *list);
