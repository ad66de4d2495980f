/* Remarks on the entries of Claude Code's permission lists, in the order in which they
 * are looked for. An entry gets one remark. */
#include "base/ascii.h"
#include "check/permission/claude_entry.h"

typedef struct str remark(const struct claude_reading *, struct arena *);

/* Returns the remark if there is reason for it, else the absent text. */
static struct str
remark_if(bool reason, const char *text)
{
	return reason ? str_of(text) : (struct str){ 0 };
}

static struct str
nearest(struct str word, struct arena *a)
{
	struct suggest s = suggest_for(word);

	claude_tool_suggest(&s);
	return str_of(suggest_text(&s, a));
}

static bool
has_char(struct str text, char c)
{
	return str_find_char(text, c) < text.n;
}

/* Returns the form of entries with brackets of the entry's tool. */
static enum claude_form
form_of(const struct claude_reading *r)
{
	return r->known == NULL ? CLAUDE_NAME : r->known->form;
}

static struct str
is_empty(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(str_trim(r->written).n == 0,
	    "expected a tool, found an empty text");
}

static struct str
is_comment(const struct claude_reading *r, struct arena *a)
{
	struct str text = str_trim(r->written);

	(void)a;
	return remark_if(str_starts(text, "//") || str_starts(text, "#"),
	    "a comment is no entry: the text is read as the name of a tool");
}

static struct str
is_unbalanced(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(r->opened != r->closed,
	    "the brackets do not balance (one that belongs to the text has a "
	    "backslash before it)");
}

static struct str
has_nothing_within(const struct claude_reading *r, struct arena *a)
{
	if (r->inner.s == NULL || (r->inner.n > 0 && !str_is(r->inner, ":*")))
		return (struct str){ 0 };
	return str_printf(a,
	    "nothing is between the brackets (all calls: %.*s)",
	    STR_FMT(r->tool));
}

static struct str
has_text_behind(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(r->opened > 0 && r->inner.s == NULL,
	    r->before.s == NULL
		? "expected a tool before the bracket, found none"
		: "expected the end of the entry behind the closing bracket, "
		  "found more text");
}

static struct str
is_mcp_with_brackets(const struct claude_reading *r, struct arena *a)
{
	if (r->inner.s == NULL || !str_starts(r->tool, "mcp__"))
		return (struct str){ 0 };
	return str_printf(a,
	    "a rule of an MCP tool has no brackets (all calls: %.*s)",
	    STR_FMT(r->tool));
}

static struct str
is_mcp_without_server(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(str_starts(r->tool, "mcp__") &&
		(r->entry.server.n == 0 || str_ends(r->tool, "__")),
	    "expected mcp__SERVER or mcp__SERVER__TOOL");
}

static struct str
is_wide_allow(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(r->decision == PERMISSION_ALLOW &&
		r->entry.form == CLAUDE_NAME_GLOB,
	    "a pattern in the name of a tool allows nothing, but behind "
	    "mcp__SERVER__");
}

static struct str
is_lower_case(const struct claude_reading *r, struct arena *a)
{
	if ((r->tool.s[0] | 0x20) != r->tool.s[0] ||
	    !ascii_is_letter((unsigned char)r->tool.s[0]) ||
	    has_char(r->tool, '_'))
		return (struct str){ 0 };
	return str_printf(a,
	    "expected a tool, whose name begins with a capital "
	    "letter, found '%.*s'%.*s",
	    STR_FMT(r->tool), STR_FMT(nearest(r->tool, a)));
}

static struct str
is_unknown(const struct claude_reading *r, struct arena *a)
{
	if (r->known != NULL || has_char(r->tool, '_') ||
	    r->entry.form == CLAUDE_NAME_GLOB)
		return (struct str){ 0 };
	return str_printf(a, "expected a tool, found '%.*s'%.*s",
	    STR_FMT(r->tool), STR_FMT(nearest(r->tool, a)));
}

static struct str
has_path_of_no_use(const struct claude_reading *r, struct arena *a)
{
	static const char *const reads = "Glob Grep LS NotebookRead";
	static const char *const edits = "Write MultiEdit NotebookEdit";
	bool read = str_is_one_of(r->tool, reads);

	if (r->entry.form != CLAUDE_IGNORED || r->entry.parameter.s != NULL ||
	    (!read && !str_is_one_of(r->tool, edits)))
		return (struct str){ 0 };
	return str_printf(a,
	    "files are only compared with Read(path) and Edit(path): write "
	    "%s(%.*s)",
	    read ? "Read" : "Edit", STR_FMT(r->inner));
}

