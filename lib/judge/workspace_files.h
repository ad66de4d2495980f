/*
 * The files of the folder that a run left behind, as a judge is shown them:
 * each by its path, and of their texts as much as fits a fixed number of bytes,
 * so that short ones are whole and long ones all cut at the same length.
 */
#pragma once

#include "redact/text.h"

/*
 * JSON text in the arena: [{"path","text"}, ...], sorted by path. "shown" says
 * what of a file is not there, and why. Links are named with what they lead to
 * ("link") and not followed. Nothing of .git is named. Redaction (NULL: none)
 * comes before cutting. Absent, and *why, if there is no such folder or it
 * cannot be read.
 */
struct str workspace_files_write(
    struct arena *, const char *folder, struct redaction *, struct str *why);
