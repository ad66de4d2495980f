#include "yaml/values.h"

#include "io/out.h"

struct render {
	struct out out;
	const struct yaml *yaml;
	const struct str *typed;
	struct {
		size_t from, to;
	} * at; /* the place of each value in the text */
};

/* Writes the value at index i, and returns the index after it. The depth of the
 * recursion is bounded by JSON_DEPTH_MAX. */
static size_t
write_value(struct render *r, size_t i)
{
	const struct json *v = &r->yaml->values[i];
	const struct yaml_node *node = &r->yaml->nodes[i];
	size_t end = i + v->span, next = i + 1;
	bool object = v->type == JSON_OBJECT;

	r->at[i].from = r->out.n;
	if (object || v->type == JSON_ARRAY) {
		out_char(&r->out, object ? '{' : '[');
		while (next < end) {
			if (next > i + 1)
				out_char(&r->out, ',');
			next = write_value(r, next);
			if (object) {
				out_char(&r->out, ':');
				next = write_value(r, next);
			}
		}
		out_char(&r->out, object ? '}' : ']');
	} else if (r->typed != NULL && r->typed[i].s != NULL) {
		out_str(&r->out, r->typed[i]);
	} else {
		out_quoted(&r->out, node->scalar);
	}
	r->at[i].to = r->out.n;
	return next;
}

static void
set_text(struct json *v, struct str text)
{
	v->text = text;
	v->flags &= (uint8_t)~JSON_ESCAPED;
	if (v->type == JSON_STRING && str_find_char(text, '\\') < text.n)
		v->flags |= JSON_ESCAPED;
}

void
yaml_render(struct yaml *y, const struct str *typed)
{
	struct render r = { .yaml = y, .typed = typed };
	struct str text;

	r.at = arena_alloc_n(y->arena, y->n, sizeof *r.at);
	out_open_memory(&r.out);
	for (size_t i = 0; i < y->n; i += y->values[i].span)
		write_value(&r, i);
	text = out_keep(&r.out, y->arena);
	for (size_t i = 0; i < y->n; i++)
		set_text(
		    &y->values[i], str_slice(text, r.at[i].from, r.at[i].to));
}
