/* Calls in rules that are named by what an agent calls its tools, or by a pattern over
 * the text of a shell, where a role or a command is meant. */
#include "base/ascii.h"
#include "check/advice/set.h"
#include "check/rule/roles.h"

/* ---- roles ---- */

static bool
has_tool(const struct rule_role *role, struct str name)
{
	for (size_t i = 0; i < role->ntools; i++)
		if (role->tools[i].tool.s != NULL &&
		    role->tools[i].argument.s == NULL &&
		    str_eq(role->tools[i].tool, name))
			return true;
	return false;
}

/* Returns whether the name is hardly that of a tool of another kind. */
static bool
is_of_agent(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (name.s[i] == '_' || (name.s[i] >= 'A' && name.s[i] <= 'Z'))
			return true;
	return str_is(name, "bash");
}

/* Returns the role of which all names of the call are tools, or NULL. */
static const struct rule_role *
role_of(const struct rule_roles *roles, const struct rule_call *call)
{
	for (size_t i = 0; i < roles->n; i++) {
		const struct rule_role *role = &roles->list[i];
		size_t n = 0;

		while (n < call->nglobs && has_tool(role, call->globs[n]))
			n++;
		if (n == call->nglobs &&
		    (n > 1 || (n == 1 && is_of_agent(call->globs[0]))))
			return role;
	}
	return NULL;
}

/* ---- commands ---- */

/* A pattern that is read as a command. */
struct reading {
	struct str rest;
	struct out words;
	bool flags; /* the word at the end is of flags behind one dash */
	bool ends;  /* what follows is no word */
};

/* Takes the text if it is next. */
static bool
takes(struct reading *r, const char *text)
{
	if (!str_starts(r->rest, text))
		return false;
	r->rest = str_from(r->rest, strlen(text));
	return true;
}

static void
end_word(struct reading *r)
{
	if (r->words.n != 0 && r->words.buf[r->words.n - 1] != ' ')
		out_char(&r->words, ' ');
	r->flags = false;
}

/* Puts flags of which one is meant: -r|-f. */
static void
put_flags(struct reading *r, struct str letters, const char *joint)
{
	for (size_t i = 0; i < letters.n; i++)
		out_printf(
		    &r->words, "%s-%c", i == 0 ? "" : joint, letters.s[i]);
}

static bool
is_of_word(char c)
{
	return ascii_is_alnum(c) || ascii_is_among(c, "-_/.");
}

/* Reads a word of plain letters; the flags of a word with one dash one by one. */
static void
read_word(struct reading *r)
{
	size_t n = 0;
	struct str word;

	while (n < r->rest.n && is_of_word(r->rest.s[n]) &&
	    !(r->rest.s[n] == '.' && n + 1 < r->rest.n &&
		str_find_char(STR("*+"), r->rest.s[n + 1]) < 2))
		n++;
	word = str_slice(r->rest, 0, n);
	r->rest = str_from(r->rest, n);
	r->ends = n == 0 ||
	    (r->rest.n != 0 && str_find_char(STR("*+?{"), *r->rest.s) < 4);
	if (r->ends)
		return;
	if (n > 1 && n <= 4 && *word.s == '-' && word.s[1] != '-')
		put_flags(r, str_from(word, 1), " ");
	else
		out_str(&r->words, word);
}

/* Reads -\w*[rf]\w*: some flag of several. */
static bool
reads_flags(struct reading *r)
{
	struct reading was = *r;
	size_t n;

	if (!takes(r, "-"))
		return false;
	if (!takes(r, "\\w*"))
		takes(r, "[a-zA-Z]*");
	n = str_find_char(r->rest, ']');
	if (!takes(r, "[") || n == 1 + r->rest.n ||
	    str_find_char(str_slice(r->rest, 0, n - 1), '-') < n - 1) {
		*r = was;
		return false;
	}
	put_flags(r, str_slice(r->rest, 0, n - 1), "|");
	r->rest = str_from(r->rest, n);
	if (!takes(r, "\\w*"))
		takes(r, "[a-zA-Z]*");
	return true;
}

/* Returns the command that the pattern describes as far as it is words, and sets *more
 * if it is not to the end; empty if it does not begin with one. */
