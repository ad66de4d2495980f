/* The rules of well-formed XML 1.0 with namespaces, as npm's saxes 6 has them,
 * and of promptfoo on document types. */
#include "base/ascii.h"
#include "base/hash.h"
#include "emulate/content/xml.h"
#include "text/unicode.h"

static const char xml_uri[] = "http://www.w3.org/XML/1998/namespace";
static const char xmlns_uri[] = "http://www.w3.org/2000/xmlns/";

/* The namespace of a prefix, in an element and all within. */
struct binding {
	struct str prefix, uri;
	struct binding *before; /* of the same prefix, further out */
	struct binding *last;   /* that was made before this one */
};

struct element {
	struct str name;
	struct binding *bound; /* the newest when the element begins */
};

struct attribute {
	struct str name, value;
};

struct reading {
	struct arena *arena;
	struct str text;
	size_t at;
	const char *why; /* the first fault; NULL: none */
	struct element *open;
	size_t depth, room;
	struct hash_table prefixes; /* to the struct binding that holds */
	struct binding *bound;      /* the newest */
	bool root, doctype;         /* was read */
	bool standalone, entities;  /* other entities are defined elsewhere */
};

/* Notes a fault. Returns false. */
static bool
wrong(struct reading *r, const char *why)
{
	if (r->why == NULL)
		r->why = why;
	return false;
}

static struct str
rest(const struct reading *r)
{
	return str_from(r->text, r->at);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Moves past white space. Returns whether there was any. */
static bool
skip_blanks(struct reading *r)
{
	size_t from = r->at;

	while (r->at < r->text.n && is_blank(r->text.s[r->at]))
		r->at++;
	return r->at != from;
}

/* Moves past the text if it comes next. */
static bool
take(struct reading *r, const char *text)
{
	if (!str_starts(rest(r), text))
		return false;
	r->at += strlen(text);
	return true;
}

static struct str
take_name(struct reading *r)
{
	size_t from = r->at;

	r->at = xml_after_name(r->text, from);
	return str_slice(r->text, from, r->at);
}

/* Moves past a text in quotes, which becomes *value. */
static bool
take_quoted(struct reading *r, struct str *value)
{
	struct str t = rest(r);
	size_t end;

	if (t.n == 0 || (t.s[0] != '"' && t.s[0] != '\''))
		return wrong(r, "a value without quotes");
	end = 1 + str_find_char(str_from(t, 1), t.s[0]);
	if (end == t.n)
		return wrong(r, "a value that does not end");
	*value = str_slice(t, 1, end);
	r->at += end + 1;
	return true;
}

/* Moves past `end`, before which the text becomes *content. */
static bool
take_until(struct reading *r, const char *end, struct str *content)
{
	size_t n = str_find(rest(r), end);

	*content = str_slice(rest(r), 0, n);
	if (n == rest(r).n)
		return wrong(r, "a part that does not end");
	r->at += n + strlen(end);
	return true;
}

/* ---- characters ---- */

static bool
is_char(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' ||
	    (c >= 0x20 && c < 0xd800) || (c >= 0xe000 && c < 0xfffe) ||
	    (c >= 0x10000 && c <= UNICODE_MAX);
}

/* Returns whether the reference to a character, without "&#" and ";", is one. */
static bool
is_char_reference(struct str digits)
{
	bool hex = str_starts(digits, "x");
	uint32_t c = 0;

	digits = str_from(digits, hex);
	if (digits.n == 0)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		unsigned char d = (unsigned char)digits.s[i];

		if (hex ? ascii_hex(d) < 0 : !ascii_is_digit(d))
			return false;
		c = c * (hex ? 16 : 10) +
		    (uint32_t)(hex ? ascii_hex(d) : d - '0');
		if (c > UNICODE_MAX)
			return false;
	}
	return is_char(c);
}

