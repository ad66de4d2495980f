/* Asks a reader what it takes: examples are made of what is known, the reader reads
 * them, and what it asks for adds to what is known, until nothing is added. */
#include "check/schema/node.h"

#include <string.h>

#include "base/diag.h"
#include "check/dialect/spec.h"

struct probe {
	struct arena *arena;
	const struct dialect *dialect;
	struct hash_table nodes; /* of the values of the example that is read */
	struct hash_table needs; /* of objects, each with a member's node */
	struct node **shared;    /* those that have a name */
	size_t nshared;
	bool grown; /* something was added */
};

/* ---- what the reader asks for ---- */

static struct str
key_of(const struct json *const *v)
{
	return (struct str){ (const char *)v, sizeof *v };
}

static struct node *
node_of(const struct probe *p, const struct json *v)
{
	return v == NULL ? NULL : hash_get(&p->nodes, key_of(&v));
}

static struct member *
member_of(struct probe *p, struct node *node, const char *key)
{
	struct member *m;

	for (size_t i = 0; i < node->n; i++)
		if (strcmp(node->members[i].key, key) == 0)
			return &node->members[i];
	p->grown = true;
	m = arena_push(p->arena, node->members, node->n);
	m->key = str_c(p->arena, str_of(key));
	m->node = arena_new(p->arena, struct node);
	return m;
}

static void
opened(void *arg, const struct json *object)
{
	struct probe *p = arg;
	struct node *node = node_of(p, object);

	if (node == NULL || !json_is(object, JSON_OBJECT))
		return;
	p->grown |= !node->opened;
	node->opened = true;
}

/* Returns whether the object was not known yet to require a member with this node:
 * an object may be read several times. */
static bool
is_new_need(struct probe *p, const struct json *object, const struct node *node)
{
	const void **key = arena_new_n(p->arena, const void *, 2);
	void **slot;
	bool is_new;

	key[0] = object;
	key[1] = node;
	slot = hash_put(
	    &p->needs, (struct str){ (const char *)key, 2 * sizeof *key });
	is_new = *slot == NULL;
	*slot = p;
	return is_new;
}

static void
asked(void *arg, const struct json *object, const char *key,
    enum fields_kind kind, bool needed)
{
	struct probe *p = arg;
	struct node *node = node_of(p, object);
	struct member *m;

	if (node == NULL || (key == NULL && node->variant))
		return;
	if (key == NULL) {
		p->grown |= (node->kinds & 1U << kind) == 0;
		node->kinds |= 1U << kind;
		return;
	}
	if (!json_is(object, JSON_OBJECT))
		return;
	m = member_of(p, node, key);
	p->grown |= (m->node->kinds & 1U << kind) == 0;
	m->node->kinds |= 1U << kind;
	if (needed && !json_has(object, key))
		m->needed += is_new_need(p, object, m->node);
}

static void
listed_texts(void *arg, const struct json *list)
{
	struct node *node = node_of(arg, list);

	if (node != NULL)
		node->texts = true;
}

static struct node *
variant_of(struct probe *p, struct variant **list, size_t *n, const char *name)
{
	struct variant *v;

	for (size_t i = 0; i < *n; i++)
		if (strcmp((*list)[i].name, name) == 0)
			return (*list)[i].node;
	p->grown = true;
	v = arena_push(p->arena, *list, *n);
	v->name = str_c(p->arena, str_of(name));
	v->node = arena_new(p->arena, struct node);
	v->node->opened = v->node->variant = true;
	return v->node;
}

/* A form of a type that the example names says nothing new. */
static void
formed(void *arg, const struct json *v, const void *forms, bool named)
{
	const struct forms *f = forms;
	struct probe *p = arg;
	struct node *node = node_of(p, v);

	if (node == NULL || json_count(v) != 0)
		return;
	for (size_t i = 0; i < f->n; i++) {
		struct node *one = named ? variant_of(p, &node->named,
					       &node->nnamed, f->list[i].name)
					 : variant_of(p, &node->types,
					       &node->ntypes, f->list[i].name);

		if (named)
			continue;
		node->type_key = f->key;
		one->fixed = f->key;
		one->fixed_value = str_c(
		    p->arena, out_quote(p->arena, str_of(f->list[i].name)));
	}
}

static struct node *
shared_node(struct probe *p, const char *name)
{
	struct node *node;

	for (size_t i = 0; i < p->nshared; i++)
		if (strcmp(p->shared[i]->name, name) == 0)
			return p->shared[i];
	p->grown = true;
	node = arena_new(p->arena, struct node);
	node->name = str_c(p->arena, str_of(name));
	*arena_push(p->arena, p->shared, p->nshared) = node;
	return node;
}

