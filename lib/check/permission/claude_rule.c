/* Writes what lines of Claude Code's permissions are about as calls of mcpl-rules(5), and
 * finds lines that cover others. */
#include "base/ascii.h"
#include "check/permission/claude.h"
#include "io/out.h"

/* ---- calls ---- */

/* Writes the pattern as a part of a regular expression: a star is any text without
 * `bound`, and two stars are folders or, at the end, anything. Returns false if the
 * pattern has a class of characters. */
static bool
put_pattern(struct out *o, struct str text, char bound)
{
	for (size_t i = 0; i < text.n; i++) {
		struct str rest = str_from(text, i);

		if (bound == '/' && str_starts(rest, "**/")) {
			out_text(o, "(.*\\/)?");
			i += 2;
		} else if (text.s[i] == '*') {
			out_text(o,
			    bound == '/'       ? "[^\\/]*"
				: bound == '.' ? "[^.]*"
				: bound == ';' ? "[^;&|]*"
					       : ".*");
		} else if (text.s[i] == '?' && bound == '/') {
			out_text(o, "[^\\/]");
		} else if (text.s[i] == '[' && bound == '/') {
			return false;
		} else {
			if (text.s[i] == '\\' && i + 1 < text.n)
				i++;
			if (ascii_is_among(
				(unsigned char)text.s[i], "\\^$.|?*+()[]{}/"))
				out_char(o, '\\');
			out_char(o, text.s[i]);
		}
	}
	return true;
}

/* Writes the condition on a path. Returns false if rules have no words for it. */
static bool
put_path(struct out *o, const struct permission_line *line)
{
	const struct claude_entry *e = line->of;
	struct str path = e->path;
	bool names = str_find_char(path, '/') == path.n;

	if (e->up > 0 ||
	    (e->anchor == CLAUDE_SOURCE && line->source->folder.s != NULL))
		return false;
	out_text(o, "(path ~ /");
	if (e->anchor == CLAUDE_ROOT)
		out_text(o, "^\\/");
	else if (e->anchor == CLAUDE_HOME)
		out_text(
		    o, "^(~|\\/home\\/[^\\/]+|\\/Users\\/[^\\/]+|\\/root)\\/");
	else
		out_text(o, names ? "^([^\\/].*\\/)?" : "^");
	if (str_starts(path, "/"))
		path = str_from(path, 1);
	if (path.n == 0)
		out_text(o, e->anchor == CLAUDE_ROOT ? "" : "[^\\/]");
	else if (!put_pattern(o, path, '/'))
		return false;
	out_text(o, path.n == 0 ? "/)" : "(\\/|$)/)");
	return true;
}

static bool
put_domain(struct out *o, const struct claude_entry *e)
{
	struct str domain = e->value;

	out_text(o, "WebFetch(url ~ /^\\w+:\\/\\/([^\\/?#]*@)?");
	if (str_starts(domain, "*.")) {
		out_text(o, "([^\\/?#]*\\.)");
		domain = str_from(domain, 2);
	}
	if (str_is(domain, "*"))
		out_text(o, "[^\\/?#]+");
	else
		put_pattern(o, domain, '.');
	out_text(o, "\\.?(:|\\/|[?#]|$)/i)");
	return true;
}

/* Writes `TOOL(argument = "value")`, or with a pattern. */
static bool
put_argument(
    struct out *o, struct str tool, struct str argument, struct str value)
{
	bool pattern = str_find_char(value, '*') < value.n;
	bool prefix = str_ends(value, " *"); /* of a skill's name */

	out_str(o, tool);
	out_char(o, '(');
	out_str(o, argument);
	if (!pattern) {
		out_text(o, " = ");
		if (str_is_one_of(value, "true false"))
			out_str(o, value);
		else
			out_quoted(o, value);
		out_char(o, ')');
		return true;
	}
	out_text(o, " ~ /^");
	put_pattern(
	    o, str_slice(value, 0, prefix ? value.n - 2 : value.n), '\0');
	out_text(o, prefix ? "/)" : "$/)");
	return true;
}

/* Writes the commands that begin with the words. Returns false if a word is not
 * plain. */
static bool
put_words(struct out *o, struct str words)
{
	for (size_t i = 0; i < words.n; i++)
		if (!ascii_is_alnum(words.s[i]) &&
		    !ascii_is_among(words.s[i], " -_./:@+,"))
			return false;
	out_text(o, "run \"");
	out_str(o, words);
	out_char(o, '"');
	return true;
}

/* Writes the commands of a line of Bash. A pattern that names an operator is about the
 * whole text of a command, any other about each part. */
