#include "judge/question/verdict.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "judge/provider/error.h"
#include "judge/question/claim.h"
#include "text/layout.h"
#include "json/json.h"

static const char *const words[VERDICT_SCORE] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_FAIL] = "fail",
	[VERDICT_UNSURE] = "unsure",
	[VERDICT_NOT_SHOWN] = "not_shown",
};

const char *
verdict_word(enum verdict_found found)
{
	return found < VERDICT_SCORE ? words[found] : NULL;
}

/* ---- where the answer is ---- */

enum { /* bytes */
	SENTENCE_MAX = 200,
	WORD_MAX = 80,
};

static const struct str fence = { "```", 3 };

/* Returns whether a sentence ends in the text before the text's end. */
static bool
has_full_stop(struct str text)
{
	static const char *const wide[] = { "\u3002", "\uff01", "\uff1f" };

	for (size_t i = 0; i + 1 < text.n; i++)
		if ((text.s[i] == '.' || text.s[i] == '!' ||
			text.s[i] == '?') &&
		    json_is_space(text.s[i + 1]))
			return true;
	for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
		if (str_find(text, str_of(wide[i])) + strlen(wide[i]) < text.n)
			return true;
	return false;
}

/* Returns whether the text is empty or one short sentence without a bracket
 * of JSON. */
static bool
is_sentence(struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (strchr("{}[]\n\r", text.s[i]) != NULL)
			return false;
	return text.n <= SENTENCE_MAX && !has_full_stop(text);
}

/* Returns whether the text after an opening fence is the name of a language or
 * nothing. */
static bool
is_language(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.s[i]))
			return false;
	return true;
}

/* Returns whether the text behind a fence leaves the answer as it stands: prose
 * without a bracket, a fence or the end of thoughts, and without a word that may
 * take the answer back or call it a quotation. */
static bool
is_afterword(struct str text)
{
	static const char *const stems[] = { "actual", "correction", "fabricat",
		"fake", "forge", "however", "ignor", "inject", "instead",
		"invalid", "mistak", "quot", "reconsider", "retract", "sorry",
		"wait", "written", "wrong", "wrote" };

	for (size_t i = 0; i < text.n; i++) {
		if (strchr("{}[]<`", text.s[i]) != NULL)
			return false;
		if (i != 0 && ascii_is_letter((uint8_t)text.s[i - 1]))
			continue;
		for (size_t k = 0; k < sizeof stems / sizeof stems[0]; k++)
			if (str_eq_ascii_nocase(
				str_slice(text, i, i + strlen(stems[k])),
				str_of(stems[k])))
				return false;
	}
	return true;
}

/* Returns the place of the needle's last occurrence in the text; text.n if it
 * does not occur. */
static size_t
find_last(struct str text, struct str needle)
{
	size_t last = text.n;

	for (size_t at = 0; at + needle.n <= text.n; at += needle.n) {
		at += str_find(str_from(text, at), needle);
		if (at < text.n)
			last = at;
	}
	return last;
}

/* Returns the text in the code fence of the text, before which there is at most
 * one sentence, and after which there is nothing but an afterword; an absent
 * text if there is no such fence. */
static struct str
fenced(struct str text)
{
	size_t open = str_find(text, fence);
	struct str inner = str_from(text, open + fence.n);
	struct str name = str_trim(str_cut(&inner, '\n'));
	size_t close = find_last(inner, fence);

	if (inner.s == NULL || close >= inner.n || !is_language(name) ||
	    !is_sentence(str_trim(str_slice(text, 0, open))) ||
	    !is_afterword(str_from(inner, close + fence.n)))
		return (struct str){ 0 };
	return str_slice(inner, 0, close);
}

/* Returns the JSON value that the text is, alone or in a code fence; NULL if the
 * text is anything else. */
