/*
 * Patterns of commands, such as `git push -f|--force`: the first word is the
 * program, plain words are its first operands, a word with * ? or [ is some
 * operand behind them, and flags are anywhere. `|` separates alternatives.
 */
#pragma once

#include "shell/shell.h"

struct shell_pattern;

enum shell_match { SHELL_NO, SHELL_YES, SHELL_UNDECIDED };

/* Reads a pattern, which lives in the arena. Returns NULL, and a reason in *why,
 * for a text that is no pattern. */
const struct shell_pattern *shell_pattern_read(
    struct arena *, struct str text, const char **why);

/* Compares one command. A command is undecided if its program, or a word in the
 * place of a plain word, is known only as the shell runs. */
enum shell_match shell_pattern_fits(
    const struct shell_pattern *, const struct shell_command *);

/* Returns SHELL_YES if a command of the text fits; else SHELL_UNDECIDED if a
 * command is undecided, or the text may run commands that are not known. */
enum shell_match shell_pattern_find(
    const struct shell_pattern *, const struct shell *);
