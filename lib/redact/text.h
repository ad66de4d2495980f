/*
 * Text that must not leave (an e-mail address, a key) is replaced by a mark
 * that names its class: "[redacted: email]". Of different texts of a class
 * within a record the second is "[redacted: email 2]", and so on, while the
 * same text has the same mark: what was equal or different stays so. Marks
 * that stand in a text already are let be.
 */
#pragma once

#include "redact/rules.h"

/* What was redacted of one record. */
struct redaction {
	struct redact *rules;
	struct arena *arena;       /* where texts are kept */
	size_t marks;              /* how many were set */
	struct hash_table numbers; /* private */
};

struct redaction redaction_begin(struct redact *, struct arena *);

/* Another record that begins with the marks of this one. */
struct redaction redaction_branch(const struct redaction *);

/* The text, which is valid UTF-8, or, if anything of it is redacted, a
 * copy. */
struct str redact_text(struct redaction *, struct str);

/* A mark in place of the whole text. */
struct str redact_whole(
    struct redaction *, struct str text, struct redact_class *);
