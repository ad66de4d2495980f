/* Keywords for arrays and objects. */
#include "base/hash.h"
#include "query/jsonschema/tree.h"
#include "json/keys.h"

/* Which schema the element at this place must fit; NULL: none. */
static const struct schema *
element_schema(const struct rule *r, size_t index)
{
	const struct rule *more;

	if (!json_is(r->value, JSON_ARRAY))
		return r->parts[0].schema;
	if (index < r->n)
		return r->parts[index].schema;
	more = jsonschema_sibling(r, "additionalItems");
	return more == NULL ? NULL : more->parts[0].schema;
}

bool
jsonschema_items(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_each(item, v)) {
		const struct schema *s = element_schema(r, at.index);

		if (s != NULL && !jsonschema_holds(c, s, item, &at))
			return false;
		at.index++;
	}
	return true;
}

bool
jsonschema_contains(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct spot at = { .parent = spot };

	if (!json_is(v, JSON_ARRAY))
		return true;
	for (json_each(item, v)) {
		if (jsonschema_quietly(c, r->parts[0].schema, item, &at))
			return true;
		at.index++;
	}
	return jsonschema_broken(c, spot, "no element fits contains", STR(""));
}

/* One hash of two, the first of them as the key. */
static uint64_t
both(uint64_t one, uint64_t other)
{
	const struct hash_secret key = { one, hash_secret().high };

	return hash_keyed(
	    key, (struct str){ (const char *)&other, sizeof other });
}

static uint64_t hash_value(struct arena *, const struct json *);

/* The members count in any order, and of a key that repeats the last. */
static uint64_t
hash_members(struct arena *a, const struct json *object)
{
	struct hash_table last = json_keys_last(object, a);
	uint64_t sum = 0;

	for (json_members(key, object))
		if (json_keys_is_last(&last, key, a))
			sum += both(
			    hash_value(a, key), hash_value(a, json_value(key)));
	return sum;
}

/* A hash that equal values share, so that only its equals are compared; which
 * others share it nobody can know beforehand. */
static uint64_t
hash_value(struct arena *a, const struct json *v)
{
	uint64_t hash = both(hash_secret().low, v->type);
	double number = json_double(v) + 0.0; /* -0 is 0 */
	uint64_t bits;

	memcpy(&bits, &number, sizeof bits);
	if (json_is(v, JSON_NUMBER))
		return both(hash, bits);
	if (json_is(v, JSON_STRING))
		return both(hash, hash_keyed(hash_secret(), json_text(v, a)));
	for (json_each(item, v))
		hash = both(hash, hash_value(a, item));
	if (json_is(v, JSON_OBJECT))
		return both(hash, hash_members(a, v));
	return hash;
}

struct same_hash {
	const struct json *value;
	struct same_hash *next;
};

const struct json *
jsonschema_twin(struct arena *a, const struct json *list)
{
	struct hash_table seen = { .arena = a };

	for (json_each(item, list)) {
		struct same_hash *one = arena_new(a, struct same_hash);
		struct str key = str_printf(
		    a, "%llx", (unsigned long long)hash_value(a, item));
		void **slot = hash_put(&seen, key);

		for (struct same_hash *s = *slot; s != NULL; s = s->next)
			if (json_equal(s->value, item))
				return item;
		*one = (struct same_hash){ item, *slot };
		*slot = one;
	}
	return NULL;
}

bool
jsonschema_unique(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	return !json_is(r->value, JSON_TRUE) ||
	    jsonschema_unless(c, jsonschema_twin(c->arena, v) == NULL, r, spot);
}

bool
jsonschema_required(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	if (!json_is(v, JSON_OBJECT))
		return true;
	for (json_each(name, r->value))
		if (json_get(v, json_text(name, c->arena)) == NULL)
			return jsonschema_broken(
			    c, spot, "missing member ", name->text);
	return true;
}

bool
jsonschema_properties(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_members(key, v)) {
		at.key = key;
		for (size_t i = 0; i < r->n; i++)
			if (json_str_is(key, r->parts[i].name) &&
			    !jsonschema_holds(
				c, r->parts[i].schema, json_value(key), &at))
				return false;
	}
	return true;
}

bool
jsonschema_pattern_properties(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_members(key, v)) {
		at.key = key;
		for (size_t i = 0; i < r->n; i++)
			if (jsonschema_matches(c, r->parts[i].regex, key) &&
			    !jsonschema_holds(
				c, r->parts[i].schema, json_value(key), &at))
				return false;
	}
	return true;
}

static bool
named_elsewhere(
    struct validation *c, const struct rule *r, const struct json *key)
{
	const struct rule *names = jsonschema_sibling(r, "properties");
	const struct rule *patterns =
	    jsonschema_sibling(r, "patternProperties");

	for (size_t i = 0; names != NULL && i < names->n; i++)
		if (json_str_is(key, names->parts[i].name))
			return true;
	for (size_t i = 0; patterns != NULL && i < patterns->n; i++)
		if (jsonschema_matches(c, patterns->parts[i].regex, key))
			return true;
	return false;
}

bool
jsonschema_additional(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	struct spot at = { .parent = spot };

	for (json_members(key, v)) {
		at.key = key;
		if (!named_elsewhere(c, r, key) &&
		    !jsonschema_holds(
			c, r->parts[0].schema, json_value(key), &at))
			return false;
	}
	return true;
}

bool
jsonschema_property_names(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	for (json_members(key, v))
		if (!jsonschema_holds(c, r->parts[0].schema, key, spot))
			return false;
	return true;
}

static bool
depends(struct validation *c, const struct schema_part *part,
    const struct json *v, const struct spot *spot)
{
	if (part->names == NULL)
		return jsonschema_holds(c, part->schema, v, spot);
	for (json_each(name, part->names))
		if (json_get(v, json_text(name, c->arena)) == NULL)
			return jsonschema_broken(
			    c, spot, "missing member ", name->text);
	return true;
}

bool
jsonschema_dependencies(struct validation *c, const struct rule *r,
    const struct json *v, const struct spot *spot)
{
	if (!json_is(v, JSON_OBJECT))
		return true;
	for (size_t i = 0; i < r->n; i++)
		if (json_get(v, r->parts[i].name) != NULL &&
		    !depends(c, &r->parts[i], v, spot))
			return false;
	return true;
}
