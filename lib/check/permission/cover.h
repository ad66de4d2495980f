/* The lines that would cover a command, and commands that cannot be undone. */
#pragma once

#include "base/str.h"

/* Returns how many of a command's words a line should name: the program and its
 * subcommand, the flags between them included (git diff, npm run test, ls). A runner's
 * command is named with the runner (npx tsc). */
size_t permission_cover_words(const struct str *words, size_t n);

/* Returns whether a command that begins with the words, n at least 1, can do what cannot
 * be undone: rm x, git push --force, npm publish. */
bool permission_irrevocable(const struct str *words, size_t n);
