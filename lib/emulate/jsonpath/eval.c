#include "emulate/jsonpath/eval.h"

#include "emulate/jsonpath/plus.h"
#include "emulate/jsonpath/property.h"
#include "emulate/jsonpath/script.h"

struct walk {
	struct path_run *run;
	const struct query *query;
	struct path_sink *sink;
};

/* ---- selectors: false once no more is wanted ---- */

static bool visit(struct walk *, const struct path_node *, size_t i);
static bool visit_segment(
    struct walk *, const struct path_node *, const struct segment *, size_t i);

static bool
visit_name(
    struct walk *w, const struct path_node *node, struct str name, size_t i)
{
	struct path_node child = { .parent = node };

	child.key = jsonpath_member(w->run, node->value, name);
	child.value = json_value(child.key);
	return child.key == NULL || visit(w, &child, i);
}

/* Returns the element of the list, or NULL, and makes *index count from the
 * start. */
static const struct json *
element(struct path_run *run, const struct json *list, int64_t *index)
{
	if (!json_is(list, JSON_ARRAY))
		return NULL;
	if (*index < 0) {
		size_t n = json_count(list);

		jsonpath_spend(run, n);
		*index += (int64_t)n;
	}
	if (*index < 0 || *index >= (int64_t)list->span)
		return NULL;
	jsonpath_spend(run, (size_t)*index);
	return json_at(list, (size_t)*index);
}

static bool
visit_index(
    struct walk *w, const struct path_node *node, int64_t index, size_t i)
{
	struct path_node child = { .parent = node };

	child.value = element(w->run, node->value, &index);
	child.index = (size_t)index;
	return child.value == NULL || visit(w, &child, i);
}

/* Resolves a slice's bound, which counts from the end if negative, and clamps
 * it to low..high. */
static int64_t
bound(int64_t at, int64_t length, int64_t low, int64_t high)
{
	if (at < 0)
		at += length;
	return at < low ? low : at > high ? high : at;
}

/* Returns the node with one more step between it and its children. */
static struct path_node
step(const struct path_node *node)
{
	struct path_node stepped = *node;

	stepped.literal_first = false;
	stepped.steps++;
	return stepped;
}

/* Implements RFC 9535, 2.3.4.2. */
static bool
visit_slice(struct walk *w, const struct path_node *node,
    const struct selector *s, size_t i)
{
	int64_t n, from, to;
	struct path_node in = step(node);
	const struct json **elements;
	size_t length = 0;

	if (!json_is(node->value, JSON_ARRAY) || s->step == 0)
		return true;
	n = (int64_t)json_count(node->value);
	if (!jsonpath_spend(w->run, (size_t)n))
		return false;
	if (s->step > 0) {
		from = s->has_start ? bound(s->start, n, 0, n) : 0;
		to = s->has_end ? bound(s->end, n, 0, n) : n;
	} else {
		from = s->has_start ? bound(s->start, n, -1, n - 1) : n - 1;
		to = s->has_end ? bound(s->end, n, -1, n - 1) : -1;
	}
	elements = arena_new_n(w->run->arena, const struct json *, (size_t)n);
	for (json_each(element, node->value))
		elements[length++] = element;
	for (; s->step > 0 ? from < to : from > to; from += s->step) {
		struct path_node child = { .parent = &in,
			.value = elements[from],
			.index = (size_t)from };

		if (!visit(w, &child, i))
			return false;
	}
	return true;
}

static bool
accepts(struct walk *w, const struct selector *s, const struct path_node *child)
{
	if (s->kind == SELECT_FILTER)
		return jsonpath_filter_test(w->run, s->filter, child);
	if (s->kind == SELECT_IF)
		return jsonpath_script_test(w->run, s->script, child);
	return true;
}

static bool
visit_children(struct walk *w, const struct path_node *node,
    const struct selector *s, size_t i)
{
	struct path_node child = { .parent = node };

	if (w->run->condition && !w->query->relative && i == 1 &&
	    s->kind == SELECT_FILTER)
		return !accepts(w, s, node) || visit(w, node, i);
	while (jsonpath_next_child(w->run, &child)) {
		child.literal_first = s->kind == SELECT_ALL;
		if (accepts(w, s, &child) && !visit(w, &child, i))
			return false;
	}
	return !w->run->cut;
}

static bool
visit_property(struct walk *w, const struct path_node *node,
    const struct selector *s, size_t i)
{
	struct path_node child;

	if (s->first.s != NULL &&
	    jsonpath_property(w->run, node, s->first, &child))
		return visit(w, &child, i);
	if (jsonpath_property(w->run, node, s->name, &child))
		return visit(w, &child, i);
	return !s->has_index || visit_index(w, node, s->index, i);
}

