#include "base/hugepage.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE = 8 * 1024 * 1024 }; /* for less memory the call does not pay */

/* Asks for all pages that the memory lies in: if only a part of a mapping had
 * the advice, mremap could not move the mapping without a copy. A refusal
 * changes nothing. */
static void
ask_for_huge_pages(char *p, size_t size)
{
#ifdef MADV_HUGEPAGE
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t before = (uintptr_t)p % page;

	size = (before + size + page - 1) / page * page;
	(void)madvise(p - before, size, MADV_HUGEPAGE);
#else
	(void)p, (void)size;
#endif
}

void *
hugepage_realloc(void *p, size_t size)
{
	void *bigger = realloc(p, size);

	if (bigger != NULL && size >= LARGE)
		ask_for_huge_pages(bigger, size);
	return bigger;
}
