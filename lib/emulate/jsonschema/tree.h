/* The compiled form of a schema, and the functions that check it. Internal to
 * jsonschema. */
#pragma once

#include "base/hash.h"
#include "emulate/jsonschema/jsonschema.h"
#include "emulate/regex/regex.h"
#include "json/decimal.h"

enum { DRAFT4 = 1, DRAFT6 = 2, DRAFT7 = 4, DRAFT6_ON = 6, DRAFT_ALL = 7 };

struct schema;

/* One keyword of a schema with its value. */
struct rule {
	const struct keyword *keyword;
	const struct schema *owner;
	const struct json *value;
	struct decimal number;     /* the value, if it is a number */
	struct schema_part *parts; /* subschemas */
	size_t n;
	struct regex *regex; /* pattern */
};

struct schema_part {
	struct schema *schema;
	struct str name;     /* the member's name, if the value is a map */
	struct regex *regex; /* patternProperties */
	/* dependencies: a list of names instead of a schema */
	const struct json *names;
};

struct schema {
	const struct json *json;
	struct str base;  /* the base URI of its references */
	bool rejects_all; /* it is the schema false */
	/* a draft's meta-schema: an instance is valid if it compiles */
	int meta;
	struct schema *target; /* of $ref, which replaces all rules */
	struct rule *rules;
	size_t n;
};

/* The shape of a keyword's value. */
enum shape {
	SHAPE_ANY,
	SHAPE_SCHEMA,
	SHAPE_MORE,         /* a schema; a boolean in any draft */
	SHAPE_SCHEMAS,      /* a list */
	SHAPE_ITEMS,        /* a schema or a list of them */
	SHAPE_MAP,          /* names to schemas */
	SHAPE_PATTERNS,     /* patterns to schemas */
	SHAPE_DEPENDENCIES, /* names to schemas or lists of names */
	SHAPE_NUMBER,
	SHAPE_STEP,  /* a number above 0 */
	SHAPE_BOUND, /* a number; in draft 4 a boolean */
	SHAPE_COUNT, /* a whole number, not negative */
	SHAPE_BOOL,
	SHAPE_TEXT,
	SHAPE_PATTERN,
	SHAPE_NAMES, /* a list of strings */
	SHAPE_TYPES,
	SHAPE_LIST,
};

/* A location in the instance. */
struct location {
	const struct location *parent;
	const struct json *key; /* the member's key; NULL: an element */
	size_t index;
};

struct validation {
	struct arena *arena;
	struct jsonschema_error *error; /* NULL: the reason is not needed */
	bool *limit;                    /* set if a pattern gave no verdict */
	struct hash_table *known;       /* cached results by schema and value */
	int depth;
};

typedef bool jsonschema_rule(struct validation *, const struct rule *,
    const struct json *instance, const struct location *);

struct keyword {
	const char *name;
	int drafts;
	enum shape shape;
	/* Returns false, after recording the reason, if the instance breaks the
	 * rule. NULL for a keyword that only holds schemas or belongs to
	 * another keyword. */
	jsonschema_rule *holds;
};

extern const struct keyword jsonschema_keywords[];
extern const size_t jsonschema_nkeywords;

struct jsonschema {
	struct schema *root;
	struct regex **patterns; /* not in the arena */
	size_t npatterns;
};

bool jsonschema_holds(struct validation *, const struct schema *,
    const struct json *instance, const struct location *);

/* Returns whether the text has the format; true for an unknown format. */
bool jsonschema_format(struct arena *, struct str format, struct str text);

/* Returns an element of the list that equals an earlier one, or NULL. */
const struct json *jsonschema_duplicate(
    struct arena *, const struct json *list);

/* Returns whether the value is a whole number, 1.0 included. */
bool jsonschema_integer(struct arena *, const struct json *);

/* ---- for keywords ---- */

/* Records the reason, which is the two texts joined, and returns false. */
bool jsonschema_violation(struct validation *, const struct location *,
    const char *why, struct str detail);
/* Returns `holds`; if it is false, records the rule itself as the reason. */
bool jsonschema_require(struct validation *, bool holds, const struct rule *,
    const struct location *);
/* Like jsonschema_holds, but does not record the reason. */
bool jsonschema_holds_quietly(struct validation *, const struct schema *,
    const struct json *instance, const struct location *);
/* Returns the rule of that keyword in the same schema, or NULL. */
const struct rule *jsonschema_sibling(const struct rule *, const char *name);
