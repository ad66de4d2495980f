#include "base/ascii.h"
#include "emulate/content/xml.h"
#include "emulate/lang/js.h"
#include "text/unicode.h"

/* ---- names ---- */

static bool
begins_name(uint32_t c)
{
	static const uint32_t ranges[][2] = { { ':', ':' }, { '_', '_' },
		{ 'A', 'Z' }, { 'a', 'z' }, { 0xc0, 0xd6 }, { 0xd8, 0xf6 },
		{ 0xf8, 0x2ff }, { 0x370, 0x37d }, { 0x37f, 0x1fff },
		{ 0x200c, 0x200d }, { 0x2070, 0x218f }, { 0x2c00, 0x2fef },
		{ 0x3001, 0xd7ff }, { 0xf900, 0xfdcf }, { 0xfdf0, 0xfffd },
		{ 0x10000, 0xeffff } };

	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
		if (c >= ranges[i][0] && c <= ranges[i][1])
			return true;
	return false;
}

static bool
continues_name(uint32_t c)
{
	return begins_name(c) || c == '-' || c == '.' || ascii_is_digit(c) ||
	    c == 0xb7 || (c >= 0x300 && c <= 0x36f) ||
	    (c >= 0x203f && c <= 0x2040);
}

size_t
xml_after_name(struct str t, size_t i)
{
	size_t used;

	if (i >= t.n || !begins_name(unicode_decode(str_from(t, i), &used)))
		return i;
	do
		i += used;
	while (
	    i < t.n && continues_name(unicode_decode(str_from(t, i), &used)));
	return i;
}

size_t
xml_tag_end(struct str t, size_t i, bool lenient)
{
	char quote = '\0';

	for (i++; i < t.n; i++) {
		char c = t.s[i];

		if (quote != '\0') {
			if (c == quote)
				quote = '\0';
		} else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '<' && !lenient)
			return t.n;
		else if (c == '>')
			return i;
	}
	return t.n;
}

/* ---- the tree ---- */

/* The elements that are open while the text is read. */
struct reading {
	struct arena *arena;
	struct str text;
	struct xml_node **open; /* the root, and in it the open elements */
	size_t depth, room;
};

/* Opens an element. */
static void
push(struct reading *r, struct xml_node *node)
{
	if (r->depth == r->room)
		(void)arena_push(r->arena, r->open, r->room);
	r->open[r->depth++] = node;
}

static struct xml_node *
add(struct reading *r, struct str name)
{
	struct xml_node *parent = r->open[r->depth - 1];
	struct xml_node *node = arena_new(r->arena, struct xml_node);

	node->name = name;
	if (parent->last == NULL)
		parent->first = node;
	else
		parent->last->next = node;
	parent->last = node;
	return node;
}

/* Adds a text, of which an element has one. */
static void
add_text(struct reading *r)
{
	struct xml_node *parent = r->open[r->depth - 1];

	if (!parent->said)
		add(r, STR("#text"));
	parent->said = true;
}

/* Adds the attributes of the innermost open element, which are in `text`. */
static void
add_attributes(struct reading *r, struct str text)
{
	size_t i = 0, used;

	while (i < text.n) {
		size_t from = i, next;
		char quote;

		while (i < text.n && text.s[i] != '=' &&
		    !js_is_space(unicode_decode(str_from(text, i), &used)))
			i += used;
		if (i != from)
			(void)add(r,
			    str_cat(
				r->arena, STR("@_"), str_slice(text, from, i)));
		else
			i++;
		next = text.n - js_trim(str_from(text, i)).n;
		if (i == from || next >= text.n || text.s[next] != '=')
			continue;
		next = text.n - js_trim(str_from(text, next + 1)).n;
		quote = '\0';
		if (next < text.n)
			quote = text.s[next];
		if (quote == '"' || quote == '\'')
			i = next + 1 +
			    str_find_char(str_from(text, next + 1), quote) + 1;
	}
}

/* Returns the end of the name at i in a tag that ends at `end`: the name, which may be
 * empty, goes on up to white space. */
static size_t
after_tag_name(struct str t, size_t i, size_t end)
{
	size_t name = i, used;

	while (name < end &&
	    !js_is_space(unicode_decode(str_from(t, name), &used)))
		name += used;
	return name;
}

/* Reads a tag at i, whose name may begin with any character; a closing tag closes the
 * innermost element, whatever its name. Returns its end; 0 if it is none. */
