#include "check/answer/embedded_json.h"

#include <math.h>

#include "emulate/lang/go.h"
#include "json/keys.h"

enum { SHOWN = 200 }; /* bytes */

static const struct str mark = { "```", 3 };

/* Returns the end of the white space (Go's \s) that begins at `at`. */
static size_t
after_blanks(struct str text, size_t at)
{
	while (at < text.n && text.s[at] != '\0' &&
	    str_find_char(STR(" \t\n\f\r"), text.s[at]) < 5)
		at++;
	return at;
}

/* Returns the content of a code fence up to a line that begins with ```. The
 * text after the opening mark begins at `from`, the first line at `line`.
 * Absent if the fence is not closed. */
static struct str
up_to_close(struct str text, size_t from, size_t line)
{
	size_t close = line + str_find(str_from(text, line), "\n```");

	if (close < text.n)
		return go_trim(str_slice(text, line, close));
	/* The newline before `line` may belong to the closing mark, if there is
	 * another newline before it. */
	if (str_starts(str_from(text, line), mark) &&
	    str_find_char(str_slice(text, from, line - 1), '\n') <
		line - 1 - from)
		return STR("");
	return (struct str){ 0 };
}

/* Returns the content of the first code fence, which opens with ``` or ```json,
 * white space and a newline. Absent: there is none. */
static struct str
in_fence(struct str text)
{
	size_t at = str_find(text, mark);

	while (at < text.n) {
		size_t from = at + mark.n, line;

		if (str_starts(str_from(text, from), "json"))
			from += 4;
		line = after_blanks(text, from);
		while (line > from && text.s[line - 1] != '\n')
			line--;
		if (line > from)
			return up_to_close(text, from, line);
		at++;
		at += str_find(str_from(text, at), mark);
	}
	return (struct str){ 0 };
}

/* Returns the text from the first `open` to the `close` that matches it; absent
 * if there is none. */
static struct str
balanced(struct str text, char open, char close)
{
	size_t from = str_find_char(text, open), depth = 0;
	bool quoted = false;

	for (size_t i = from; i < text.n; i++) {
		char c = text.s[i];

		if (c == '\\')
			i++;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && c == open)
			depth++;
		else if (!quoted && c == close && --depth == 0)
			return str_slice(text, from, i + 1);
	}
	return (struct str){ 0 };
}

static struct str
look(const struct embedded_json *e, struct str text)
{
	struct str found = { 0 };

	if (e->fenced)
		found = in_fence(text);
	if (found.s == NULL && e->loose)
		found = balanced(text, '{', '}');
	if (found.s == NULL && e->loose)
		found = balanced(text, '[', ']');
	return found.n != 0 ? found : text;
}

static bool
is_finite(const struct json *root)
{
	for (uint32_t i = 0; i < root->span; i++)
		if (isinf(json_double(&root[i])))
			return false;
	return true;
}

/* Returns the error, with the beginning of the text. */
static struct embedded_json_error
refusal(const char *error, struct str text, const struct view *v)
{
	struct str what = str_of(error);
	struct out o;

	text = view_ellipsize(v, text, SHOWN);
	out_open_memory(&o);
	out_member_str(&o, "error", what);
	out_member_text(&o, "content", text);
	return (struct embedded_json_error){ what, out_keep(&o, v->arena) };
}

/* The JSON that was found in one of the four ways to look. */
struct found {
	bool known;
	const struct json *root;
	struct embedded_json_error wrong;
};

static struct found
embedded_json_find(const struct embedded_json *e, struct view *v)
{
	struct found found = { .known = true };
	struct json_reader reader = { 0 };
	struct json_error error;
	struct str text = look(e, view_text(v, VIEW_AS_WRITTEN));
	const struct json *root;

	root = json_read(&reader, text, NULL, &error);
	if (root != NULL && is_finite(root))
		found.root = json_keys_once(root, v->arena);
	else
		found.wrong = refusal(
		    root != NULL ? "a number is out of range" : error.why, text,
		    v);
	json_reader_free(&reader);
	return found;
}

const struct json *
embedded_json_read(const struct embedded_json *e, struct view *v,
    struct embedded_json_error *wrong)
{
	struct found *found = v->memo[VIEW_EMBEDDED];

	if (found == NULL)
		found = v->memo[VIEW_EMBEDDED] =
		    arena_new_n(v->arena, struct found, 4);
	found += 2 * e->fenced + e->loose;
	if (!found->known)
		*found = embedded_json_find(e, v);
	*wrong = found->wrong;
	return found->root;
}

void
embedded_json_show(const struct embedded_json *e, struct out *o)
{
	if (e->fenced)
		out_member_bool(o, "fenced", true);
	if (e->loose)
		out_member_bool(o, "loose", true);
}
