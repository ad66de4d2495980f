#include "check/rule/roles.h"

extern const unsigned char roles_txt[];
extern const size_t roles_txt_size;

struct str
rule_roles_text(void)
{
	return (struct str){ (const char *)roles_txt, roles_txt_size };
}

/* Returns the role of that name, which is added if the list lacks the role. */
static struct rule_role *
add_role(struct rule_roles *roles, struct arena *a, struct str name)
{
	for (size_t i = 0; i < roles->n; i++)
		if (str_eq(roles->list[i].name, name))
			return &roles->list[i];
	*arena_push(a, roles->list, roles->n) =
	    (struct rule_role){ .name = name };
	return &roles->list[roles->n - 1];
}

/* Reads TOOL, TOOL(ARG=VALUE|VALUE) or run=PROGRAM. */
static struct rule_role_tool
read_tool(struct arena *a, struct str word)
{
	struct rule_role_tool t = { .tool = { 0 } };
	const char *why;

	if (str_starts(word, "run=")) {
		t.runs = shell_pattern_read(a, str_from(word, 4), &why);
		return t;
	}
	if (str_ends(word, ")"))
		word.n--;
	t.tool = str_cut(&word, '(');
	if (word.s != NULL) {
		t.argument = str_cut(&word, '=');
		t.values = word;
	}
	return t;
}

/* Reads what follows "ROLE:" or "ROLE.NAME:". */
static void
read_row(struct rule_roles *roles, struct arena *a, struct str name,
    struct str words)
{
	struct rule_role *role = add_role(roles, a, str_cut(&name, '.'));
	struct str *list = NULL;
	size_t n = 0;

	while (words.s != NULL) {
		struct str word = str_cut(&words, ' ');

		if (word.n > 0 && name.s == NULL)
			*arena_push(a, role->tools, role->ntools) =
			    read_tool(a, word);
		else if (word.n > 0)
			*arena_push(a, list, n) = word;
	}
	if (name.s != NULL)
		*arena_push(a, role->arguments, role->narguments) =
		    (struct rule_role_argument){ name, { list, n } };
}

const struct rule_roles *
rule_roles(struct rule_program *p)
{
	struct str text = rule_roles_text();
	struct rule_roles *roles = p->roles;

	if (roles != NULL)
		return roles;
	p->roles = roles = arena_new(p->arena, struct rule_roles);
	while (text.s != NULL) {
		struct str words = str_cut(&text, '\n');
		struct str name = str_cut(&words, ':');

		if (words.s != NULL && *name.s != '#')
			read_row(roles, p->arena, name, words);
	}
	return roles;
}

const struct rule_role *
rule_role_find(struct rule_program *p, struct str name)
{
	const struct rule_roles *roles = rule_roles(p);

	for (size_t i = 0; i < roles->n; i++)
		if (str_eq(roles->list[i].name, name))
			return &roles->list[i];
	return NULL;
}

struct str_list
rule_role_arguments(const struct rule_role *role, struct str name)
{
	for (size_t i = 0; i < role->narguments; i++)
		if (str_eq(role->arguments[i].name, name))
			return role->arguments[i].arguments;
	return (struct str_list){ 0 };
}

const struct rule_role_tool *
rule_role_tool_of(const struct rule_role *role, const struct trace_call *call)
{
	for (size_t i = 0; i < role->ntools; i++)
		if (role->tools[i].runs == NULL &&
		    (rule_glob_fits(role->tools[i].tool, call->tool) ||
			rule_glob_fits(role->tools[i].tool, call->name)))
			return &role->tools[i];
	return NULL;
}

bool
rule_role_has_value(const struct rule_role_tool *t,
    const struct trace_call *call, struct arena *a)
{
	struct str values = t->values, text;

	if (t->argument.s == NULL)
		return true;
	text = json_text(json_get(call->args, t->argument), a);
	while (values.s != NULL)
		if (str_eq(str_cut(&values, '|'), text))
			return true;
	return false;
}

const struct rule_role *
rule_role_of_call(
    struct rule_program *p, const struct trace_call *call, struct arena *a)
{
	const struct rule_roles *roles = rule_roles(p);

	for (size_t i = 0; i < roles->n; i++) {
		const struct rule_role_tool *t =
		    rule_role_tool_of(&roles->list[i], call);

		if (t != NULL && rule_role_has_value(t, call, a))
			return &roles->list[i];
	}
	return NULL;
}

bool
rule_role_is_fixed(struct rule_program *p, const struct trace_call *call)
{
	const struct rule_roles *roles = rule_roles(p);

	for (size_t i = 0; i < roles->n; i++) {
		const struct rule_role_tool *t =
		    rule_role_tool_of(&roles->list[i], call);

		if (t != NULL && t->argument.s != NULL)
			return false;
	}
	return true;
}

const struct json *
rule_role_command(struct rule_program *p, const struct trace_call *call)
{
	struct str_list names = rule_role_arguments(
	    rule_role_find(p, STR("shell")), STR("command"));

	if (!json_is(call->args, JSON_OBJECT))
		return call->args;
	for (size_t i = 0; i < names.n; i++) {
		const struct json *v = json_get(call->args, names.list[i]);

		if (v != NULL)
			return v;
	}
	return NULL;
}

bool
rule_role_knows(const struct rule_role *role, const struct json *args)
{
	for (size_t i = 0; i < role->narguments; i++) {
		struct str_list names = role->arguments[i].arguments;

		for (size_t k = 0; k < names.n; k++)
			if (json_get(args, names.list[k]) != NULL)
				return true;
	}
	return false;
}
