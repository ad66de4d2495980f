#include "yaml/values.h"

#include "base/hash.h"

struct merger {
	const struct yaml *from;
	struct yaml to;
	struct yaml_notice error; /* the first mistake; what is absent: none */
};

static void copy_value(struct merger *, size_t i);

static bool
is_merge_key(const struct merger *m, size_t i)
{
	return (m->from->values[i].flags & JSON_PLAIN) &&
	    str_is(m->from->nodes[i].scalar, "<<");
}

static size_t
copy_one(struct merger *m, size_t i)
{
	size_t n = m->to.n;

	*arena_push(m->to.arena, m->to.nodes, n) = m->from->nodes[i];
	*arena_push(m->to.arena, m->to.values, m->to.n) = m->from->values[i];
	return m->to.n - 1;
}

static void copy_members(struct merger *, size_t object, struct hash_table *);

static void
merge_one(struct merger *m, const struct json *v, struct hash_table *seen)
{
	size_t i = (size_t)(v - m->from->values);

	if (v->type == JSON_OBJECT)
		copy_members(m, i, seen);
	else if (m->error.what.s == NULL)
		m->error = (struct yaml_notice){
			(size_t)(m->from->nodes[i].source.s - m->from->text.s),
			STR("<<: expected a mapping or a list of mappings"),
		};
}

/* Merges `v`, the value of a merge key. */
static void
merge(struct merger *m, const struct json *v, struct hash_table *seen)
{
	if (v->type != JSON_ARRAY)
		merge_one(m, v, seen);
	for (json_each(element, v))
		merge_one(m, element, seen);
}

/* Copies the members whose key was not seen yet: the object's own members
 * first, then those that it merges. */
static void
copy_members(struct merger *m, size_t object, struct hash_table *seen)
{
	const struct json *values = m->from->values, *v = &values[object];

	for (json_members(key, v)) {
		size_t i = (size_t)(key - values);
		void **slot;

		if (is_merge_key(m, i))
			continue;
		slot = hash_put(seen, m->from->nodes[i].scalar);
		if (*slot != NULL)
			continue;
		*slot = m;
		copy_one(m, i);
		copy_value(m, i + 1);
	}
	for (json_members(key, v))
		if (is_merge_key(m, (size_t)(key - values)))
			merge(m, json_value(key), seen);
}

static void
copy_value(struct merger *m, size_t i)
{
	const struct json *v = &m->from->values[i];
	size_t at = copy_one(m, i);

	if (v->type == JSON_OBJECT) {
		struct hash_table seen = { .arena = m->to.arena };

		copy_members(m, i, &seen);
	}
	for (json_each(element, v))
		copy_value(m, (size_t)(element - m->from->values));
	m->to.values[at].span = (uint32_t)(m->to.n - at);
}

bool
yaml_merge(struct yaml *y, struct yaml_notice *error)
{
	struct merger m = { .from = y, .to = *y };
	bool any = false;

	for (size_t i = 0; i < y->n; i++)
		if (y->nodes[i].key && is_merge_key(&m, i))
			any = true;
	if (!any)
		return true;
	m.to.values = NULL;
	m.to.nodes = NULL;
	m.to.n = 0;
	for (size_t i = 0; i < y->n; i += y->values[i].span)
		copy_value(&m, i);
	*y = m.to;
	*error = m.error;
	return m.error.what.s == NULL;
}