static bool
has_entity(const struct reading *r, struct str name)
{
	static const char *const known[] = { "lt", "gt", "amp", "quot",
		"apos" };

	if (str_starts(name, "#"))
		return is_char_reference(str_from(name, 1));
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (str_is(name, known[i]))
			return true;
	return r->entities && name.n != 0 && xml_after_name(name, 0) == name.n;
}

/* Decides the references in a text or value. */
static bool
check_references(struct reading *r, struct str text)
{
	size_t i = 0;

	while ((i += str_find_char(str_from(text, i), '&')) < text.n) {
		size_t end = i + str_find_char(str_from(text, i), ';');

		if (end == text.n ||
		    !has_entity(r, str_slice(text, i + 1, end)))
			return wrong(r, "an unknown entity");
		i = end + 1;
	}
	return true;
}

/* ---- the start ---- */

/* Moves past a name and value of the declaration, if they are these. */
static bool
declared(struct reading *r, const char *name, struct str *value)
{
	size_t from = r->at;

	if (!skip_blanks(r) || !take(r, name)) {
		r->at = from;
		return false;
	}
	skip_blanks(r);
	if (!take(r, "="))
		return wrong(r, "a declaration without value");
	skip_blanks(r);
	return take_quoted(r, value);
}

static bool
is_version(struct str v)
{
	if (v.n < 3 || !str_starts(v, "1."))
		return false;
	for (size_t i = 2; i < v.n; i++)
		if (!ascii_is_digit((unsigned char)v.s[i]))
			return false;
	return true;
}

static bool
is_encoding(struct str v)
{
	for (size_t i = 0; i < v.n; i++) {
		unsigned char c = (unsigned char)v.s[i];

		if (!ascii_is_letter(c) &&
		    (i == 0 ||
			(!ascii_is_digit(c) && c != '.' && c != '_' &&
			    c != '-')))
			return false;
	}
	return v.n != 0;
}

/* Reads the declaration behind "<?xml". */
static bool
read_declaration(struct reading *r)
{
	struct str v;

	if (!declared(r, "version", &v) || !is_version(v))
		return wrong(r, "a wrong version in the declaration");
	if (declared(r, "encoding", &v) && !is_encoding(v))
		return wrong(r, "a wrong encoding in the declaration");
	if (declared(r, "standalone", &v)) {
		r->standalone = str_is(v, "yes");
		if (!r->standalone && !str_is(v, "no"))
			return wrong(r, "a wrong declaration");
	}
	skip_blanks(r);
	return take(r, "?>") || wrong(r, "a wrong declaration");
}

/* ---- the document type ---- */

static bool
is_public_id(struct str v)
{
	for (size_t i = 0; i < v.n; i++)
		if (!ascii_is_alnum((unsigned char)v.s[i]) &&
		    str_find_char(STR(" \r\n'()+,./:=?;!*#@$_%-"), v.s[i]) ==
			sizeof " \r\n'()+,./:=?;!*#@$_%-" - 1)
			return false;
	return true;
}

/* Reads the declaration of a document type behind "<!DOCTYPE", which has no
 * declarations within. */
static bool
read_doctype(struct reading *r)
{
	struct str v = { 0 };
	bool external = false;

	if (r->root || r->doctype || r->depth != 0)
		return wrong(r, "a document type that is not before the root");
	r->doctype = true;
	if (!skip_blanks(r) || take_name(r).n == 0)
		return wrong(r, "a document type without name");
	if (skip_blanks(r) && str_starts(rest(r), "PUBLIC")) {
		r->at += 6;
		external = skip_blanks(r) && take_quoted(r, &v) &&
		    is_public_id(v) && skip_blanks(r) && take_quoted(r, &v);
	} else if (take(r, "SYSTEM")) {
		external = skip_blanks(r) && take_quoted(r, &v);
	}
	if (external && str_find_char(v, '#') < v.n)
		return wrong(r, "a document type with a wrong identifier");
	skip_blanks(r);
	if (!take(r, ">"))
		return wrong(
		    r, "a document type that is wrong or has declarations");
	r->entities = external && !r->standalone;
	return true;
}

/* ---- namespaces ---- */

