/* Kind media: what an answer's images, sounds or films are like. Traces hold
 * texts and calls, no media, so that no run can tell. */
#pragma once

#include "check/check.h"

/* medium: image, audio, video. The params, an object, are for --lint. */
struct check media_check(
    struct arena *, const char *medium, const struct json *params);
