/* PromptKit's validators of answers, which a turn may name as assertions. */
#include <ctype.h>

#include "check/dialect/promptkit_assertion.h"
#include "check/dialect/promptkit_reasons.h"
#include "check/kind/kind.h"

/* ---- words ---- */

/* The word between two of Go's word boundaries, in whatever case. */
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

/* ---- what always passes ---- */

/* PromptKit's code waits for a list of another type than a file can give: as
 * there, the assertion passes, but here its author hears of it. */
static struct check
passes(struct fields *e, struct fields *p, const char *list)
{
	const struct str_list none = { 0 };
	const struct str nothing = { 0 };

	(void)fields_strs(p, fields_list_if(p, list), list);
	diag_warn(document_place(e->doc, e->object),
	    "%.*s: PromptKit passes it, whatever the response says",
	    STR_FMT(e->where));
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

const struct promptkit_type promptkit_validators[] = {
	{ "banned_words", banned_words, PROMPTKIT_TURN },
	{ "commit", commit, PROMPTKIT_TURN },
	{ "length", max_length, PROMPTKIT_TURN },
	{ "max_length", max_length, PROMPTKIT_TURN },
	{ "max_sentences", max_sentences, PROMPTKIT_TURN },
	{ "required_fields", required_fields, PROMPTKIT_TURN },
	{ NULL, NULL, 0 },
};
