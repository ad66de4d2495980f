/* The tokens of a document in HTML, as HTML's standard divides it. */
#pragma once

#include "base/str.h"

enum html_token_kind {
	HTML_END, /* of the text */
	HTML_TEXT,
	HTML_BLANK, /* text of HTML's white space alone */
	HTML_OPEN,
	HTML_CLOSE,
	HTML_DOCTYPE,
};

struct html_token {
	enum html_token_kind kind;
	struct str name; /* of a tag, in lower case; of a document type what
				* it declares */
	struct str attributes; /* as written */
	bool shown;            /* of text: not only JavaScript's white space */
};

struct html_tokens {
	struct arena *arena;
	struct str text;
	size_t at;
};

/* Reads the next token. Comments and what the standard drops are passed over. */
struct html_token html_next(struct html_tokens *);

/* Passes over the text of an element that has no tags within, up to its closing
 * tag, and over that tag. Returns whether the text has the start of a comment. */
bool html_pass_content(struct html_tokens *, struct str name);

/* Returns whether the attributes have one of this name, whose value is this, in
 * any letter case. */
bool html_attribute_is(
    struct str attributes, const char *name, const char *value);
