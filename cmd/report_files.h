/* The files of mcpl-report's input. */
#pragma once

/* Takes each FILE.runs with the runs of a partial out of the list, if the list has FILE
 * too, so that part.* counts no run twice. */
void report_files(char **files);
