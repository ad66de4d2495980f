/* Logs that are no JSON: they become JSON as they are opened (io/converter.h), and the
 * formats in format/ read that. */
#pragma once

#include "io/converter.h"

/* All notations, ended by a row without functions. */
extern const struct converter log_notations[];

/* Names of hidden files that are logs, separated by blanks. */
#define LOG_HIDDEN_FILES ".aider.chat.history.md"

/* ---- aider_history.c ---- */

enum converter_owns aider_history_owns(struct str start);
bool aider_history_convert(struct out *, struct str text, const char *file);

/* ---- cassette.c ---- */

enum converter_owns cassette_owns(struct str start);
bool cassette_convert(struct out *, struct str text, const char *file);

/* ---- crew_text.c ---- */

enum converter_owns crew_text_owns(struct str start);
bool crew_text_convert(struct out *, struct str text, const char *file);

/* ---- opencode_storage.c ---- */

enum converter_owns opencode_storage_owns(struct str start);
bool opencode_storage_convert(struct out *, struct str text, const char *file);

/* Returns whether the file is read with another, which is the file of a session. */
bool opencode_storage_is_part(const char *path);

/* ---- raw_log.c ---- */

enum converter_owns raw_log_owns(struct str start);
bool raw_log_convert(struct out *, struct str text, const char *file);
