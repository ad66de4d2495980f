/*
 * Shows a person the evidence for one check: the rubric, what was asked, the
 * answer, and the calls with their results. The text of the record is made safe
 * to show, and folded so that the whole fits on the screen. The judge's verdict
 * is not part of it.
 */
#pragma once

#include "io/out.h"
#include "trace/trace.h"

struct label_screen {
	struct out *out;
	struct arena *arena;
	size_t columns, rows; /* rows: lines for the evidence */
	bool color;
};

/* Writes the evidence for the check with this result. */
void label_screen_show(const struct label_screen *, const struct trace *,
    const struct json *result);

/* Writes the text with its tone, if the screen has colours. */
void label_screen_tone(
    const struct label_screen *, const char *tone, struct str text);
