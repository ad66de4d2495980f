/* Texts with places {{name}} that values fill. */
#pragma once

#include "base/arena.h"
#include "base/str.h"

/* Returns the text of the place whose content, between the braces, is `name`; absent: the
 * place stays as written. */
typedef struct str placeholder_value(struct str name, void *arg);

/* Returns the text, in the arena, with the values in the places. The values are not
 * searched for places. */
struct str placeholders_fill(
    struct arena *, struct str text, placeholder_value *, void *arg);
