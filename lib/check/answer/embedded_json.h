/*
 * Finds JSON in an answer as PromptKit does: the whole text, or the content of
 * its first code fence, or its first {...} or [...]. Reads it as Go does: of
 * several members of one name the last counts.
 */
#pragma once

#include "check/view.h"
#include "io/out.h"
#include "json/json.h"

/* The places to look in, in this order; the last place is the whole text. */
struct embedded_json {
	bool fenced; /* in the first code fence, if there is one */
	bool loose;  /* the first object, else the first list, that is closed */
};

/* The reason why there is no JSON. */
struct embedded_json_error {
	struct str what;    /* absent: there is JSON */
	struct str members; /* of a JSON object: error, content */
};

/* Reads the JSON in the view's text, only once for all checks of that view.
 * Returns NULL and sets the error if there is none, or if a number in it is
 * beyond all doubles, which Go refuses. */
const struct json *embedded_json_read(
    const struct embedded_json *, struct view *, struct embedded_json_error *);

/* Writes where to look as members of a JSON object, for --lint. */
void embedded_json_show(const struct embedded_json *, struct out *);
