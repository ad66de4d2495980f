/* The commands of PowerShell, and the lines that fit them (section "PowerShell" of the
 * page "Configure permissions"). Only what the lines need is read: the commands between
 * the operators, and those in brackets. */
#include "base/ascii.h"
#include "check/permission/claude.h"

/* Cmdlets, each with its common other names. */
static const char *const aliases[][2] = {
	{ "clear-content", "clc" },
	{ "copy-item", "copy cp cpi" },
	{ "foreach-object", "foreach %" },
	{ "get-childitem", "dir gci ls" },
	{ "get-content", "cat gc type" },
	{ "get-item", "gi" },
	{ "get-location", "gl pwd" },
	{ "get-process", "ps" },
	{ "invoke-expression", "iex" },
	{ "invoke-restmethod", "irm" },
	{ "invoke-webrequest", "curl iwr wget" },
	{ "mkdir", "md" },
	{ "move-item", "mi move mv" },
	{ "new-item", "ni" },
	{ "remove-item", "del erase rd ri rm rmdir" },
	{ "rename-item", "ren rni" },
	{ "select-object", "select" },
	{ "select-string", "sls" },
	{ "set-content", "sc" },
	{ "set-location", "cd chdir sl" },
	{ "sort-object", "sort" },
	{ "start-job", "sajb" },
	{ "start-process", "saps start" },
	{ "stop-process", "kill spps" },
	{ "where-object", "where ?" },
	{ "write-output", "echo" },
};

struct parts {
	struct arena *arena;
	struct str *list;
	size_t n;
};

/* Returns the text in lower case, its first word as the cmdlet's own name. */
static struct str
canonical(struct str text, struct arena *a)
{
	struct str lower = claude_lower(a, str_trim(text)), rest = lower, word;

	word = str_cut(&rest, ' ');
	for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
		if (str_is_one_of(word, aliases[i][1]))
			return str_printf(a, "%s%.*s", aliases[i][0],
			    STR_FMT(str_from(lower, word.n)));
	return lower;
}

/* Returns the index behind the quoted text, or the bracketed one, at index i. */
static size_t
skip(struct str text, size_t i)
{
	char open = text.s[i];
	size_t depth = 0;

	if (open == '\'' || open == '"') {
		for (i++; i < text.n && text.s[i] != open; i++)
			i += open == '"' && text.s[i] == '`';
		return i + 1;
	}
	for (; i < text.n; i++) {
		if (ascii_is_among((unsigned char)text.s[i], "({"))
			depth++;
		else if (ascii_is_among((unsigned char)text.s[i], ")}") &&
		    --depth == 0)
			return i + 1;
		else if (ascii_is_among((unsigned char)text.s[i], "'\""))
			i = skip(text, i) - 1;
	}
	return text.n;
}

static void read_parts(struct parts *, struct str text, size_t depth);

/* Adds a command; what only has a value (a number, a variable) is none. */
static void
add_part(struct parts *p, struct str text, size_t depth)
{
	text = canonical(text, p->arena);
	if (text.n > 0 &&
	    !ascii_is_among((unsigned char)*text.s, "'\"@[-0123456789#"))
		*arena_push(p->arena, p->list, p->n) = text;
	for (size_t i = 0, next; i < text.n && depth < 16; i = next) {
		next = i + 1;
		if (!ascii_is_among((unsigned char)text.s[i], "({'\""))
			continue;
		next = skip(text, i);
		if (ascii_is_among((unsigned char)text.s[i], "({"))
			read_parts(
			    p, str_slice(text, i + 1, next - 1), depth + 1);
	}
}

static void
read_parts(struct parts *p, struct str text, size_t depth)
{
	size_t from = 0;

	for (size_t i = 0; i < text.n;) {
		if (ascii_is_among((unsigned char)text.s[i], "({'\"")) {
			i = skip(text, i);
		} else if (text.s[i] == '`') {
			i += 2;
		} else if (ascii_is_among((unsigned char)text.s[i], "|;\n\r") ||
		    str_starts(str_from(text, i), "&&")) {
			add_part(p, str_slice(text, from, i), depth);
			i += 1 +
			    (text.s[i] == '&' ||
				str_starts(str_from(text, i), "||"));
			from = i;
		} else {
			i++;
		}
	}
	add_part(p, str_from(text, from), depth);
}

static bool
pattern_fits(const struct claude_entry *e, struct str part, struct arena *a)
{
	struct str pattern = canonical(e->value, a);

	return claude_star_fits(pattern, part, '\0') ||
	    (str_ends(pattern, " *") &&
		str_find_char(pattern, '*') + 1 == pattern.n &&
		str_eq(str_slice(pattern, 0, pattern.n - 2), part));
}

static bool
some_allows(const struct permission_set *set, struct str part, struct arena *a)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct claude_entry *e = set->lines[i].of;

		if (set->lines[i].decision == PERMISSION_ALLOW &&
		    e->form == CLAUDE_SHELL && str_is(e->tool, "PowerShell") &&
		    pattern_fits(e, part, a))
			return true;
	}
	return false;
}

/* Returns whether the command is known only as the shell runs. */
static bool
is_computed(struct str part)
{
	return ascii_is_among((unsigned char)*part.s, "&$.") ||
	    str_starts(part, "invoke-expression");
}

enum rule_fit
claude_powershell_fits(const struct permission_set *set,
    const struct permission_line *line, const struct claude_call *c,
    struct arena *a, struct str *part)
{
	struct parts p = { .arena = a };
	enum rule_fit best = RULE_NO;

	if (c->lacking)
		return RULE_MAYBE;
	if (c->n > 0)
		read_parts(&p, c->values[0], 0);
	for (size_t i = 0; i < p.n && best != RULE_YES; i++) {
		if (pattern_fits(line->of, p.list[i], a)) {
			*part = p.list[i];
			best = RULE_YES;
		} else if (line->decision != PERMISSION_ALLOW &&
		    is_computed(p.list[i])) {
			best = RULE_MAYBE;
		}
	}
	if (line->decision != PERMISSION_ALLOW)
		return best;
	for (size_t i = 0; i < p.n && best == RULE_YES; i++)
		if (!some_allows(set, p.list[i], a))
			best = RULE_NO;
	return best;
}
