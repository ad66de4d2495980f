/* Values that a reader takes at one place of its files, as far as it is known. */
#pragma once

#include "base/hash.h"
#include "check/dialect/dialect.h"

/* Kinds of which a value may be in place of its own. */
#define FIELDS_ASIDE (1U << FIELDS_TEMPLATE | 1U << FIELDS_REFERENCE)

struct member {
	const char *key;
	struct node *node;
	/* Numbers of objects that were read without the key, and of those among
	 * them that required the key. */
	size_t absent, needed;
};

/* An assertion of one type. */
struct variant {
	const char *name;
	struct node *node;
};

struct node {
	unsigned kinds; /* a bit for each enum fields_kind that was asked for */
	bool opened;    /* read as an object */
	bool texts;     /* a list of texts */
	bool variant;   /* one of the `types` or `named` of another node */
	struct member *members;
	size_t n;
	struct node *element; /* of a list; NULL: nothing is known */
	/* An object of one of these types: under the key `type_key`, or as the
	 * name of the only member. */
	const char *type_key;
	struct variant *types, *named;
	size_t ntypes, nnamed;
	/* A member that each example has; NULL: none. */
	const char *fixed, *fixed_value;
	/* The node that holds what is known of the value, since values at several
	 * places are read alike; NULL: this node. */
	struct node *same;
	/* The name of a node that others have as `same`, and the first of these
	 * others in the current pass over the examples, at whose place alone the
	 * examples of this node are made. */
	const char *name;
	const struct node *home;
	size_t part; /* for the writer: the number of its part and 1 */
};

/* The shapes of files that a dialect reads. */
struct shape {
	bool list;        /* a list of such values, else one value */
	const char *keys; /* one of which such a value has; "": any other */
	const char
	    *example; /* the value of the first key, and maybe more members */
	struct node *node; /* private */
};

/* Returns the dialect's shapes, ended by one without keys and node; NULL: none. */
struct shape *shapes_of(struct arena *, const struct dialect *);

/* Asks the dialect's reader what it takes in files of this shape. */
void shape_probe(struct arena *, const struct dialect *, struct shape *);
