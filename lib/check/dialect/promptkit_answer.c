/* PromptKit Arena's assertions about the answer: its text, its length, its
 * media, and those that a judge decides. */
#include "check/dialect/promptkit_assertion.h"

#include <ctype.h>

#include "check/dialect/rubric.h"
#include "check/kind/kind.h"

/* ---- phrases and patterns ---- */

/* Returns a check of any message in a conversation, or of the last message in a
 * turn. */
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

/* Returns the check of a pattern, which is at the value `at`. */
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
	const struct assertion assertion = { .part_of = place };
	struct fields e = { .arena = r->arena,
		.doc = r->doc,
		.object = v,
		.where = STR("content_matches"),
		.context = &assertion };
	struct check c;

	if (pattern.s == NULL)
		fields_mistake(&e, v, "pattern: expected text, found %s",
		    json_type_name(v));
	c = matches(&e, &e, v, pattern);
	c.type = e.where;
	c.label =
	    str_printf(r->arena, "content_matches %.*s", STR_FMT(pattern));
	c.scope = place->scope;
	c.despite_error = true;
	scenarios_close_check(r, &e, c);
}

/* ---- words ---- */

/* Compiles a pattern that finds the word between two of Go's word boundaries,
 * in any letter case. */
static struct regex *
compile_word(struct arena *a, struct str word)
{
	struct regex_error error;
	struct out o;

	out_open_memory(&o);
	out_text(&o, "\\b");
	for (size_t i = 0; i < word.n; i++) {
		if (ispunct((unsigned char)word.s[i]))
			out_char(&o, '\\');
		out_char(&o, word.s[i]);
	}
	out_text(&o, "\\b");
	return regex_compile(
	    a, REGEX_RE2, out_keep(&o, a), REGEX_CASELESS, &error);
}

static struct check
banned_words(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list words = promptkit_texts(&p, "words");
	struct regex **compiled =
	    arena_new_n(e->arena, struct regex *, words.n);
	struct check c;

	for (size_t i = 0; i < words.n; i++)
		compiled[i] = compile_word(e->arena, words.list[i]);
	c = phrases_check_words(e->arena, PHRASES_ANY, words, compiled);
	c.negate = true;
	c.explain = promptkit_reason_list;
	c.detail = STR("found_words");
	c.reason = STR("banned words");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, words));
}

/* ---- lengths ---- */

static const int64_t *
most(struct fields *p, const char *key)
{
	int64_t *n = arena_new(p->arena, int64_t);

	if (fields_get(p, key) == NULL)
		return NULL;
	*n = fields_int_if(p, key);
	return n;
}

static struct check
length(struct fields *e, struct fields *p, const struct max_length_want *want)
{
	const struct {
		const int64_t *most;
		const char *unit;
	} limits[] = {
		{ want->bytes, "bytes" },
		{ want->tokens, "tokens" },
		{ want->sentences, "sentences" },
	};
	struct check c = max_length_check(e->arena, want);
	struct str *parts = NULL, about;
	size_t n = 0;

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
		if (limits[i].most != NULL)
			*arena_push(e->arena, parts, n) =
			    str_printf(e->arena, "%lld %s",
				(long long)*limits[i].most, limits[i].unit);
	about = str_join(e->arena, parts, n, STR(" or "));
	c.explain = promptkit_reason_members;
	c.reason = str_cat(e->arena, STR("the response has more than "), about);
	return promptkit_finish(e, p, c, about);
}

static struct check
max_length(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const struct max_length_want want = {
		.bytes = most(&p, "max_characters"),
		.tokens = most(&p, "max_tokens"),
	};

	return length(e, &p, &want);
}

static struct check
max_sentences(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct max_length_want want = { 0 };

	(void)fields_need(&p, "max_sentences");
	want.sentences = most(&p, "max_sentences");
	return length(e, &p, &want);
}

/* ---- assertions that always pass ---- */

/* PromptKit's code expects a list of a type that a file cannot have. The
 * assertion passes, as in PromptKit, but here with a warning. */
static struct check
passes(struct fields *e, struct fields *p, const char *list)
{
	const struct str_list none = { 0 };
	const struct str nothing = { 0 };

	(void)fields_strs(p, fields_list_if(p, list), list);
	fields_remark(
	    e, NULL, "always passes in PromptKit, whatever the response is");
	return promptkit_finish(e, p,
	    phrases_check(e->arena, PHRASES_ALL, VIEW_AS_WRITTEN, none),
	    nothing);
}

static struct check
required_fields(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	return passes(e, &p, "required_fields");
}

static struct check
commit(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	(void)fields_bool_if(&p, "must_end_with_commit");
	return passes(e, &p, "commit_fields");
}

/* ---- the judge ---- */

