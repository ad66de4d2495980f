/* What a schema is compiled to. Internal to jsonschema. */
#pragma once

#include "base/hash.h"
#include "query/jsonschema/jsonschema.h"
#include "regex/regex.h"
#include "json/decimal.h"

enum { DRAFT4 = 1, DRAFT6 = 2, DRAFT7 = 4, DRAFT6_ON = 6, DRAFT_ALL = 7 };

struct schema;

/* One keyword of a schema with its value. */
struct rule {
	const struct keyword *keyword;
	const struct schema *owner;
	const struct json *value;
	struct decimal number;     /* of a number */
	struct schema_part *parts; /* subschemas */
	size_t n;
	struct regex *regex; /* pattern */
};

struct schema_part {
	struct schema *schema;
	struct str name;          /* of a map's member */
	struct regex *regex;      /* patternProperties */
	const struct json *names; /* dependencies: a list of names instead */
};

struct schema {
	const struct json *json;
	struct str base;  /* what its references are relative to */
	bool rejects_all; /* the schema false */
	int meta;         /* a draft's own schema: valid is what compiles */
	struct schema *target; /* of $ref, which stands alone */
	struct rule *rules;
	size_t n;
};

/* What a keyword's value is, for the compiler. */
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

/* The place in the instance that is looked at. */
struct location {
	const struct location *parent;
	const struct json *key; /* of a member; NULL: an element */
	size_t index;
};

struct validation {
	struct arena *arena;
	struct jsonschema_error *error; /* NULL: nobody asks why */
	bool *limit;                    /* a pattern gave no verdict */
	struct hash_table *known; /* what was found of a schema and a value */
	int depth;
};

typedef bool jsonschema_rule(struct validation *, const struct rule *,
    const struct json *instance, const struct location *);

struct keyword {
	const char *name;
	int drafts;
	enum shape shape;
	/* False, with the reason told, if the instance breaks the rule. NULL
	 * for what only holds schemas or belongs to another keyword. */
	jsonschema_rule *holds;
};

extern const struct keyword jsonschema_keywords[];
extern const size_t jsonschema_nkeywords;

struct jsonschema {
	struct schema *root;
	struct regex **patterns; /* which no arena holds */
	size_t npatterns;
};

bool jsonschema_holds(struct validation *, const struct schema *,
    const struct json *instance, const struct location *);

/* Whether the text has the format; true for a format that is not known. */
bool jsonschema_format(struct arena *, struct str format, struct str text);

/* An element of the list that equals one before it, or NULL. */
const struct json *jsonschema_duplicate(
    struct arena *, const struct json *list);

/* Whether the number is whole, 1.0 included. */
bool jsonschema_integer(struct arena *, const struct json *);

/* ---- for keywords ---- */

/* Keeps the reason, which is the two texts joined, and returns false. */
bool jsonschema_violation(struct validation *, const struct location *,
    const char *why, struct str detail);
/* What `holds` says; if it does not, the reason is the rule itself. */
bool jsonschema_require(struct validation *, bool holds, const struct rule *,
    const struct location *);
/* jsonschema_holds without keeping the reason. */
bool jsonschema_holds_quietly(struct validation *, const struct schema *,
    const struct json *instance, const struct location *);
/* The rule of that keyword in the same schema, or NULL. */
const struct rule *jsonschema_sibling(const struct rule *, const char *name);
