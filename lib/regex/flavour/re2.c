/*
 * Go's patterns (regexp/syntax of Go 1.26, flags Perl), as evolve and
 * PromptKit compile them. Reasons are Go's own, whole.
 */
#include "regex/flavour/re2.h"

#include "text/unicode.h"

void
re2_fail(struct re2 *p, const char *why, size_t from, size_t to)
{
	if (!p->failed && p->error != NULL) {
		struct str piece = str_slice(p->pattern, from, to);

		p->error->offset = from;
		p->error->why = str_printf(p->arena,
		    "error parsing regexp: %s: `%.*s`", why, STR_FMT(piece));
	}
	p->failed = true;
	p->at = p->pattern.n;
}

int
re2_peek(const struct re2 *p, size_t ahead)
{
	return p->at + ahead < p->pattern.n
	    ? (unsigned char)p->pattern.s[p->at + ahead]
	    : -1;
}

uint32_t
re2_next(struct re2 *p)
{
	size_t length;
	uint32_t c;

	if (p->at >= p->pattern.n)
		return 0;
	c = unicode_decode(str_from(p->pattern, p->at), &length);
	p->at += length;
	return c;
}

static struct tree *
escape(struct re2 *p)
{
	const struct set *set;
	int c = re2_peek(p, 1);

	switch (c) {
	case 'A':
		p->at += 2;
		return tree_at(p->arena, AT_START, NULL);
	case 'z':
		p->at += 2;
		return tree_at(p->arena, AT_END, NULL);
	case 'b':
	case 'B':
		p->at += 2;
		return tree_at(
		    p->arena, c == 'b' ? AT_EDGE : AT_NO_EDGE, re2_word(p));
	default:
		break;
	}
	set = re2_shorthand(p);
	if (set == NULL)
		set = re2_character(p, re2_escape(p));
	return tree_set(p->arena, set);
}

static struct tree *
edge_of_line(struct re2 *p, enum tree_at line, enum tree_at text)
{
	p->at++;
	return p->flags & RE2_LINES ? tree_at(p->arena, line, re2_newline(p))
				    : tree_at(p->arena, text, NULL);
}

/* One atom; NULL for flags, which are none. */
static struct tree *
atom(struct re2 *p)
{
	switch (re2_peek(p, 0)) {
	case '(':
		return re2_parenthesis(p);
	case '[':
		return tree_set(p->arena, re2_class(p));
	case '^':
		return edge_of_line(p, AT_LINE_START, AT_START);
	case '$':
		return edge_of_line(p, AT_LINE_END, AT_END);
	case '.':
		p->at++;
		return tree_set(p->arena, re2_dot(p));
	case '\\':
		return escape(p);
	default:
		return tree_set(p->arena, re2_character(p, re2_next(p)));
	}
}

/* \Q...\E at the cursor: each character to the list, but for the last, which
 * is returned since a quantifier may follow. */
static struct tree *
quoted(struct re2 *p, struct tree_list *list)
{
	struct str rest = str_from(p->pattern, p->at + 2);
	size_t end = p->at + 2 + str_find(rest, "\\E");
	struct tree *last = NULL;

	p->at += 2;
	while (p->at < end) {
		if (last != NULL)
			tree_append(list, last);
		last = tree_set(p->arena, re2_character(p, re2_next(p)));
	}
	p->at = end + 2 < p->pattern.n ? end + 2 : p->pattern.n;
	return last;
}

static struct tree *
concatenation(struct re2 *p)
{
	struct tree_list list = { 0 };
	struct tree *last = NULL; /* what a quantifier would repeat */

	while (!p->failed && re2_peek(p, 0) >= 0 && re2_peek(p, 0) != '|' &&
	    re2_peek(p, 0) != ')') {
		size_t at = p->at;
		struct tree *next;

		last = re2_repeated(p, last);
		if (p->at > at)
			continue;
		if (re2_peek(p, 0) == '\\' && re2_peek(p, 1) == 'Q') {
			struct tree_list text = { 0 };

			next = quoted(p, &text);
			if (next != NULL && last != NULL)
				tree_append(&list, last);
			if (text.first != NULL)
				tree_append(&list,
				    tree_join(p->arena, TREE_CAT, &text));
		} else {
			next = atom(p);
			if (next != NULL && last != NULL)
				tree_append(&list, last);
		}
		if (next != NULL)
			last = next;
	}
	if (last != NULL)
		tree_append(&list, last);
	return tree_join(p->arena, TREE_CAT, &list);
}

struct tree *
re2_alternation(struct re2 *p)
{
	struct tree_list list = { 0 };

	tree_append(&list, concatenation(p));
	while (re2_peek(p, 0) == '|') {
		p->at++;
		tree_append(&list, concatenation(p));
	}
	return tree_join(p->arena, TREE_ALT, &list);
}

struct pattern *
regex_parse_re2(struct arena *a, struct str text, unsigned flag_set,
    struct regex_error *error)
{
	struct pattern *made = arena_new(a, struct pattern);
	struct re2 p = { .arena = a,
		.pattern = text,
		.flags = flag_set,
		.made = made,
		.error = error };

	made->unit_max = UNICODE_MAX;
	made->perl = true;
	*arena_push(a, made->names, made->groups) = (struct str){ 0 };
	made->root = re2_alternation(&p);
	if (!p.failed && p.at < text.n)
		re2_fail(&p, "unexpected )", 0, text.n);
	re2_check_height(&p, made->root);
	return p.failed ? NULL : made;
}
