/* Finds the JSON object in the text of a judge's answer. */
#pragma once

#include "json/json.h"

/*
 * Returns the object that the text is, alone or in a code fence, before which there
 * may be one sentence, and behind which there may be prose that does not take the
 * answer back; or else the object that follows the thoughts with which the text
 * begins. Returns NULL and sets *why, in the arena, if the text has another form.
 */
const struct json *answer_object(
    struct json_reader *, struct str text, struct str *why, struct arena *);
