#include "yaml/values.h"

#include <string.h>

#include "yaml/scalar_types.h"

struct yaml_anchor {
	size_t at;     /* index of the value */
	size_t height; /* levels of containers in it */
	bool whole;    /* the end of the value was seen */
};

static const struct str yaml_tags = { "tag:yaml.org,2002:", 18 };

static size_t
offset_of(const struct yaml_builder *b, struct str source)
{
	return (size_t)(source.s - b->yaml.text.s);
}

static bool
fail(struct yaml_builder *b, const struct yaml_item *item, struct str what)
{
	b->error = (struct yaml_notice){ offset_of(b, item->source), what };
	return false;
}

void
yaml_warn(struct yaml *y, size_t offset, struct str what)
{
	*arena_push(y->arena, y->warnings, y->n_warnings) =
	    (struct yaml_notice){ offset, what };
}

struct yaml_builder *
yaml_build(struct arena *a, struct str text)
{
	struct yaml_builder *b = arena_new(a, struct yaml_builder);

	b->yaml.arena = a;
	b->yaml.text = text;
	return b;
}

void
yaml_build_document(struct yaml_builder *b)
{
	b->anchors = (struct hash_table){ .arena = b->yaml.arena };
}

/* Stores whether the next value is a key. Returns false if the value may not be
 * a key. */
static bool
place(struct yaml_builder *b, const struct yaml_item *item, bool scalar,
    bool *key)
{
	struct yaml_container *in;

	*key = false;
	if (b->depth == 0)
		return true;
	in = &b->open[b->depth - 1];
	if (b->yaml.values[in->at].type != JSON_OBJECT)
		return true;
	*key = in->wants_key;
	in->wants_key = !in->wants_key;
	return !*key || scalar ||
	    fail(b, item,
		STR("expected text as key, found a list or a mapping"));
}

static size_t
add(struct yaml_builder *b, struct json value, struct yaml_node node)
{
	struct yaml *y = &b->yaml;
	size_t n = y->n;

	*arena_push(b->yaml.arena, y->nodes, n) = node;
	*arena_push(b->yaml.arena, y->values, y->n) = value;
	return y->n - 1;
}

static struct yaml_anchor *
set_anchor(struct yaml_builder *b, const struct yaml_item *item, bool whole)
{
	struct yaml_anchor *anchor;

	if (item->anchor.s == NULL)
		return NULL;
	anchor = arena_new(b->yaml.arena, struct yaml_anchor);
	*anchor = (struct yaml_anchor){ .at = b->yaml.n, .whole = whole };
	*hash_put(&b->anchors, str_dup(b->yaml.arena, item->anchor)) = anchor;
	return anchor;
}

/* Returns whether the tag is one of YAML's own tags with these names, which are
 * separated by blanks. */
static bool
tag_is(struct str tag, const char *names)
{
	return str_starts(tag, yaml_tags) &&
	    scalar_types_word(str_from(tag, yaml_tags.n), names);
}

static void
check_tag(struct yaml_builder *b, const struct yaml_item *item,
    const char *known, const char *effect)
{
	if (item->tag.s == NULL || str_is(item->tag, "!") ||
	    tag_is(item->tag, known))
		return;
	yaml_warn(&b->yaml, offset_of(b, item->source),
	    str_printf(b->yaml.arena, "tag %.*s is unknown: %s",
		STR_FMT(item->tag), effect));
}

static struct str
without_properties(const struct yaml_item *item)
{
	struct str s = item->source;
	size_t left =
	    (size_t)(item->anchor.s != NULL) + (size_t)(item->tag.s != NULL);

	for (; left > 0 && s.n > 0; left--) {
		while (s.n > 0 && strchr(" \t\r\n", *s.s) == NULL)
			s = str_from(s, 1);
		s = str_trim(s);
	}
	return str_trim(s);
}

