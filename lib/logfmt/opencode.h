/* Messages of opencode's sessions. */
#ifndef OPENCODE_H
#define OPENCODE_H

#include "../logfmt.h"

/* Tells the builder what a message says: its info, and its parts. */
void opencode_message_read(struct builder *, const struct json *message);

#endif
