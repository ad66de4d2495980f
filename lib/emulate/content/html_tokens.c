#include "emulate/content/html_tokens.h"

#include "base/ascii.h"
#include "emulate/lang/js.h"
#include "text/unicode.h"

/* HTML's white space. */
static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static bool
is_letter(struct str t, size_t i)
{
	return i < t.n && ascii_is_letter((unsigned char)t.s[i]);
}

static bool
is_at(const struct html_tokens *p, size_t i, const char *text)
{
	return str_starts(str_from(p->text, i), text);
}

/* ---- tags ---- */

static size_t
skip_blanks(struct str t, size_t i)
{
	while (i < t.n && is_blank(t.s[i]))
		i++;
	return i;
}

/* Returns the end of the attribute at i, which is no white space, '/' or '>'.
 * Stores its name and value. */
static size_t
attribute(struct str t, size_t i, struct str *name, struct str *value)
{
	size_t from = i;

	for (i++; i < t.n && !is_blank(t.s[i]) && t.s[i] != '/' &&
	     t.s[i] != '>' && t.s[i] != '=';)
		i++;
	*name = str_slice(t, from, i);
	*value = (struct str){ 0 };
	from = skip_blanks(t, i);
	if (from == t.n || t.s[from] != '=')
		return i;
	i = from = skip_blanks(t, from + 1);
	if (i < t.n && (t.s[i] == '"' || t.s[i] == '\'')) {
		i += 1 + str_find_char(str_from(t, i + 1), t.s[i]);
		*value = str_slice(t, from + 1, i);
		return i == t.n ? i : i + 1;
	}
	while (i < t.n && !is_blank(t.s[i]) && t.s[i] != '>')
		i++;
	*value = str_slice(t, from, i);
	return i;
}

bool
html_attribute_is(struct str t, const char *wanted, const char *is)
{
	struct str name, value;
	size_t i = 0;

	while (i < t.n) {
		if (is_blank(t.s[i]) || t.s[i] == '/') {
			i++;
			continue;
		}
		i = attribute(t, i, &name, &value);
		if (str_eq_ascii_nocase(name, str_of(wanted)))
			return str_eq_ascii_nocase(value, str_of(is));
	}
	return false;
}

/* Reads the tag whose name is at i. Returns false if the text ends in the tag,
 * which is then dropped. */
static bool
read_tag(struct html_tokens *p, size_t i, struct html_token *token)
{
	struct str t = p->text, name, value;
	size_t from = i, end;
	char *lower;

	while (i < t.n && !is_blank(t.s[i]) && t.s[i] != '/' && t.s[i] != '>')
		i++;
	lower = arena_alloc(p->arena, i - from + 1);
	for (size_t k = from; k < i; k++) {
		char c = t.s[k];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 0x20);
		lower[k - from] = c;
	}
	token->name = (struct str){ lower, i - from };
	for (end = i; end < t.n && t.s[end] != '>';)
		end = is_blank(t.s[end]) || t.s[end] == '/'
		    ? end + 1
		    : attribute(t, end, &name, &value);
	token->attributes = str_slice(t, i, end);
	p->at = end + (end < t.n);
	return end < t.n;
}

/* ---- comments and declarations ---- */

/* Passes over a comment behind "<!--". */
static void
pass_comment(struct html_tokens *p)
{
	size_t i = p->at;

	if (is_at(p, i, ">") || is_at(p, i, "->")) {
		p->at = i + (is_at(p, i, ">") ? 1 : 2);
		return;
	}
	for (; i < p->text.n; i++) {
		if (is_at(p, i, "-->") || is_at(p, i, "--!>")) {
			p->at = i + (is_at(p, i, "-->") ? 3 : 4);
			return;
		}
	}
	p->at = i;
}

/* Passes over the text up to the next '>'. Returns it. */
static struct str
pass_declaration(struct html_tokens *p)
{
	size_t n = str_find_char(str_from(p->text, p->at), '>');
	struct str found = str_slice(p->text, p->at, p->at + n);

	p->at += n;
	p->at += p->at < p->text.n;
	return found;
}

/* Reads what begins with '<' at the place. Returns false if there is no token. */
static bool
read_markup(struct html_tokens *p, struct html_token *token)
{
	static const struct str doctype = STR_CONST("<!doctype");
	size_t i = p->at;

	*token = (struct html_token){ .kind = HTML_OPEN };
	if (is_letter(p->text, i + 1))
		return read_tag(p, i + 1, token);
	if (is_at(p, i, "</")) {
		token->kind = HTML_CLOSE;
		if (is_letter(p->text, i + 2))
			return read_tag(p, i + 2, token);
		p->at += 2;
		pass_declaration(p);
		return false;
	}
	if (is_at(p, i, "<!--")) {
		p->at += 4;
		pass_comment(p);
		return false;
	}
	p->at += 2;
	if (str_eq_ascii_nocase(
		str_slice(p->text, i, i + doctype.n), doctype)) {
		p->at = i + doctype.n;
		token->kind = HTML_DOCTYPE;
		token->name = str_trim(pass_declaration(p));
		return true;
	}
	p->at--;
	pass_declaration(p);
	return false;
}

