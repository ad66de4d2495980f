/* promptfoo's assertions about the output as a text. */
#include "check/promptfoo/promptfoo.h"

#include "check/kind/kind.h"
#include "emulate/lang/js.h"
#include "text/unicode.h"

enum { CASELESS = 1, ANY = 2, STARTS = 4 }; /* form->how */

/* Reports a value that is empty, which promptfoo refuses as well. */
static struct str
not_empty(struct fields *e, struct str text)
{
	if (text.n == 0 && fields_ok(e))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: the text is empty");
	return text;
}

static struct check
contains(struct fields *e)
{
	int how = scenarios_form(e)->how;
	struct str wanted = not_empty(e, promptfoo_text(e));

	return promptfoo_finish(e,
	    text_check(e->arena, how & STARTS ? TEXT_STARTS : TEXT_CONTAINS,
		how & CASELESS ? VIEW_LOWER_JS : VIEW_AS_WRITTEN, wanted),
	    wanted);
}

/* ---- several texts ---- */

/* Returns the text without the white space of JavaScript at its start. */
static struct str
after_spaces(struct str text)
{
	size_t n;

	while (text.n != 0 && js_is_space(unicode_decode(text, &n)))
		text = str_from(text, n);
	return text;
}

/* Takes a field in quotes, in which a backslash or a quote may precede a
 * quote. Returns false if the field does not end, or something follows. */
static bool
take_quoted(struct str *rest, struct str *field, struct arena *a)
{
	char *copy = arena_alloc(a, rest->n + 1);
	size_t n = 0, i = 1;

	for (; i < rest->n; i++) {
		struct str two = str_slice(*rest, i, i + 2);
		bool escaped = str_is(two, "\\\"") || str_is(two, "\\\\") ||
		    str_is(two, "\"\"");

		if (!escaped && *two.s == '"')
			break;
		i += escaped;
		copy[n++] = rest->s[i];
	}
	if (i >= rest->n)
		return false;
	*field = (struct str){ copy, n };
	*rest = after_spaces(str_from(*rest, i + 1));
	return rest->n == 0 || *rest->s == ',';
}

/* Splits a text at its commas. Returns false if its quotes are wrong. */
static bool
split(struct str text, struct str_list *all, struct arena *a)
{
	for (;;) {
		struct str field;
		size_t end;

		text = after_spaces(text);
		if (text.n != 0 && *text.s == ',') {
			text = str_from(text, 1);
			continue;
		}
		if (text.n == 0)
			return true;
		if (*text.s == '"') {
			if (!take_quoted(&text, &field, a))
				return false;
		} else {
			end = str_find_char(text, ',');
			field = js_trim(str_slice(text, 0, end));
			text = str_from(text, end);
		}
		str_list_add(a, all, field);
	}
}

/* Returns the texts of a value, which is a list or a text with commas. */
static struct str_list
texts(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	struct str_list all = { 0 };

	if (json_is(v, JSON_STRING) &&
	    !split(json_text(v, e->arena), &all, e->arena))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected texts with commas between them, found a "
		    "quoted text that does not end before a comma");
	else if (v == NULL)
		fields_spoil(e, NULL, "missing key 'value'");
	else if (!json_is(v, JSON_STRING) && !json_is(v, JSON_ARRAY))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a list of texts, found %s",
		    json_type_name(v));
	for (json_each(item, v))
		str_list_add(e->arena, &all, promptfoo_string(item, e->arena));
	if (all.n == 0 && fields_ok(e))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: the list is empty");
	return all;
}

/* Names the texts that are missing, or the text that is there. */
static void
explain_texts(const struct check *c, const struct finding *f, struct view *v,
    struct check_result *r)
{
	struct str list = str_list_text(v->arena, f->decisive);

	if (r->status != STATUS_FAILED)
		return;
	r->reason = str_printf(v->arena, "%.*s: %s %.*s", STR_FMT(c->label),
	    f->found == FOUND_YES ? "found" : "missing",
	    STR_FMT(list.n == 0 ? STR("all of them") : list));
}

static struct check
contains_several(struct fields *e)
{
	int how = scenarios_form(e)->how;
	struct str_list wanted = texts(e);
	struct check c =
	    phrases_check(e->arena, how & ANY ? PHRASES_ANY : PHRASES_ALL,
		how & CASELESS ? VIEW_LOWER_JS : VIEW_AS_WRITTEN, wanted);

	c.explain = explain_texts;
	return promptfoo_finish(e, c, str_list_text(e->arena, wanted));
}

/* ---- patterns and numbers of words ---- */

/* Reads the flags of AgentV's patterns, which are those of JavaScript's RegExp; 'g' and 'd'
 * change nothing of whether there is a match. */