static size_t
read_tag(struct reading *r, size_t i)
{
	struct str t = r->text;
	bool closing = i + 1 < t.n && t.s[i + 1] == '/';
	size_t end = closing ? i + str_find_char(str_from(t, i), '>')
			     : xml_tag_end(t, i, true);
	bool empty = !closing && str_ends(str_slice(t, i + 1, end), "/");
	size_t from = i + 1 + closing, name = after_tag_name(t, from, end);
	struct str rest = str_slice(t, name, end);

	if (end == t.n || (i + 1 < t.n && strchr("!?", t.s[i + 1]) != NULL))
		return 0;
	if (closing) {
		r->depth -= r->depth > 1;
		return end + 1;
	}
	/* A name that ends in '/' loses the '/', and has no attributes. */
	if (empty && t.s[name - 1] == '/') {
		name--;
		rest = STR("/");
	}
	push(r, add(r, str_slice(t, from, name)));
	rest.n -= empty;
	add_attributes(r, js_trim(rest));
	r->depth -= empty;
	return end + 1;
}

/* Returns the end of what begins at i with `begin` and ends with `end`; 0 if it
 * begins otherwise, or does not end. */
static size_t
part(struct str t, size_t i, const char *begin, const char *end)
{
	size_t from = i + strlen(begin), at;

	if (!str_starts(str_from(t, i), begin))
		return 0;
	at = str_find(str_from(t, from), end);
	return from + at == t.n ? 0 : from + at + strlen(end);
}

/* Returns the end of a document type at i that has no declarations within; 0 if
 * there is none. */
static size_t
doctype(struct str t, size_t i)
{
	size_t end = xml_tag_end(t, i, false);

	return str_starts(str_from(t, i), "<!DOCTYPE") && end < t.n &&
		str_find_char(str_slice(t, i, end), '[') == end - i
	    ? end + 1
	    : 0;
}

/* Reads what begins with '<' at i. Returns its end; 0 if nothing does. */
static size_t
read_markup(struct reading *r, size_t i)
{
	size_t end = part(r->text, i, "<!--", "-->");

	if (end == 0)
		end = part(r->text, i, "<?", "?>");
	if (end == 0 && r->depth == 1)
		end = doctype(r->text, i);
	if (end != 0)
		return end;
	end = part(r->text, i, "<![CDATA[", "]]>");
	if (end == 0)
		return read_tag(r, i);
	if (r->depth > 1)
		add_text(r);
	return end;
}

enum { DEPTH_MAX = 100 }; /* fast-xml-parser reads no deeper tree */

struct xml_node *
xml_tree(struct arena *a, struct str text)
{
	struct reading r = { .arena = a, .text = text };
	struct xml_node *root = arena_new(a, struct xml_node);
	size_t i = 0;

	push(&r, root);
	while (i < text.n) {
		size_t from = i;

		i += str_find_char(str_from(text, i), '<');
		if (r.depth > 1 && js_trim(str_slice(text, from, i)).n != 0)
			add_text(&r);
		if (i == text.n)
			break;
		i = read_markup(&r, i);
		if (i == 0 || r.depth > DEPTH_MAX)
			return NULL;
	}
	return root;
}

/* ---- paths ---- */

/* Returns the index that a name is, as JavaScript writes numbers; -1 if it is
 * none. */
static int64_t
index_of(struct str name)
{
	int64_t n = 0;

	if (name.n == 0 || name.n > 9 || (name.n > 1 && name.s[0] == '0'))
		return -1;
	for (size_t i = 0; i < name.n; i++) {
		if (!ascii_is_digit((unsigned char)name.s[i]))
			return -1;
		n = 10 * n + (name.s[i] - '0');
	}
	return n;
}

/* Returns the n-th element of the name among the siblings from `node` on, from 0;
 * NULL if there is none. */
static const struct xml_node *
nth(const struct xml_node *node, struct str name, int64_t n)
{
	for (; node != NULL; node = node->next)
		if (str_eq(node->name, name) && n-- == 0)
			break;
	return node;
}

bool
xml_has_path(const struct xml_node *node, struct str path)
{
	while (path.s != NULL) {
		struct str name = str_cut(&path, '.');
		const struct xml_node *found = nth(node->first, name, 0);

		/* An element of nothing but text is that text. */
		if (found == NULL ||
		    (str_is(name, "#text") && node->first == node->last))
			return false;
		if (!str_starts(name, "@_") &&
		    nth(found->next, name, 0) != NULL) { /* a list */
			int64_t n;

			if (path.s == NULL)
				return true;
			n = index_of(str_cut(&path, '.'));
			found = n < 0 ? NULL : nth(found, name, n);
			if (found == NULL)
				return false;
		}
		node = found;
	}
	return true;
}