/* ---- text ---- */

/* The references to characters that are JavaScript's white space; those that need
 * no ';' first. */
static const struct {
	const char *name;
	bool blank; /* in HTML as well */
} spaces[] = { { "nbsp", false }, { "Tab;", true }, { "NewLine;", true },
	{ "ensp;", false }, { "emsp;", false }, { "emsp13;", false },
	{ "emsp14;", false }, { "numsp;", false }, { "puncsp;", false },
	{ "thinsp;", false }, { "ThinSpace;", false }, { "hairsp;", false },
	{ "VeryThinSpace;", false }, { "MediumSpace;", false },
	{ "NonBreakingSpace;", false }, { "ThickSpace;", false } };

/* Returns the character that the number at i refers to, of the windows-1252
 * numbers any that is no white space; sets *end behind it. */
static uint32_t
number(struct str t, size_t i, size_t *end)
{
	bool hex = i < t.n && (t.s[i] | 0x20) == 'x';
	uint32_t c = 0;
	size_t from = i += hex;

	for (; i < t.n; i++) {
		unsigned char d = (unsigned char)t.s[i];

		if (hex ? ascii_hex(d) < 0 : !ascii_is_digit(d))
			break;
		c = c * (hex ? 16 : 10) +
		    (uint32_t)(hex ? ascii_hex(d) : d - '0');
		if (c > UNICODE_MAX)
			c = UNICODE_MAX;
	}
	*end = i + (i != from && i < t.n && t.s[i] == ';');
	return i == from ? '&' : c == 0x85 ? UNICODE_MAX : c;
}

/* Returns the character at i: a reference to white space is that, any other
 * reference its '&'. Sets *end behind it. */
static uint32_t
character(struct str t, size_t i, size_t *end)
{
	size_t used;
	uint32_t c = unicode_decode(str_from(t, i), &used);

	*end = i + used;
	if (c != '&')
		return c;
	if (i + 1 < t.n && t.s[i + 1] == '#') {
		c = number(t, i + 2, &used);
		*end = c == '&' ? i + 1 : used;
		return c;
	}
	for (size_t k = 0; k < sizeof spaces / sizeof spaces[0]; k++)
		if (str_starts(str_from(t, i + 1), spaces[k].name)) {
			*end = i + 1 + strlen(spaces[k].name);
			*end += k == 0 && *end < t.n && t.s[*end] == ';';
			return spaces[k].blank ? ' ' : 0xa0;
		}
	return c;
}

static bool
begins_markup(struct str t, size_t i)
{
	return t.s[i] == '<' && i + 1 < t.n &&
	    (is_letter(t, i + 1) || t.s[i + 1] == '!' || t.s[i + 1] == '?' ||
		(t.s[i + 1] == '/' && i + 2 < t.n));
}

/* Reads a text, or as much of it as is of one kind. */
static struct html_token
read_text(struct html_tokens *p)
{
	struct html_token token = { .kind = HTML_END };
	struct str t = p->text;
	size_t end;

	while (p->at < t.n && !begins_markup(t, p->at)) {
		uint32_t c = character(t, p->at, &end);
		bool blank = c < 0x80 && is_blank((char)c);

		if (token.kind == HTML_END)
			token.kind = blank ? HTML_BLANK : HTML_TEXT;
		else if ((token.kind == HTML_BLANK) != blank)
			break;
		token.shown |= !js_is_space(c);
		p->at = end;
	}
	return token;
}

struct html_token
html_next(struct html_tokens *p)
{
	struct html_token token;

	while (p->at < p->text.n && begins_markup(p->text, p->at))
		if (read_markup(p, &token))
			return token;
	return read_text(p);
}

bool
html_pass_content(struct html_tokens *p, struct str name)
{
	struct str t = p->text;
	bool comment = false;
	struct html_token ignored;

	for (size_t i = p->at; i < t.n; i++) {
		size_t end = i + 2 + name.n;

		comment |= is_at(p, i, "<!--");
		if (!is_at(p, i, "</") || end >= t.n ||
		    !str_eq_ascii_nocase(str_slice(t, i + 2, end), name) ||
		    !(is_blank(t.s[end]) || t.s[end] == '/' || t.s[end] == '>'))
			continue;
		p->at = i + 2;
		(void)read_tag(p, i + 2, &ignored);
		return comment;
	}
	p->at = t.n;
	return comment;
}
