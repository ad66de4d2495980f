/*
 * Lists the files of the folder that a run left behind, for a judge: the path
 * of each, and its text. All texts together have `most` bytes at most: short
 * texts are whole, and long texts are all cut at the same length.
 */
#pragma once

#include "redact/text.h"

/*
 * Returns JSON text in the arena: [{"path","text"}, ...], sorted by path.
 * "shown" says which part of a file is missing, and why. Links are listed with
 * their target ("link") and not followed. Nothing in .git is listed. Texts are
 * redacted (NULL: not redacted) before they are cut. Returns an absent text
 * and sets *why if there is no such folder or it cannot be read.
 */
struct str workspace_files_write(struct arena *, const char *folder,
    struct redaction *, size_t most, struct str *why);
