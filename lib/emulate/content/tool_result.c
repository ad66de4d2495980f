#include "emulate/content/tool_result.h"

#include "base/clamp.h"
#include "emulate/lang/py.h"

/* ---- text ---- */

struct lines {
	struct str *list;
	size_t n;
};

static void
add(struct lines *l, struct str text, struct arena *a)
{
	*arena_push(a, l->list, l->n) = text;
}

static void
add_text_of(struct lines *l, const struct json *v, struct arena *a)
{
	struct str text = tool_result_text(v, a);

	if (text.n != 0)
		add(l, text, a);
}

static struct str
joined(const struct lines *l, struct arena *a)
{
	if (l->n == 0)
		return (struct str){ 0 };
	return str_join(a, l->list, l->n, STR("\n"));
}

static struct str
text_of_list(const struct json *list, struct arena *a)
{
	struct lines lines = { 0 };

	for (json_each(item, list))
		add_text_of(&lines, item, a);
	return joined(&lines, a);
}

/* Returns the text of MCP's content blocks. Unlike elsewhere, the text of a
 * block counts even if it is empty. */
static struct str
text_of_content(const struct json *content, struct arena *a)
{
	struct lines lines = { 0 };

	if (json_is(content, JSON_STRING))
		return json_text(content, a);
	for (json_each(item, content)) {
		const struct json *text = json_get(item, "text");

		if (json_is(text, JSON_STRING))
			add(&lines, json_text(text, a), a);
		else
			add_text_of(&lines, item, a);
	}
	return joined(&lines, a);
}

static struct str
text_of_output(const struct json *output, struct arena *a)
{
	struct str text = tool_result_text(output, a);

	return text.n != 0 ? text : (struct str){ 0 };
}

/* Returns the text of all members but `list` and `output`, in which no text was
 * found before: searching them again would double the time with each level. */
static struct str
text_of_members(const struct json *object, const struct json *list,
    const struct json *output, struct arena *a)
{
	struct lines lines = { 0 };

	for (json_members(key, object))
		if (json_value(key) != list && json_value(key) != output)
			add_text_of(&lines, json_value(key), a);
	return joined(&lines, a);
}

static struct str
text_of_object(const struct json *object, struct arena *a)
{
	struct str text = json_text(json_get(object, "text"), a);
	const struct json *content = json_get(object, "content");
	const struct json *output = json_get(object, "output");

	if (text.s == NULL)
		text = text_of_content(content, a);
	if (text.s == NULL)
		text = text_of_output(output, a);
	if (text.s == NULL)
		text = text_of_members(object,
		    json_is(content, JSON_ARRAY) ? content : NULL, output, a);
	return text;
}

struct str
tool_result_text(const struct json *v, struct arena *a)
{
	if (json_is(v, JSON_STRING))
		return json_text(v, a);
	if (json_is(v, JSON_ARRAY))
		return text_of_list(v, a);
	if (json_is(v, JSON_OBJECT))
		return text_of_object(v, a);
	return (struct str){ 0 };
}

/* ---- paths ---- */

struct field_path_step {
	struct str name; /* absent: an index */
	int64_t index;   /* negative: from the end */
};

static void
add_name(struct field_path *f, struct arena *a, struct str name)
{
	if (name.n != 0)
		arena_push(a, f->steps, f->n)->name = name;
}

static bool
add_index(
    struct field_path *f, struct arena *a, struct str text, struct str *why)
{
	struct field_path_step step = { 0 };

	if (!py_int_text(text, &step.index, a)) {
		*why = str_printf(
		    a, "expected a whole number in [%.*s]", STR_FMT(text));
		return false;
	}
	*arena_push(a, f->steps, f->n) = step;
	return true;
}

bool
field_path_read(
    struct field_path *f, struct arena *a, struct str path, struct str *why)
{
	size_t from = 0;

	*f = (struct field_path){ .written = path };
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
field_path_get(
    const struct field_path *f, const struct json *v, struct arena *a)
{
	for (size_t i = 0; i < f->n && v != NULL; i++) {
		const struct field_path_step *step = &f->steps[i];
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