static const struct json *
whole_value(struct json_reader *reader, struct str text)
{
	struct json_error error;
	const struct json *value = json_read(reader, text, NULL, &error);

	if (value == NULL && (text = fenced(text)).s != NULL)
		value = json_read(reader, text, NULL, &error);
	return value;
}

/*
 * Returns the JSON value that the text is, or else the one that follows the
 * thoughts with which the text begins. Thoughts end with their first mark, or with
 * their last, if the thoughts name the mark; servers whose prompt ends with
 * <think> return thoughts without it. Returns NULL and sets *why if there is no
 * object.
 */
static const struct json *
find_answer(struct json_reader *reader, struct str text, struct str *why,
    struct arena *a)
{
	static const char *const ends[] = { "</think>", "</thinking>",
		"</thought>", "</reasoning>", "[/THINK]" };
	const struct json *answer = whole_value(reader, str_trim(text));

	for (size_t i = 0; answer == NULL && i < sizeof ends / sizeof ends[0];
	     i++) {
		struct str end = str_of(ends[i]);
		size_t at[] = { str_find(text, end), find_last(text, end) };

		for (size_t k = 0; answer == NULL && k < 2; k++)
			if (at[k] < text.n)
				answer = whole_value(reader,
				    str_trim(str_from(text, at[k] + end.n)));
	}
	if (json_is(answer, JSON_OBJECT))
		return answer;
	text = str_trim(text);
	*why = text.n == 0   ? STR("the answer is empty")
	    : answer == NULL ? STR("the answer is not JSON")
			     : str_printf(a, "the answer is %s, not an object",
				   json_type_name(answer));
	if (text.n != 0)
		*why = provider_error_begins(a, *why, text);
	return NULL;
}

/* ---- quotations ---- */

/* Appends the text without white space, and an end that no text has. */
static void
put_dense(struct out *o, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!json_is_space(text.s[i]))
			out_char(o, text.s[i]);
	out_char(o, '\0');
}

/* Returns all texts of the data without white space, so that a quotation is
 * found however it is laid out. */
static struct str
texts_of(struct str data, struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *all;
	struct out o;

	if (data.s == NULL)
		return STR("");
	all = json_read(&reader, data, NULL, &error);
	out_open_memory(&o);
	put_dense(&o, data);
	for (size_t i = 0; all != NULL && i < all->span; i++)
		if (all[i].type == JSON_STRING)
			put_dense(&o, json_text(&all[i], a));
	json_reader_free(&reader);
	return out_keep(&o, a);
}

static bool
is_quotation(const struct json *said, struct str texts, struct arena *a)
{
	struct str dense;
	struct out o;

	out_open_memory(&o);
	put_dense(&o, said->text);
	dense = out_keep(&o, a);
	return str_contains(texts, str_slice(dense, 0, dense.n - 1));
}

/* ---- what it says ---- */

/* Returns the beginning of the judge's text, for a message. */
static struct str
clip(struct str text, struct arena *a)
{
	return layout_clean(a, str_truncate(text, WORD_MAX), false);
}

/* Returns the object's last member of that name, and sets *times to the number
 * of such members. */
static const struct json *
member(const struct json *object, const char *name, size_t *times)
{
	const struct json *found = NULL;

	*times = 0;
	for (json_members(key, object)) {
		if (json_str_is(key, str_of(name))) {
			found = json_value(key);
			++*times;
		}
	}
	return found;
}

/* Returns the only member of that name; NULL, and sets *why, if there is none
 * or more than one. */
static const struct json *
only_member(const struct json *object, const char *name, struct arena *a,
    struct str *why)
{
	size_t times;
	const struct json *value = member(object, name, &times);

	if (times == 1)
		return value;
	*why = times == 0 ? str_printf(a, "the answer has no %s", name)
			  : str_printf(a, "the answer has two %ss", name);
	return NULL;
}

/* Reads a number from 0 to 1. Returns false and sets v->reason if `said` is
 * anything else. */
