/* Keywords for numbers and strings, and those that count. */
#include "query/jsonschema/tree.h"

static bool
is_true(const struct rule *r)
{
	return r != NULL && json_is(r->value, JSON_TRUE);
}

/* Whether the number is on the right side of the bound; `sign` is 1 for a
 * lower bound, -1 for an upper one. */
static bool
beyond(struct validation *c, const struct rule *r, const struct json *v,
    int sign, bool exclusive)
{
	struct decimal d = decimal_of(c->arena, v->text);
	int order = decimal_compare(&d, &r->number) * sign;

	return exclusive ? order > 0 : order >= 0;
}

bool
jsonschema_bound(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	bool lower = str_ends(str_of(r->keyword->name), "inimum");
	bool exclusive = str_starts(str_of(r->keyword->name), "exclusive");

	if (!json_is(v, JSON_NUMBER) || !json_is(r->value, JSON_NUMBER))
		return true;
	exclusive |= is_true(jsonschema_sibling(
	    r, lower ? "exclusiveMinimum" : "exclusiveMaximum"));
	return jsonschema_unless(
	    c, beyond(c, r, v, lower ? 1 : -1, exclusive), r, spot);
}

bool
jsonschema_multiple_of(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct decimal d;

	if (!json_is(v, JSON_NUMBER))
		return true;
	d = decimal_of(c->arena, v->text);
	return jsonschema_unless(
	    c, decimal_is_multiple(&d, &r->number), r, spot);
}

/* minX or maxX: how many of what the instance has. */
bool
jsonschema_count(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct str name = str_of(r->keyword->name);
	enum json_type wanted = str_ends(name, "Length") ? JSON_STRING
	    : str_ends(name, "Items")                    ? JSON_ARRAY
							 : JSON_OBJECT;
	double limit = json_double(r->value), n;

	if (!json_is(v, wanted))
		return true;
	n = (double)(wanted == JSON_STRING
		? str_characters(json_text(v, c->arena))
		: json_count(v));
	return jsonschema_unless(
	    c, str_starts(name, "min") ? n >= limit : n <= limit, r, spot);
}

bool
jsonschema_matches(
    struct validation *c, const struct regex *regex, const struct json *text)
{
	enum regex_found found =
	    regex_search(regex, json_text(text, c->arena), NULL, c->arena);

	*c->limit |= found == REGEX_LIMIT;
	return found == REGEX_YES;
}

bool
jsonschema_pattern(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	return !json_is(v, JSON_STRING) ||
	    jsonschema_unless(c, jsonschema_matches(c, r->regex, v), r, spot);
}

bool
jsonschema_formatted(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	return !json_is(v, JSON_STRING) ||
	    jsonschema_unless(c,
		jsonschema_format(c->arena, json_text(r->value, c->arena),
		    json_text(v, c->arena)),
		r, spot);
}
