/*
 * Reads a shell command line as bash does, without running it: which simple
 * commands can it run, with which words? What a shell computes only as it runs
 * (the value of a variable, the output of a command) is marked in the words. A
 * command that starts another (sudo, xargs, sh -c, eval) is followed by the
 * command that it starts.
 *
 * Not seen: scripts that are files, programs in other languages (python -c), and
 * what a program runs by itself (make, git's aliases).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

/* Stands in a word's text for what is known only as the shell runs. No UTF-8 has
 * the byte. */
#define SHELL_UNKNOWN '\xff'

/* A word without its quotes. */
struct shell_word {
	struct str text;
	bool quoted; /* a part was quoted */
	bool glob; /* has * ? or [ without quotes: file names may replace it */
	bool splits;       /* may become no word, or several */
	struct str source; /* as written; absent: not in a text */
};

enum { SHELL_NONE = -1 };

/* A simple command that the text can run. */
struct shell_command {
	struct shell_word *words; /* words[0] is the program */
	size_t n;                 /* at least 1 */
	int by; /* index of the command that starts it, or SHELL_NONE */
	struct str input; /* a here-document or here-string, or absent */
	struct str
	    source;  /* the part of the text, or absent if not in the text */
	bool starts; /* the command starts others, which are listed */
};

/* The commands of a text, in the order in which the text has them. */
struct shell {
	const struct shell_command *list;
	size_t n;
	bool unknown; /* may run commands that are not in the list */
	bool invalid; /* bash refuses the text, or a part of it */
};

/* Reads a text. The result lives in the arena and has slices of the text. Each
 * text is accepted; time and memory are linear in its length, but for functions
 * that call each other, which are followed to a limit (then `unknown` is set). */
struct shell shell_read(struct arena *, struct str text);

/* Lists each simple command that is written in a text, whether it can run or not, also
 * in functions and substitutions. Nothing is followed: no functions, no programs that
 * start another, no texts for another shell. `time` and `coproc` count as programs. */
struct shell shell_read_written(struct arena *, struct str text);

/* Reads a list of n words that a program gets without a shell. */
struct shell shell_read_words(
    struct arena *, const struct str *words, size_t n);

/* Returns whether a word's value is known only as the shell runs. */
static inline bool
shell_word_is_computed(const struct shell_word *w)
{
	return w->splits || str_find_char(w->text, SHELL_UNKNOWN) < w->text.n;
}

/* Returns the last part of a path. */
struct str shell_base_name(struct str path);

/* Returns the last part of a program's path, which may have SHELL_UNKNOWN. */
struct str shell_program(const struct shell_command *);
