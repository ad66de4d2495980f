/*
 * Least privilege. A filter reads files and writes its output, and an attacker
 * who takes the filter over by its input shall not be able to do more. The
 * restrictions use Landlock and seccomp on Linux; where the kernel lacks one of
 * the two, its part is left out.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct confine_done {
	bool files, network; /* the parts that are confined */
};

/*
 * Restricts this process and all processes that it starts: they can open for
 * writing, create and remove files only in the folders of the n paths and among
 * temporary files, and can reach no network. A path that is NULL or "-" is
 * skipped; for a symbolic link, the folder of its target counts. Descriptors
 * that are open stay usable. The caller must not have started a thread.
 */
struct confine_done confine(const char *const *paths, size_t n);
