#include "check/answer/answer_kinds.h"

#include <string.h>

#include "base/ascii.h"
#include "base/diag.h"
#include "yaml/document.h"

/* Returns whether the schema accepts the value; sets *f to a NO that says why
 * not, or to an ERROR. */
static bool
fits(const struct json_text_want *w, const struct json *v, struct arena *a,
    struct finding *f)
{
	struct jsonschema_error error;

	*f = (struct finding){ .found = FOUND_YES };
	if (w->compiled == NULL || jsonschema_valid(w->compiled, v, a, &error))
		return true;
	f->found = error.limit ? FOUND_ERROR : FOUND_NO;
	f->why = error.path.n == 0 || error.limit
	    ? error.why
	    : str_printf(
		  a, "%.*s: %.*s", STR_FMT(error.path), STR_FMT(error.why));
	return false;
}

/* ---- a whole text ---- */

static struct finding
find_whole(const struct json_text_want *w, struct view *v)
{
	const struct json *root = view_json(v);
	struct finding f = { .why = STR("the answer is no JSON") };

	if (root == NULL)
		return f;
	if (w->equals != NULL)
		return (struct finding){
			.found =
			    json_equal(root, w->equals) ? FOUND_YES : FOUND_NO,
			.why = view_ellipsize(v, root->text, 120),
		};
	(void)fits(w, root, v->arena, &f);
	return f;
}

/* ---- objects in a text ---- */

enum {
	LONGEST = 100000, /* bytes of an object */
	TRIES = 4096,     /* of texts that might be objects */
};

static bool
is_letter_at(struct str line, size_t i)
{
	return i < line.n && ascii_is_letter(line.s[i]);
}

/* Returns whether an odd number of backslashes precedes the byte. */
static bool
is_escaped(struct str line, size_t i)
{
	size_t n = 0;

	while (n < i && line.s[i - n - 1] == '\\')
		n++;
	return n % 2 == 1;
}

/* Returns whether the word up to the two slashes is the beginning of a URL. */
static bool
is_url(struct str line, size_t i)
{
	size_t from = i;

	while (from > 0 && !json_is_space(line.s[from - 1]))
		from--;
	return str_contains(str_slice(line, from, i + 2), STR("://"));
}

/* Returns the index of a comment of two slashes or more, outside quotes; the
 * line's length if there is none. */
static size_t
find_comment(struct str line)
{
	char quote = '\0';

	for (size_t i = 0; i < line.n; i++) {
		char c = line.s[i];

		if (quote == '\0') {
			if (c == '"' ||
			    (c == '\'' &&
				(i == 0 || !is_letter_at(line, i - 1))))
				quote = c;
			else if (c == '/' && i + 1 < line.n &&
			    line.s[i + 1] == '/' && !is_url(line, i))
				return i;
		} else if (c == quote && !is_escaped(line, i) &&
		    (c == '"' || !is_letter_at(line, i + 1)))
			quote = '\0';
	}
	return line.n;
}

/* Returns the text with half as many '#' in place of the slashes that begin a
 * comment, as promptfoo writes them before it reads YAML. */
static struct str
hash_comments(struct str text, struct arena *a)
{
	struct str rest = text;
	struct out o;

	if (str_find(text, "//") == text.n)
		return text;
	out_open_memory(&o);
	while (rest.s != NULL) {
		struct str line = str_cut(&rest, '\n');
		size_t at = find_comment(line), end = at;

		out_str(&o, str_slice(line, 0, at));
		while (end < line.n && line.s[end] == '/')
			end++;
		for (size_t n = (end - at) / 2; n > 0; n--)
			out_char(&o, '#');
		out_str(&o, str_from(line, end));
		if (rest.s != NULL)
			out_char(&o, '\n');
	}
	return out_keep(&o, a);
}

/* Returns whether a quote at the index begins a scalar of a list or an object. */
static bool
begins_scalar(struct str text, size_t i)
{
	while (i > 0 && json_is_space(text.s[i - 1]))
		i--;
	return i == 0 || str_find_char(STR("{[,:"), text.s[i - 1]) < 4;
}

