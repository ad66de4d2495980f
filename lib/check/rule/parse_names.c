/* The names of calls: globs, roles, shell commands, and names that `let` gives. */
#include "check/rule/parse.h"
#include "check/rule/roles.h"

static const struct str any_tool = STR_CONST("*");

/* The names of a call that is being parsed. */
struct names {
	struct str *globs, *plain; /* all; those that no role brings */
	size_t n, nplain;
	const struct rule_role **roles;
	size_t nroles;
	const struct shell_pattern **patterns;
	size_t npatterns;
};

static void
add_role(
    struct rules_parser *p, struct names *names, const struct rule_role *role)
{
	const struct rule_role *shell =
	    rule_role_find(p->program, STR("shell"));

	*arena_push(p->arena, names->roles, names->nroles) = role;
	for (size_t i = 0; i < role->ntools; i++)
		if (role->tools[i].runs == NULL)
			*arena_push(p->arena, names->globs, names->n) =
			    role->tools[i].tool;
		else
			for (size_t k = 0; k < shell->ntools; k++)
				*arena_push(p->arena, names->globs, names->n) =
				    shell->tools[k].tool;
}

/* Parses :ROLE. */
static void
role_name(struct rules_parser *p, struct names *names)
{
	const struct rule_roles *roles = rule_roles(p->program);
	size_t at = p->at;
	struct str name = rules_colon_name(p);
	const struct rule_role *role = rule_role_find(p->program, name);
	struct suggest near = suggest_for(name);

	if (role != NULL) {
		add_role(p, names, role);
		return;
	}
	for (size_t i = 0; i < roles->n; i++)
		suggest_try(&near, roles->list[i].name);
	for (size_t i = 0; i < p->nlets; i++) {
		if (str_eq(p->lets[i].name, name))
			rules_mistake(p, at,
			    ":%.*s, which is let, cannot be an alternative of "
			    "other names",
			    STR_FMT(name));
		suggest_try(&near, p->lets[i].name);
	}
	rules_mistake(p, at,
	    "expected a role (mcpl-check --print-roles) or a name that let "
	    "gave before, found ':%.*s'%s",
	    STR_FMT(name), suggest_text(&near, p->arena));
}

/* Returns whether `run` and a text in quotes are next. */
static bool
is_run(struct rules_parser *p)
{
	size_t at = p->at;
	bool found = rules_take_word(p, "run") && rules_peek(p) == '"';

	p->at = at;
	return found;
}

/* Parses run "COMMAND". */
static void
run_name(struct rules_parser *p, struct names *names)
{
	const struct shell_pattern *pattern;
	const char *why = NULL;
	struct str text;
	size_t at;

	rules_take_word(p, "run");
	at = rules_start(p);
	text = rules_string(p, "a command, in quotes");
	if (!rules_ok(p))
		return;
	pattern = shell_pattern_read(p->arena, text, &why);
	if (pattern == NULL)
		rules_mistake(p, at, "expected %s in the command '%.*s'", why,
		    STR_FMT(text));
	*arena_push(p->arena, names->patterns, names->npatterns) = pattern;
	if (names->npatterns > 1)
		return;
	add_role(p, names, rule_role_find(p->program, STR("shell")));
	add_role(p, names, rule_role_find(p->program, STR("other_shell")));
}

static void
plain_name(struct rules_parser *p, struct names *names)
{
	size_t at = p->at;
	struct str glob = rules_glob(p, "the name of a tool");

	if (rules_ok(p) && glob.n == 0)
		rules_mistake(p, at, "the name of a tool is empty");
	*arena_push(p->arena, names->globs, names->n) = glob;
	*arena_push(p->arena, names->plain, names->nplain) = glob;
}

static void
parse_names(struct rules_parser *p, struct names *names)
{
	size_t at = p->at;

	do {
		if (rules_peek(p) == ':')
			role_name(p, names);
		else if (is_run(p))
			run_name(p, names);
		else
			plain_name(p, names);
	} while (rules_ok(p) && rules_take_sign(p, "|"));
	if (names->npatterns > 0 && (names->nroles > 2 || names->nplain > 0))
		rules_mistake(p, at,
		    "a command cannot be an alternative of other names (write "
		    "two calls)");
}

static bool
is_conditional(const struct rule_role *role)
{
	for (size_t i = 0; i < role->ntools; i++)
		if (role->tools[i].runs != NULL ||
		    role->tools[i].argument.s != NULL)
			return true;
	return false;
}

/* Adds the conditions that the names bring. */
static void
add_conditions(
    struct rules_parser *p, struct rule_call *call, const struct names *names)
{
	struct rule_cond *list = NULL,
			 cond = { .variable = -1,
				 .roles = names->roles,
				 .nroles = names->nroles,
				 .globs = { names->plain, names->nplain },
				 .patterns = names->patterns,
				 .npatterns = names->npatterns };
	size_t n = 0;
	bool conditional = false;

