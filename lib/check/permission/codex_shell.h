/*
 * Codex's own reading of shell text: which commands does Codex 0.171.0 take from
 * `bash -lc TEXT` before the rules are asked, and does the text force an rm? Both are
 * narrower than what bash runs, which lib/shell reads.
 */
#pragma once

#include "base/arena.h"
#include "base/str.h"

/* A command as a list of words. */
struct codex_command {
	const struct str *words;
	size_t n;          /* at least 1 */
	struct str source; /* the part of the text; absent: not of a text */
};

struct codex_commands {
	const struct codex_command *list;
	size_t n;
};

/*
 * Takes a command apart as Codex does: the text of bash, sh or zsh with -lc or -c is
 * several commands if the text has nothing but words, quoted words without expansions or
 * escapes, && || ; | and ends of lines. Anything else leaves the command as it is (one
 * command, without a source). The list lives in the arena and has slices of the words.
 */
struct codex_commands codex_commands_of(
    struct arena *, const struct str *words, size_t n);

/* Returns whether Codex refuses the command without any rule: rm -f in one of its
 * forms, also behind sudo and env, in a trap, or in any command that is written in the
 * text of a shell. */
bool codex_forces_rm(struct arena *, const struct str *words, size_t n);

/* Returns the text that the command gives bash, sh or zsh with -lc or -c, or an absent
 * text. */
struct str codex_text_of(const struct str *words, size_t n);
