/* Properties of JSON values that both the compiler and the check need. */
#include "base/hash.h"
#include "emulate/jsonschema/tree.h"
#include "json/keys.h"

bool
jsonschema_integer(struct arena *a, const struct json *v)
{
	struct decimal d;

	if (!json_is(v, JSON_NUMBER))
		return false;
	d = decimal_of(a, v->text);
	return decimal_is_integer(&d);
}

/* Returns one hash of two, with the first as the key. */
static uint64_t
both(uint64_t one, uint64_t other)
{
	const struct hash_secret key = { one, hash_secret().high };

	return hash_keyed(
	    key, (struct str){ (const char *)&other, sizeof other });
}

static uint64_t hash_value(struct arena *, const struct json *);

/* Returns a hash of the members. Their order does not matter, and of equal keys
 * only the last counts. */
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

/* Returns a hash that equal values share, so that only values with equal hashes
 * need to be compared. The key is secret, so that nobody can construct
 * collisions. */
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
jsonschema_duplicate(struct arena *a, const struct json *list)
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