static void
bind(struct reading *r, struct str prefix, struct str uri)
{
	struct binding *b = arena_new(r->arena, struct binding);
	void **slot = hash_put(&r->prefixes, prefix);

	*b = (struct binding){ prefix, uri, *slot, r->bound };
	*slot = b;
	r->bound = b;
}

/* Ends the bindings that are newer than this one. */
static void
unbind(struct reading *r, const struct binding *until)
{
	for (; r->bound != until; r->bound = r->bound->last)
		*hash_put(&r->prefixes, r->bound->prefix) = r->bound->before;
}

/* Binds the namespace that an attribute declares, if it does. */
static bool
declare(struct reading *r, const struct attribute *a)
{
	struct str uri = str_trim(a->value), prefix = { "", 0 };

	if (str_starts(a->name, "xmlns:"))
		prefix = str_from(a->name, 6);
	else if (!str_is(a->name, "xmlns"))
		return true;
	if (prefix.n != 0 && uri.n == 0)
		return wrong(r, "a prefix without namespace");
	if (str_is(prefix, "xmlns") ||
	    str_is(prefix, "xml") != str_is(uri, xml_uri) ||
	    str_is(uri, xmlns_uri))
		return wrong(r, "a namespace that is reserved");
	bind(r, prefix, uri);
	return true;
}

/* Splits a name, and sets *uri to the namespace of its prefix. A name without
 * prefix has the default namespace unless it is an attribute's. */
static bool
resolve(struct reading *r, struct str name, bool attribute, struct str *uri)
{
	size_t colon = str_find_char(name, ':');
	struct str prefix = str_slice(name, 0, colon),
		   local = str_from(name, colon + 1);
	const struct binding *b;

	*uri = STR("");
	if (colon == name.n) {
		b = attribute ? NULL : hash_get(&r->prefixes, *uri);
		*uri = b == NULL ? *uri : b->uri;
		return true;
	}
	if (prefix.n == 0 || local.n == 0 ||
	    str_find_char(local, ':') < local.n)
		return wrong(r, "a wrong name");
	b = hash_get(&r->prefixes, prefix);
	if (b == NULL || (!attribute && str_is(prefix, "xmlns")))
		return wrong(r, "an unknown prefix");
	*uri = b->uri;
	return true;
}

/* Decides the names of a tag and its attributes. */
static bool
check_names(
    struct reading *r, struct str name, const struct attribute *list, size_t n)
{
	struct hash_table seen = { .arena = r->arena };
	struct str key[2];

	for (size_t i = 0; i < n; i++)
		if (!declare(r, &list[i]))
			return false;
	if (!resolve(r, name, false, &key[0]))
		return false;
	for (size_t i = 0; i < n; i++) {
		void **slot;

		if (!resolve(r, list[i].name, true, &key[0]))
			return false;
		key[1] = key[0].n == 0
		    ? list[i].name
		    : str_from(
			  list[i].name, str_find_char(list[i].name, ':') + 1);
		slot = hash_put(&seen, hash_key(r->arena, key, 2));
		if (*slot != NULL)
			return wrong(r, "an attribute twice");
		*slot = r;
	}
	return true;
}

/* ---- tags ---- */

static bool
read_attribute(struct reading *r, struct attribute *a)
{
	a->name = take_name(r);
	if (a->name.n == 0)
		return wrong(r, "a wrong name of an attribute");
	skip_blanks(r);
	if (!take(r, "="))
		return wrong(r, "an attribute without value");
	skip_blanks(r);
	if (!take_quoted(r, &a->value))
		return false;
	if (str_find_char(a->value, '<') < a->value.n)
		return wrong(r, "a '<' in a value");
	return check_references(r, a->value);
}

enum { DEPTH_MAX = 100 }; /* fast-xml-parser reads no deeper tree */