static void
alike(void *arg, const struct json *v, const char *name)
{
	struct probe *p = arg;
	struct node *node = node_of(p, v), *shared;

	if (node == NULL || node->variant)
		return;
	shared = shared_node(p, name);
	if (node == shared)
		return;
	p->grown = true;
	node->same = shared;
	*hash_put(&p->nodes, key_of(&v)) = shared;
}

/* ---- examples ---- */

/* A list of examples of one node. */
struct examples {
	struct str *list;
	size_t n;
};

static void
add(struct probe *p, struct examples *all, struct str text)
{
	*arena_push(p->arena, all->list, all->n) = text;
}

static void
add_all(struct probe *p, struct examples *all, struct examples more)
{
	for (size_t i = 0; i < more.n; i++)
		add(p, all, more.list[i]);
}

static struct examples examples_of(struct probe *, const struct node *, int);

/* Returns an object with the fixed member and one more; absent texts are left
 * out. */
static struct str
object(
    struct probe *p, const struct node *node, const char *key, struct str value)
{
	bool fixed = node->fixed != NULL &&
	    (key == NULL || strcmp(key, node->fixed) != 0);
	struct str first = !fixed
	    ? STR("")
	    : str_printf(p->arena, "\"%s\": %s%s", node->fixed,
		  node->fixed_value, key == NULL ? "" : ", ");

	if (key == NULL)
		return str_printf(p->arena, "{%.*s}", STR_FMT(first));
	return str_printf(p->arena, "{%.*s%.*s: %.*s}", STR_FMT(first),
	    STR_FMT(out_quote(p->arena, str_of(key))), STR_FMT(value));
}

/* Adds an object with each known member, and each example of that. */
static void
add_objects(
    struct probe *p, struct examples *all, const struct node *node, int depth)
{
	for (size_t i = 0; i < node->n; i++) {
		const struct member *m = &node->members[i];
		struct examples values = examples_of(p, m->node, depth + 1);

		for (size_t k = 0; k < values.n; k++)
			add(p, all, object(p, node, m->key, values.list[k]));
	}
}

/* Adds a list with all examples of its elements, but that of an object that
 * nothing is known of. */
static void
add_list(
    struct probe *p, struct examples *all, const struct node *node, int depth)
{
	struct examples elements = { 0 };

	if (node->texts) {
		add(p, all, STR("[\"x\"]"));
		return;
	}
	if (node->element == NULL)
		add(p, &elements, STR("{}"));
	else {
		/* A shared node has no fixed member, by which the reader may
		 * know the shape. */
		if (node->element->same != NULL && node->element->fixed != NULL)
			add(p, &elements,
			    object(p, node->element, NULL, STR("")));
		add_all(p, &elements, examples_of(p, node->element, depth + 1));
	}
	add(p, all,
	    str_printf(p->arena, "[%.*s]",
		STR_FMT(
		    str_join(p->arena, elements.list, elements.n, STR(", ")))));
}

/* Returns whether a reader asked for a value, but for none of a certain kind. */
static bool
is_unknown(unsigned kinds)
{
	return (kinds & ~FIELDS_ASIDE) == 1U << FIELDS_ANY;
}

static void
add_scalars(struct probe *p, struct examples *all, unsigned kinds)
{
	static const char *const values[] = {
		[FIELDS_TEXT] = "\"x\"",
		[FIELDS_NAME] = "\"x\"",
		[FIELDS_LOOSE] = "1",
		[FIELDS_SCALAR] = "1",
		[FIELDS_BOOL] = "true",
		[FIELDS_NUMBER] = "1",
		[FIELDS_INT] = "1",
	};

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
		if (kinds & 1U << i && values[i] != NULL)
			add(p, all, str_of(values[i]));
	if (is_unknown(kinds)) {
		add(p, all, STR("\"x\""));
		add(p, all, STR("[]"));
		add(p, all, STR("true"));
	}
}

enum { DEPTH_MAX = 12 };

static struct examples
examples_of(struct probe *p, const struct node *node, int depth)
{
	struct examples all = { 0 };

	if (depth > DEPTH_MAX)
		return all;
	if (node->same != NULL && node->same->home != NULL) {
		add(p, &all, STR("{}"));
		return all;
	}
	if (node->same != NULL) {
		node->same->home = node;
		node = node->same;
	}
	if (node->kinds & 1U << FIELDS_LIST || node->texts ||
	    node->element != NULL)
		add_list(p, &all, node, depth);
	add_scalars(p, &all, node->kinds);
	if (node->opened || node->kinds & 1U << FIELDS_OBJECT ||
	    node->ntypes + node->nnamed != 0 || all.n == 0 ||
	    is_unknown(node->kinds))
		add(p, &all, object(p, node, NULL, STR("")));
	add_objects(p, &all, node, depth);
	for (size_t i = 0; i < node->ntypes; i++)
		add_all(
		    p, &all, examples_of(p, node->types[i].node, depth + 1));
	for (size_t i = 0; i < node->nnamed; i++) {
		struct examples one =
		    examples_of(p, node->named[i].node, depth + 1);

		for (size_t k = 0; k < one.n; k++)
			add(p, &all,
			    object(p, &(struct node){ 0 }, node->named[i].name,
				one.list[k]));
	}
	return all;
}

