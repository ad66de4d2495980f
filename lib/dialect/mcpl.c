#include "mcpl.h"

#include "../dialect.h"
#include "mcplab.h"

static struct check
require(struct arena *a, struct str tool, struct str *wrong)
{
	(void)wrong;
	return mcplab_required(a, tool);
}

static struct check
forbid(struct arena *a, struct str tool, struct str *wrong)
{
	(void)wrong;
	return mcplab_forbidden(a, tool);
}

static struct check
sequence(struct arena *a, struct str names, struct str *wrong)
{
	struct str *list = NULL;
	size_t n = 0;

	while (names.s != NULL) {
		struct str name = str_trim(str_cut(&names, ','));

		if (name.n == 0)
			*wrong = STR("a name is empty");
		*arena_push(a, list, n) = name;
	}
	return mcplab_sequence(a, (struct str_list){ list, n });
}

static struct check
contains(struct arena *a, struct str value, struct str *wrong)
{
	(void)wrong;
	return mcplab_text(a, MCPLAB_CONTAINS, value);
}

static struct check
not_contains(struct arena *a, struct str value, struct str *wrong)
{
	(void)wrong;
	return mcplab_text(a, MCPLAB_NOT_CONTAINS, value);
}

/* Where PATH=VALUE has its '=': the first outside brackets and quotes. */
static size_t
find_equals(struct str text)
{
	int depth = 0;
	char quote = '\0';

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (quote != '\0') {
			if (c == quote)
				quote = '\0';
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == '[' || c == '(') {
			depth++;
		} else if (c == ']' || c == ')') {
			depth--;
		} else if (c == '=' && depth <= 0) {
			return i;
		}
	}
	return text.n;
}

/* VALUE is JSON where it reads as JSON, else the text itself. */
static const struct json *
value_of(struct arena *a, struct str text)
{
	struct json_reader reader = { 0 };
	const struct json *v =
	    json_keep(a, json_read(&reader, text, NULL, NULL));
	struct out quoted;

	if (v == NULL) {
		out_open_memory(&quoted);
		out_quoted(&quoted, text);
		text = str_dup(a, out_memory(&quoted));
		out_close(&quoted);
		v = json_keep(a, json_read(&reader, text, NULL, NULL));
	}
	json_reader_free(&reader);
	return v;
}

static struct check
jsonpath(struct arena *a, struct str text, struct str *wrong)
{
	size_t at = find_equals(text);
	const struct json *equals = NULL;

	if (at < text.n)
		equals = value_of(a, str_from(text, at + 1));
	if (json_is(equals, JSON_ARRAY) || json_is(equals, JSON_OBJECT))
		*wrong = STR("a list or object equals nothing");
	return mcplab_path(
	    a, MCPLAB_PATH, str_slice(text, 0, at), equals, wrong);
}

static const struct row {
	struct mcpl_option option;
	struct check (*make)(struct arena *, struct str, struct str *wrong);
} rows[MCPL_OPTIONS] = {
	{ { "require", "TOOL" }, require },
	{ { "forbid", "TOOL" }, forbid },
	{ { "sequence", "A,B,C" }, sequence },
	{ { "contains", "TEXT" }, contains },
	{ { "not-contains", "TEXT" }, not_contains },
	{ { "regex", "RE" }, mcplab_regex },
	{ { "jsonpath", "PATH[=VALUE]" }, jsonpath },
};

const struct mcpl_option *
mcpl_option_at(size_t n)
{
	return &rows[n].option;
}

struct check
mcpl_check(struct arena *a, const struct mcpl_option *option,
    struct str argument, struct str *wrong)
{
	struct check c = { 0 };

	for (size_t i = 0; i < MCPL_OPTIONS; i++)
		if (&rows[i].option == option)
			c = rows[i].make(a, argument, wrong);
	if (argument.n == 0)
		*wrong = STR("nothing to look for");
	c.type = str_of(option->name);
	c.label = str_printf(a, "%s %.*s", option->name, STR_FMT(argument));
	c.dialect = str_of(dialect_mcpl.name);
	c.at = str_printf(a, "--%s", option->name);
	check_seal(&c, a);
	return c;
}

const struct dialect dialect_mcpl = {
	.name = "mcpl",
	.what = "the short checks of the command line (no file)",
};
