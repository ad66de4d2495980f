/* Finds out whether a line of Claude Code's permissions applies to a call, but for the commands of
 * Bash; and what becomes of a call that no line covers. */
#include "check/permission/claude.h"
#include "check/permission/claude_shell.h"

/* ---- patterns ---- */

bool
claude_star_fits(struct str pattern, struct str text, char bound)
{
	size_t p = 0, t = 0, star = SIZE_MAX, from = 0;

	while (t < text.n) {
		if (p < pattern.n && pattern.s[p] == '*') {
			star = p++;
			from = t;
		} else if (p < pattern.n && pattern.s[p] == text.s[t]) {
			p++;
			t++;
		} else if (star != SIZE_MAX &&
		    (bound == '\0' || text.s[from] != bound)) {
			p = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.s[p] == '*')
		p++;
	return p == pattern.n;
}

struct str
claude_lower(struct arena *a, struct str text)
{
	char *to = str_c(a, text);

	for (size_t i = 0; i < text.n; i++)
		if (to[i] >= 'A' && to[i] <= 'Z')
			to[i] |= 0x20;
	return (struct str){ to, text.n };
}

bool
claude_domain_fits(struct str pattern, struct str host, struct arena *a)
{
	pattern = claude_lower(a, pattern);
	if (str_ends(pattern, "."))
		pattern.n--;
	if (str_is(pattern, "*"))
		return host.n > 0;
	/* No host has a longer name. */
	if (host.n > 255)
		return false;
	if (!str_starts(pattern, "*."))
		return claude_star_fits(pattern, host, '.');
	/* Any number of labels is before the rest. */
	pattern = str_from(pattern, 2);
	while (host.s != NULL) {
		str_cut(&host, '.');
		if (host.s != NULL && claude_star_fits(pattern, host, '.'))
			return true;
	}
	return false;
}

/* ---- lines ---- */

/* Returns whether a PATH line is about what the call does with files. */
static bool
is_about(const struct permission_line *line, const struct claude_call *c)
{
	const struct claude_entry *e = line->of;

	if (c->files == CLAUDE_NO_FILES)
		return false;
	/* An allowed edit allows to read as well. */
	if (str_is(e->tool, "Edit"))
		return c->files == CLAUDE_EDITS ||
		    line->decision == PERMISSION_ALLOW;
	return c->files != CLAUDE_EDITS ||
	    (line->decision == PERMISSION_DENY &&
		!str_is(c->tool, "NotebookEdit"));
}

static bool
skill_fits(const struct claude_entry *e, struct str name)
{
	struct str value = e->value;

	if (str_starts(value, "/"))
		value = str_from(value, 1);
	if (str_ends(value, " *"))
		return str_starts(name, str_slice(value, 0, value.n - 2));
	return claude_star_fits(value, name, '\0');
}

static enum rule_fit
value_fits(const struct permission_line *line, const struct claude_call *c,
    struct str value, struct arena *a)
{
	const struct claude_entry *e = line->of;
	bool fits = false;

	if (e->form == CLAUDE_PATH)
		return claude_path_fits(line, c->of->folder, value,
		    c->files == CLAUDE_SEARCHES ? PATH_IS_FOLDER : 0, a);
	if (e->form == CLAUDE_DOMAIN)
		fits = claude_domain_fits(e->value, value, a);
	else if (e->form == CLAUDE_AGENT)
		fits = claude_star_fits(e->value, value, '\0');
	else if (e->form == CLAUDE_SKILL)
		fits = skill_fits(e, value);
	return fits ? RULE_YES : RULE_NO;
}

/* Returns whether some allow line fits the value. */
static enum rule_fit
allowed(const struct permission_set *set, const struct claude_call *c,
    struct str value, struct arena *a)
{
	enum rule_fit best = RULE_NO;

	for (size_t i = 0; i < set->n && best != RULE_YES; i++) {
		const struct permission_line *line = &set->lines[i];
		const struct claude_entry *e = line->of;
		enum rule_fit fit = RULE_NO;

		if (line->decision != PERMISSION_ALLOW)
			continue;
		if (e->form == CLAUDE_PATH ? is_about(line, c)
					   : e->form == CLAUDE_DOMAIN)
			fit = value_fits(line, c, value, a);
		best = fit > best ? fit : best;
	}
	return best;
}

/* Some value must fit; in an allow, each other value must fit some allow line. */
static enum rule_fit
values_fit(const struct permission_set *set, const struct permission_line *line,
    const struct claude_call *c, struct arena *a, struct str *part)
{
	enum rule_fit best = RULE_NO;

	/* An agent without a name is the one for general purposes in most versions. */
	if (c->lacking ||
	    (c->n == 0 && str_is(c->tool, "Agent") &&
		value_fits(line, c, STR("general-purpose"), a)))
		return RULE_MAYBE;
	for (size_t i = 0; i < c->n; i++) {
		enum rule_fit fit = value_fits(line, c, c->values[i], a);

		if (fit > best)
			*part = c->values[i];
		best = fit > best ? fit : best;
	}
	if (line->decision != PERMISSION_ALLOW || c->n == 1)
		return best;
	for (size_t i = 0; i < c->n && best != RULE_NO; i++)
		best = rule_least(best, allowed(set, c, c->values[i], a));
	return best;
}

/* Returns whether the line names the tool of a server. */
static enum rule_fit
mcp_fits(const struct claude_entry *e, const struct claude_call *c)
{
	bool all = e->value.s == NULL;

	if (c->mcp.s != NULL)
		return str_eq(e->server, c->server) &&
			(all || claude_star_fits(e->value, c->name, '\0'))
		    ? RULE_YES
		    : RULE_NO;
	/* The log does not say which server the tool is of. */
	return c->known == NULL &&
		(all || claude_star_fits(e->value, c->tool, '\0'))
	    ? RULE_MAYBE
	    : RULE_NO;
}

/* Returns whether the tool is named. Cowork has tools of a server in the place of two
 * built-in ones, and denies these by the names of the built-in ones. */
static bool
name_fits(const struct permission_line *line, const struct claude_call *c)
{
	const struct claude_entry *e = line->of;

	if (e->form == CLAUDE_NAME_GLOB)
		return claude_star_fits(e->tool, c->tool, '\0');
	return str_eq(e->tool, c->tool) ||
	    (line->decision == PERMISSION_DENY &&
		((str_is(e->tool, "Bash") &&
		     str_is(c->mcp, "mcp__workspace__bash")) ||
		    (str_is(e->tool, "WebFetch") &&
			str_is(c->mcp, "mcp__workspace__web_fetch"))));
}

static enum rule_fit
parameter_fits(
    const struct claude_entry *e, const struct claude_call *c, struct arena *a)
{
	const struct json *v = json_get(c->of->call->args, e->parameter);
	struct str text = json_text(v, a);

	if (e->parameter.s == NULL || !str_eq(e->tool, c->tool))
		return RULE_NO;
	if (c->lacking)
		return RULE_MAYBE;
	if (v == NULL || v->type == JSON_ARRAY || v->type == JSON_OBJECT ||
	    v->type == JSON_NULL)
		return RULE_NO;
	return claude_star_fits(
		   e->wanted, text.s != NULL ? text : v->text, '\0')
	    ? RULE_YES
	    : RULE_NO;
}

static enum rule_fit
form_fits(const struct permission_set *set, const struct permission_line *line,
    const struct claude_call *c, struct arena *a, struct str *part)
{
	const struct claude_entry *e = line->of;

	switch (e->form) {
	case CLAUDE_NAME:
	case CLAUDE_NAME_GLOB:
		return name_fits(line, c) ? RULE_YES : RULE_NO;
	case CLAUDE_MCP:
		return mcp_fits(e, c);
	case CLAUDE_PATH:
		return is_about(line, c) ? values_fit(set, line, c, a, part)
					 : RULE_NO;
	case CLAUDE_AGENT:
	case CLAUDE_DOMAIN:
	case CLAUDE_SKILL:
		return str_eq(e->tool, c->tool)
		    ? values_fit(set, line, c, a, part)
		    : RULE_NO;
	case CLAUDE_SHELL:
		return str_is(e->tool, "PowerShell") && str_eq(e->tool, c->tool)
		    ? claude_powershell_fits(set, line, c, a, part)
		    : RULE_NO;
	case CLAUDE_IGNORED:
	case CLAUDE_FORMS:
		break;
	}
	return RULE_NO;
}

enum rule_fit
claude_line_fits(const struct permission_set *set,
    const struct permission_line *line, const struct claude_call *c,
    struct arena *a, struct str *part)
{
	enum rule_fit form, parameter;

	*part = c->tool;
	/* No rule takes this tool away, and none asks for it. */
	if (str_is(c->tool, "EndConversation") &&
	    line->decision > PERMISSION_NONE)
		return RULE_NO;
	form = form_fits(set, line, c, a, part);
	parameter = parameter_fits(line->of, c, a);
	return form > parameter ? form : parameter;
}

const char *
claude_line_lacks(
    const struct permission_line *line, const struct claude_call *c)
{
	const struct claude_entry *e = line->of;

	if (c->lacking)
		return "not recorded: the arguments of a call";
	if (e->form == CLAUDE_MCP)
		return "not recorded: the server of a call";
	if (e->form == CLAUDE_AGENT)
		return "not recorded: the name of a subagent";
	if (e->form == CLAUDE_SHELL)
		return NULL;
	return e->anchor == CLAUDE_HOME ? "not recorded: the home of the user"
					: claude_no_folder;
}
