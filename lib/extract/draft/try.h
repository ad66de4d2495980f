/* Tries a map on the records from which the map was drafted. */
#pragma once

#include "extract/format/log_try.h"

struct draft_trial {
	size_t tried; /* records */
	size_t runs, prompts, texts, calls, results, errors, finals;
	long score; /* the higher, the better */
};

/* Reads the records by the text of the map. */
struct draft_trial draft_try(
    struct arena *, struct str map_text, const struct log_records *);
