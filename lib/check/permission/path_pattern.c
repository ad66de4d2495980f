/* Matches gitignore(5) patterns: all states that the pattern can be in are followed at
 * once, character by character, so that no pattern takes long. */
#include "check/permission/path_pattern.h"

#include "base/ascii.h"

struct item {
	enum {
		CHAR,  /* `text` */
		ONE,   /* ?: any character but a slash */
		CLASS, /* [...]: a character of `text` */
		STAR,  /* any number of characters but slashes */
		DIRS,  /* any number of folders, each with its slash */
		REST,  /* all that follows, at least a character */
	} kind;
	struct str text;
};

struct path_pattern {
	struct item *items;
	size_t n;
	size_t least; /* characters of a path that fits */
	bool folders; /* fits only folders */
	bool invalid;
};

/* ---- reading ---- */

/* Returns the length of the class at the start of the text, with its brackets; 0: the
 * class does not end. */
static size_t
class_length(struct str text)
{
	size_t i = 1;

	if (i < text.n && ascii_is_among((unsigned char)text.s[i], "!^"))
		i++;
	if (i < text.n && text.s[i] == ']')
		i++;
	for (; i < text.n && text.s[i] != ']'; i++)
		if (text.s[i] == '\\')
			i++;
		else if (str_starts(str_from(text, i), "[:"))
			i += str_find(str_from(text, i), ":]") + 1;
	return i < text.n ? i + 1 : 0;
}

/* Reads stars at index i, of which two or more between slashes stand for folders. */
static size_t
read_stars(struct path_pattern *p, struct str text, size_t i, struct arena *a)
{
	size_t from = i;
	bool begins = i == 0 || text.s[i - 1] == '/';
	struct item *item = arena_push(a, p->items, p->n);

	while (i < text.n && text.s[i] == '*')
		i++;
	item->kind = STAR;
	if (i - from < 2 || !begins)
		return i;
	if (i < text.n && text.s[i] == '/') {
		item->kind = DIRS;
		if (p->n > 1 && item[-1].kind == DIRS)
			p->n--; /* as one of them */
		return i + 1;
	}
	if (i == text.n && from > 0)
		item->kind = REST;
	return i;
}

/* Reads the item at index i. Returns the index behind the item. */
static size_t
read_item(struct path_pattern *p, struct str text, size_t i, struct arena *a)
{
	struct item item = { .kind = CHAR, .text = str_slice(text, i, i + 1) };
	size_t next = i + 1;

	if (text.s[i] == '*')
		return read_stars(p, text, i, a);
	if (text.s[i] == '?') {
		item.kind = ONE;
	} else if (text.s[i] == '[') {
		item.kind = CLASS;
		next = i + class_length(str_from(text, i));
		p->invalid |= next == i;
		item.text = str_slice(text, i + 1, next - 1);
		next += next == i;
	} else if (text.s[i] == '\\') {
		next = i + 2;
		p->invalid |= next > text.n;
		item.text = str_slice(text, i + 1, next);
	}
	*arena_push(a, p->items, p->n) = item;
	return next;
}

/* Returns the pattern without the blanks at its end that have no backslash. */
static struct str
without_blanks(struct str text)
{
	while (str_ends(text, " ") && !str_ends(text, "\\ "))
		text.n--;
	return text;
}

const struct path_pattern *
path_pattern_read(struct arena *a, struct str text)
{
	struct path_pattern *p = arena_new(a, struct path_pattern);

	text = without_blanks(text);
	p->invalid =
	    text.n == 0 || str_starts(text, "!") || str_starts(text, "#");
	if (str_ends(text, "/")) {
		p->folders = true;
		text.n--;
	}
	/* A pattern without a slash is one of names, in any folder. */
	if (str_find_char(text, '/') == text.n)
		arena_push(a, p->items, p->n)->kind = DIRS;
	else if (str_starts(text, "/"))
		text = str_from(text, 1);
	for (size_t i = 0; i < text.n && !p->invalid;)
		i = read_item(p, text, i, a);
	for (size_t i = 0; i < p->n; i++)
		p->least +=
		    p->items[i].kind != STAR && p->items[i].kind != DIRS;
	p->invalid |= p->n > PATH_LENGTH_MAX;
	return p;
}

/* ---- matching ---- */

