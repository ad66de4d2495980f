#include "extract/map/condition.h"

static const char before[] = "$[?(", after[] = ")]";

/* The condition as a path, and for each byte its offset in the condition. */
struct spelt {
	char *s;
	size_t *from;
	size_t n;
};

static void
add(struct spelt *to, const char *text, size_t from)
{
	for (; *text != '\0'; text++) {
		to->from[to->n] = from;
		to->s[to->n++] = *text;
	}
}

/* Builds the path. `$` becomes the list's only value, except that $[? selects
 * from the list itself, as filters do elsewhere. */
static struct spelt
spell(struct arena *a, struct str text)
{
	size_t most = text.n * 4 + sizeof(before) + sizeof(after);
	struct spelt to = { arena_room(a, most), arena_new_n(a, size_t, most),
		0 };
	char quote = '\0';

	add(&to, before, 0);
	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		to.from[to.n] = i;
		to.s[to.n++] = c;
		if (quote != '\0' && c == '\\' && i + 1 < text.n) {
			to.from[to.n] = ++i;
			to.s[to.n++] = text.s[i];
		} else if (quote != '\0') {
			if (c == quote)
				quote = '\0';
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (c == '$' &&
		    !str_starts(str_from(text, i + 1), "[?")) {
			add(&to, "[0]", i);
		}
	}
	add(&to, after, text.n);
	return to;
}

struct jsonpath *
map_condition(struct arena *a, struct str text, struct jsonpath_error *error)
{
	struct spelt to = spell(a, text);
	struct jsonpath *path = jsonpath_compile(
	    a, (struct str){ to.s, to.n }, JSONPATH_RFC9535, error);

	if (path == NULL)
		error->offset =
		    error->offset < to.n ? to.from[error->offset] : text.n;
	return path;
}

static const struct json *
wrap(struct arena *a, const struct json *v)
{
	struct json *list = arena_new_n(a, struct json, (size_t)v->span + 1);

	memcpy(list + 1, v, v->span * sizeof(*v));
	list->text = v->text;
	list->span = v->span + 1;
	list->type = JSON_ARRAY;
	return list;
}

bool
map_condition_holds(
    const struct jsonpath *condition, const struct json *value, struct arena *a)
{
	struct jsonpath_list found =
	    jsonpath_select(condition, wrap(a, value), a);

	return found.n != 0 && !found.cut;
}
