/* PromptKit Arena's assertions about the answer: its text, its length and its
 * media. */
#include "check/dialect/promptkit_assertion.h"

#include <ctype.h>

#include "check/kind/kind.h"

/* ---- phrases and patterns ---- */

/* Returns a check of any message. */
static struct check
in_any_message(struct fields *e, struct check inner)
{
	struct check *kept = arena_new(e->arena, struct check);

	*kept = inner;
	return messages_check(kept);
}

/* Returns a check of any message in a conversation, or of the last message in a
 * turn. The current version always looks at the last message. */
static struct check
in_messages(struct fields *e, struct check inner)
{
	return promptkit_place_of(e)->level != PROMPTKIT_CONVERSATION ||
		promptkit_is_current(e)
	    ? inner
	    : in_any_message(e, inner);
}

/* Returns a check of the messages that content_includes_any and
 * content_not_includes look at: for the current version always all. */
static struct check
in_all_messages(struct fields *e, struct check inner)
{
	return promptkit_is_current(e) ? in_any_message(e, inner)
				       : in_messages(e, inner);
}

static struct check
finish_phrases(struct fields *e, struct fields *p, struct check c,
    const char *detail, struct str_list list)
{
	c.explain = promptkit_reason_list;
	c.detail = str_of(detail);
	c.reason = list.n == 0 ? STR("the list is empty")
			       : STR("the response does not include");
	return promptkit_finish(e, p, c, promptkit_joined(e->arena, list));
}

/* For the current version a response includes nothing of an empty list. */
static struct check
content_includes(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_texts(&p, "patterns");
	enum phrases_how how =
	    list.n == 0 && promptkit_is_current(e) ? PHRASES_ANY : PHRASES_ALL;

	return finish_phrases(e, &p,
	    in_messages(e, phrases_check(e->arena, how, VIEW_LOWER_GO, list)),
	    "missing_patterns", list);
}

/* Returns whether letter case counts, which the current version lacks. */
static enum view_fold
fold_of(struct fields *p)
{
	return !promptkit_is_current(p) && fields_bool_if(p, "case_sensitive")
	    ? VIEW_AS_WRITTEN
	    : VIEW_LOWER_GO;
}

static struct check
content_includes_any(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_texts(&p, "patterns");
	struct check c = in_all_messages(
	    e, phrases_check(e->arena, PHRASES_ANY, fold_of(&p), list));

	c.reason = STR("the response includes none of the patterns");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
}

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
any_word(struct arena *a, struct str_list words)
{
	struct regex **compiled = arena_new_n(a, struct regex *, words.n);

	for (size_t i = 0; i < words.n; i++)
		compiled[i] = compile_word(a, words.list[i]);
	return phrases_check_words(a, PHRASES_ANY, words, compiled);
}

static struct check
content_not_includes(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list = promptkit_texts(&p, "patterns");
	bool words = str_is(fields_str_if(&p, "match_mode"), "word_boundary");
	struct check c = words
	    ? any_word(e->arena, list)
	    : phrases_check(e->arena, PHRASES_ANY, fold_of(&p), list);

	c = in_all_messages(e, c);
	c.negate = true;
	c.explain = promptkit_reason_list;
	c.detail = STR("found_patterns");
	c.reason = STR("the response includes");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, list));
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
	const struct json *expect = fields_get(&p, "expect_match");
	struct check c = matches(e, &p, json_get(p.object, "pattern"), pattern);
	const struct str_list none = { 0 };

	c.negate = expect != NULL && !fields_bool_if(&p, "expect_match");
	if (c.negate)
		c.reason = str_printf(e->arena,
		    "the response matches the pattern: %.*s", STR_FMT(pattern));
	if (promptkit_is_current(e) && pattern.s != NULL && pattern.n == 0) {
		check_close(&c);
		c = phrases_check(e->arena, PHRASES_ANY, VIEW_AS_WRITTEN, none);
		c.reason = STR("no pattern");
	}
	return promptkit_finish(e, &p, c, pattern);
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
	c.after_error = AFTER_ERROR_DECIDED;
	scenarios_close_check(r, &e, c);
}

/* ---- words ---- */

