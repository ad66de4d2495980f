/* The files of mcpl-report's input and output. */
#pragma once

#include "base/arena.h"
#include "cmd/cli.h"
#include "io/content_folder.h"
#include "io/out.h"
#include "report/format/format.h"

/* Takes each FILE.runs with the runs of a partial out of the list, if the list has FILE
 * too and it is a partial, so that part.* counts no run twice. */
void report_files(char **files);

/* If the format is html, and --output is a folder or ends in a slash, makes the folder,
 * sets --output to the page in it, and returns the folder of the page's runs, in the
 * arena. Else returns NULL. */
struct content_folder *report_folder(
    const struct report_format *, struct cli *, struct arena *);

/* Closes the output and then the folder, if there is one, which keeps the runs of the page
 * that is there. A failure is an error that is printed. */
void report_close(struct out *, struct content_folder *folder);