static struct str
command_of(struct str pattern, bool *more, struct arena *a)
{
	struct reading r = { .rest = pattern };

	out_open_memory(&r.words);
	takes(&r, "^");
	while (r.rest.n != 0 && !r.ends) {
		if (takes(&r, "\\b") || takes(&r, "$"))
			continue;
		if (takes(&r, "\\s+") || takes(&r, "\\s*") ||
		    takes(&r, "\\s") || takes(&r, " +") || takes(&r, " ") ||
		    takes(&r, ".*") || takes(&r, ".+"))
			end_word(&r);
		else if (!reads_flags(&r))
			read_word(&r);
	}
	*more = r.rest.n != 0;
	return str_trim(out_keep(&r.words, a));
}

/* Returns whether the command is one of a shell, whatever the tool is. */
static bool
is_of_shell(struct str command)
{
	struct str program = str_cut(&command, ' ');

	return command.s != NULL &&
	    str_is_one_of(program,
		"rm git npm pnpm yarn pip cargo docker kubectl sudo curl wget "
		"chmod terraform gh");
}

/* Finds what calls of a rule are about. */
struct finding_of {
	struct advice_notes *notes;
	const struct check *check;
	struct rule_program roles;
};

/* Returns the place of the call, if the rule's line has it, and not a let. */
static struct place
place_of(const struct finding_of *f, const struct rule_call *call)
{
	const struct rule_want *w = f->check->want;
	struct place at = f->check->source.place;

	if (call->written.s >= w->written.s &&
	    call->written.s < w->written.s + w->written.n)
		at.column += (size_t)(call->written.s - w->written.s);
	return at;
}

static void
advise_pattern(struct finding_of *f, const struct rule_call *call,
    const struct rule_cond *c, bool shell)
{
	bool more;
	struct str command = command_of(c->pattern, &more, f->notes->arena);
	const char *why;

	if ((!shell && !is_of_shell(command)) ||
	    shell_pattern_read(f->notes->arena, command, &why) == NULL)
		return;
	advice_add(f->notes, SHELL_PATTERN, place_of(f, call),
	    "/%.*s/ in the text of a shell, where 'run \"%.*s%s\"' is meant",
	    STR_FMT(c->pattern), STR_FMT(command), more ? " ..." : "");
}

/* Adds notes about the patterns of a call over the text of a shell. Returns whether
 * there is one. */
static bool
advise_patterns(
    struct finding_of *f, const struct rule_call *call, bool of_shell)
{
	bool any = str_is(call->names, "*"), found = false;

	for (size_t i = 0; (of_shell || any) && i < call->nconds; i++) {
		const struct rule_cond *c = &call->conds[i];
		bool of_text =
		    c->of == RULE_ARGS || (c->of == RULE_ARG && c->nsteps == 1);

		if (c->test != RULE_MATCH || c->negate || !of_text)
			continue;
		advise_pattern(f, call, c, of_shell);
		found = true;
	}
	return found;
}

/* Adds notes about a call. A tool that is demanded by its name is that of one agent. */
static void
advise_call(struct finding_of *f, const struct rule_call *call, bool demanded)
{
	const struct rule_role *shell = rule_role_find(&f->roles, STR("shell"));
	const struct rule_role *role;

	if (call->after != NULL)
		advise_call(f, call->after, demanded);
	if (call->negated || call->kind != RULE_IS_CALL)
		return;
	role = role_of(rule_roles(&f->roles), call);
	if (advise_patterns(
		f, call, role == shell || str_is(call->names, ":shell")) ||
	    role == NULL || demanded)
		return;
	advice_add(f->notes, TOOL_OF_ROLE, place_of(f, call),
	    "'%.*s', where the role ':%.*s' may be meant", STR_FMT(call->names),
	    STR_FMT(role->name));
}

static void
advise_claim(struct finding_of *f, const struct rule_claim *c)
{
	bool demanded = c->form == RULE_CHAIN && !c->absent;

	for (size_t i = 0; i < c->nparts; i++)
		advise_claim(f, c->parts[i]);
	for (size_t i = 0; i < c->nstages; i++)
		for (size_t k = 0; k < c->stages[i].n; k++)
			advise_call(f, &c->stages[i].list[k], demanded);
	for (size_t i = 0; i < c->end.n; i++)
		advise_call(f, &c->end.list[i], demanded);
}

void
advise_calls(struct advice_notes *notes, const struct check *c)
{
	const struct rule_want *w = c->want;
	struct finding_of f = {
		.notes = notes, .check = c, .roles = { .arena = notes->arena }
	};

	advise_claim(&f, w->claim);
	if (w->condition != NULL)
		advise_claim(&f, w->condition);
}
