/*
 * What was read of a YAML stream: the values of all documents in one flat
 * array, each container before its content and each key before its value; an
 * alias is replaced by a copy of what it names. Here the array is built from
 * the stream's events. Types of plain scalars are left to lib/yaml/document.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "json/json.h"

enum {
	/* What aliases may copy: bytes of text, and this many for a value. */
	YAML_COPIED_MAX = 64 * 1024 * 1024,
	YAML_COPIED_VALUE = 64,
};

/* What stands beside each value. */
struct yaml_node {
	struct str source; /* in the text read */
	struct str scalar; /* decoded; absent for a container */
	struct str tag;    /* int, float, bool, null or binary; else absent */
	bool plain;        /* a scalar with neither quotes nor a tag */
	bool key;
	bool copy; /* put there by an alias */
};

/* Something to tell of the text. */
struct yaml_notice {
	size_t offset; /* in bytes from the start of the text */
	struct str what;
};

struct yaml {
	struct arena *arena;
	struct str text;     /* what the sources are slices of */
	struct json *values; /* text unset; plain scalars are JSON_PLAIN */
	struct yaml_node *nodes;
	size_t n;
	struct yaml_notice *warnings;
	size_t n_warnings;
};

/* A node as its author wrote it. What is absent was not written. */
struct yaml_item {
	struct str source; /* with anchor and tag */
	struct str anchor; /* of an alias: what it repeats */
	struct str tag;
	struct str scalar; /* decoded */
	bool quoted;
};

struct yaml_container {
	size_t at;      /* index of its value */
	size_t height;  /* levels of containers, itself included */
	bool wants_key; /* a mapping between two members */
	struct yaml_anchor *anchor;
};

struct yaml_builder {
	struct yaml yaml;
	struct yaml_container open[JSON_DEPTH_MAX];
	size_t depth;
	struct hash_table anchors; /* of this document */
	size_t copied;             /* by aliases: see YAML_COPIED_MAX */
	struct yaml_notice error;
};

/* Appends to the list of warnings. */
void yaml_warn(struct yaml *, size_t offset, struct str what);

struct yaml_builder *yaml_build(struct arena *, struct str text);
/* The events. False once something is wrong; then b->error says what. */
void yaml_build_document(struct yaml_builder *);
bool yaml_build_scalar(struct yaml_builder *, const struct yaml_item *);
bool yaml_build_open(
    struct yaml_builder *, enum json_type, const struct yaml_item *);
bool yaml_build_close(struct yaml_builder *, struct str end);
bool yaml_build_alias(struct yaml_builder *, const struct yaml_item *);

/*
 * Reads a stream of documents, none if the text has none. NULL if it is no
 * YAML; then *error says where and why. An escape that YAML does not know in
 * double quotes keeps its backslash, with a warning.
 */
struct yaml *yaml_read(
    struct arena *, struct str text, struct yaml_notice *error);

/* Replaces plain merge keys by what they name; the values move. False if what
 * one names is no mapping, and *error says where. */
bool yaml_merge(struct yaml *, struct yaml_notice *error);

/*
 * Sets text and flags of all values, so that a container's text holds that of
 * what is in it. `typed` has, by index, the JSON text of scalars other than
 * strings of their own text; NULL: there are none.
 */
void yaml_render(struct yaml *, const struct str *typed);