static unsigned
regex_flags(struct fields *e)
{
	static const struct {
		char letter;
		unsigned flag;
	} known[] = {
		{ 'i', REGEX_CASELESS },
		{ 'm', REGEX_MULTILINE },
		{ 's', REGEX_DOTALL },
		{ 'y', REGEX_STICKY },
		{ 'g', 0 },
		{ 'd', 0 },
	};
	struct str letters = scenarios_text(e, "flags");
	unsigned flags = 0;

	for (size_t i = 0; i < letters.n; i++) {
		size_t k = 0;

		while (k < sizeof known / sizeof known[0] &&
		    known[k].letter != letters.s[i])
			k++;
		if (k < sizeof known / sizeof known[0] &&
		    str_find_char(letters, letters.s[i]) == i)
			flags |= known[k].flag;
		else
			fields_spoil(e, json_get(e->object, "flags"),
			    "flags: expected some of d, g, i, m, s and y, "
			    "found '%.*s'",
			    STR_FMT(letters));
	}
	return flags;
}

static struct check
regex(struct fields *e)
{
	struct str pattern = not_empty(e, promptfoo_text(e));
	struct regex_error error;
	unsigned flags =
	    promptfoo_test_of(e)->config->agentv ? regex_flags(e) : 0;
	struct regex *re =
	    regex_compile(e->arena, REGEX_JS, pattern, flags, &error);

	if (re == NULL)
		fields_spoil(e, json_get(e->object, "value"), "value: %.*s",
		    STR_FMT(regex_error_text(e->arena, &error)));
	return promptfoo_finish(
	    e, pattern_check(e->arena, re, pattern, flags), pattern);
}

static struct check
word_count(struct fields *e)
{
	const struct json *v = promptfoo_value(e);
	double *number = arena_new(e->arena, double);
	struct words_want want = { .least = number, .most = number };
	struct str about = promptfoo_string(v, e->arena);
	struct check c;

	promptfoo_check_limits(e, v);
	if (json_is(v, JSON_OBJECT)) {
		want.least = promptfoo_limit(e, v, "min");
		want.most = promptfoo_limit(e, v, "max");
		promptfoo_need_order(e, v, want.least, want.most);
		about = promptfoo_range(want.least, want.most, e->arena);
		if (want.least == NULL && want.most == NULL)
			fields_spoil(e, v,
			    "value: expected a number, or a mapping with "
			    "'min' or 'max'");
	} else if (json_is(v, JSON_NUMBER))
		*number = json_double(v);
	else if (!json_is(v, JSON_STRING) || about.n == 0 ||
	    !js_to_number(about, number, e->arena))
		fields_spoil(e, json_get(e->object, "value"),
		    "value: expected a number, or a mapping with 'min' or "
		    "'max', found %s",
		    v == NULL ? "nothing" : json_type_name(v));
	c = words_check(e->arena, &want);
	c.detail = str_printf(e->arena, "words: expected %s%.*s",
	    promptfoo_is_negated(e) ? "not " : "", STR_FMT(about));
	return promptfoo_finish(e, c, about);
}

#define HAS_VALUE ROLE(HAS, "value"), .negated = ROLE_LACKS
#define TEXT_VALUE PARAMS(NEED("value", NAME))
#define TEXTS_VALUE PARAMS(NEED_ONE_OF("value", IS(TEXT) | IS(LIST)))

const struct form promptfoo_text_forms[] = {
	FORM("contains", contains, HAS_VALUE, TEXT_VALUE),
	FORM("icontains", contains, .how = CASELESS, HAS_VALUE, TEXT_VALUE),
	FORM("contains-all", contains_several, HAS_VALUE, TEXTS_VALUE),
	FORM("contains-any", contains_several, .how = ANY, HAS_VALUE,
	    TEXTS_VALUE),
	FORM("icontains-all", contains_several, .how = CASELESS, HAS_VALUE,
	    TEXTS_VALUE),
	FORM("icontains-any", contains_several, .how = CASELESS | ANY,
	    HAS_VALUE, TEXTS_VALUE),
	FORM("starts-with", contains, .how = STARTS, ROLE(BOUND, "value"),
	    TEXT_VALUE),
	FORM("regex", regex, ROLE(REGEX, "value"), .negated = ROLE_NOT_REGEX,
	    PARAMS(NEED("value", NAME), ALSO("flags", TEXT))),
	FORM("word-count", word_count, ROLE(AMOUNT, "threshold value"),
	    PARAMS(NEED_ONE_OF("value", IS(TEXT) | IS(NUMBER) | IS(OBJECT)))),
	FORM(NULL, NULL),
};
