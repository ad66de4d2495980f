#include "check/dialect/mcpl.h"

#include <stdlib.h>

#include "check/dialect/dialect.h"
#include "check/dialect/mcplab.h"
#include "check/kind/kind.h"
#include "check/rule/parse.h"

/* A request for a short check. */
struct request {
	struct arena *arena;
	struct str argument; /* of the option */
	const char *type;    /* of its row */
	enum limit limit;
	struct str *wrong; /* set if the argument is wrong */
};

/* Appends to the reason the tool whose name matches the pattern. */
static void
name_tool(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	(void)c;
	if (r->status == STATUS_FAILED && f->why.s != NULL)
		r->reason = str_printf(v->arena, "%.*s (%.*s)",
		    STR_FMT(r->reason), STR_FMT(f->why));
}

/* Makes the check one of a pattern if the tool's name has a '*'. MCPLab has no
 * such patterns, but no tool of MCP has a '*' in its name either. */
static struct check
of_tools(struct arena *a, struct check c, struct str tool)
{
	struct check like;

	if (str_find_char(tool, '*') == tool.n)
		return c;
	like = called_like(a, tool);
	c.kind = like.kind;
	c.want = like.want;
	c.tools = like.tools;
	c.explain = name_tool;
	return c;
}

static struct check
tool(const struct request *q)
{
	return of_tools(
	    q->arena, mcplab_tool(q->arena, q->type, q->argument), q->argument);
}

static struct check
sequence(const struct request *q)
{
	struct str names = q->argument;
	struct str_list all = { 0 };

	while (names.s != NULL) {
		struct str name = str_trim(str_cut(&names, ','));

		if (name.n == 0)
			*q->wrong = STR("a name is empty");
		str_list_add(q->arena, &all, name);
	}
	return mcplab_sequence(q->arena, all);
}

static struct check
answer(const struct request *q)
{
	return mcplab_response(q->arena, q->type, q->argument, NULL, q->wrong);
}

/* Returns the place of the '=' in PATH=VALUE: the first outside brackets and
 * quotes. */
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

/* Returns VALUE as JSON if it is JSON, else as a text. */
static const struct json *
value_of(struct arena *a, struct str text)
{
	const struct json *v = json_parse(a, text);

	return v != NULL ? v : json_parse(a, out_quote(a, text));
}

static struct check
jsonpath(const struct request *q)
{
	struct str text = q->argument;
	size_t at = find_equals(text);
	const struct json *equals = NULL;

	if (at < text.n)
		equals = value_of(q->arena, str_from(text, at + 1));
	if (json_is(equals, JSON_ARRAY) || json_is(equals, JSON_OBJECT))
		*q->wrong = STR("a list or object equals nothing");
	return mcplab_response(
	    q->arena, q->type, str_slice(text, 0, at), equals, q->wrong);
}

/* Reads a number that is not negative. Returns false and sets *n to 0 if the
 * text is no such number. */
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
	return c;
}

static struct check
max_calls(const struct request *q)
{
	struct str most = q->argument, tool = { 0 }, of = STR("calls");
	double n = 0;

	for (size_t i = 0; i < q->argument.n; i++)
		if (q->argument.s[i] == '=') {
			tool = str_slice(q->argument, 0, i);
			most = str_from(q->argument, i + 1);
		}
	if (!number(q->arena, most, true, &n) ||
	    (tool.s != NULL && tool.n == 0))
		*q->wrong = STR("expected a whole number or TOOL=NUMBER");
	if (tool.s != NULL)
		of = str_cat(q->arena, STR("calls of "), tool);
	return limit(
	    q->arena, called_at_most(q->arena, tool, (int64_t)n), of, most);
}

static struct check
max_amount(const struct request *q)
{
	static const char *const units[] = {
		[LIMIT_TOKENS] = "tokens",
		[LIMIT_COST] = "US dollars",
		[LIMIT_SECONDS] = "seconds",
	};
	enum limit which = q->limit;
	double n;

	if (!number(q->arena, q->argument, which == LIMIT_TOKENS, &n))
		*q->wrong = str_printf(
		    q->arena, "expected a number of %s", units[which]);
	return limit(q->arena, limits_check(q->arena, which, n),
	    str_of(units[which]), q->argument);
}

static const struct row {
	struct mcpl_option option;
	struct check (*make)(const struct request *);
	const char *type; /* for make: MCPLab's */
	enum limit limit; /* for max_amount */
} rows[MCPL_OPTIONS] = {
	{ { "require", "TOOL" }, tool, .type = "required_tool" },
	{ { "forbid", "TOOL" }, tool, .type = "forbidden_tool" },
	{ { "sequence", "A,B,C" }, .make = sequence },
	{ { "contains", "TEXT" }, answer, .type = "contains" },
	{ { "not-contains", "TEXT" }, answer, .type = "not_contains" },
	{ { "regex", "RE" }, answer, .type = "regex" },
	{ { "jsonpath", "PATH[=VALUE]" }, jsonpath, .type = "jsonpath" },
	{ { "max-calls", "[TOOL=]N" }, .make = max_calls },
	{ { "max-tokens", "N" }, max_amount, .limit = LIMIT_TOKENS },
	{ { "max-cost", "USD" }, max_amount, .limit = LIMIT_COST },
	{ { "max-seconds", "N" }, max_amount, .limit = LIMIT_SECONDS },
};

