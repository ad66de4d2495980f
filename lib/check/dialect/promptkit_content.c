/* PromptKit Arena's assertions about what the answer says. */
#include "check/dialect/promptkit_assertion.h"
#include "check/dialect/promptkit_reasons.h"
#include "check/kind/kind.h"

/* Of a conversation any message will do, of a turn it is the last. */
static struct check
in_messages(struct fields *e, struct check inner)
{
	struct check *kept = arena_new(e->arena, struct check);

	if (promptkit_place_of(e)->level != PROMPTKIT_CONVERSATION)
		return inner;
	*kept = inner;
	return messages_check(kept);
}

static struct check
phrases(struct fields *e, enum phrases_how how, bool exact, const char *detail)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_texts(&p, "patterns");
	enum view_fold fold = VIEW_LOWER_GO;
	struct check c;

	if (exact && fields_bool_if(&p, "case_sensitive"))
		fold = VIEW_AS_WRITTEN;
	c = in_messages(e, phrases_check(e->arena, how, fold, list));
	c.explain = promptkit_reason_list;
	c.detail = str_of(detail);
	c.reason = STR("the response does not include");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

static struct check
content_includes(struct fields *e)
{
	return phrases(e, PHRASES_ALL, false, "missing_patterns");
}

static struct check
content_includes_any(struct fields *e)
{
	struct check c = phrases(e, PHRASES_ANY, true, NULL);

	c.explain = NULL;
	c.reason = STR("the response includes none of the patterns");
	return c;
}

static struct check
content_not_includes(struct fields *e)
{
	struct check c = phrases(e, PHRASES_ANY, true, "found_patterns");

	c.negate = !check_is_broken(&c);
	c.reason = STR("the response includes");
	return c;
}

/* at: where the pattern stands. */
static struct check
matches(struct fields *e, struct fields *p, const struct json *at,
    struct str pattern)
{
	struct regex *re = promptkit_compile(p, "pattern", at, pattern);
	struct regex_error error;
	struct check c = pattern_check(e->arena, re, pattern, 0);

	if (re != NULL)
		c = pattern_with_case_hint(e->arena, c,
		    regex_compile(
			e->arena, REGEX_RE2, pattern, REGEX_CASELESS, &error));
	c = in_messages(e, c);
	c.explain = promptkit_reason_pattern;
	c.detail = pattern;
	c.reason = str_printf(e->arena,
	    "the response does not match the pattern: %.*s", STR_FMT(pattern));
	return c;
}

static struct check
content_matches(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str pattern = fields_str(&p, "pattern");

	return promptkit_finish(e, &p,
	    matches(e, &p, json_get(p.object, "pattern"), pattern), pattern);
}

void
promptkit_pattern(struct scenarios *r, const struct json *v,
    const struct promptkit_place *place)
{
	struct str pattern = json_text(v, r->arena);
	struct fields e = { .arena = r->arena,
		.doc = r->doc,
		.object = v,
		.where = STR("content_matches"),
		.context = place };
	struct check c;

	if (pattern.s == NULL)
		fields_wrong(&e, v, "pattern: expected text, found %s",
		    json_type_name(v));
	c = matches(&e, &e, v, pattern);
	c.type = e.where;
	c.label =
	    str_printf(r->arena, "content_matches %.*s", STR_FMT(pattern));
	c.scope = place->scope;
	c.despite_error = true;
	scenarios_close_check(r, &e, c);
}

const struct promptkit_type promptkit_content[] = {
	{ "content_includes", content_includes, PROMPTKIT_ANYWHERE },
	{ "content_includes_any", content_includes_any, PROMPTKIT_WIDE },
	{ "content_matches", content_matches, PROMPTKIT_ANYWHERE },
	{ "content_not_includes", content_not_includes, PROMPTKIT_WIDE },
	{ NULL, NULL, 0 },
};
