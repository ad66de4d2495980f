/*
 * Decides the command of a call of Bash as Claude Code does. Private to the files
 * claude*.c.
 */
#pragma once

#include "base/ascii.h"
#include "check/permission/claude.h"
#include "check/permission/claude_parts.h"
#include "shell/shell.h"

/* A call whose decision is being made. */
struct claude_deciding {
	const struct permission_set *set;
	const struct permission_call *call;
	struct arena *arena;
	struct permission_hit *hits;
	unsigned char *sorts; /* of the hits of each line, by its number */
	struct permission_cover *covers;
	size_t nhits, ncovers;
	size_t uncovered; /* parts */
	bool
	    allowed; /* whatever the command is, by a line that names the tool */
	bool open;   /* a part is not covered */
	bool unnamed;  /* bash may run commands that the text does not name */
	bool critical; /* ..., a removal that no line and no mode allows */
	/* Names what the record lacks for a line of deny or ask, or else for what
	 * would let the call pass. */
	const char *lacking, *doubt;
	const char *why; /* what lets a part pass that no line covers */
};

/* Returns whether the line of the hit has one that says as much. */
bool claude_has_hit(const struct claude_deciding *, struct permission_hit);
/* Adds a hit, unless the line has one. */
void claude_hit(struct claude_deciding *, struct permission_hit);
/* Notes a line that would cover the part; absent: none can. */
void claude_cover(struct claude_deciding *, struct permission_cover);
/* Notes that a line of this decision, or the mode (allow), depends on something that is
 * not recorded. */
void claude_lack(struct claude_deciding *, enum permission, const char *what);
extern const char claude_no_folder[];

/* ---- claude_shell.c ---- */

/* Returns whether the command, or a part of it, fits the entry, which is of a shell. */
bool claude_text_fits(const struct claude_entry *, struct str text);
/* Returns whether also the text before the blank and the star at the end fits. */
bool claude_fits_bare(const struct claude_entry *);
/* Decides the parts of the call's command by the set's lines, the read-only commands and
 * the mode. */
void claude_decide_parts(struct claude_deciding *, struct claude_parts);

/* ---- claude_ran.c ---- */

/* Adds hits for what bash runs in the command and the agent does not see. */
void claude_add_unseen(struct claude_deciding *, struct claude_parts);

/* ---- claude_files.c ---- */

/* Decides the files that a part writes or reads; the command is that of the part, or
 * NULL. `moves`: the call changes the folder. */
void claude_decide_files(struct claude_deciding *, const struct claude_part *,
    const struct shell_command *, bool moves);

/* ---- claude_read_only.c ---- */

/* Returns whether the agent runs the command without a question since it only reads. */
bool claude_reads_only(const struct shell_command *);
/* Returns whether the text expands only variables that are always the same. */
bool claude_knows_expansions(struct str text);