const struct mcpl_option *
mcpl_option_at(size_t n)
{
	return &rows[n].option;
}

/* Warns of a comma in a tool's name, since only --sequence takes a list. A
 * title, which some logs have for a tool's name, may contain a comma. */
static void
warn_comma(const struct mcpl_option *option, struct str tool)
{
	if (str_contains(str_of(option->argument), "TOOL") &&
	    str_find_char(tool, ',') < tool.n)
		diag_warn((struct place){ 0 },
		    "--%s: '%.*s' is read as one tool (repeat the option for "
		    "each tool)",
		    option->name, STR_FMT(tool));
}

/* ---- as rules ---- */

/* Returns the name as rules write it: in quotes, if it is no plain glob. */
static struct str
glob_of(struct arena *a, struct str tool)
{
	bool plain = tool.n != 0 && !rules_is_reserved(tool);

	for (size_t i = 0; i < tool.n; i++)
		plain &= rules_is_of_name(tool.s[i]) && tool.s[i] != '?';
	return plain ? tool : out_quote(a, tool);
}

static struct str
sequence_rule(struct arena *a, struct str names)
{
	struct str_list all = { 0 };

	while (names.s != NULL)
		str_list_add(
		    a, &all, glob_of(a, str_trim(str_cut(&names, ','))));
	return str_join(a, all.list, all.n, STR(" then "));
}

static struct str
max_calls_rule(struct arena *a, struct str argument)
{
	size_t at = argument.n;

	while (at > 0 && argument.s[at - 1] != '=')
		at--;
	if (at == 0)
		return str_cat(a, STR("calls <= "), argument);
	return str_printf(a, "<= %.*s %.*s", STR_FMT(str_from(argument, at)),
	    STR_FMT(glob_of(a, str_slice(argument, 0, at - 1))));
}

static struct str
jsonpath_rule(struct arena *a, struct str argument)
{
	size_t at = find_equals(argument);

	if (at == argument.n)
		return str_cat(a, STR("answer "), argument);
	return str_printf(a, "answer %.*s = %.*s",
	    STR_FMT(str_slice(argument, 0, at)),
	    STR_FMT(value_of(a, str_from(argument, at + 1))->text));
}

/* Returns the rule that says the same as the option. */
static struct str
rule_of(struct arena *a, const struct mcpl_option *option, struct str argument)
{
	struct str name = str_of(option->name);

	if (str_is(name, "require"))
		return glob_of(a, argument);
	if (str_is(name, "forbid"))
		return str_cat(a, STR("no "), glob_of(a, argument));
	if (str_is(name, "sequence"))
		return sequence_rule(a, argument);
	if (str_is(name, "contains"))
		return str_cat(a, STR("answer has "), out_quote(a, argument));
	if (str_is(name, "not-contains"))
		return str_cat(a, STR("answer lacks "), out_quote(a, argument));
	if (str_is(name, "regex"))
		return str_printf(
		    a, "answer ~ /%.*s/i", STR_FMT(rules_pattern(a, argument)));
	if (str_is(name, "jsonpath"))
		return jsonpath_rule(a, argument);
	if (str_is(name, "max-calls"))
		return max_calls_rule(a, argument);
	if (str_is(name, "max-tokens"))
		return str_cat(a, STR("tokens <= "), argument);
	if (str_is(name, "max-cost"))
		return str_cat(a, STR("cost <= "), argument);
	return str_printf(a, "time <= %.*ss", STR_FMT(argument));
}

struct check
mcpl_check(struct arena *a, const struct mcpl_option *option,
    struct str argument, struct str *wrong)
{
	struct request q = { .arena = a, .argument = argument, .wrong = wrong };
	struct check c = { 0 };

	for (size_t i = 0; i < MCPL_OPTIONS; i++)
		if (&rows[i].option == option) {
			q.type = rows[i].type;
			q.limit = rows[i].limit;
			c = rows[i].make(&q);
		}
	if (argument.n == 0)
		*wrong = STR("the argument is empty");
	if (wrong->s == NULL)
		warn_comma(option, argument);
	c.type = str_of(option->name);
	c.label = str_printf(a, "%s %.*s", option->name, STR_FMT(argument));
	c.dialect = str_of(dialect_rules.name);
	c.at = str_printf(a, "--%s", option->name);
	c.rule = rule_of(a, option, argument);
	c.after_error = AFTER_ERROR_MAY_FAIL;
	check_seal(&c, a);
	return c;
}
