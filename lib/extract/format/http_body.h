/* Bodies of HTTP messages that a recorder kept as bytes. */
#pragma once

#include "base/str.h"

/* Returns the text of a body in base64: of what gzip packed, and the events of an event
 * stream of AWS, a line each with "data:" before it. Returns the text itself if it is
 * not base64 of these. The result lives in the arena, or is the text. */
struct str http_body_text(struct arena *, struct str text);
