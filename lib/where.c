#include "where.h"

bool
where_read(struct where *w, struct arena *a, const char *text)
{
	struct str rest = str_of(text), member = str_cut(&rest, '=');

	*w = (struct where){ str_c(a, member), rest };
	return member.n != 0 && rest.s != NULL;
}

/* Whether the text is the number, in whatever spelling. */
static bool
is_number(const struct json *number, struct str text)
{
	struct json_reader reader = { 0 };
	const struct json *v = json_read(&reader, text, NULL, NULL);
	bool same = json_is(v, JSON_NUMBER) && json_equal(v, number);

	json_reader_free(&reader);
	return same;
}

bool
where_holds(const struct where *w, const struct json *record)
{
	const struct json *v = json_path(record, w->member);

	if (v == NULL)
		return false;
	if (v->type == JSON_STRING)
		return json_str_is(v, w->value);
	if (v->type == JSON_NUMBER)
		return is_number(v, w->value);
	return str_eq(v->text, w->value);
}