static bool
read_share(struct verdict *v, const struct json *said, const char *name,
    double *share, struct arena *a)
{
	double value = json_double(said);

	if (value >= 0 && value <= 1) { /* false for NaN, which stands for
					 * anything that is not a number */
		*share = value;
		return true;
	}
	v->out_of_range = json_is(said, JSON_NUMBER);
	v->reason = str_printf(a,
	    "the answer's %s is %s, not a number from 0 to 1", name,
	    json_is(said, JSON_NUMBER) ? str_c(a, said->text)
				       : json_type_name(said));
	return false;
}

/* Returns whether the answer also says that the check does not pass. */
static bool
says_not_passed(const struct json *said)
{
	for (json_members(key, said))
		if (json_str_is(key, "passed") &&
		    json_is(json_value(key), JSON_FALSE))
			return true;
	return false;
}

/* Reads a score. A confidence that was asked for may be missing and is 1
 * then. */
static void
read_score(struct verdict *v, const struct json *said,
    const struct prompt_check *check, struct arena *a)
{
	const struct json *score = only_member(said, "score", a, &v->reason);
	size_t times = 0;
	const struct json *confidence =
	    check->confidence ? member(said, "confidence", &times) : NULL;

	v->confidence = 1;
	v->refused = says_not_passed(said);
	if (times > 1)
		v->reason = STR("the answer has two confidences");
	else if (score != NULL &&
	    json_str_is(score, str_of(words[VERDICT_NOT_SHOWN])))
		v->found = VERDICT_NOT_SHOWN;
	else if (v->reason.s == NULL &&
	    read_share(v, score, "score", &v->score, a) &&
	    (confidence == NULL ||
		read_share(v, confidence, "confidence", &v->confidence, a)))
		v->found = VERDICT_SCORE;
}

static void
read_verdict(struct verdict *v, const struct json *said, struct arena *a)
{
	const struct json *word = only_member(said, "verdict", a, &v->reason);

	if (word == NULL)
		return;
	for (int i = VERDICT_PASS; i <= VERDICT_NOT_SHOWN; i++)
		if (json_str_is(word, str_of(words[i])))
			v->found = (enum verdict_found)i;
	if (v->found == VERDICT_UNFIT)
		v->reason = str_printf(a,
		    "the answer's verdict is %.*s, not \"pass\", \"fail\", "
		    "\"unsure\" or \"not_shown\"",
		    STR_FMT(clip(word->text, a)));
}

/* Makes the verdict unfit if another member of the answer contradicts the
 * verdict. */
static void
find_contradiction(struct verdict *v, const struct json *said,
    const struct prompt_check *check, struct arena *a)
{
	bool passed = v->found == VERDICT_PASS ||
	    (v->found == VERDICT_SCORE && v->score >= check->least &&
		!v->refused);
	const struct json *other = claim_against(said, check, passed, a);
	const char *name = check->score ? "score" : "verdict";

	if (other == NULL || v->found == VERDICT_UNSURE ||
	    v->found == VERDICT_NOT_SHOWN)
		return;
	v->found = VERDICT_UNFIT;
	v->reason =
	    str_printf(a, "the answer's %s is %.*s, but %.*s is %.*s", name,
		STR_FMT(check->score ? json_get(said, STR("score"))->text
			: passed     ? STR("pass")
				     : STR("fail")),
		STR_FMT(clip(json_text(other, a), a)),
		STR_FMT(clip(json_value(other)->text, a)));
}

/* Returns the text of the reason. Returns an absent text and sets v->reason if
 * there is no valid reason. */
static struct str
read_reason(struct verdict *v, const struct json *said,
    const struct prompt_check *check, struct arena *a)
{
	const struct json *reason = only_member(said, "reason", a, &v->reason);
	struct str text = json_text(reason, a), none = { 0 };

	if (reason == NULL)
		return none;
	if (text.s == NULL)
		v->reason =
		    str_printf(a, "the answer's reason is %s, not a string",
			json_type_name(reason));
	else if (check->reasoned && str_trim(text).n == 0)
		v->reason = STR("the answer's reason is empty");
	return v->reason.s == NULL ? str_dup(a, text) : none;
}

