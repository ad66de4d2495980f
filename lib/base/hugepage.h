/* Huge pages for large memory: the text of a record, and its values. */
#pragma once

#include <stddef.h>

/* Like realloc, but asks the system for huge pages from 8 MiB on. Without them
 * each of the 38,000 pages of a record of 100 MB would cost a page fault. */
void *hugepage_realloc(void *, size_t size);
