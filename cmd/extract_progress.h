/* The progress line of mcpl-extract. */
#pragma once

#include "extract/progress.h"

/* Shows how much of the input is read: the function `show` of an extract_job. */
void extract_progress_show(const struct extract_progress *, double now);