bool
yaml_build_scalar(struct yaml_builder *b, const struct yaml_item *item)
{
	struct json value = { .span = 1, .type = JSON_STRING };
	struct yaml_node node = { .source = without_properties(item),
		.plain = !item->quoted && item->tag.s == NULL };

	set_anchor(b, item, true);
	check_tag(b, item, "str int float bool null binary",
	    "the value is read as text");
	if (!place(b, item, true, &node.key))
		return false;
	node.scalar = str_dup(b->yaml.arena, item->scalar);
	if (tag_is(item->tag, "int float bool null binary"))
		node.tag =
		    str_dup(b->yaml.arena, str_from(item->tag, yaml_tags.n));
	if (node.tag.s != NULL || node.plain)
		value.flags = JSON_PLAIN;
	add(b, value, node);
	return true;
}

bool
yaml_build_open(
    struct yaml_builder *b, enum json_type type, const struct yaml_item *item)
{
	struct json value = { .span = 1, .type = (uint8_t)type };
	struct yaml_node node = { .source = item->source };
	struct yaml_anchor *anchor = set_anchor(b, item, false);

	check_tag(b, item, type == JSON_OBJECT ? "map" : "seq",
	    "the tag has no effect");
	if (!place(b, item, false, &node.key))
		return false;
	if (b->depth == JSON_DEPTH_MAX)
		return fail(b, item, STR("nested too deeply"));
	b->open[b->depth++] = (struct yaml_container){
		.at = add(b, value, node),
		.height = 1,
		.wants_key = type == JSON_OBJECT,
		.anchor = anchor,
	};
	return true;
}

static void
note_height(struct yaml_builder *b, size_t height)
{
	struct yaml_container *in;

	if (b->depth == 0)
		return;
	in = &b->open[b->depth - 1];
	if (in->height < height + 1)
		in->height = height + 1;
}

bool
yaml_build_close(struct yaml_builder *b, struct str end)
{
	struct yaml_container *in = &b->open[--b->depth];
	struct str *source = &b->yaml.nodes[in->at].source;

	source->n = (size_t)(end.s + end.n - source->s);
	while (source->n > 0 &&
	    strchr(" \t\r\n", source->s[source->n - 1]) != NULL)
		source->n--;
	b->yaml.values[in->at].span = (uint32_t)(b->yaml.n - in->at);
	if (in->anchor != NULL) {
		in->anchor->height = in->height;
		in->anchor->whole = true;
	}
	note_height(b, in->height);
	return true;
}

/* Copies the value of an anchor. Returns false if aliases have copied too much:
 * with each line of a text, aliases can double its size. */
static bool
copy(struct yaml_builder *b, size_t from, bool key)
{
	size_t n = b->yaml.values[from].span;

	for (size_t i = from; i < from + n; i++) {
		struct yaml_node node = b->yaml.nodes[i];

		b->copied += YAML_COPIED_VALUE + node.scalar.n;
		if (b->copied > YAML_COPIED_MAX)
			return false;
		node.copy = true;
		if (i == from)
			node.key = key;
		add(b, b->yaml.values[i], node);
	}
	return true;
}

bool
yaml_build_alias(struct yaml_builder *b, const struct yaml_item *item)
{
	const struct yaml_anchor *anchor = hash_get(&b->anchors, item->anchor);
	bool key;

	if (anchor == NULL)
		return fail(b, item,
		    str_printf(b->yaml.arena,
			"%.*s: no earlier value has this anchor",
			STR_FMT(item->source)));
	if (!anchor->whole)
		return fail(b, item,
		    str_printf(b->yaml.arena,
			"%.*s is inside the value that it repeats",
			STR_FMT(item->source)));
	if (!place(b, item, anchor->height == 0, &key))
		return false;
	if (b->depth + anchor->height > JSON_DEPTH_MAX)
		return fail(b, item, STR("nested too deeply"));
	note_height(b, anchor->height);
	return copy(b, anchor->at, key) ||
	    fail(b, item,
		str_printf(b->yaml.arena,
		    "%.*s: aliases repeat more than %d MiB",
		    STR_FMT(item->source), YAML_COPIED_MAX / 1024 / 1024));
}
