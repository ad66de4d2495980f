/*
 * Redacts text: a text that must not be disclosed (an e-mail address, a key) is
 * replaced by a mark with its class: "[redacted: email]". If a record has
 * several different texts of a class, the second becomes "[redacted: email 2]",
 * and so on, while equal texts have the same mark; so equal texts stay equal,
 * and different texts stay different. Marks that the text already contains are
 * left unchanged.
 */
#pragma once

#include "redact/rules.h"

/* The redactions of one record. */
struct redaction {
	struct redact *rules;
	struct arena *arena;       /* memory of the results */
	size_t marks;              /* number of marks that were set */
	bool uncounted;            /* classes do not count these marks */
	struct hash_table numbers; /* private */
};

struct redaction redaction_begin(struct redact *, struct arena *);

/* Starts another record, with the numbers of this one's marks. */
struct redaction redaction_branch(const struct redaction *);

/* Returns the text, or a copy if anything was redacted. The text is valid
 * UTF-8. */
struct str redact_text(struct redaction *, struct str);

/* Counts the marks in the text, in their classes. */
void redact_count(const struct redact *, struct str text);

/* Returns a mark in place of the whole text. */
struct str redact_whole(
    struct redaction *, struct str text, struct redact_class *);
