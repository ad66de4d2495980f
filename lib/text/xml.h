/* Writes texts into XML and HTML, with markup characters escaped. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "io/out.h"

/* Writes the text as the content of an element, with its newlines. Hidden
 * characters, and with them all that XML 1.0 forbids, appear as \x1b. The arena
 * is for temporary copies. */
void xml_text(struct out *, struct str, struct arena *);

/* Like xml_text, but writes a blank and an attribute: name="text". */
void xml_attribute(struct out *, const char *name, struct str, struct arena *);
