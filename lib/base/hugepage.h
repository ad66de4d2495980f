/*
 * realloc for what may become large: the text of a record, and its values.
 * From a size on it lies in huge pages, where the system has them to give: of
 * a record of 100 MB each of 38,000 pages would be a fault else.
 */
#pragma once

#include <stddef.h>

void *hugepage_realloc(void *, size_t size);