static struct str
names_main_argument(const struct claude_reading *r, struct arena *a)
{
	if (r->entry.parameter.s == NULL || r->known->main == NULL ||
	    !str_is(r->entry.parameter, r->known->main))
		return (struct str){ 0 };
	return str_printf(a,
	    "the argument '%s' of %.*s cannot be compared as a parameter",
	    r->known->main, STR_FMT(r->tool));
}

static struct str
has_no_domain(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(
	    r->entry.form == CLAUDE_DOMAIN && !str_starts(r->inner, "domain:"),
	    "expected WebFetch(domain:HOST)");
}

static struct str
has_wildcard_of_commands(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(
	    r->entry.form == CLAUDE_PATH && str_ends(r->inner, ":*"),
	    "':*' is for commands; a pattern of paths ends in /** or *");
}

static struct str
is_windows_path(const struct claude_reading *r, struct arena *a)
{
	struct str v = r->entry.value;
	char drive;

	if (r->entry.form != CLAUDE_PATH || v.n < 3 || v.s[1] != ':' ||
	    !ascii_is_letter((unsigned char)v.s[0]) ||
	    !ascii_is_among((unsigned char)v.s[2], "\\/"))
		return (struct str){ 0 };
	drive = (char)(v.s[0] | 0x20);
	return str_printf(
	    a, "a path of Windows is written //%c/..., with slashes", drive);
}

static struct str
is_negated(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(
	    r->entry.form == CLAUDE_PATH && str_starts(r->entry.value, "!"),
	    "'!' at the start makes no exception from other entries");
}

/* An entry with brackets whose tool has no such form. */
static struct str
has_brackets_of_no_use(const struct claude_reading *r, struct arena *a)
{
	if (r->entry.form != CLAUDE_IGNORED || form_of(r) == CLAUDE_IGNORED ||
	    r->entry.parameter.s != NULL)
		return (struct str){ 0 };
	return str_printf(
	    a, "the entries of %.*s have no brackets", STR_FMT(r->tool));
}

/* ---- what stands as it is ---- */

static bool
is_command(const struct claude_reading *r)
{
	return r->entry.form == CLAUDE_SHELL;
}

static struct str
is_unlike_a_path(const struct claude_reading *r, struct arena *a)
{
	static const char *const roots =
	    "Users Volumes bin boot dev etc home lib mnt opt private proc root "
	    "sys tmp "
	    "usr var";
	struct str v = r->entry.value;

	if (r->entry.form != CLAUDE_PATH || v.n < 2 || v.s[0] != '/' ||
	    v.s[1] == '/')
		return (struct str){ 0 };
	v = str_from(v, 1);
	if (!str_is_one_of(str_cut(&v, '/'), roots))
		return (struct str){ 0 };
	return str_printf(a,
	    "one slash begins at the folder of the settings; an absolute path "
	    "is "
	    "written /%.*s",
	    STR_FMT(r->entry.value));
}

static struct str
has_colon_within(const struct claude_reading *r, struct arena *a)
{
	struct str v = r->entry.value;

	(void)a;
	return remark_if(is_command(r) && str_find(v, ":*") < v.n &&
		v.n - str_find(v, ":*") > 2,
	    "':*' is a wildcard only at the end: here the colon is part of the "
	    "text");
}

static struct str
has_two_wildcards(const struct claude_reading *r, struct arena *a)
{
	struct str v = r->entry.value;

	(void)a;
	return remark_if(
	    is_command(r) && r->entry.prefix && str_find_char(v, '*') + 1 < v.n,
	    "before ':*' at the end, '*' is part of the text");
}

/* Returns whether the word is a word of a command, no option and no pattern. */
static bool
is_plain_word(struct str word)
{
	return word.n > 0 && word.s[0] != '-' && !str_is(word, "*");
}

/* A pattern before the word that says what the command does: git * main. */
static struct str
has_early_wildcard(const struct claude_reading *r, struct arena *a)
{
	struct str rest = r->entry.value, word;
	bool wild = false, named = false;
	size_t n = 0;

	(void)a;
	if (!is_command(r) || r->decision != PERMISSION_ALLOW ||
	    r->entry.prefix)
		return (struct str){ 0 };
	for (; rest.n > 0; n++) {
		word = str_cut(&rest, ' ');
		if (wild && is_plain_word(word))
			return STR(
			    "the wildcard before the subcommand also allows "
			    "options in its place");
		wild = wild || has_char(word, '*');
		named = named || (n > 0 && !wild && is_plain_word(word));
		if (named)
			break;
	}
	return (struct str){ 0 };
}

