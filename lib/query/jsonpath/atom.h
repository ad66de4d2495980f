/* The smallest pieces of a script: words, numbers, texts, patterns, and `@`
 * with its relatives. What cannot be read is NULL, and the parser says why. */
#pragma once

#include "query/jsonpath/parse.h"
#include "query/jsonpath/script_tree.h"

struct script_reader {
	struct path_parser *p;
	struct str variables[SCRIPT_VARIABLES_MAX];
	size_t n_variables;
	size_t size; /* expressions so far */
};

struct script *jsonpath_atom_new(struct script_reader *, enum script_kind);
const struct script *jsonpath_atom_value(struct script_reader *, struct value);
/* NULL, after noting what is wrong. */
const struct script *jsonpath_atom_fail(
    struct script_reader *, size_t at, const char *why);

/* Letters, digits, _, $ and all that is not ASCII, but no digit first; may be
 * empty. */
struct str jsonpath_atom_word(struct script_reader *);
/* Takes the word, if it is the whole of what comes next. */
bool jsonpath_atom_take_word(struct script_reader *, const char *word);

/* Whether a number comes next: 1, .5 */
bool jsonpath_atom_is_number(const struct script_reader *);
const struct script *jsonpath_atom_number(struct script_reader *);
const struct script *jsonpath_atom_text(struct script_reader *);
const struct script *jsonpath_atom_context(struct script_reader *);
/* `/pattern/flags` */
const struct script *jsonpath_atom_regex(struct script_reader *);
/* A pattern that stands at this place, with flags of regex.h. */
const struct script *jsonpath_atom_pattern(struct script_reader *, size_t at,
    struct str pattern, unsigned flags, bool global);
