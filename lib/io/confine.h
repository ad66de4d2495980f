/*
 * Least privilege. A filter reads files and writes its output; whoever takes
 * it over by what it reads shall not do more than that. By Landlock and seccomp
 * on Linux; a kernel without one of them leaves out its part.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct confine_done {
	bool files, network; /* what is confined now */
};

/*
 * From now on this process and all that it starts can open for writing, make
 * and remove files only beside these (NULL: none; a link: beside what it leads
 * to) and among temporary files, and can reach no network. What is open stays
 * so. Before any thread.
 */
struct confine_done confine(const char *const *paths, size_t n);
