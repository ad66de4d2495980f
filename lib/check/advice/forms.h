/* Writes the assertions that advice adds, in the form of each dialect. */
#pragma once

#include "check/advice/edit.h"
#include "check/advice/set.h"

enum advice_style {
	STYLE_KINDS, /* mcp-eval's scenarios */
	STYLE_EVALUATORS,
	STYLE_MCPLAB,
	STYLE_PROMPTKIT,
	STYLE_EVOLVE,
	STYLE_PROMPTFOO,
	STYLE_RULES,
	STYLES,
};

enum advice_form {
	FORM_TOOL,
	FORM_ARGUMENTS, /* several, in one assertion */
	FORM_ARGUMENT,  /* one */
	FORM_ORDER,
	FORM_LIMIT,
	FORM_TIME,
	FORM_LACKS,
	FORM_CONTAINS,
	FORM_OUTPUT,
	FORM_JUDGE,
	FORM_LOOSE, /* the expected output is a part of the answer */
	FORMS,
};

/* The values that are filled in. */
struct advice_values {
	struct str tool, text;
	struct str_list tools;
	const struct json *key, *value; /* of one argument */
	const struct advice_tool *arguments;
	double n;
};

/* An assertion, and the path of the list that it belongs to, by keys with dots
 * between them. */
struct advice_written {
	struct edit_value value;
	const char *where;
};

/* Returns the style of the dialect's assertions about the scenario; STYLES: advice writes
 * none of the dialect. */
enum advice_style advice_style_of(const char *dialect, const struct scenario *);

/* Returns the name of the type that has the form, in parentheses behind a blank; empty
 * if the style has no such form. */
struct str advice_form_name(
    struct arena *, enum advice_style, enum advice_form);

/* Writes the assertion; returns false if the style has no such form. */
bool advice_write(struct arena *, enum advice_style, enum advice_form,
    const struct advice_values *, struct advice_written *);
