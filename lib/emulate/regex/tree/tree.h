/*
 * The syntax tree that every flavour's parser returns. A reader of the tree
 * need not know the flavour: classes, shorthands, case and "." have become sets
 * of units, anchors and word boundaries carry the set that they depend on, and
 * the parser has refused what the flavour does not accept.
 *
 * Texts and sets are in units: JavaScript's units are UTF-16 code units (a
 * character beyond U+FFFF is two of them), those of other flavours are
 * characters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "emulate/regex/tree/set.h"

enum tree_kind {
	TREE_EMPTY,
	TREE_SET,     /* one unit of the set */
	TREE_CAT,     /* the children one after the other */
	TREE_ALT,     /* the first child that leads to a match */
	TREE_REPEAT,  /* the child, min to max times */
	TREE_GROUP,   /* the child, whose match is captured */
	TREE_AT,      /* a condition on the position */
	TREE_LOOK,    /* the child matches from here, or up to here */
	TREE_BACKREF, /* the group's capture; nothing if it captured nothing */
	TREE_ATOMIC,  /* the child's first match and no other */
	TREE_COND, /* the first child if the group captured, else the second */
};

enum tree_at {
	AT_START,      /* of the text */
	AT_END,        /* of the text */
	AT_LINE_START, /* also after a unit of the set */
	AT_LINE_END,   /* also before a unit of the set */
	AT_LAST_END,   /* also before such a unit if it is the last one */
	AT_EDGE,       /* between a unit of the set and one that is not */
	AT_NO_EDGE,
};

enum {
	TREE_FOREVER = INT32_MAX, /* as a maximum; parsers clamp counts to it */
	TREE_DEPTH_MAX = 1000,    /* of nested groups, for all parsers */
	UNIT_MAX_UTF16 = 0xffff,
};

struct tree {
	enum tree_kind kind;
	enum tree_at at;
	struct tree *child;    /* the first child */
	struct tree *next;     /* the next child of the same parent */
	const struct set *set; /* SET and AT */
	uint32_t min, max;     /* REPEAT */
	bool lazy;             /* REPEAT: as few as possible */
	bool behind;           /* LOOK: up to here, read from right to left */
	/* LOOK: the child must not match; AT_NO_EDGE: does not hold in an empty
	 * text */
	bool negate;
	bool caseless; /* BACKREF: compared by Canonicalize */
	bool ascii;    /* BACKREF: caseless for ASCII letters only */
	size_t group;  /* GROUP, BACKREF and COND: the group's number */
	/* REPEAT and LOOK: the groups inside, from first_group to before
	 * end_group. Each iteration of a repetition begins with these groups
	 * unset. */
	size_t first_group, end_group;
};

struct pattern {
	struct tree *root;
	size_t groups;     /* including group 0, the whole match */
	struct str *names; /* of the groups; absent for those without */
	uint32_t unit_max;
	bool anchored; /* a match begins where the text does */
	/* Groups behave as in Perl and PCRE2, not as in ECMAScript: a capture
	 * survives the next iterations of a repetition, and a reference to a
	 * group that captured nothing fails. */
	bool perl;
};

struct tree *tree_new(struct arena *, enum tree_kind);
struct tree *tree_set(struct arena *, const struct set *);
struct tree *tree_at(struct arena *, enum tree_at, const struct set *);

/* Returns whether the tree can match without taking a unit. */
bool tree_nullable(const struct tree *);

/* Returns the units that a match can begin with; NULL if it can be empty. */
const struct set *tree_first(struct arena *, const struct tree *);

/* A list of children that is being built; zeroed is empty. */
struct tree_list {
	struct tree *first, *last;
};
void tree_append(struct tree_list *, struct tree *);
/* Returns the list as one tree of the kind, which is TREE_CAT or TREE_ALT. */
struct tree *tree_join(
    struct arena *, enum tree_kind, const struct tree_list *);

/* for (tree_each(child, node)) */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name takes none */
#define tree_each(c, node) \
	const struct tree *c = (node)->child; \
	c != NULL; \
	c = c->next
/* NOLINTEND(bugprone-macro-parentheses) */
