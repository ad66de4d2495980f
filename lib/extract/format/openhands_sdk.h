/* Events of OpenHands' SDK, which name their kind. */
#pragma once

#include "extract/run/builder.h"

bool openhands_sdk_is(const struct json *event);
/* Tells the builder what the event says. */
void openhands_sdk_read(struct builder *, const struct json *event);
