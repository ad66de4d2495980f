/* The keys of promptfoo's assertions, and the forms of all types. */
#include "check/dialect/promptfoo.h"

#include "check/kind/kind.h"

static struct promptfoo_test *
test_of(const struct fields *e)
{
	return (struct promptfoo_test *)scenarios_part_of(e);
}

bool
promptfoo_is_negated(const struct fields *e)
{
	return str_starts(str_of(scenarios_form(e)->name), "not-");
}

const struct json *
promptfoo_value(struct fields *e)
{
	return fields_get(e, "value");
}

struct str
promptfoo_text(struct fields *e)
{
	const struct json *v = promptfoo_value(e);

	if (json_is(v, JSON_NUMBER))
		return v->text;
	if (json_is(v, JSON_STRING))
		return json_text(v, e->arena);
	if (v == NULL)
		fields_spoil(e, NULL, "missing key 'value'");
	else
		fields_spoil(e, v, "value: expected text, found %s",
		    json_type_name(v));
	return (struct str){ 0 };
}

double
promptfoo_threshold(struct fields *e, double otherwise)
{
	return fields_get(e, "threshold") == NULL
	    ? otherwise
	    : fields_number_if(e, "threshold");
}

void
promptfoo_undecided(struct fields *e, struct str why)
{
	struct promptfoo_test *t = test_of(e);

	if (t->undecided.s == NULL)
		t->undecided = why;
}

struct check
promptfoo_finish(struct fields *e, struct check c, struct str about)
{
	struct promptfoo_test *t = test_of(e);
	struct str type = str_of(scenarios_form(e)->name);

	if (t->undecided.s != NULL) {
		check_close(&c);
		c = media_check_live(e->arena, t->undecided, NULL);
		t->undecided = (struct str){ 0 };
	}
	c.negate = promptfoo_is_negated(e);
	c.type = type;
	c.label = about.n == 0 ? type
			       : str_printf(e->arena, "%.*s %.*s",
				     STR_FMT(type), STR_FMT(about));
	if (c.reason.s == NULL)
		c.reason = c.label;
	return c;
}