/* Reads the answer for one check. */
static struct verdict
read_one(
    const struct json *said, const struct prompt_check *check, struct arena *a)
{
	struct verdict v = { .found = VERDICT_UNFIT };
	struct str reason;

	if (!json_is(said, JSON_OBJECT)) {
		v.reason = str_printf(
		    a, "the answer is %s, not an object", json_type_name(said));
		return v;
	}
	reason = read_reason(&v, said, check, a);
	if (reason.s == NULL)
		return v;
	if (check->score)
		read_score(&v, said, check, a);
	else
		read_verdict(&v, said, a);
	if (v.found != VERDICT_UNFIT)
		find_contradiction(&v, said, check, a);
	if (v.found != VERDICT_UNFIT)
		v.reason = reason;
	return v;
}

static struct verdict
unfit(const char *why)
{
	return (
	    struct verdict){ .found = VERDICT_UNFIT, .reason = str_of(why) };
}

static bool
is_good(const struct verdict *v)
{
	return v->found > VERDICT_UNFIT;
}

/* Reads the answers for all checks. Returns false and sets *why if the answer
 * names anything else. */
static bool
read_answer(struct verdicts *all, struct arena *a, const struct prompt *p,
    const struct json *answer, struct str *why)
{
	struct hash_table asked = { .arena = a }; /* verdicts by id */
	struct str texts = texts_of(p->data, a);

	for (size_t i = 0; i < p->n; i++)
		*hash_put(&asked, prompt_id(a, p, i)) = &all->list[i];
	for (json_members(key, answer)) {
		struct str id = json_text(key, a);
		struct verdict *v = hash_get(&asked, id);
		const struct json *said = json_value(key);

		if (v == NULL) {
			*why = str_printf(a,
			    "the answer names '%.*s', which is not in the "
			    "request",
			    STR_FMT(clip(id, a)));
			return false;
		}
		if (v->found != VERDICT_MISSING)
			*v = unfit("the answer judges the check twice");
		else
			*v = read_one(said, &p->checks[v - all->list], a);
		if (is_good(v) && is_quotation(said, texts, a))
			*v = unfit("the answer is a quotation from the record");
	}
	for (size_t i = 0; i < p->n; i++) {
		all->good += is_good(&all->list[i]);
		all->out_of_range |= all->list[i].out_of_range;
	}
	return true;
}

bool
verdict_read(struct verdicts *all, struct arena *a, const struct prompt *p,
    struct str text, struct str *why)
{
	struct json_reader reader = { 0 };
	const struct json *answer = find_answer(&reader, text, why, a);
	bool good;

	*all = (struct verdicts){
		.list = arena_new_n(a, struct verdict, p->n),
		.n = p->n,
	};
	good = answer != NULL && read_answer(all, a, p, answer, why);
	json_reader_free(&reader);
	return good;
}

void
verdict_write(struct out *o, struct arena *a, const struct prompt *p,
    const struct verdicts *all)
{
	out_begin(o, '{');
	for (size_t i = 0; i < all->n; i++) {
		const struct verdict *v = &all->list[i];

		out_key_str(o, prompt_id(a, p, i));
		out_begin(o, '{');
		out_key(o, "reason");
		out_json_str(o, v->reason);
		if (v->found == VERDICT_SCORE) {
			out_member_double(o, "score", v->score);
			if (v->refused)
				out_member_bool(o, "passed", false);
			if (v->confidence < 1)
				out_member_double(
				    o, "confidence", v->confidence);
		} else {
			out_member_str(o,
			    p->checks[i].score ? "score" : "verdict",
			    str_of(verdict_word(v->found)));
		}
		out_end(o, '}');
	}
	out_end(o, '}');
}