static bool
put_shell(struct out *o, struct str value)
{
	bool bare = str_ends(value, " *"); /* the words alone fit as well */
	bool whole = false;

	if (bare)
		value = str_slice(value, 0, value.n - 2);
	if (bare && put_words(o, value))
		return true;
	for (size_t i = 0; i < value.n; i++)
		whole |= ascii_is_among(value.s[i], ";&|\n");
	out_text(o, ":shell(command ~ /");
	out_text(o, whole ? "^" : "(^|[;&|(\\n] *)");
	put_pattern(o, value, whole ? '\0' : ';');
	out_text(o, !bare ? "" : whole ? "( .*)?" : "( [^;&|]*)?");
	out_text(o, whole ? "$/)" : " *($|[;&|)\\n])/)");
	return true;
}

static bool
put_calls(struct out *o, const struct permission_line *line)
{
	const struct claude_entry *e = line->of;

	/* Bash(curl:*) may be about an argument, and is not meant so. */
	if (e->form == CLAUDE_SHELL &&
	    (e->parameter.s == NULL || str_ends(e->value, " *")))
		return str_is(e->tool, "Bash") && put_shell(o, e->value);
	if (e->parameter.s != NULL)
		return put_argument(o, e->tool, e->parameter, e->wanted);
	switch (e->form) {
	case CLAUDE_NAME:
	case CLAUDE_NAME_GLOB:
	case CLAUDE_MCP:
		out_str(o, e->tool);
		if (e->form == CLAUDE_MCP &&
		    str_eq(str_from(e->tool, 5), e->server))
			out_text(o, "__*");
		return true;
	case CLAUDE_PATH:
		out_text(o,
		    !str_is(e->tool, "Read") ? ":edit"
			: line->decision == PERMISSION_DENY
			? ":read|:search|:edit"
			: ":read|:search");
		return put_path(o, line);
	case CLAUDE_DOMAIN:
		return put_domain(o, e);
	case CLAUDE_AGENT:
		return put_argument(o, STR(":agent"), STR("agent"), e->value);
	case CLAUDE_SKILL:
		return put_argument(o, e->tool,
		    str_is(e->tool, "Skill") ? STR("skill") : STR("command"),
		    e->value);
	case CLAUDE_SHELL:
	case CLAUDE_IGNORED:
	case CLAUDE_FORMS:
		break;
	}
	return false;
}

struct str
claude_calls_of(const struct permission_line *line, struct arena *a)
{
	struct out o;
	struct str calls;
	bool said;

	out_open_memory(&o);
	said = put_calls(&o, line);
	calls = out_keep(&o, a);
	return said ? calls : (struct str){ 0 };
}

/* ---- lines that cover others ---- */

/* Returns whether the paths of one line are among those of another. */
static bool
path_covers(
    const struct permission_line *outer, const struct permission_line *inner)
{
	const struct claude_entry *o = outer->of, *i = inner->of;
	struct str path = i->path;
	bool names = str_find_char(path, '/') == path.n;

	if (!str_eq(o->tool, i->tool) || o->anchor != i->anchor ||
	    o->up != i->up ||
	    (o->anchor == CLAUDE_SOURCE &&
		!str_eq(outer->source->folder, inner->source->folder)))
		return false;
	if (o->pattern == NULL || str_eq(o->path, path))
		return o->pattern == NULL || str_eq(o->value, i->value);
	if (i->pattern == NULL || str_contains(path, "**") ||
	    str_find_char(path, '[') < path.n ||
	    str_find_char(path, '\\') < path.n)
		return false;
	/* A name at any depth is only covered by names at any depth. */
	if (names && str_find_char(o->path, '/') < o->path.n)
		return false;
	return path_pattern_fits(
	    o->pattern, str_from(path, str_starts(path, "/")), 0);
}

bool
claude_form_covers(
    const struct permission_line *outer, const struct permission_line *inner)
{
	const struct claude_entry *o = outer->of, *i = inner->of;
	struct arena a = { 0 };
	bool covers = false;

	if (i->form == CLAUDE_IGNORED && i->parameter.s == NULL)
		return false;
	if (o->form == CLAUDE_NAME)
		return str_eq(o->tool, i->tool) && i->form != CLAUDE_PATH;
	if (o->form == CLAUDE_NAME_GLOB)
		return i->form != CLAUDE_PATH &&
		    claude_star_fits(o->tool, i->tool, '\0');
	if (o->form != i->form || !str_eq(o->parameter, i->parameter) ||
	    !str_eq(o->wanted, i->wanted))
		return false;
	if (o->form == CLAUDE_MCP)
		return str_eq(o->server, i->server) &&
		    (o->value.s == NULL ||
			(i->value.s != NULL &&
			    claude_star_fits(o->value, i->value, '\0')));
	if (o->form == CLAUDE_PATH)
		return path_covers(outer, inner);
	if (o->form == CLAUDE_DOMAIN)
		covers = claude_domain_fits(o->value, i->value, &a);
	else if (str_eq(o->tool, i->tool) && o->form != CLAUDE_IGNORED)
		covers = claude_star_fits(o->value, i->value, '\0');
	arena_free(&a);
	return covers;
}
