/* PromptKit Arena's assertions about the answer: its text, its length and its
 * media. */
#include "check/dialect/promptkit_assertion.h"

#include <ctype.h>

#include "check/kind/kind.h"

/* ---- phrases and patterns ---- */

/* Returns a check of any message. */
static struct check
in_any_message(struct fields *p, struct check inner)
{
	struct check *kept = arena_new(p->arena, struct check);

	*kept = inner;
	return messages_check(p->arena, kept);
}

/* Returns a check of any message in a conversation, or of the last message in a
 * turn. The current version always looks at the last message. */
static struct check
in_messages(struct fields *p, struct check inner)
{
	return promptkit_place_of(p)->level != PROMPTKIT_CONVERSATION ||
		promptkit_is_current(p)
	    ? inner
	    : in_any_message(p, inner);
}

/* Returns a check of the messages that content_includes_any and
 * content_not_includes look at: for the current version always all. */
static struct check
in_all_messages(struct fields *p, struct check inner)
{
	return promptkit_is_current(p) ? in_any_message(p, inner)
				       : in_messages(p, inner);
}

/* For the current version a response includes nothing of an empty list. */
static struct check
content_includes(struct fields *p)
{
	struct str_list list = promptkit_texts(p, "patterns");
	enum phrases_how how =
	    list.n == 0 && promptkit_is_current(p) ? PHRASES_ANY : PHRASES_ALL;

	return promptkit_about_list(p,
	    in_messages(p, phrases_check(p->arena, how, VIEW_LOWER_GO, list)),
	    list);
}

/* Returns whether letter case counts, which the current version lacks. */
static enum view_fold
fold_of(struct fields *p)
{
	return !promptkit_is_current(p) && scenarios_bool(p, "case_sensitive")
	    ? VIEW_AS_WRITTEN
	    : VIEW_LOWER_GO;
}

