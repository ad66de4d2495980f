#include "extract/format/json_patch.h"

#include "base/hash.h"
#include "extract/value/copy.h"
#include "io/out.h"

/* A value, or a container whose parts are nodes too, once a path has led
 * through it. */
struct node {
	struct node **parts; /* has room for `size`; a list may shrink */
	size_t n, size;
	struct hash_table names; /* an object's parts, by key */
	struct str key;          /* body: key of an object's member */
	/* The value while it was not split into parts. */
	const struct json *leaf;
	enum json_type type; /* JSON_ARRAY or JSON_OBJECT for a container */
};

struct json_patch {
	struct arena *arena;
	struct node root;
};

static void
make_room(struct json_patch *p, struct node *in)
{
	size_t size = in->size == 0 ? 1 : in->size * 2;
	struct node **parts;

	if (in->n < in->size)
		return;
	parts = arena_new_n(p->arena, struct node *, size);
	for (size_t i = 0; i < in->n; i++)
		parts[i] = in->parts[i];
	in->parts = parts;
	in->size = size;
}

static struct node *
add(struct json_patch *p, struct node *in, struct str key, const struct json *v)
{
	struct node *n = arena_new(p->arena, struct node);
	void **named;

	n->key = key;
	n->leaf = v;
	make_room(p, in);
	in->parts[in->n++] = n;
	if (in->type == JSON_OBJECT) {
		in->names.arena = p->arena;
		named = hash_put(&in->names, key);
		/* A repeated key keeps its first place. */
		if (*named == NULL)
			*named = n;
	}
	return n;
}

/* Makes the node a value, or an empty container of this type. */
static void
become(struct node *n, enum json_type type, const struct json *leaf)
{
	n->parts = NULL;
	n->n = n->size = 0;
	n->names = (struct hash_table){ 0 };
	n->type = type;
	n->leaf = leaf;
}

static void
take_apart(struct json_patch *p, struct node *n)
{
	const struct json *v = n->leaf;

	if (!json_is(v, JSON_ARRAY) && !json_is(v, JSON_OBJECT))
		return;
	become(n, (enum json_type)v->type, NULL);
	for (json_each(one, v))
		add(p, n, (struct str){ 0 }, one);
	for (json_members(key, v))
		add(p, n, json_raw(key), json_value(key));
}

/* Returns the part with this name or index. A missing part is added to an
 * object, and at the end of a list. NULL: no such part is possible. */
static struct node *
part(struct json_patch *p, struct node *in, const struct json *name)
{
	struct node *n;
	int64_t index;

	take_apart(p, in);
	if (in->type == JSON_OBJECT && json_is(name, JSON_STRING)) {
		n = hash_get(&in->names, json_raw(name));
		return n != NULL ? n
				 : add(p, in, copy_body(p->arena, name), NULL);
	}
	if (in->type != JSON_ARRAY || !json_int(name, &index) || index < 0 ||
	    (uint64_t)index > in->n)
		return NULL;
	return (size_t)index < in->n ? in->parts[index]
				     : add(p, in, (struct str){ 0 }, NULL);
}

static struct node *
at(struct json_patch *p, const struct json *path)
{
	struct node *n = &p->root;

	for (json_each(name, path)) {
		n = part(p, n, name);
		if (n == NULL)
			break;
	}
	return n;
}

struct json_patch *
json_patch_new(struct arena *a, const struct json *root)
{
	struct json_patch *p = arena_new(a, struct json_patch);

	p->arena = a;
	p->root.leaf = copy_tree(a, root);
	return p;
}

void
json_patch_set(
    struct json_patch *p, const struct json *path, const struct json *v)
{
	struct node *n = at(p, path);

	if (n == NULL)
		return;
	become(n, JSON_NULL, copy_tree(p->arena, v));
}

/* A removed value reads as null. */
void
json_patch_remove(struct json_patch *p, const struct json *path)
{
	json_patch_set(p, path, NULL);
}

void
json_patch_push(struct json_patch *p, const struct json *path,
    const struct json *items, const struct json *from)
{
	struct node *n = at(p, path);
	int64_t most;

	if (n == NULL)
		return;
	take_apart(p, n);
	if (n->type != JSON_ARRAY)
		become(n, JSON_ARRAY, NULL);
	if (json_int(from, &most) && most < (int64_t)n->n)
		n->n = most < 0 ? 0 : (size_t)most;
	for (json_each(one, copy_tree(p->arena, items)))
		add(p, n, (struct str){ 0 }, one);
}

static void
write_node(struct out *o, const struct node *n, int depth)
{
	bool object = n->type == JSON_OBJECT;

	if (n->leaf != NULL) {
		out_json_raw(o, n->leaf->text);
		return;
	}
	if ((!object && n->type != JSON_ARRAY) || depth == JSON_DEPTH_MAX) {
		out_json_null(o);
		return;
	}
	out_begin(o, object ? '{' : '[');
	for (size_t i = 0; i < n->n; i++) {
		if (object)
			out_key_body(o, n->parts[i]->key);
		write_node(o, n->parts[i], depth + 1);
	}
	out_end(o, object ? '}' : ']');
}

const struct json *
json_patch_value(struct json_patch *p)
{
	struct out o;

	out_open_memory(&o);
	write_node(&o, &p->root, 0);
	return copy_parsed(p->arena, out_keep(&o, p->arena));
}
