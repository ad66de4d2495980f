/* The list of --groups: files of one session as one task. */
#pragma once

#include "extract/log_reader.h"
#include "io/out.h"

/* Writes a line for each group of files that are to be read together: the paths as
 * words of the shell. */
void extract_groups(const struct extract_job *, char **files, struct out *);