static bool
read_opening(struct reading *r)
{
	struct element e = { .bound = r->bound };
	struct attribute *list = NULL;
	size_t n = 0;
	bool blank;

	if (r->root && r->depth == 0)
		return wrong(r, "a second root");
	e.name = take_name(r);
	if (e.name.n == 0)
		return wrong(r, "a wrong name of a tag");
	for (blank = skip_blanks(r);
	     !str_starts(rest(r), ">") && !str_starts(rest(r), "/>");
	     blank = skip_blanks(r)) {
		if (!blank)
			return wrong(r, "no white space before an attribute");
		if (!read_attribute(r, arena_push(r->arena, list, n)))
			return false;
	}
	r->root = true;
	if (!check_names(r, e.name, list, n))
		return false;
	if (take(r, "/>")) {
		unbind(r, e.bound);
		return true;
	}
	r->at++;
	if (r->depth == DEPTH_MAX)
		return wrong(r, "too deep a tree");
	if (r->depth == r->room)
		(void)arena_push(r->arena, r->open, r->room);
	r->open[r->depth++] = e;
	return true;
}

static bool
read_closing(struct reading *r)
{
	struct str name = take_name(r);

	skip_blanks(r);
	if (name.n == 0 || !take(r, ">"))
		return wrong(r, "a wrong closing tag");
	if (r->depth == 0 || !str_eq(r->open[r->depth - 1].name, name))
		return wrong(r, "a closing tag without its opening tag");
	unbind(r, r->open[--r->depth].bound);
	return true;
}

static bool
read_instruction(struct reading *r)
{
	struct str name = take_name(r), content;

	if (name.n == 0 || str_find_char(name, ':') < name.n ||
	    str_eq_ascii_nocase(name, STR("xml")))
		return wrong(r, "a wrong instruction");
	if (!skip_blanks(r) && !str_starts(rest(r), "?>"))
		return wrong(r, "a wrong instruction");
	return take_until(r, "?>", &content);
}

/* Reads what begins with '<'. */
static bool
read_markup(struct reading *r)
{
	struct str content;

	if (take(r, "<!--"))
		return take_until(r, "--", &content) &&
		    (take(r, ">") || wrong(r, "a wrong comment"));
	if (take(r, "<![CDATA["))
		return r->depth == 0 ? wrong(r, "text outside of the root")
				     : take_until(r, "]]>", &content);
	if (take(r, "<!DOCTYPE"))
		return read_doctype(r);
	if (take(r, "<?"))
		return read_instruction(r);
	if (take(r, "</"))
		return read_closing(r);
	r->at++;
	return read_opening(r);
}

static bool
read_text(struct reading *r)
{
	struct str text = str_slice(rest(r), 0, str_find_char(rest(r), '<'));

	r->at += text.n;
	if (r->depth == 0)
		return str_trim(text).n == 0 ||
		    wrong(r, "text outside of the root");
	if (str_contains(text, "]]>"))
		return wrong(r, "the end of a CDATA in a text");
	return check_references(r, text);
}

static bool
check_characters(struct reading *r)
{
	size_t used;

	for (size_t i = 0; i < r->text.n; i += used)
		if (!is_char(unicode_decode(str_from(r->text, i), &used)))
			return wrong(r, "a character that XML forbids");
	return true;
}

struct str
xml_fault(struct arena *a, struct str text)
{
	struct reading r = { .arena = a, .text = text };

	r.prefixes.arena = a;
	take(&r, "\ufeff");
	bind(&r, STR("xml"), str_of(xml_uri));
	bind(&r, STR("xmlns"), str_of(xmlns_uri));
	if (check_characters(&r) && str_starts(rest(&r), "<?xml") &&
	    rest(&r).n > 5 && is_blank(rest(&r).s[5])) {
		r.at += 5;
		(void)read_declaration(&r);
	}
	while (r.why == NULL && r.at < r.text.n)
		(void)(r.text.s[r.at] == '<' ? read_markup(&r) : read_text(&r));
	if (r.why == NULL && !r.root)
		r.why = "no root";
	if (r.why == NULL && r.depth != 0)
		r.why = "a tag that is not closed";
	return str_of(r.why);
}
