/* Text of the data in XML and HTML, where nothing of it is markup. */
#pragma once

#include "base/arena.h"
#include "base/str.h"
#include "io/out.h"

/* Writes the text as the content of an element, lines and all. What does not
 * show, and with it what XML 1.0 refuses, stands as \x1b. */
void xml_text(struct out *, struct str, struct arena *);

/* The same as an attribute, with a blank before it: name="text". */
void xml_attribute(struct out *, const char *name, struct str, struct arena *);