static struct check
content_includes_any(struct fields *p)
{
	struct str_list list = promptkit_texts(p, "patterns");
	struct check c = in_all_messages(
	    p, phrases_check(p->arena, PHRASES_ANY, fold_of(p), list));

	c.reason = str_of(scenarios_form(p)->fails); /* also of an empty list */
	return promptkit_about(c, str_list_text(p->arena, list));
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
content_not_includes(struct fields *p)
{
	struct str_list list = promptkit_texts(p, "patterns");
	bool words = str_is(scenarios_text(p, "match_mode"), "word_boundary");
	struct check c = words
	    ? any_word(p->arena, list)
	    : phrases_check(p->arena, PHRASES_ANY, fold_of(p), list);

	c = in_all_messages(p, c);
	c.negate = true;
	return promptkit_about_list(p, c, list);
}

/* Returns the check of a pattern, which is at the value `at`. */
static struct check
matches(struct fields *p, const struct json *at, struct str pattern)
{
	struct regex *re = promptkit_compile(p, "pattern", at, pattern);
	struct regex_error error;
	struct check c = pattern_check(p->arena, re, pattern, 0);

	if (re != NULL)
		c = pattern_with_case_hint(p->arena, c,
		    regex_compile(
			p->arena, REGEX_RE2, pattern, REGEX_CASELESS, &error));
	c = in_messages(p, c);
	c.explain = promptkit_reason_pattern;
	c.detail = pattern;
	c.reason = str_printf(p->arena,
	    "the response does not match the pattern: %.*s", STR_FMT(pattern));
	return c;
}

static struct check
content_matches(struct fields *p)
{
	struct str pattern = scenarios_text(p, "pattern");
	bool match = scenarios_bool(p, "expect_match");
	struct check c = matches(p, json_get(p->object, "pattern"), pattern);
	const struct str_list none = { 0 };

	c.negate = !match;
	if (c.negate)
		c.reason = str_printf(p->arena,
		    "the response matches the pattern: %.*s", STR_FMT(pattern));
	if (promptkit_is_current(p) && pattern.s != NULL && pattern.n == 0) {
		check_close(&c);
		c = phrases_check(p->arena, PHRASES_ANY, VIEW_AS_WRITTEN, none);
		c.reason = STR("no pattern");
	}
	return promptkit_about(c, pattern);
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
	c = matches(&e, v, pattern);
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
banned_words(struct fields *p)
{
	struct str_list words;
	struct check c;

	if (promptkit_is_current(p) || fields_get(p, "patterns") != NULL)
		return promptkit_as(p, "content_not_includes");
	words = promptkit_texts(p, "words");
	c = any_word(p->arena, words);
	c.negate = true;
	return promptkit_about_list(p, c, words);
}

/* ---- lengths ---- */

static void
warn_passes(struct fields *p)
{
	fields_remark(promptkit_outer(p), NULL,
	    "always passes in PromptKit, whatever the response is");
}

static struct check
length(struct fields *p, const struct max_length_want *want)
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
	struct check c = max_length_check(p->arena, want);
	struct str *parts = NULL, about;
	size_t n = 0;

	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
		if (limits[i].most != NULL)
			*arena_push(p->arena, parts, n) =
			    str_printf(p->arena, "%lld %s",
				(long long)*limits[i].most, limits[i].unit);
	if (n == 0)
		warn_passes(p);
	about = str_join(p->arena, parts, n, STR(" or "));
	c.explain = promptkit_reason_members;
	c.reason = str_cat(p->arena,
	    want->least == NULL ? STR("the response has more than ")
				: STR("the response has fewer than "),
	    about);
	return promptkit_about(c, about);
}

/* Returns the limit under the first of these keys that is there and not 0; else
 * NULL. */
static const int64_t *
first_of(struct fields *p, const char *keys)
{
	const int64_t *found = NULL;
	struct str rest = str_of(keys);

	while (rest.s != NULL) {
		const int64_t *n =
		    promptkit_int(p, str_c(p->arena, str_cut(&rest, ' ')));

		if (found == NULL && n != NULL && *n != 0)
			found = n;
	}
	return found;
}

static struct check
min_length(struct fields *p)
{
	const struct max_length_want want = {
		.least = first_of(p, "min min_characters min_chars")
	};

	return length(p, &want);
}

/* Returns a check that fails, as the current version does without a limit. */
static struct check
no_limit(struct fields *p)
{
	const struct str_list none = { 0 };
	struct check c =
	    phrases_check(p->arena, PHRASES_ANY, VIEW_AS_WRITTEN, none);

	if (fields_get(p, "max_characters") == NULL &&
	    fields_get(p, "max_chars") == NULL)
		(void)fields_need(p, "max");
	(void)promptkit_int(p, "max_tokens");
	c.reason = STR("no limit of the length");
	return c;
}

static struct check
max_length(struct fields *p)
{
	struct max_length_want want = { .bytes = first_of(p,
					    "max max_characters max_chars") };

	if (promptkit_is_current(p) && want.bytes == NULL)
		return no_limit(p);
	if (want.bytes == NULL)
		want.bytes = promptkit_int(p, "max_characters");
	want.tokens = promptkit_int(p, "max_tokens");
	if (promptkit_is_current(p) && want.tokens != NULL && *want.tokens <= 0)
		want.tokens = NULL;
	return length(p, &want);
}

static struct check passes(struct fields *, const char *list);

/* The current version only counts the sentences. */
static struct check
max_sentences(struct fields *p)
{
	struct max_length_want want = { 0 };

	if (promptkit_is_current(p)) {
		(void)fields_get(p, "max_sentences");
		(void)fields_get(p, "max");
		return passes(p, "");
	}
	(void)fields_need(p, "max_sentences");
	want.sentences = promptkit_int(p, "max_sentences");
	return length(p, &want);
}

/* ---- assertions that always pass ---- */

/* PromptKit's code does not decide, or expects a list of a type that a file
 * cannot have. The assertion passes, as in PromptKit, but here with a warning. */
static struct check
passes(struct fields *p, const char *list)
{
	const struct str_list none = { 0 };

	(void)scenarios_texts(p, list);
	warn_passes(p);
	return phrases_check(p->arena, PHRASES_ALL, VIEW_AS_WRITTEN, none);
}

/* The current version finds the names under `fields` in the response. */
static struct check
field_presence(struct fields *p)
{
	struct str_list list = promptkit_texts(p, "fields");

	return promptkit_about_list(
	    p, phrases_check(p->arena, PHRASES_ALL, VIEW_LOWER_GO, list), list);
}

static struct check
required_fields(struct fields *p)
{
	if (!promptkit_is_current(p) && fields_get(p, "fields") == NULL)
		return passes(p, "required_fields");
	return promptkit_as(p, "field_presence");
}

static struct check
commit(struct fields *p)
{
	struct fields *e = promptkit_outer(p);

	if (!promptkit_is_current(p)) {
		(void)scenarios_bool(p, "must_end_with_commit");
		return passes(p, "commit_fields");
	}
	p->any_key = true;
	fields_spoil(e, json_get(e->object, "type"),
	    "unknown type '%.*s': only in earlier versions of PromptKit",
	    STR_FMT(e->where));
	return media_check_live(p->arena, "unknown type", NULL);
}

/* ---- media: read, so that mistakes are reported, and skipped, since no trace
 * contains media ---- */

static struct check
media(struct fields *p)
{
	const char *medium = scenarios_form(p)->key;
	const struct param *row = scenarios_form(p)->params;

	for (; row->key != NULL; row++)
		if (row->kind == FIELDS_LIST)
			(void)promptkit_texts(p, row->key);
		else if (row->kind == FIELDS_NUMBER)
			(void)scenarios_number(p, row->key);
		else
			(void)scenarios_int(p, row->key);
	fields_remark(
	    promptkit_outer(p), NULL, "is skipped: not recorded: %s", medium);
	return media_check(p->arena, medium, p->object);
}

#define INCLUDES \
	content_includes, \
	    FAILS(list, "the response does not include", "missing_patterns"), \
	    ROLE(HAS, "patterns"), PARAMS(NEED("patterns", LIST))
#define MATCHES \
	content_matches, ROLE(REGEX, "pattern"), \
	    PARAMS(NEED("pattern", TEXT), KEY_OR("expect_match", BOOL, true))
#define MAX_LENGTH \
	max_length, .levels = PROMPTKIT_TURN, ROLE(AMOUNT, "max_characters"), \
		    PARAMS(KEY("max", INT), KEY("max_characters", INT), \
			KEY("max_chars", INT), KEY("max_tokens", INT))
#define SECONDS PARAMS(KEY("min_seconds", NUMBER), KEY("max_seconds", NUMBER))
#define SIZES \
	KEY("min_width", INT), KEY("max_width", INT), KEY("min_height", INT), \
	    KEY("max_height", INT)
#define MEDIUM .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE

const struct form promptkit_answer_forms[] = {
	FORM("content_includes", INCLUDES, .levels = PROMPTKIT_ANYWHERE),
	FORM("content_includes_any", content_includes_any,
	    .levels = PROMPTKIT_WIDE,
	    .fails = "the response includes none of the patterns",
	    ROLE(HAS, "patterns"),
	    PARAMS(NEED("patterns", LIST), KEY("case_sensitive", BOOL))),
	FORM("content_matches", MATCHES, .levels = PROMPTKIT_ANYWHERE),
	FORM("content_not_includes", content_not_includes,
	    .levels = PROMPTKIT_WIDE,
	    FAILS(list, "the response includes", "found_patterns"),
	    ROLE(LACKS, "patterns"),
	    PARAMS(NEED("patterns", LIST), KEY("case_sensitive", BOOL),
		KEY("match_mode", TEXT))),
	FORM("banned_words", banned_words, .levels = PROMPTKIT_TURN,
	    FAILS(list, "banned words", "found_words"),
	    ROLE(LACKS, "words patterns"),
	    PARAMS(NEED("words", LIST), ALSO("patterns", LIST))),
	FORM("commit", commit, .levels = PROMPTKIT_TURN, .role = ROLE_STRUCTURE,
	    PARAMS(
		KEY("must_end_with_commit", BOOL), KEY("commit_fields", LIST))),
	FORM("length", MAX_LENGTH),
	FORM("max_length", MAX_LENGTH),
	FORM("max_sentences", max_sentences, .levels = PROMPTKIT_TURN,
	    ROLE(AMOUNT, "max_sentences"),
	    PARAMS(NEED("max_sentences", INT), ALSO("max", ANY))),
	FORM("required_fields", required_fields, .levels = PROMPTKIT_TURN,
	    ROLE(STRUCTURE, "fields"),
	    PARAMS(KEY("required_fields", LIST), ALSO("fields", LIST))),
	FORM("contains", INCLUDES),
	FORM("contains_any", content_includes_any,
	    .fails = "the response includes none of the patterns",
	    ROLE(HAS, "patterns"), PARAMS(NEED("patterns", LIST))),
	FORM("regex", MATCHES),
	FORM("content_excludes", content_not_includes,
	    FAILS(list, "the response includes", "found_patterns"),
	    ROLE(LACKS, "patterns"),
	    PARAMS(NEED("patterns", LIST), KEY("match_mode", TEXT))),
	FORM("min_length", min_length,
	    PARAMS(KEY("min", INT), KEY("min_characters", INT),
		KEY("min_chars", INT))),
	FORM("sentence_count", max_sentences, ROLE(AMOUNT, "max_sentences"),
	    PARAMS(KEY("max", ANY), ALSO("max_sentences", ANY))),
	FORM("field_presence", field_presence,
	    FAILS(list, "the response does not include", "missing"),
	    ROLE(STRUCTURE, "fields"), PARAMS(NEED("fields", LIST))),
	FORM("audio_duration", media, .key = "audio", MEDIUM, SECONDS),
	FORM("audio_format", media, .key = "audio", MEDIUM,
	    PARAMS(NEED("formats", LIST))),
	FORM("image_dimensions", media, .key = "image", MEDIUM,
	    PARAMS(KEY("width", INT), KEY("height", INT), SIZES)),
	FORM("image_format", media, .key = "image", MEDIUM,
	    PARAMS(NEED("formats", LIST))),
	FORM("video_duration", media, .key = "video", MEDIUM, SECONDS),
	FORM("video_resolution", media, .key = "video", MEDIUM,
	    PARAMS(SIZES, KEY("presets", LIST))),
	FORM(NULL, NULL),
};
