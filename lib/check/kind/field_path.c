#include "check/kind/field_path.h"

#include "base/clamp.h"
#include "lang/py.h"

struct field_step {
	struct str name; /* absent: an index */
	int64_t index;   /* negative: from the end */
};

static void
add_name(struct field *f, struct arena *a, struct str name)
{
	if (name.n != 0)
		arena_push(a, f->steps, f->n)->name = name;
}

static bool
add_index(struct field *f, struct arena *a, struct str text, struct str *why)
{
	struct field_step step = { 0 };

	if (!py_int_text(text, &step.index, a)) {
		*why = str_printf(
		    a, "expected a whole number in [%.*s]", STR_FMT(text));
		return false;
	}
	*arena_push(a, f->steps, f->n) = step;
	return true;
}

bool
field_read(struct field *f, struct arena *a, struct str path, struct str *why)
{
	size_t from = 0;

	*f = (struct field){ .written = path };
	for (size_t i = 0; i < path.n; i++) {
		struct str rest = str_from(path, i + 1);
		size_t close = str_find_char(rest, ']');

		if (path.s[i] != '.' && path.s[i] != '[')
			continue;
		add_name(f, a, str_slice(path, from, i));
		from = i + 1;
		if (path.s[i] == '.')
			continue;
		if (close == rest.n) {
			*why = STR("'[' has no ']'");
			return false;
		}
		if (!add_index(f, a, str_slice(rest, 0, close), why))
			return false;
		i += 1 + close;
		from = i + 1;
	}
	add_name(f, a, str_from(path, from));
	return true;
}

static const struct json *
element(const struct json *list, int64_t index)
{
	if (!json_is(list, JSON_ARRAY))
		return NULL;
	if (index < 0)
		index += (int64_t)json_count(list);
	return index < 0 ? NULL : json_at(list, clamp_size(index));
}

static bool
is_digits(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] < '0' || text.s[i] > '9')
			return false;
	return text.n != 0;
}

const struct json *
field_get(const struct field *f, const struct json *v, struct arena *a)
{
	for (size_t i = 0; i < f->n && v != NULL; i++) {
		const struct field_step *step = &f->steps[i];
		int64_t index = step->index;

		if (json_is(v, JSON_OBJECT))
			v = step->name.s != NULL ? json_get(v, step->name)
						 : NULL;
		else if (step->name.s == NULL ||
		    (is_digits(step->name) &&
			py_int_text(step->name, &index, a)))
			v = element(v, index);
		else
			v = NULL;
	}
	return v;
}
