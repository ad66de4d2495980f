#include "check/promptfoo/promptfoo.h"

struct promptfoo_part
test_part(const struct test_parts *p, const char *key)
{
	for (size_t i = p->n; i > 0; i--) {
		const struct json *v = json_get(p->list[i - 1].v, key);

		if (v != NULL && !json_is(v, JSON_NULL))
			return (struct promptfoo_part){ v, p->list[i - 1].doc };
	}
	return (struct promptfoo_part){ 0 };
}

const struct json *
test_option(const struct test_parts *p, const char *key)
{
	for (size_t i = p->n; i > 0; i--) {
		const struct json *v =
		    json_get(json_get(p->list[i - 1].v, "options"), key);

		if (v != NULL && !json_is(v, JSON_NULL))
			return v;
	}
	return NULL;
}

/* Reports checks in options, which may have any other key. */
static void
check_options(struct promptfoo_config *c, const struct document *doc,
    const struct json *options)
{
	struct fields e = fields_open(c->arena, doc, options, STR("options"));

	e.any_key = true;
	(void)fields_close(&e, NULL);
}

void
test_part_check(
    struct promptfoo_config *c, struct promptfoo_part part, const char *what)
{
	struct scenarios *r = c->scenarios;
	const struct document *own = r->doc;
	const struct json *options;
	struct fields e;

	r->doc = part.doc;
	fields_note(part.doc, part.v, NULL, IS(OBJECT));
	e = fields_open(c->arena, part.doc, part.v, str_of(what));
	(void)fields_str_if(&e, "description");
	(void)fields_number_if(&e, "threshold");
	options = fields_object_if(&e, "options");
	if (options != NULL)
		check_options(c, part.doc, options);
	(void)fields_object_if(&e, "metadata");
	fields_ignore(&e,
	    "vars assert options metadata provider providers prompts "
	    "providerOutput assertScoringFunction threshold $schema");
	if (c->agentv)
		fields_ignore(&e, promptfoo_agentv_test_keys);
	if (r->n == 0)
		(void)fields_close(&e, NULL);
	else
		scenarios_end_object(r, &e);
	r->doc = own;
}
