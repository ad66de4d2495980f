/* HTML in an answer, as promptfoo looks for it. */
#pragma once

#include "base/str.h"

/* Returns whether the text has signs of HTML: two of a tag that opens, one that
 * closes, one that is empty, a character reference, a comment and an attribute;
 * or a tag of a common element, or the declaration of a document. A text of more
 * than ten MiB has none. */
bool html_has_signs(struct str text);

/*
 * Returns why the text as a whole is no HTML; absent text if it is: parsed as
 * HTML's standard parses a document, the text has an element that HTML knows or
 * that has a '-' in its name, and no text of its own in a body whose tag is not
 * written. Sets *open if the text may be HTML, since rules of the standard decide
 * that are not followed here.
 */
struct str html_fault(struct arena *, struct str text, bool *open);
