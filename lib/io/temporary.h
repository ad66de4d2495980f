/* Temporary files without a name. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

/* Returns the descriptor of a new, empty file in $TMPDIR (/tmp), which nobody else can
 * open and which is gone when it is closed. A failure ends the program. */
int temporary_file(void);

/* Writes all n bytes at the end of the file. A failure ends the program. */
void temporary_write(int fd, const char *bytes, size_t n);
