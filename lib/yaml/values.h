/*
 * The values of a YAML stream, and the steps that make them: reading with
 * libyaml, building, merging, rendering. The values of all documents are in one
 * flat array, each container before its content and each key before its value;
 * an alias is replaced by a copy of its anchor's value. The types of plain
 * scalars are added by yaml/document.c.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "json/json.h"

enum {
	/* The most that aliases may copy in all, in bytes: each value counts as
	 * its text plus YAML_COPIED_VALUE. */
	YAML_COPIED_MAX = 64 * 1024 * 1024,
	YAML_COPIED_VALUE = 64,
};

/* Data about each value, beside struct json. */
struct yaml_node {
	struct str source; /* slice of the text that was read */
	struct str scalar; /* decoded; absent for a container */
	struct str tag;    /* int, float, bool, null or binary; else absent */
	bool plain;        /* a scalar with neither quotes nor a tag */
	bool key;
	bool copy; /* made by an alias */
};

/* A message about the text. */
struct yaml_notice {
	size_t offset; /* in bytes from the start of the text */
	struct str what;
};

struct yaml {
	struct arena *arena;
	struct str text;     /* the text that the sources are slices of */
	struct json *values; /* no text yet; plain scalars: JSON_PLAIN */
	struct yaml_node *nodes;
	size_t n;
	struct yaml_notice *warnings;
	size_t n_warnings;
};

/* A node as its author wrote it. Parts that were not written are absent. */
struct yaml_item {
	struct str source; /* with anchor and tag */
	struct str anchor; /* of an alias: the anchor that it names */
	struct str tag;
	struct str scalar; /* decoded */
	bool quoted;
};

struct yaml_container {
	size_t at;      /* index of its value */
	size_t height;  /* levels of containers, itself included */
	bool wants_key; /* in a mapping, before a key */
	struct yaml_anchor *anchor;
};

struct yaml_builder {
	struct yaml yaml;
	struct yaml_container open[JSON_DEPTH_MAX];
	size_t depth;
	struct hash_table anchors; /* of the current document */
	size_t copied;             /* bytes; see YAML_COPIED_MAX */
	struct yaml_notice error;
};

/* Appends a warning. */
void yaml_warn(struct yaml *, size_t offset, struct str what);

struct yaml_builder *yaml_build(struct arena *, struct str text);
/* Handle libyaml's events. They return false after a mistake, which b->error
 * describes. */
void yaml_build_document(struct yaml_builder *);
bool yaml_build_scalar(struct yaml_builder *, const struct yaml_item *);
bool yaml_build_open(
    struct yaml_builder *, enum json_type, const struct yaml_item *);
bool yaml_build_close(struct yaml_builder *, struct str end);
bool yaml_build_alias(struct yaml_builder *, const struct yaml_item *);

/*
 * Reads a stream of documents; the result is empty if the text has none.
 * Returns NULL if the text is not YAML; then *error has the place and the
 * reason. An unknown escape in double quotes keeps its backslash, and adds a
 * warning.
 */
struct yaml *yaml_read(
    struct arena *, struct str text, struct yaml_notice *error);

/*
 * Merge keys of YAML 1.1: `<<: *base` gives a mapping those members of another
 * mapping that it does not have itself; in a list of mappings, the earlier ones
 * take precedence. Replaces plain merge keys by the members that they name; the
 * values move to a new array. Returns false if a merge key names something
 * other than mappings; then *error has the first such place.
 */
bool yaml_merge(struct yaml *, struct yaml_notice *error);

/*
 * Sets the text and flags of all values, so that a container's text contains
 * the text of its content. `typed` has, by index, the JSON text of scalars
 * other than strings with their own text; NULL: there are none.
 */
void yaml_render(struct yaml *, const struct str *typed);
