/* The arguments of a call without those that do not count where calls are the same. */
#include "check/rule/run.h"

/* Returns the bits of those paths of `on` that have at this depth the name, or else the
 * index. *whole: one of them ends here. */
static uint64_t
through(const struct rule_ignored *o, uint64_t on, size_t depth,
    struct str name, size_t index, bool *whole)
{
	uint64_t bits = 0;

	*whole = false;
	for (size_t i = 0; i < o->n; i++) {
		const struct rule_cond *c = &o->list[i];
		const struct rule_step *step = &c->path[depth];

		if (!(on >> i & 1) ||
		    (name.s != NULL ? !str_eq(step->name, name)
				    : step->name.s != NULL ||
				!(step->any || step->index == index)))
			continue;
		if (depth + 1 == c->nsteps)
			*whole = true;
		else
			bits |= UINT64_C(1) << i;
	}
	return bits;
}

static void
put(struct out *o, const struct rule_ignored *ignored, uint64_t on,
    size_t depth, const struct json *v)
{
	size_t index = 0;
	uint64_t bits;
	bool whole;

	if (on == 0 || !(json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT))) {
		out_json_raw(o, v->text);
		return;
	}
	out_begin(o, json_is(v, JSON_ARRAY) ? '[' : '{');
	for (json_each(element, v)) {
		bits = through(
		    ignored, on, depth, (struct str){ 0 }, index++, &whole);
		if (whole)
			out_json_raw(o, STR("null"));
		else
			put(o, ignored, bits, depth + 1, element);
	}
	for (json_members(key, v)) {
		struct str name = json_text(key, ignored->arena);

		bits = through(ignored, on, depth, name, 0, &whole);
		if (whole ||
		    (depth == 0 && ignored->is_free(ignored->arg, name)))
			continue;
		out_key_str(o, name);
		put(o, ignored, bits, depth + 1, json_value(key));
	}
	out_end(o, json_is(v, JSON_ARRAY) ? ']' : '}');
}

const struct json *
rule_without_ignored(
    const struct json *args, const struct rule_ignored *ignored)
{
	struct json_reader reader = { 0 };
	const struct json *left;
	struct out o;

	out_open_memory(&o);
	/* At depth 0 free arguments are passed over also if no path is ignored. */
	put(&o, ignored, UINT64_MAX, 0, args);
	left = json_keep(ignored->arena,
	    json_read(&reader, out_keep(&o, ignored->arena), NULL, NULL));
	json_reader_free(&reader);
	return left;
}
