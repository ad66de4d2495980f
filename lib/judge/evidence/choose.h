/*
 * Chooses the parts of a run that a judge is shown, where not all of them fit in
 * the question. What the user wrote and the answer are always shown; then, as far
 * as they fit, calls with errors, steps and passages of long results that share
 * words with the rubrics, and steps from both ends of the run. The order stays.
 * The same input gives the same choice.
 */
#pragma once

#include "json/json.h"

struct choice {
	struct str json;  /* the data with gaps */
	size_t bytes, of; /* bytes of the data that are shown, and all */
	size_t gaps;
};

/*
 * Returns the choice of the data, an object of context_write, for the texts of
 * the query (JSON), in the arena. A gap is an element
 *     {"not_shown":{"steps":37,"bytes":41000}}
 * of a list of steps, calls or files, in place of these, or an element without
 * such a count in a list like "result_parts", which then stands in place of the
 * member "result" and otherwise has the strings that are shown. No text of the
 * run can be such an element. If even the parts that are always shown have more
 * tokens than `most`, choice.json is absent, and *least has their number.
 */
struct choice choose(struct arena *, const struct json *data,
    struct str_list query, size_t most, size_t *least);
