#include "judge/evidence/passages.h"

#include "base/utf8.h"

enum { MOST = 1000 }; /* bytes of a passage, but for a long character */

/* Returns the length of the character or the escape at the place. */
static size_t
step_at(const struct passage *p, size_t at)
{
	struct str rest = str_from(p->text, at);
	size_t n;

	if (p->body && *rest.s == '\\')
		return json_escape_length(rest);
	n = (unsigned char)*rest.s < 0x80 ? 1 : utf8_length(rest.s, rest.n);
	return n == 0 ? 1 : n;
}

/* Returns the rank of the character of n bytes as the end of a passage: 2 for the
 * end of a line or of a member, 1 for the end of a word, 0 for any other. */
static int
end_at(const struct passage *p, size_t at, size_t n)
{
	const char *c = p->text.s + at;

	if (n == 2 && *c == '\\')
		return c[1] == 'n' ? 2 : 0;
	if (!p->body && (*c == ',' || *c == '}'))
		return 2;
	return *c == ' ' ? 1 : 0;
}

/* Returns the length of the first passage of the text, which has up to `most`
 * bytes. No line or word ends it in their first third. */
static size_t
first_length(const struct passage *p, size_t most)
{
	size_t ends[3] = { 0 }, at = 0;

	if (p->text.n <= most)
		return p->text.n;
	while (at < most) {
		size_t n = step_at(p, at);
		int rank = end_at(p, at, n);

		at += n;
		ends[rank] = at;
	}
	for (int rank = 2; rank > 0; rank--)
		if (ends[rank] >= most / 3)
			return ends[rank];
	return at;
}

static void
add(struct passages *all, struct arena *a, struct str text, bool body)
{
	struct passage rest = { text, body }, first = rest;

	while (rest.text.n != 0) {
		first.text.n = first_length(
		    &rest, all->n == 0 && !body ? PASSAGE_HEAD : MOST);
		first.text.s = rest.text.s;
		rest.text = str_from(rest.text, first.text.n);
		*arena_push(a, all->list, all->n) = first;
	}
}

struct passages
passages_of(struct arena *a, const struct json *value)
{
	struct passages all = { 0 };
	const char *at = value->text.s, *end = at + value->text.n;

	for (size_t i = 0; i < value->span; i++) {
		const struct json *v = &value[i];

		if (v->type != JSON_STRING || v->text.n <= MOST)
			continue;
		if (i != 0)
			add(&all, a,
			    (struct str){ at, (size_t)(v->text.s + 1 - at) },
			    false);
		add(&all, a, json_raw(v), true);
		at = v->text.s + v->text.n - (i != 0);
	}
	add(&all, a, (struct str){ at, (size_t)(end - at) }, false);
	return all;
}

void
passage_write(struct out *o, const struct passage *p, struct arena *a)
{
	struct str quoted;

	if (p->body) {
		out_str(o, p->text);
		return;
	}
	quoted = out_quote(a, p->text);
	out_str(o, str_slice(quoted, 1, quoted.n - 1));
}
