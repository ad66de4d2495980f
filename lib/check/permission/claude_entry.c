/* The entries of Claude Code's permission lists: Tool or Tool(specifier). The remarks on
 * those that are malformed, or say something other than they seem to, are in
 * claude_faults.c. */
#include "check/permission/claude_entry.h"

#include "base/ascii.h"

static bool
is_escaped(struct str text, size_t at)
{
	size_t n = 0;

	while (n < at && text.s[at - n - 1] == '\\')
		n++;
	return n % 2 == 1;
}

/* Counts the brackets c without a backslash before them, and stores the place of the
 * first and of the last. */
static size_t
count_brackets(struct str text, char c, size_t *first, size_t *last)
{
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++) {
		if (text.s[i] != c || is_escaped(text, i))
			continue;
		if (n++ == 0)
			*first = i;
		*last = i;
	}
	return n;
}

/* Returns whether the path begins like C:\ or \\server. */
static bool
is_windows(struct str path)
{
	return str_starts(path, "\\\\") ||
	    (path.n > 2 && ascii_is_letter((unsigned char)path.s[0]) &&
		path.s[1] == ':' &&
		ascii_is_among((unsigned char)path.s[2], "\\/"));
}

/* Returns the specifier without the backslashes before brackets and, but for paths of
 * Windows, before backslashes. */
static struct str
unescaped(struct str raw, bool path, struct arena *a)
{
	const char *escapes = path && is_windows(raw) ? "()" : "()\\";
	char *to = arena_room(a, raw.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < raw.n; i++) {
		if (raw.s[i] == '\\' && i + 1 < raw.n &&
		    ascii_is_among((unsigned char)raw.s[i + 1], escapes))
			i++;
		to[n++] = raw.s[i];
	}
	return (struct str){ to, n };
}

/* Takes the entry apart as Claude Code does: the tool is before the first bracket, and
 * the last one ends the entry; else all of the text is a name. */
static void
take_apart(struct claude_reading *r)
{
	size_t open = 0, close = 0, other;

	r->opened = count_brackets(r->written, '(', &open, &other);
	r->closed = count_brackets(r->written, ')', &other, &close);
	r->tool = r->written;
	if (r->opened == 0 || open == 0)
		return;
	r->before = str_slice(r->written, 0, open);
	if (r->closed == 0 || close < open || close + 1 != r->written.n)
		return;
	r->tool = r->before;
	r->inner = str_slice(r->written, open + 1, close);
}

static void
read_mcp(struct claude_reading *r)
{
	struct claude_entry *e = &r->entry;
	struct str name = str_from(r->tool, strlen("mcp__"));
	size_t end = str_find(name, "__");

	e->form = CLAUDE_MCP;
	e->server = str_slice(name, 0, end);
	if (end < name.n)
		e->value = str_from(name, end + 2);
	if (str_is(e->value, "*"))
		e->value = (struct str){ 0 };
	if (str_find_char(e->server, '*') < e->server.n)
		e->form = CLAUDE_NAME_GLOB;
}

/* Reads param:value, of which white space around the colon is no part. */
static void
read_parameter(struct claude_entry *e, struct str inner)
{
	struct str name = str_trim(str_cut(&inner, ':'));

	if (inner.s == NULL || name.n < 2 ||
	    ascii_is_digit((unsigned char)name.s[0]))
		return;
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum((unsigned char)name.s[i]) &&
		    name.s[i] != '_')
			return;
	e->parameter = name;
	e->wanted = str_trim(inner);
}

static void
read_specifier(struct claude_reading *r, struct arena *a)
{
	struct claude_entry *e = &r->entry;

	if (r->inner.s == NULL || str_is(r->inner, "*"))
		return;
	e->value = unescaped(r->inner, r->known->form == CLAUDE_PATH, a);
	e->form =
	    r->known->form == CLAUDE_NAME ? CLAUDE_IGNORED : r->known->form;
	if (r->decision >= PERMISSION_ASK && e->form != CLAUDE_DOMAIN)
		read_parameter(e, e->value);
	if (e->form == CLAUDE_DOMAIN && str_starts(e->value, "domain:"))
		e->value = str_from(e->value, strlen("domain:"));
	if ((e->form != CLAUDE_SHELL && e->form != CLAUDE_SKILL) ||
	    !str_ends(e->value, ":*"))
		return;
	e->prefix = true;
	/* timeout:* is about the program, run_in_background:* about the argument. */
	if (str_find_char(e->parameter, '_') == e->parameter.n)
		e->parameter = (struct str){ 0 };
	e->value =
	    str_cat(a, str_slice(e->value, 0, e->value.n - 2), STR(" *"));
}

static void
read_stars(struct claude_entry *e, struct arena *a)
{
	char *to = arena_room(a, e->value.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < e->value.n; i++) {
		char c = e->value.s[i];

		e->least += c != '*';
		if (c != '*' || n == 0 || to[n - 1] != '*')
			to[n++] = c;
	}
	e->stars = (struct str){ to, n };
}

struct claude_entry
claude_entry_read(const struct json *item, enum permission d, struct arena *a)
{
	struct claude_reading r = { .written = json_text(item, a),
		.decision = d };

	if (r.written.s == NULL) {
		r.entry.warning = str_printf(
		    a, "expected a string, found %s", json_type_name(item));
		return r.entry;
	}
	take_apart(&r);
	r.entry.tool = claude_tool_name(r.tool);
	r.known = claude_tool_named(r.entry.tool);
	r.entry.form = CLAUDE_NAME;
	if (str_starts(r.tool, "mcp__"))
		read_mcp(&r);
	else if (r.known != NULL)
		read_specifier(&r, a);
	else if (str_find_char(r.tool, '*') < r.tool.n && r.inner.s == NULL)
		r.entry.form = CLAUDE_NAME_GLOB;
	if (r.entry.form == CLAUDE_PATH)
		claude_path_read(&r.entry, d, a);
	if (r.entry.form == CLAUDE_SHELL)
		read_stars(&r.entry, a);
	claude_entry_check(&r, a);
	return r.entry;
}
