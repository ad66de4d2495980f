#include "check/kind/result_text.h"

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
	struct str text = result_text(v, a);

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

/* Of MCP's content blocks: here a block's text counts even if it is empty. */
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
	struct str text = result_text(output, a);

	return text.n != 0 ? text : (struct str){ 0 };
}

/* Of all members but two, where no text was found: to look for it again there,
 * and in what these hold, takes twice the time with each level. */
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
result_text(const struct json *v, struct arena *a)
{
	if (json_is(v, JSON_STRING))
		return json_text(v, a);
	if (json_is(v, JSON_ARRAY))
		return text_of_list(v, a);
	if (json_is(v, JSON_OBJECT))
		return text_of_object(v, a);
	return (struct str){ 0 };
}
