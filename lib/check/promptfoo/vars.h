/* The vars of promptfoo's tests. */
#pragma once

#include "base/ascii.h"
#include "io/out.h"
#include "json/json.h"

struct promptfoo_var {
	struct str name;
	const struct json *value; /* NULL: not known, for this reason: */
	struct str unknown;
};

struct promptfoo_vars {
	struct promptfoo_var *list;
	size_t n;
	bool prefixed;  /* `vars.name` is the var `name` as well */
	struct str key; /* of the values as written; see below */
};

/* Returns whether a name in a template may have the character. */
static inline bool
promptfoo_is_of_name(char c)
{
	return ascii_is_alnum((unsigned char)c) || c == '_';
}

/* Returns the variable, or NULL. */
const struct promptfoo_var *promptfoo_var(
    const struct promptfoo_vars *, struct str name);

/* Sets the variable, whether it was set before or not. */
void promptfoo_set_var(
    struct promptfoo_vars *, struct promptfoo_var, struct arena *);

/* Takes the line end from the end of values that are text. Then replaces
 * {{ name }} in the values that are text by the value of that name, in
 * at most five passes, as promptfoo does before it renders anything. */
void promptfoo_resolve_vars(struct promptfoo_vars *, struct arena *);

/* Returns a text that is the same for vars with the same names and values, so
 * that a run is recognised by its vars. Absent if a value is not known. */
struct str promptfoo_key(const struct promptfoo_vars *, struct arena *);

/* Like promptfoo_key, for the vars that a run recorded, which are as written. */
struct str promptfoo_key_of(const struct json *object, struct arena *);

/* Returns a value that is this text. */
const struct json *promptfoo_quoted(struct str text, struct arena *);

/* Writes a member of an object, at its key, as it is. */
void promptfoo_put_member(struct out *, const struct json *key, struct arena *);

/* Returns what JavaScript's String(value) gives; an absent list element and null
 * within a list are empty. */
struct str promptfoo_string(const struct json *, struct arena *);

/*
 * Returns the template, filled in as nunjucks does (render.c), with its expressions replaced. Understood are {{ path }}
 * with dots and brackets, literals, the filters trim, upper, lower, capitalize,
 * dump, length, first, last, join, replace, default, safe and string, comments,
 * and {% raw %}. Anything else: the result is absent, and *why is the reason.
 */
struct str promptfoo_render(struct str template, const struct promptfoo_vars *,
    struct arena *, struct str *why);