/* Returns the text with a blank behind each colon that ends a key without a value, as in
 * [a:], which js-yaml reads and libyaml does not. */
static struct str
set_colons_apart(struct str text, struct arena *a)
{
	struct out o;
	char quote = '\0';

	out_open_memory(&o);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		out_char(&o, c);
		if (quote != '\0') {
			if (c == quote && (c == '\'' || !is_escaped(text, i)))
				quote = '\0';
		} else if ((c == '"' || c == '\'') && begins_scalar(text, i)) {
			quote = c;
		} else if (c == ':' && i + 1 < text.n &&
		    str_find_char(STR(",]}"), text.s[i + 1]) < 3) {
			out_char(&o, ' ');
		}
	}
	return out_keep(&o, a);
}

/* Returns the object that the text is, as js-yaml reads the text; NULL if it is
 * none. */
static const struct json *
read_object(struct str text, struct arena *a)
{
	struct diag_log unwanted = { 0 }, *before;
	struct document *doc;
	const struct json *v = json_parse(a, text);

	if (v != NULL)
		return v;
	before = diag_keep(&unwanted);
	text = set_colons_apart(hash_comments(text, a), a);
	doc = document_read_text(a, "", text, NULL);
	if (doc != NULL)
		document_resolve(doc, TYPES_JS);
	(void)diag_keep(before);
	diag_forget(&unwanted);
	return doc != NULL && doc->n == 1 && json_is(doc->roots[0], JSON_OBJECT)
	    ? doc->roots[0]
	    : NULL;
}

/* Returns the end of the braces that open at the text's start, or the text's
 * length; *open becomes the number of those that do not close. */
static size_t
closing(struct str text, size_t *open)
{
	size_t i;

	*open = 0;
	for (i = 0; i < text.n && i < LONGEST; i++) {
		*open += text.s[i] == '{';
		*open -= text.s[i] == '}';
		if (*open == 0)
			return i + 1;
	}
	return i;
}

/* Returns the object that begins at the text's start, and sets *n to its length;
 * braces that do not close are closed. */
static const struct json *
object_at(struct str text, struct arena *a, size_t *n)
{
	size_t open;
	struct str part;
	char *more;

	*n = closing(text, &open);
	part = str_slice(text, 0, *n);
	if (text.n == 1) /* nothing is looked for behind the last brace */
		return NULL;
	if (open != 0) {
		more = arena_alloc(a, open);
		memset(more, '}', open);
		part = str_cat(a, part, (struct str){ more, open });
	}
	return read_object(part, a);
}

static struct finding
find_within(const struct json_text_want *w, struct view *v)
{
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	struct finding f = { .why = STR("the answer has no JSON") };
	size_t tries = 0, n;

	for (size_t i = 0; i < text.n; i++) {
		const struct json *object;

		if (text.s[i] != '{')
			continue;
		if (tries++ == TRIES)
			return finding_why(
			    FOUND_ERROR, "the answer has too many braces");
		object = object_at(str_from(text, i), v->arena, &n);
		if (object == NULL)
			continue;
		if (fits(w, object, v->arena, &f) || f.found == FOUND_ERROR)
			return f;
		i += n - 1;
	}
	return f;
}

/* ---- the kind ---- */

static struct finding
json_text_find(const void *want, struct view *v)
{
	const struct json_text_want *w = want;
	struct finding f = w->within ? find_within(w, v) : find_whole(w, v);

	f.open = v->cut & VIEW_TEXT && (!w->within || f.found != FOUND_YES);
	return f;
}

static void
release(const void *want)
{
	const struct json_text_want *w = want;

	jsonschema_free(w->compiled);
}

static const struct check_kind json_text_check_kind = { .name = "json",
	.find = json_text_find,
	.release = release,
	WANTS(WANT("within", WANT_BOOL | WANT_IF, json_text_want, within),
	    WANT("equals", WANT_JSON, json_text_want, equals),
	    WANT("schema", WANT_JSON, json_text_want, schema)) };

struct check
json_text_check(struct arena *a, const struct json_text_want *want)
{
	return check_new(
	    a, &json_text_check_kind, want, sizeof *want, VIEW_TEXT);
}
