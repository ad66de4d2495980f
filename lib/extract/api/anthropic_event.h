/* Reads the events in which Anthropic's API streams a message. */
#pragma once

#include "extract/run/builder.h"

/* The message that is being streamed in a run; initialized by zeroes. */
struct anthropic_stream {
	const struct json *id; /* in the run's arena; NULL: none */
	struct str key;        /* key under which the message's usage is counted
			        * */
};

/* Reports to the builder what the event adds. From the first event of a message
 * to its last event, the run is marked as broken. */
void anthropic_event_read(
    struct anthropic_stream *, struct builder *, const struct json *event);

/* Returns whether the value is a list of such events that starts with the first
 * event of a message. */
bool anthropic_events_are(const struct json *list);
/* Reads all events of such a list. */
void anthropic_events_read(struct builder *, const struct json *list);
