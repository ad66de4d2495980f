/* Bodies of HTTP messages that a recorder kept as bytes. */
#pragma once

#include <stdbool.h>

#include "base/str.h"

/* Returns the text of a body in base64: of what gzip packed, and the events of an event
 * stream of AWS, a line each with "data:" before it. Returns the text itself if it is
 * not base64 of these. The result lives in the arena, or is the text. */
struct str http_body_text(struct arena *, struct str text);

/* Returns whether the text is base64 that http_body_text cannot read, as of a body that
 * another program than gzip packed. */
bool http_body_is_packed(struct arena *, struct str text);