/* Names of classes, with their characters. */
static const struct {
	const char *name, *characters;
} named[] = {
	{ "[:digit:]", "0-9" },
	{ "[:lower:]", "a-z" },
	{ "[:upper:]", "A-Z" },
	{ "[:alpha:]", "a-zA-Z" },
	{ "[:alnum:]", "a-zA-Z0-9" },
	{ "[:xdigit:]", "a-fA-F0-9" },
	{ "[:space:]", " \t-\r" },
	{ "[:blank:]", " \t" },
	{ "[:punct:]", "!-/:-@[-`{-~" },
};

/* Returns whether the character is in the ranges. */
static bool
in_ranges(const char *ranges, unsigned char c)
{
	for (; *ranges != '\0'; ranges += ranges[1] == '-' ? 3 : 1)
		if (ranges[1] == '-' ? c >= (unsigned char)ranges[0] &&
			    c <= (unsigned char)ranges[2]
				     : c == (unsigned char)ranges[0])
			return true;
	return false;
}

static unsigned char
class_char(struct str text, size_t *i)
{
	if (text.s[*i] == '\\' && *i + 1 < text.n)
		++*i;
	return (unsigned char)text.s[(*i)++];
}

static bool
in_class(struct str text, unsigned char c)
{
	bool negated =
	    text.n > 0 && ascii_is_among((unsigned char)text.s[0], "!^");
	bool found = false;
	size_t i = negated;

	while (i < text.n) {
		struct str rest = str_from(text, i);
		size_t k = 0, count = sizeof named / sizeof named[0];
		unsigned char low;

		while (k < count && !str_starts(rest, named[k].name))
			k++;
		if (k < count) {
			found |= in_ranges(named[k].characters, c);
			i += strlen(named[k].name);
			continue;
		}
		low = class_char(text, &i);
		if (i + 1 < text.n && text.s[i] == '-') {
			i++;
			found |= c >= low && c <= class_char(text, &i);
		} else {
			found |= c == low;
		}
	}
	return found != negated;
}

/* Returns whether the item takes the character, and stays for more. */
static bool
takes(const struct item *item, char c)
{
	switch (item->kind) {
	case CHAR:
		return c == item->text.s[0];
	case ONE:
	case STAR:
		return c != '/';
	case CLASS:
		return c != '/' && in_class(item->text, (unsigned char)c);
	case DIRS:
	case REST:
		return true;
	}
	return false;
}

/* Also enters the states behind those that may take nothing, of the first n. Returns the
 * number of the first states of which others may be entered. */
static size_t
enter(const struct path_pattern *p, bool *states, size_t n, bool begins)
{
	for (size_t i = 0; i < n && i < p->n; i++)
		if (states[i] &&
		    (p->items[i].kind == STAR ||
			(p->items[i].kind == DIRS && begins))) {
			states[i + 1] = true;
			n = i + 2 > n ? i + 2 : n;
		}
	return n;
}

/* Takes a character in the first n states; no other is entered yet. Returns their new
 * number: a path that is short reaches few states of a long pattern. */
static size_t
step(const struct path_pattern *p, bool *states, size_t n, char c)
{
	if (n > p->n)
		states[n = p->n] = false;
	/* From the last item on, so that a state is left before it is entered. */
	for (size_t i = n; i-- > 0;) {
		bool taken = states[i] && takes(&p->items[i], c);

		if (p->items[i].kind == REST)
			states[i + 1] = taken;
		else if (p->items[i].kind < STAR)
			states[i + 1] |= taken;
		states[i] = taken && p->items[i].kind >= STAR;
	}
	return enter(p, states, n + 1, c == '/');
}

bool
path_pattern_fits(const struct path_pattern *p, struct str path, unsigned how)
{
	bool states[PATH_LENGTH_MAX + 1];
	size_t n;

	if (p->invalid || path.n == 0 || path.n > PATH_LENGTH_MAX ||
	    path.n < p->least)
		return false;
	memset(states, 0, p->n + 1);
	states[0] = true;
	n = enter(p, states, 1, true);
	for (size_t i = 0; i < path.n; i++) {
		if (path.s[i] == '/' && states[p->n])
			return true;
		n = step(p, states, n, path.s[i]);
		if ((how & PATH_ANYWHERE) && path.s[i] == '/') {
			states[0] = true;
			n = enter(p, states, n, true);
		}
	}
	return states[p->n] && ((how & PATH_IS_FOLDER) || !p->folders);
}