/* The current version takes the type for content_excludes, and `words` for no
 * parameter. */
static struct check
banned_words(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list words;
	struct check c;

	if (promptkit_is_current(e) || fields_get(&p, "patterns") != NULL)
		return content_not_includes(e);
	words = promptkit_texts(&p, "words");
	c = any_word(e->arena, words);
	c.negate = true;
	c.explain = promptkit_reason_list;
	c.detail = STR("found_words");
	c.reason = STR("banned words");
	return promptkit_finish(e, &p, c, promptkit_joined(e->arena, words));
}

/* ---- lengths ---- */

static void
warn_passes(struct fields *e)
{
	fields_remark(
	    e, NULL, "always passes in PromptKit, whatever the response is");
}

static struct check
length(struct fields *e, struct fields *p, const struct max_length_want *want)
{
	const struct {
		const int64_t *most;
		const char *unit;
	} limits[] = {
		{ want->least, "bytes" },
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
	if (n == 0)
		warn_passes(e);
	about = str_join(e->arena, parts, n, STR(" or "));
	c.explain = promptkit_reason_members;
	c.reason = str_cat(e->arena,
	    want->least == NULL ? STR("the response has more than ")
				: STR("the response has fewer than "),
	    about);
	return promptkit_finish(e, p, c, about);
}

/* Returns the first of three limits that is there and not 0; else NULL. */
static const int64_t *
first_of(struct fields *p, const char *const keys[3])
{
	const int64_t *found = NULL;

	for (size_t i = 0; i < 3; i++) {
		const int64_t *n = promptkit_int(p, keys[i]);

		if (found == NULL && n != NULL && *n != 0)
			found = n;
	}
	return found;
}

static struct check
min_length(struct fields *e)
{
	static const char *const keys[] = { "min", "min_characters",
		"min_chars" };
	struct fields p = promptkit_params(e, true);
	const struct max_length_want want = { .least = first_of(&p, keys) };

	return length(e, &p, &want);
}

/* Returns a check that fails, as the current version does without a limit. */
static struct check
no_limit(struct fields *e, struct fields *p)
{
	const struct str_list none = { 0 };
	struct check c =
	    phrases_check(e->arena, PHRASES_ANY, VIEW_AS_WRITTEN, none);

	if (fields_get(p, "max_characters") == NULL &&
	    fields_get(p, "max_chars") == NULL)
		(void)fields_need(p, "max");
	(void)promptkit_int(p, "max_tokens");
	c.reason = STR("no limit of the length");
	return promptkit_finish(e, p, c, STR(""));
}

static struct check
max_length(struct fields *e)
{
	static const char *const keys[] = { "max", "max_characters",
		"max_chars" };
	struct fields p = promptkit_params(e, true);
	struct max_length_want want = { .bytes = first_of(&p, keys) };

	if (promptkit_is_current(e) && want.bytes == NULL)
		return no_limit(e, &p);
	if (want.bytes == NULL)
		want.bytes = promptkit_int(&p, "max_characters");
	want.tokens = promptkit_int(&p, "max_tokens");
	if (promptkit_is_current(e) && want.tokens != NULL && *want.tokens <= 0)
		want.tokens = NULL;
	return length(e, &p, &want);
}

static struct check passes(struct fields *, struct fields *, const char *list);

/* The current version only counts the sentences. */
static struct check
max_sentences(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct max_length_want want = { 0 };

	if (promptkit_is_current(e)) {
		(void)fields_get(&p, "max_sentences");
		(void)fields_get(&p, "max");
		return passes(e, &p, NULL);
	}
	(void)fields_need(&p, "max_sentences");
	want.sentences = promptkit_int(&p, "max_sentences");
	return length(e, &p, &want);
}

/* ---- assertions that always pass ---- */

/* PromptKit's code does not decide, or expects a list of a type that a file
 * cannot have. The assertion passes, as in PromptKit, but here with a warning. */
static struct check
passes(struct fields *e, struct fields *p, const char *list)
{
	const struct str_list none = { 0 };
	const struct str nothing = { 0 };

	if (list != NULL)
		(void)fields_strs(p, fields_list_if(p, list), list);
	warn_passes(e);
	return promptkit_finish(e, p,
	    phrases_check(e->arena, PHRASES_ALL, VIEW_AS_WRITTEN, none),
	    nothing);
}

/* The current version finds the names under `fields` in the response. */
static struct check
required_fields(struct fields *e)
{
	struct fields p = promptkit_params(e, true);
	struct str_list list;

	if (!promptkit_is_current(e) && fields_get(&p, "fields") == NULL)
		return passes(e, &p, "required_fields");
	list = promptkit_texts(&p, "fields");
	return finish_phrases(e, &p,
	    phrases_check(e->arena, PHRASES_ALL, VIEW_LOWER_GO, list),
	    "missing", list);
}

/* Reports a type that the current version lacks. */
static struct check
unknown_now(struct fields *e, struct fields *p)
{
	p->any_key = true;
	fields_spoil(e, json_get(e->object, "type"),
	    "unknown type '%.*s': only in earlier versions of PromptKit",
	    STR_FMT(e->where));
	return promptkit_finish(e, p,
	    media_check_live(e->arena, STR("unknown type"), NULL), STR(""));
}

static struct check
commit(struct fields *e)
{
	struct fields p = promptkit_params(e, true);

	if (promptkit_is_current(e))
		return unknown_now(e, &p);
	(void)fields_bool_if(&p, "must_end_with_commit");
	return passes(e, &p, "commit_fields");
}

/* ---- media: read, so that mistakes are reported, and skipped, since no trace
 * contains media ---- */

static struct check
finish(struct fields *e, struct fields *p)
{
	const char *medium = scenarios_form(e)->key;
	const struct str nothing = { 0 };

	fields_remark(e, NULL, "is skipped: not recorded: %s", medium);
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
	FORM("content_includes", content_includes, .levels = PROMPTKIT_ANYWHERE,
	    ROLE(HAS, "patterns")),
	FORM("content_includes_any", content_includes_any,
	    .levels = PROMPTKIT_WIDE, ROLE(HAS, "patterns")),
	FORM("content_matches", content_matches, .levels = PROMPTKIT_ANYWHERE,
	    ROLE(REGEX, "pattern")),
	FORM("content_not_includes", content_not_includes,
	    .levels = PROMPTKIT_WIDE, ROLE(LACKS, "patterns")),
	FORM("banned_words", banned_words, .levels = PROMPTKIT_TURN,
	    ROLE(LACKS, "words patterns")),
	FORM(
	    "commit", commit, .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE),
	FORM("length", max_length, .levels = PROMPTKIT_TURN,
	    ROLE(AMOUNT, "max_characters")),
	FORM("max_length", max_length, .levels = PROMPTKIT_TURN,
	    ROLE(AMOUNT, "max_characters")),
	FORM("max_sentences", max_sentences, .levels = PROMPTKIT_TURN,
	    ROLE(AMOUNT, "max_sentences")),
	FORM("required_fields", required_fields, .levels = PROMPTKIT_TURN,
	    ROLE(STRUCTURE, "fields")),
	FORM("contains", content_includes, ROLE(HAS, "patterns")),
	FORM("contains_any", content_includes_any, ROLE(HAS, "patterns")),
	FORM("regex", content_matches, ROLE(REGEX, "pattern")),
	FORM("content_excludes", content_not_includes, ROLE(LACKS, "patterns")),
	FORM("min_length", min_length),
	FORM("sentence_count", max_sentences, ROLE(AMOUNT, "max_sentences")),
	FORM("field_presence", required_fields, ROLE(STRUCTURE, "fields")),
	FORM("audio_duration", duration, .key = "audio",
	    .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE),
	FORM("audio_format", format, .key = "audio", .levels = PROMPTKIT_TURN,
	    .role = ROLE_STRUCTURE),
	FORM("image_dimensions", image_dimensions, .key = "image",
	    .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE),
	FORM("image_format", format, .key = "image", .levels = PROMPTKIT_TURN,
	    .role = ROLE_STRUCTURE),
	FORM("video_duration", duration, .key = "video",
	    .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE),
	FORM("video_resolution", video_resolution, .key = "video",
	    .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE),
	FORM(NULL, NULL),
};
