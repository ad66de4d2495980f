/*
 * What every flavour's parser makes of a pattern: a tree in which nothing is
 * left to be known of the flavour. Classes, shorthands, case and "." have
 * become sets of what they match, anchors and word edges carry the set that
 * they go by, and what the flavour has no use for has been refused.
 *
 * Texts and sets are in units: JavaScript's are UTF-16 code units (a character
 * beyond U+FFFF is two of them), other flavours' are characters.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "regex/tree/set.h"

enum tree_kind {
	TREE_EMPTY,
	TREE_SET,     /* one unit of the set */
	TREE_CAT,     /* the children one after the other */
	TREE_ALT,     /* the first child that leads to a match */
	TREE_REPEAT,  /* the child, min to max times */
	TREE_GROUP,   /* the child; what it matches is captured */
	TREE_AT,      /* a condition on the place */
	TREE_LOOK,    /* the child matches from here, or up to here */
	TREE_BACKREF, /* what the group captured; nothing if it did not */
	TREE_ATOMIC,  /* the child, as it first matches and not otherwise */
	TREE_COND, /* the first child if the group captured, else the other */
};

enum tree_at {
	AT_START,      /* of the text */
	AT_END,        /* of the text */
	AT_LINE_START, /* also after a unit of the set */
	AT_LINE_END,   /* also before a unit of the set */
	AT_LAST_END,   /* also before such a unit that is the last */
	AT_EDGE,       /* between a unit of the set and one that is not */
	AT_NO_EDGE,
};

enum {
	TREE_FOREVER = INT32_MAX, /* as a maximum; parsers hold counts to it */
	TREE_DEPTH_MAX = 1000,    /* of groups in groups, for all parsers */
	UNIT_MAX_UTF16 = 0xffff,
};

struct tree {
	enum tree_kind kind;
	enum tree_at at;
	struct tree *child;    /* the first */
	struct tree *next;     /* child of the same parent */
	const struct set *set; /* SET and AT */
	uint32_t min, max;     /* REPEAT */
	bool lazy;             /* REPEAT: few rather than many */
	bool behind;           /* LOOK: up to here, read from right to left */
	bool negate;           /* LOOK: the child does not match; AT_NO_EDGE:
	                        * not in an empty text */
	bool caseless;         /* BACKREF: compared by Canonicalize */
	bool ascii;            /* and that of ASCII letters alone */
	size_t group;          /* GROUP, BACKREF and COND: its number */
	/* REPEAT and LOOK: the groups within, first to before end. Each turn
	 * of a repetition begins without what they captured. */
	size_t first_group, end_group;
};

struct pattern {
	struct tree *root;
	size_t groups;     /* with group 0, the whole match */
	struct str *names; /* of the groups; absent for those without */
	uint32_t unit_max;
	bool anchored; /* a match begins where the text does */
	/* Groups are Perl's, which are PCRE2's, and not ECMAScript's: what one
	 * captured stays over the turns of a repetition, and a reference to
	 * one that captured nothing fails. */
	bool perl;
};

struct tree *tree_new(struct arena *, enum tree_kind);
struct tree *tree_set(struct arena *, const struct set *);
struct tree *tree_at(struct arena *, enum tree_at, const struct set *);

/* Whether it can match without taking a unit. */
bool tree_nullable(const struct tree *);

/* The units that a match can begin with; NULL if it can be empty. */
const struct set *tree_first(struct arena *, const struct tree *);

/* Children in the making; zeroed is empty. */
struct tree_list {
	struct tree *first, *last;
};
void tree_append(struct tree_list *, struct tree *);
/* The list as one tree of the kind, which is TREE_CAT or TREE_ALT. */
struct tree *tree_join(
    struct arena *, enum tree_kind, const struct tree_list *);

/* for (tree_each(child, node)) */
/* NOLINTBEGIN(bugprone-macro-parentheses): a declared name takes none */
#define tree_each(c, node) \
	const struct tree *c = (node)->child; \
	c != NULL; \
	c = c->next
/* NOLINTEND(bugprone-macro-parentheses) */