static struct str
is_piece_of_shell(const struct claude_reading *r, struct arena *a)
{
	static const char *const words = "do done then else elif fi for while "
					 "until case esac select if { } [[ "
					 "break continue function";
	struct str word = str_trim(r->entry.value);
	size_t n = 0;

	while (
	    n < word.n && !ascii_is_among((unsigned char)word.s[n], " :;\t\n"))
		n++;
	word.n = n;
	if (!is_command(r) || !str_is_one_of(word, words))
		return (struct str){ 0 };
	return str_printf(
	    a, "looks like a piece of a longer command: '%.*s'", STR_FMT(word));
}

static struct str
looks_like_several(const struct claude_reading *r, struct arena *a)
{
	struct str v = r->inner;
	size_t depth = 0;

	(void)a;
	for (size_t i = 0; i < v.n; i++) {
		if (v.s[i] == '\\')
			i++;
		else if (v.s[i] == ')' && depth-- == 0)
			return STR("looks like several entries in one text");
		else if (v.s[i] == '(')
			depth++;
	}
	return (struct str){ 0 };
}

static struct str
has_placeholder(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(
	    is_command(r) && str_contains(r->entry.value, "__TRACKED_VAR__"),
	    "has a placeholder in the place of a variable, which no command "
	    "has");
}

static struct str
has_line_break(const struct claude_reading *r, struct arena *a)
{
	(void)a;
	return remark_if(is_command(r) && has_char(r->entry.value, '\n'),
	    "has a line break, at which commands are taken apart");
}

static struct str
has_open_quote(const struct claude_reading *r, struct arena *a)
{
	struct str v = r->entry.value;
	char quote = '\0';

	(void)a;
	for (size_t i = 0; i < v.n; i++) {
		if (v.s[i] == '\\' && quote != '\'')
			i++;
		else if (quote == '\0' && (v.s[i] == '\'' || v.s[i] == '"'))
			quote = v.s[i];
		else if (v.s[i] == quote)
			quote = '\0';
	}
	return remark_if(is_command(r) && quote != '\0',
	    "has a quotation mark that is not closed");
}

static struct str
lost_backslashes(const struct claude_reading *r, struct arena *a)
{
	struct str rest = r->entry.value, word;

	(void)a;
	while (is_command(r) && rest.n > 0) {
		word = str_cut(&rest, ' ');
		if (word.n > 3 && word.s[1] == ':' && word.s[0] >= 'A' &&
		    word.s[0] <= 'Z' && word.s[2] >= 'A' && word.s[2] <= 'Z')
			return STR("looks like a path of Windows without its "
				   "backslashes");
	}
	return (struct str){ 0 };
}

static const struct fault {
	remark *find;
	const char *effect;
	bool ignored;
} faults[] = {
	{ is_empty, "; Claude Code skips the entry", true },
	{ is_comment, "; the entry never applies", true },
	{ is_unbalanced, "; Claude Code skips the entry", true },
	{ has_nothing_within, "; Claude Code skips the entry", true },
	{ has_text_behind, "; Claude Code skips the entry", true },
	{ is_mcp_with_brackets, "; Claude Code skips the entry", true },
	{ is_mcp_without_server, "; the entry never applies", true },
	{ is_wide_allow, "; Claude Code skips the entry", true },
	{ is_lower_case, "; Claude Code skips the entry", true },
	{ is_unknown, "; the entry never applies", true },
	{ names_main_argument, "; the entry never applies", true },
	{ has_path_of_no_use, "; the entry never applies", true },
	{ has_no_domain, "; Claude Code skips the entry", true },
	{ has_wildcard_of_commands, "; Claude Code skips the entry", true },
	{ is_windows_path, "; the entry never applies", true },
	{ is_negated, "; the entry never applies", true },
	{ has_brackets_of_no_use, "; the entry never applies", true },
	{ looks_like_several, "", false },
	{ is_unlike_a_path, "", false },
	{ has_colon_within, "", false },
	{ has_two_wildcards, "", false },
	{ has_early_wildcard, "", false },
	{ is_piece_of_shell, "", false },
	{ has_placeholder, "", false },
	{ has_line_break, "", false },
	{ has_open_quote, "", false },
	{ lost_backslashes, "", false },
};

void
claude_entry_check(struct claude_reading *r, struct arena *a)
{
	struct str text;

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		text = faults[i].find(r, a);
		if (text.s == NULL)
			continue;
		r->entry.warning = str_cat(a, text, str_of(faults[i].effect));
		if (faults[i].ignored)
			r->entry = (struct claude_entry){
				.tool = r->entry.tool,
				.warning = r->entry.warning,
			};
		return;
	}
}