static struct str
rubric(struct fields *p)
{
	struct str criteria = fields_str_if(p, "criteria"),
		   text = fields_str_if(p, "rubric");

	if (criteria.n == 0 && text.n == 0)
		fields_mistake(p, NULL, "missing key 'criteria' (or 'rubric')");
	if (criteria.n == 0 || text.n == 0)
		return criteria.n == 0 ? text : criteria;
	return str_printf(p->arena, "Criteria: %.*s\n\nRubric: %.*s",
	    STR_FMT(criteria), STR_FMT(text));
}

static struct check
judge(struct fields *e, struct fields *p, struct judge_want *want)
{
	static const char *const ignored[] = { "judge", "judge_provider",
		"model", "prompt", "temperature", "max_tokens", NULL };

	fields_ignore(p, ignored);
	want->rubric = rubric(p);
	rubric_remark(e->doc, p->object, want, "conversation_aware");
	return promptkit_finish(
	    e, p, judge_check(e->arena, want), want->rubric);
}

/* Judges the answer alone, or with the transcript as context. */
static struct check
llm_judge(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct judge_want want = { .text = JUDGE_FINAL };

	if (promptkit_place_of(e)->scope.part != SCOPE_LAST)
		want.text = JUDGE_TURN;
	if (fields_bool_if(&p, "conversation_aware"))
		want.context = JUDGE_TRANSCRIPT;
	return judge(e, &p, &want);
}

/* Judges the conversation; in a workflow's step, the step's answer. */
static struct check
llm_judge_conversation(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	const struct json *score = promptkit_fraction(&p, "min_score");
	struct judge_want want = { .text = JUDGE_ALL };

	if (promptkit_place_of(e)->level == PROMPTKIT_STEP)
		want.text = JUDGE_TURN;
	if (json_is(score, JSON_NUMBER)) {
		want.scored = true;
		want.min_score = json_double(score);
		if (!(want.min_score >= 0 && want.min_score <= 1))
			fields_mistake(&p, score,
			    "min_score: expected a number from 0 to 1");
	}
	return judge(e, &p, &want);
}

/* ---- media: read, so that mistakes are reported, and skipped, since no trace
 * contains media ---- */

static struct check
finish(struct fields *e, struct fields *p)
{
	const char *medium = scenarios_form(e)->key;
	const struct str nothing = { 0 };

	return promptkit_finish(
	    e, p, media_check(e->arena, medium, p->object), nothing);
}

static struct check
format(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	(void)promptkit_texts(&p, "formats");
	return finish(e, &p);
}

static struct check
duration(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	(void)fields_number_if(&p, "min_seconds");
	(void)fields_number_if(&p, "max_seconds");
	return finish(e, &p);
}

static void
read_sizes(struct fields *p, const char *const keys[])
{
	for (; *keys != NULL; keys++)
		(void)fields_int_if(p, *keys);
}

static const char *const bounds[] = { "min_width", "max_width", "min_height",
	"max_height", NULL };

static struct check
image_dimensions(struct fields *e)
{
	static const char *const exact[] = { "width", "height", NULL };
	struct fields p = promptkit_params(e, true);

	read_sizes(&p, exact);
	read_sizes(&p, bounds);
	return finish(e, &p);
}

static struct check
video_resolution(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	read_sizes(&p, bounds);
	(void)fields_strs(&p, fields_list_if(&p, "presets"), "presets");
	return finish(e, &p);
}

const struct form promptkit_answer_forms[] = {
	FORM(
	    "content_includes", content_includes, .levels = PROMPTKIT_ANYWHERE),
	FORM("content_includes_any", content_includes_any,
	    .levels = PROMPTKIT_WIDE),
	FORM("content_matches", content_matches, .levels = PROMPTKIT_ANYWHERE),
	FORM("content_not_includes", content_not_includes,
	    .levels = PROMPTKIT_WIDE),
	FORM("banned_words", banned_words, .levels = PROMPTKIT_TURN),
	FORM("commit", commit, .levels = PROMPTKIT_TURN),
	FORM("length", max_length, .levels = PROMPTKIT_TURN),
	FORM("max_length", max_length, .levels = PROMPTKIT_TURN),
	FORM("max_sentences", max_sentences, .levels = PROMPTKIT_TURN),
	FORM("required_fields", required_fields, .levels = PROMPTKIT_TURN),
	FORM("llm_judge", llm_judge, .levels = PROMPTKIT_TURN),
	FORM("llm_judge_conversation", llm_judge_conversation,
	    .levels = PROMPTKIT_WIDE),
	FORM("audio_duration", duration, .key = "audio",
	    .levels = PROMPTKIT_TURN),
	FORM("audio_format", format, .key = "audio", .levels = PROMPTKIT_TURN),
	FORM("image_dimensions", image_dimensions, .key = "image",
	    .levels = PROMPTKIT_TURN),
	FORM("image_format", format, .key = "image", .levels = PROMPTKIT_TURN),
	FORM("video_duration", duration, .key = "video",
	    .levels = PROMPTKIT_TURN),
	FORM("video_resolution", video_resolution, .key = "video",
	    .levels = PROMPTKIT_TURN),
	FORM(NULL, NULL),
};
