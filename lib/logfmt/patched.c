#include "patched.h"

#include "../keep.h"
#include "../out.h"

/* A value, or a container whose parts are values of their own, once a path has
 * gone through it. */
struct node {
	struct node *next, *first, *last;
	struct str key;          /* body; of an object's member */
	const struct json *leaf; /* not taken apart yet */
	enum json_type type;     /* JSON_ARRAY or JSON_OBJECT, if it is */
};

struct patched {
	struct arena *arena;
	struct node root;
};

static struct node *
add(struct patched *p, struct node *in, struct str key, const struct json *v)
{
	struct node *n = arena_new(p->arena, struct node);

	n->key = key;
	n->leaf = v;
	if (in->last == NULL)
		in->first = n;
	else
		in->last->next = n;
	in->last = n;
	return n;
}

static void
take_apart(struct patched *p, struct node *n)
{
	const struct json *v = n->leaf;

	if (!json_is(v, JSON_ARRAY) && !json_is(v, JSON_OBJECT))
		return;
	n->leaf = NULL;
	n->type = (enum json_type)v->type;
	for (json_each(one, v))
		add(p, n, (struct str){ 0 }, one);
	for (json_members(key, v))
		add(p, n, json_raw(key), json_value(key));
}

/* The part of that name or index; one that is missing is added to an object,
 * and at the end of a list. NULL: there can be none. */
static struct node *
part(struct patched *p, struct node *in, const struct json *name)
{
	struct node *n;
	int64_t index;

	take_apart(p, in);
	n = in->first;
	if (in->type == JSON_OBJECT && json_is(name, JSON_STRING)) {
		while (n != NULL && !str_eq(n->key, json_raw(name)))
			n = n->next;
		return n != NULL ? n
				 : add(p, in, keep_body(p->arena, name), NULL);
	}
	if (in->type != JSON_ARRAY || !json_int(name, &index) || index < 0)
		return NULL;
	while (n != NULL && index != 0) {
		n = n->next;
		index--;
	}
	return n == NULL && index == 0 ? add(p, in, (struct str){ 0 }, NULL)
				       : n;
}

static struct node *
at(struct patched *p, const struct json *path)
{
	struct node *n = &p->root;

	for (json_each(name, path)) {
		n = part(p, n, name);
		if (n == NULL)
			break;
	}
	return n;
}

struct patched *
patched_new(struct arena *a, const struct json *root)
{
	struct patched *p = arena_new(a, struct patched);

	p->arena = a;
	p->root.leaf = keep_tree(a, root);
	return p;
}

void
patched_set(struct patched *p, const struct json *path, const struct json *v)
{
	struct node *n = at(p, path);

	if (n == NULL)
		return;
	n->first = n->last = NULL;
	n->type = JSON_NULL;
	n->leaf = keep_tree(p->arena, v);
}

/* What is removed reads as null. */
void
patched_remove(struct patched *p, const struct json *path)
{
	patched_set(p, path, NULL);
}

/* Keeps so many of a list's first elements. */
static void
shorten(struct node *list, int64_t most)
{
	struct node *n = list->first, *last = NULL;

	for (; n != NULL && most > 0; most--) {
		last = n;
		n = n->next;
	}
	if (last == NULL)
		list->first = NULL;
	else
		last->next = NULL;
	list->last = last;
}

void
patched_push(struct patched *p, const struct json *path,
    const struct json *items, const struct json *from)
{
	struct node *n = at(p, path);
	int64_t most;

	if (n == NULL)
		return;
	take_apart(p, n);
	if (n->type != JSON_ARRAY) {
		n->first = n->last = NULL;
		n->leaf = NULL;
		n->type = JSON_ARRAY;
	}
	if (json_int(from, &most))
		shorten(n, most);
	for (json_each(one, keep_tree(p->arena, items)))
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
	for (const struct node *one = n->first; one != NULL; one = one->next) {
		if (object)
			out_key_body(o, one->key);
		write_node(o, one, depth + 1);
	}
	out_end(o, object ? '}' : ']');
}

const struct json *
patched_value(struct patched *p)
{
	struct out o;

	out_open_memory(&o);
	write_node(&o, &p->root, 0);
	return keep_parsed(p->arena, out_keep(&o, p->arena));
}
