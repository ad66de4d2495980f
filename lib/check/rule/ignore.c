/* The arguments of a call without those that do not count where calls are the same. */
#include "check/rule/run.h"

/* Those ignored paths that lead to a value. */
struct paths {
	const struct rule_ignored *ignored;
	uint64_t on;  /* a bit for each of the paths */
	size_t depth; /* number of steps to the value */
};

/* Returns the paths that lead on by this name or index. *whole: one of them ends
 * there. */
static struct paths
through(const struct paths *p, struct rule_step by, bool *whole)
{
	struct paths on = { p->ignored, 0, p->depth + 1 };

	*whole = false;
	for (size_t i = 0; i < p->ignored->n; i++) {
		const struct rule_cond *c = &p->ignored->list[i];
		const struct rule_step *step = &c->path[p->depth];

		if (!(p->on >> i & 1) ||
		    (by.name.s != NULL ? !str_eq(step->name, by.name)
				       : step->name.s != NULL ||
				!(step->any || step->index == by.index)))
			continue;
		if (on.depth == c->nsteps)
			*whole = true;
		else
			on.on |= UINT64_C(1) << i;
	}
	return on;
}

static void
put(struct out *o, struct paths p, const struct json *v)
{
	struct rule_step by = { 0 };
	struct paths on;
	bool whole;

	if (p.on == 0 || !(json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT))) {
		out_json_raw(o, v->text);
		return;
	}
	out_begin(o, json_is(v, JSON_ARRAY) ? '[' : '{');
	for (json_each(element, v)) {
		on = through(&p, by, &whole);
		by.index++;
		if (whole)
			out_json_raw(o, STR("null"));
		else
			put(o, on, element);
	}
	for (json_members(key, v)) {
		by.name = json_text(key, p.ignored->arena);
		on = through(&p, by, &whole);
		if (whole ||
		    (p.depth == 0 &&
			p.ignored->is_free(p.ignored->arg, by.name)))
			continue;
		out_key_str(o, by.name);
		put(o, on, json_value(key));
	}
	out_end(o, json_is(v, JSON_ARRAY) ? ']' : '}');
}

const struct json *
rule_without_ignored(
    const struct json *args, const struct rule_ignored *ignored)
{
	struct out o;

	out_open_memory(&o);
	/* At depth 0 free arguments are passed over also if no path is ignored. */
	put(&o, (struct paths){ ignored, UINT64_MAX, 0 }, args);
	return json_parse(ignored->arena, out_keep(&o, ignored->arena));
}
