#include "check/dialect/mcpl.h"

#include <stdlib.h>

#include "check/dialect/dialect.h"
#include "check/dialect/mcplab.h"
#include "check/kind/kind.h"

/* Which tool it was that the pattern stands for. */
static void
name_tool(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	if (r->status == STATUS_FAILED && f->why.s != NULL)
		r->reason = str_printf(v->arena, "%.*s (%.*s)",
		    STR_FMT(r->reason), STR_FMT(f->why));
}

/* The check of a tool's name, which may be a pattern. MCPLab has none, but no
 * tool of MCP has a '*' in its name either. */
static struct check
of_tools(struct arena *a, struct check c, struct str tool)
{
	struct check like;

	if (str_find_char(tool, '*') == tool.n)
		return c;
	like = called_like(a, tool);
	c.kind = like.kind;
	c.want = like.want;
	c.explain = name_tool;
	return c;
}

static struct check
require(struct arena *a, struct str tool, struct str *wrong)
{
	(void)wrong;
	return of_tools(a, mcplab_required(a, tool), tool);
}

static struct check
forbid(struct arena *a, struct str tool, struct str *wrong)
{
	(void)wrong;
	return of_tools(a, mcplab_forbidden(a, tool), tool);
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

	if (v == NULL)
		v = json_keep(
		    a, json_read(&reader, out_quote(a, text), NULL, NULL));
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

/* ---- limits ---- */

/* A number that is not negative; 0 if the text is none. */
static bool
number(struct arena *a, struct str text, bool whole, double *n)
{
	const char *all = str_c(a, text);
	char *end;

	*n = strtod(all, &end);
	if (end != all && *end == '\0' && *n >= 0 && *n <= 1e15 &&
	    (!whole || *n == (double)(int64_t)*n))
		return true;
	*n = 0;
	return false;
}

static struct check
limit(struct arena *a, struct check c, struct str of, struct str most)
{
	c.detail = str_printf(
	    a, "%.*s: expected at most %.*s", STR_FMT(of), STR_FMT(most));
	c.explain = check_explain_found;
	return c;
}

static struct check
max_calls(struct arena *a, struct str text, struct str *wrong)
{
	struct str most = text, tool = { 0 }, of = STR("calls");
	double n = 0;

	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] == '=') {
			tool = str_slice(text, 0, i);
			most = str_from(text, i + 1);
		}
	if (!number(a, most, true, &n) || (tool.s != NULL && tool.n == 0))
		*wrong = STR("expected a whole number or TOOL=NUMBER");
	if (tool.s != NULL)
		of = str_cat(a, STR("calls of "), tool);
	return limit(a, called_at_most(a, tool, (int64_t)n), of, most);
}

static struct check
max_amount(struct arena *a, struct str text, struct str *wrong,
    enum limit which, const char *unit)
{
	double n;

	if (!number(a, text, which == LIMIT_TOKENS, &n))
		*wrong = str_printf(a, "expected a number of %s", unit);
	return limit(a, limits_check(a, which, n), str_of(unit), text);
}

static struct check
max_tokens(struct arena *a, struct str text, struct str *wrong)
{
	return max_amount(a, text, wrong, LIMIT_TOKENS, "tokens");
}

static struct check
max_cost(struct arena *a, struct str text, struct str *wrong)
{
	return max_amount(a, text, wrong, LIMIT_COST, "US dollars");
}

static struct check
max_seconds(struct arena *a, struct str text, struct str *wrong)
{
	return max_amount(a, text, wrong, LIMIT_SECONDS, "seconds");
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
	{ { "max-calls", "[TOOL=]N" }, max_calls },
	{ { "max-tokens", "N" }, max_tokens },
	{ { "max-cost", "USD" }, max_cost },
	{ { "max-seconds", "N" }, max_seconds },
};

const struct mcpl_option *
mcpl_option_at(size_t n)
{
	return &rows[n].option;
}

/* --sequence alone takes a list. A title, which some logs have for a tool's
 * name, may hold a comma. */
static void
doubt_comma(const struct mcpl_option *option, struct str tool)
{
	if (str_contains(str_of(option->argument), "TOOL") &&
	    str_find_char(tool, ',') < tool.n)
		diag_warn((struct place){ 0 },
		    "--%s: '%.*s' is taken for one tool (give the option for "
		    "each)",
		    option->name, STR_FMT(tool));
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
		*wrong = STR("nothing is given");
	if (wrong->s == NULL)
		doubt_comma(option, argument);
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
