#include "extract/value/unflatten.h"

#include "base/hash.h"
#include "extract/value/copy.h"
#include "io/out.h"

enum {
	INDEX_MAX = 65535, /* of a list; a higher number is a name */
	GAPS_MAX = 1000,   /* in all lists of a value: see put() */
	DEPTH_MAX = 100,
};

/* A value under construction: a member of an object or an element of a list. */
struct branch {
	struct branch *next;
	struct str name;  /* body */
	struct str value; /* source; absent: the value has branches */
	struct branch *first, *last;
	struct hash_table branches; /* by name */
	bool list;
	size_t length; /* of a list: branches and gaps */
};

struct tree {
	struct arena *arena;
	struct branch root;
	size_t gaps; /* gaps that may still be filled */
};

/* Reads the index in a list that the name spells; returns false if the name is
 * no index. */
static bool
index_of(struct str name, size_t *index)
{
	*index = 0;
	if (name.n > 1 && name.s[0] == '0')
		return false;
	for (size_t i = 0; i < name.n; i++) {
		if (name.s[i] < '0' || name.s[i] > '9')
			return false;
		*index = *index * 10 + (size_t)(name.s[i] - '0');
		if (*index > INDEX_MAX)
			return false;
	}
	return name.n != 0;
}

/* Returns the branch of that name; adds one if there is none. */
static struct branch *
branch_of(struct tree *t, struct branch *in, struct str name)
{
	size_t index;
	bool list = index_of(name, &index);
	struct branch *b;
	void **slot;

	if (in->value.s != NULL || in->first == NULL || in->list != list) {
		in->value = (struct str){ 0 };
		in->first = in->last = NULL;
		in->branches = (struct hash_table){ .arena = t->arena };
		in->length = 0;
		in->list = list;
	} else if (str_eq(in->last->name, name)) { /* the usual case */
		return in->last;
	}
	slot = hash_put(&in->branches, name);
	if (*slot != NULL)
		return *slot;
	*slot = b = arena_new(t->arena, struct branch);
	b->name = name;
	if (in->first == NULL)
		in->first = b;
	else
		in->last->next = b;
	in->last = b;
	if (list && index >= in->length)
		in->length = index + 1;
	return b;
}

static void
add(struct tree *t, struct str path, struct str value)
{
	struct branch *b = &t->root;

	for (int depth = 0; path.s != NULL && depth < DEPTH_MAX; depth++)
		b = branch_of(t, b, str_cut(&path, '.'));
	b->value = value;
	b->first = b->last = NULL;
}

static void put(struct tree *, struct out *, const struct branch *);

static void
put_list(struct tree *t, struct out *o, const struct branch *b)
{
	const struct branch **items =
	    arena_new_n(t->arena, const struct branch *, b->length);
	size_t i;

	for (const struct branch *c = b->first; c != NULL; c = c->next)
		if (index_of(c->name, &i))
			items[i] = c;
	out_begin(o, '[');
	for (i = 0; i < b->length; i++) {
		if (items[i] == NULL)
			out_json_null(o);
		else
			put(t, o, items[i]);
	}
	out_end(o, ']');
}

static void
put_object(struct tree *t, struct out *o, const struct branch *b)
{
	out_begin(o, '{');
	for (const struct branch *c = b->first; c != NULL; c = c->next) {
		out_key_body(o, c->name);
		put(t, o, c);
	}
	out_end(o, '}');
}

/* Python's SDK drops the oldest attributes of a span that has too many, and
 * with them the first elements of a list. Where more elements are missing, the
 * numbers become names: otherwise a line of a megabyte could demand as many
 * gigabytes. */
static void
put(struct tree *t, struct out *o, const struct branch *b)
{
	size_t gaps = b->length - b->branches.n;

	if (b->value.s != NULL) {
		out_json_raw(o, b->value);
	} else if (b->list && gaps <= t->gaps) {
		t->gaps -= gaps;
		put_list(t, o, b);
	} else {
		put_object(t, o, b);
	}
}

const struct json *
unflatten(struct arena *a, const struct json *object, struct str prefix)
{
	struct arena scratch = { 0 };
	struct tree t = { .arena = &scratch, .gaps = GAPS_MAX };
	struct out o;

	for (json_members(key, object)) {
		struct str name = json_raw(key);

		/* Most names fail the test for the dot, which is fast. */
		if (name.n > prefix.n + 1 && name.s[prefix.n] == '.' &&
		    str_starts(name, prefix))
			add(&t, str_from(name, prefix.n + 1),
			    json_value(key)->text);
	}
	if (t.root.first == NULL)
		return NULL;
	out_open_memory(&o);
	put(&t, &o, &t.root);
	arena_free(&scratch);
	return copy_parsed(a, out_keep(&o, a));
}