static bool
visit_computed(struct walk *w, const struct path_node *node,
    const struct script *script, size_t i)
{
	struct value name = jsonpath_script_value(w->run, script, node);
	struct path_node in = step(node), child;
	struct segment token = { 0 };

	if (name.type == VALUE_TEXT) {
		jsonpath_token_segment(&token, w->run->arena, name.text, false);
		for (size_t k = 0; k < token.n; k++)
			token.selectors[k].has_index = false;
		return visit_segment(w, &in, &token, i);
	}
	if (!jsonpath_property(
		w->run, &in, script_value_to_text(w->run, &name), &child))
		return true;
	child.literal_first = false;
	child.name.s = NULL;
	return visit(w, &child, i);
}

static bool
visit_self(struct walk *w, const struct path_node *node, size_t i)
{
	struct path_node self = step(node);

	self.nameless = true;
	return visit(w, &self, i);
}

static bool
visit_selected(struct walk *w, const struct path_node *node,
    const struct selector *s, size_t i)
{
	switch (s->kind) {
	case SELECT_NAME:
		return visit_name(w, node, s->name, i);
	case SELECT_INDEX:
		return visit_index(w, node, s->index, i);
	case SELECT_SLICE:
		return visit_slice(w, node, s, i);
	case SELECT_PROPERTY:
		return visit_property(w, node, s, i);
	case SELECT_COMPUTED:
		return visit_computed(w, node, s->script, i);
	case SELECT_SELF:
		return visit_self(w, node, i);
	default:
		return visit_children(w, node, s, i);
	}
}

/* ---- segments ---- */

static bool
take(struct walk *w, const struct json *value)
{
	struct path_sink *sink = w->sink;
	size_t n = sink->n;

	if (sink->keep)
		*arena_push(w->run->arena, sink->values, n) = value;
	sink->n++;
	return sink->n != sink->enough;
}

/* Visits the node, then the containers in it, each before its content.
 * (jsonpath-plus treats null as a container; RFC 9535's selectors select
 * nothing from null.) */
static bool
visit_deep(struct walk *w, const struct path_node *node, size_t i)
{
	struct path_node child = { .parent = node }, self = step(node);

	if (!visit(w, &self, i))
		return false;
	while (jsonpath_next_child(w->run, &child))
		if ((json_is(child.value, JSON_ARRAY) ||
			json_is(child.value, JSON_OBJECT) ||
			json_is(child.value, JSON_NULL)) &&
		    !visit_deep(w, &child, i))
			return false;
	return !w->run->cut;
}

static bool
visit_parent(struct walk *w, const struct path_node *node, size_t i)
{
	struct path_node parent;

	if (node->steps > 0) {
		parent = *node;
		parent.steps--;
		parent.nameless = false;
	} else if (node->parent != NULL) {
		parent = *node->parent;
	} else {
		return true;
	}
	parent.literal_first = false;
	return visit(w, &parent, i);
}

static bool
visit_list(struct walk *w, const struct path_node *node,
    const struct segment *s, size_t i)
{
	struct path_node in = step(node);

	if (s->n > 1)
		node = &in;
	for (size_t k = 0; k < s->n; k++)
		if (!visit_selected(w, node, &s->selectors[k], i))
			return false;
	return true;
}

/* Visits what the segment selects from the node; the segments from i on
 * follow. */
static bool
visit_segment(struct walk *w, const struct path_node *node,
    const struct segment *s, size_t i)
{
	switch (s->kind) {
	case SEGMENT_DEEP:
		return visit_deep(w, node, i);
	case SEGMENT_PARENT:
		return visit_parent(w, node, i);
	case SEGMENT_TYPE:
		return !s->type->has(node->value) || take(w, node->value);
	case SEGMENT_KEY:
		return take(w, jsonpath_key(w->run, node));
	default:
		return visit_list(w, node, s, i);
	}
}

/* Visits what the segments from i on select from the node. */
static bool
visit(struct walk *w, const struct path_node *node, size_t i)
{
	const struct segment *s;
	struct path_node other;

	if (!jsonpath_spend(w->run, 1))
		return false;
	if (i == w->query->n)
		return take(w, node->value);
	s = &w->query->segments[i];
	if (s->literal.s != NULL && node->literal_first &&
	    jsonpath_property(w->run, node, s->literal, &other)) {
		other.literal_first = false;
		return visit(w, &other, i + 1);
	}
	return visit_segment(w, node, s, i + 1);
}

const struct json *
jsonpath_find_single(struct path_run *run, const struct query *query,
    const struct path_node *node)
{
	const struct json *v = query->relative ? node->value : run->root;

	for (size_t i = 0; i < query->n && v != NULL; i++) {
		const struct selector *s = query->segments[i].selectors;
		int64_t index = s->index;

		v = s->kind == SELECT_INDEX
		    ? element(run, v, &index)
		    : json_value(jsonpath_member(run, v, s->name));
	}
	return jsonpath_spend(run, 1) ? v : NULL;
}

void
jsonpath_visit(struct path_run *run, const struct query *query,
    const struct path_node *node, struct path_sink *sink)
{
	struct walk w = { run, query, sink };
	struct path_node root = { .value = run->root };
	const struct json *found;

	if (query->single) {
		found = jsonpath_find_single(run, query, node);
		if (found != NULL)
			take(&w, found);
		return;
	}
	visit(&w, query->relative ? node : &root, 0);
}