	for (size_t i = 0; i < names->nroles; i++)
		conditional |= is_conditional(names->roles[i]);
	cond.test = RULE_ROLE;
	if (conditional)
		*arena_push(p->arena, list, n) = cond;
	cond.test = RULE_RUN;
	if (names->npatterns > 0)
		*arena_push(p->arena, list, n) = cond;
	call->runs = names->npatterns > 0;
	call->by_role = names->nroles > 0;
	call->plain = (struct str_list){ names->plain, names->nplain };
	call->conds = list;
	call->nconds = n;
}

/* Returns the call of the name that is next, if `let` gave the name; else NULL. */
static const struct rules_let *
take_let(struct rules_parser *p)
{
	size_t at = p->at;
	struct str name = rules_colon_name(p);

	for (size_t i = 0; i < p->nlets; i++)
		if (name.n > 0 && str_eq(p->lets[i].name, name) &&
		    rules_peek(p) != '|')
			return &p->lets[i];
	p->at = at;
	return NULL;
}

void
rules_names(struct rules_parser *p, struct rule_call *call)
{
	const struct rules_let *let = take_let(p);
	struct names names = { 0 };
	size_t *numbers, at = p->at;
	struct str line = p->line;

	if (let != NULL) {
		p->line = let->call;
		p->at = 0;
		*call = rules_call(p);
		p->line = line;
		p->at = at;
		return;
	}
	parse_names(p, &names);
	if (!rules_ok(p))
		return;
	call->globs = names.globs;
	call->nglobs = names.n;
	call->numbers = numbers = arena_new_n(p->arena, size_t, names.n);
	for (size_t i = 0; i < names.n; i++)
		numbers[i] = rule_glob_number(p->program, names.globs[i]);
	p->roles = names.roles;
	p->nroles = names.nroles;
	add_conditions(p, call, &names);
}

void
rules_negate(struct rules_parser *p, struct rule_call *call)
{
	struct rule_cond *list =
	    arena_new_n(p->arena, struct rule_cond, call->nconds + 1);
	size_t *numbers;

	if (call->nconds == 0 || call->conds->written.n != 0) {
		call->negated = !call->negated;
		return;
	}
	/* The names depend on the arguments: any call, but those of which the
	 * condition that the names brought holds. */
	memcpy(list, call->conds, call->nconds * sizeof *list);
	list->negate = !list->negate;
	call->conds = list;
	call->globs = &any_tool;
	call->nglobs = 1;
	call->numbers = numbers = arena_new(p->arena, size_t);
	*numbers = rule_glob_number(p->program, any_tool);
	call->runs = false;
}

/* ---- let ---- */

bool
rules_is_let(struct rules_parser *p)
{
	bool is;

	p->at = 0;
	is = rules_take_word(p, "let") && rules_peek(p) == ':';
	p->at = 0;
	return is;
}

/* Parses `let :NAME = CALL`. */
static void
parse_let(struct rules_parser *p)
{
	struct rules_let *lets =
	    arena_new_n(p->arena, struct rules_let, p->nlets + 1);
	struct str name;
	size_t at, from;

	rules_take_word(p, "let");
	at = rules_start(p);
	name = rules_colon_name(p);
	if (name.n == 0)
		rules_expected(p, "a name behind the colon", RULES_NOWHERE);
	if (rule_role_find(p->program, name) != NULL)
		rules_mistake(p, at, ":%.*s is a role", STR_FMT(name));
	for (size_t i = 0; i < p->nlets; i++)
		if (str_eq(p->lets[i].name, name))
			rules_mistake(p, at, ":%.*s has a meaning already",
			    STR_FMT(name));
	if (rules_ok(p) && !rules_take_sign(p, "="))
		rules_expected(p, "=", RULES_NOWHERE);
	from = rules_start(p);
	rules_call(p);
	if (p->nlets > 0)
		memcpy(lets, p->lets, p->nlets * sizeof *lets);
	lets[p->nlets] = (struct rules_let){ name, rules_written(p, from) };
	if (rules_ok(p) && !rules_at_end(p))
		rules_expected(p, "the end of the line", RULES_NOWHERE);
	if (!rules_ok(p))
		return;
	p->lets = lets;
	p->nlets++;
}

bool
rules_parse_let(struct rules_parser *p)
{
	p->wrong = (struct str){ 0 };
	p->at = p->nvariables = 0;
	p->word = (struct suggest){ 0 };
	p->regexes = NULL;
	p->nregexes = 0;
	parse_let(p);
	rules_drop(p);
	return rules_ok(p);
}