/* ---- reading an example ---- */

static void map(struct probe *, const struct json *, struct node *);

static void
map_object(struct probe *p, const struct json *v, struct node *node)
{
	struct arena *a = p->arena;

	for (size_t i = 0; i < node->n; i++)
		node->members[i].absent += !json_has(v, node->members[i].key);
	for (json_members(key, v))
		map(p, json_value(key),
		    member_of(p, node, str_c(a, json_text(key, a)))->node);
}

/* Gives the value, and all in it, their nodes. */
static void
map(struct probe *p, const struct json *v, struct node *node)
{
	const struct json **kept = arena_new(p->arena, const struct json *);

	if (node->same != NULL)
		node = node->same;
	for (size_t i = 0; i < node->ntypes; i++)
		if (json_str_is(json_get(v, str_of(node->type_key)),
			node->types[i].name)) {
			map(p, v, node->types[i].node);
			return;
		}
	*kept = v;
	*hash_put(&p->nodes, key_of(kept)) = node;
	for (size_t i = 0; i < node->nnamed; i++)
		if (json_has(v, node->named[i].name)) {
			map(p, json_value(json_first(v)), node->named[i].node);
			return;
		}
	if (json_is(v, JSON_OBJECT))
		map_object(p, v, node);
	if (json_is(v, JSON_ARRAY) && json_count(v) != 0 && !node->texts) {
		if (node->element == NULL) {
			node->element = arena_new(p->arena, struct node);
			p->grown = true;
		}
		for (json_each(one, v))
			map(p, one, node->element);
	}
}

/* Lets the reader read a file. Its messages are of no interest. */
static void
read_example(struct probe *p, struct str text, struct node *root)
{
	const struct fields_watcher watcher = { opened, asked, listed_texts,
		formed, alike, p };
	struct arena a = { 0 };
	struct spec spec = { .arena = &a, .policy.keep_going = true };
	struct diag_log log = { 0 }, *before = diag_keep(&log);
	struct document *doc;

	policy_begin_file(&spec.policy, &a);
	/* The folder does not exist, and nothing that an example names does. */
	doc = document_read_text(
	    &a, "/dev/null/example.json", text, &spec.policy);
	p->nodes = p->needs = (struct hash_table){ .arena = &a };
	if (doc != NULL && doc->n != 0) {
		doc->watcher = &watcher;
		map(p, doc->roots[0], root);
		spec_load_doc(&spec, doc, p->dialect);
	}
	spec_close(&spec);
	diag_forget(&log);
	diag_keep(before);
	arena_free(&a);
}

static void
forget_counts(struct node *node, int depth)
{
	if (node == NULL || depth > DEPTH_MAX)
		return;
	for (size_t i = 0; i < node->n; i++) {
		node->members[i].absent = node->members[i].needed = 0;
		forget_counts(node->members[i].node, depth + 1);
	}
	forget_counts(node->element, depth + 1);
	for (size_t i = 0; i < node->ntypes; i++)
		forget_counts(node->types[i].node, depth + 1);
	for (size_t i = 0; i < node->nnamed; i++)
		forget_counts(node->named[i].node, depth + 1);
}

enum { ROUNDS_MAX = 12 };

void
shape_probe(struct arena *a, const struct dialect *d, struct shape *shape)
{
	struct probe p = { .arena = a, .dialect = d };
	struct str keys = str_of(shape->keys);
	struct node *root = arena_new(a, struct node), *file = root;
	size_t rounds = 0;

	root->opened = true;
	shape->node = root;
	if (shape->example != NULL) {
		root->fixed = str_c(a, str_cut(&keys, ' '));
		root->fixed_value = shape->example;
	}
	if (shape->list) {
		file = arena_new(a, struct node);
		file->element = root;
		file->kinds = 1U << FIELDS_LIST;
	}
	do {
		struct examples all;

		p.grown = false;
		forget_counts(root, 0);
		for (size_t i = 0; i < p.nshared; i++) {
			forget_counts(p.shared[i], 0);
			p.shared[i]->home = NULL;
		}
		all = examples_of(&p, file, 0);
		for (size_t i = 0; i < all.n; i++)
			if (!shape->list || i == 0)
				read_example(&p, all.list[i], file);
	} while (p.grown && ++rounds < ROUNDS_MAX);
}
