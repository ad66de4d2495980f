#include "judge/question/verdict.h"

#include "base/hash.h"
#include "judge/question/answer_object.h"
#include "judge/question/quotes.h"
#include "text/layout.h"
#include "json/json.h"

enum { WORD_MAX = 80 }; /* bytes of the answer in a message */

static const char *const words[VERDICT_SCORE] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_FAIL] = "fail",
	[VERDICT_UNSURE] = "unsure",
	[VERDICT_NOT_SHOWN] = "not_shown",
	[VERDICT_FIRST] = "first",
	[VERDICT_SECOND] = "second",
	[VERDICT_TIE] = "tie",
};

const char *
verdict_word(enum verdict_found found)
{
	return found < VERDICT_SCORE ? words[found] : NULL;
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

/* Reads a number from `low` to `high`. Returns false and sets v->reason if
 * `said` is anything else. */
static bool
read_number(struct verdict *v, const struct json *said, const char *name,
    const double range[2], struct arena *a)
{
	double value = json_double(said);

	if (value >= range[0] && value <= range[1]) { /* false for NaN, which
						       * stands for anything that
						       * is not a number */
		*(*name == 's' ? &v->rating : &v->confidence) = value;
		return true;
	}
	v->out_of_range = json_is(said, JSON_NUMBER);
	v->reason = str_printf(a,
	    "the answer's %s is %s, not a number from %.15g to %.15g", name,
	    json_is(said, JSON_NUMBER) ? str_c(a, said->text)
				       : json_type_name(said),
	    range[0], range[1]);
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

/* An answer that is read. */
struct reading {
	const struct prompt *prompt;
	struct str texts, dense; /* of the data, with blanks and without */
	struct arena *arena;
	struct hash_table asked; /* verdicts by the ids of their checks */
	bool nonce, end;         /* the answer repeats them */
	bool plain;              /* it names a check by an id without nonce */
};

/* Reads a score, on the scale of the check. A confidence that was asked for may
 * be missing and is 1 then. */
static void
read_score(struct verdict *v, const struct json *said,
    const struct prompt_check *check, const double scale[2], struct arena *a)
{
	static const double share[2] = { 0, 1 };
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
	    read_number(v, score, "score", scale, a) &&
	    (confidence == NULL ||
		read_number(v, confidence, "confidence", share, a)))
		v->found = VERDICT_SCORE;
	v->score = (v->rating - scale[0]) / (scale[1] - scale[0]);
}

/* Reads a score on the scale of the check, on which answers in old caches are
 * not. */
static void
read_scaled(struct verdict *v, const struct json *said,
    const struct prompt_check *check, const struct reading *r)
{
	bool scaled = prompt_is_scaled(check);
	const double low = scaled ? check->low : 0;
	const double high = scaled ? check->high : 1;
	bool old = r->prompt->old;

	read_score(v, said, check,
	    (const double[]){ old ? 0 : low, old ? 1 : high }, r->arena);
	if (old)
		v->rating = low + v->score * (high - low);
}

static void
read_verdict(struct verdict *v, const struct json *said,
    const struct prompt_check *check, struct arena *a)
{
	const struct json *word = only_member(said, "verdict", a, &v->reason);
	int first = check->compare ? VERDICT_NOT_SHOWN : VERDICT_PASS;
	int last = check->compare ? VERDICT_TIE : VERDICT_NOT_SHOWN;

	if (word == NULL)
		return;
	for (int i = first; i <= last; i++)
		if (json_str_is(word, str_of(words[i])))
			v->found = (enum verdict_found)i;
	if (v->found == VERDICT_UNFIT)
		v->reason = str_printf(a,
		    "the answer's verdict is %.*s, not %s or \"not_shown\"",
		    STR_FMT(clip(word->text, a)),
		    check->compare ? "\"first\", \"second\", \"tie\""
				   : "\"pass\", \"fail\", \"unsure\"");
}

/* Returns the first member that the schema of the check does not have; NULL if
 * there is none. A program may say "passed" and a confidence beside a score. */
static const struct json *
stray_member(
    const struct json *said, const struct prompt_check *check, bool strict)
{
	bool loose = check->score && !strict;

	for (json_members(key, said)) {
		const struct json *value = json_value(key);
		bool is_bool =
		    json_is(value, JSON_FALSE) || json_is(value, JSON_TRUE);

		if (!json_str_is(key, "reason") &&
		    !json_str_is(key, check->score ? "score" : "verdict") &&
		    !((check->confidence || loose) &&
			json_str_is(key, "confidence")) &&
		    !(check->quoted && json_str_is(key, "quotes")) &&
		    !(loose && is_bool && json_str_is(key, "passed")))
			return key;
	}
	return NULL;
}

/* Returns the list of quotations. Returns NULL if there is none, and sets
 * v->reason if there is no valid list where the check asks for one. */
static const struct json *
read_list(struct verdict *v, const struct json *said, bool strict)
{
	size_t times;
	const struct json *list = member(said, "quotes", &times);

	if (times > 1)
		v->reason = STR("the answer has two lists of quotes");
	else if (times == 0 && strict)
		v->reason = STR("the answer has no quotes");
	else if (times == 1 && !json_is(list, JSON_ARRAY))
		v->reason = STR("the answer's quotes are no list");
	for (json_each(one, list))
		if (!json_is(one, JSON_STRING))
			v->reason = STR("the answer's quotes are no texts");
	return v->reason.s == NULL ? list : NULL;
}

/* Looks up the quotations of the answer. A quotation that is not in the data
 * makes the verdict unfit if the check asks for quotations; answers in old
 * caches are not held to that. */
static void
read_quotes(struct verdict *v, const struct json *said,
    const struct prompt_check *check, struct str reason,
    const struct reading *r)
{
	struct quotes quotes = { .arena = r->arena, .texts = r->texts };
	const struct quote *missing = NULL;
	bool old = r->prompt->old, passed = v->found == VERDICT_PASS;
	const struct json *list =
	    check->quoted ? read_list(v, said, r->plain && !old) : NULL;

	quotes_add(&quotes, list, reason, check->quoted && passed);
	v->quotes = quotes_json(&quotes);
	if (check->quoted && !old)
		missing = quotes_missing(&quotes, passed, check->rubric);
	if (missing != NULL)
		v->reason = str_printf(r->arena,
		    "the answer quotes %.*s, which is not in what was shown",
		    STR_FMT(
			clip(out_quote(r->arena, missing->text), r->arena)));
	if (v->reason.s != NULL)
		v->found = VERDICT_UNFIT;
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
read_one(const struct json *said, const struct prompt_check *check,
    const struct reading *r)
{
	struct verdict v = { .found = VERDICT_UNFIT };
	struct arena *a = r->arena;
	const struct json *stray;
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
		read_scaled(&v, said, check, r);
	else
		read_verdict(&v, said, check, a);
	if (v.found == VERDICT_UNFIT)
		return v;
	stray =
	    stray_member(said, check, r->plain && r->prompt->nonce.s != NULL);
	if (stray != NULL)
		v.reason = str_printf(a,
		    "the answer has a member '%.*s', which is not in the "
		    "schema",
		    STR_FMT(clip(json_text(stray, a), a)));
	read_quotes(&v, said, check, reason, r);
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

/* Reads a member that repeats a nonce. Returns false if the member does not, or
 * repeats it again. */
static bool
read_nonce(const struct json *key, struct reading *r)
{
	bool nonce = json_str_is(key, "nonce");
	bool *done = nonce ? &r->nonce : &r->end;
	bool first = !*done;

	*done = true;
	return first &&
	    json_str_is(
		json_value(key), nonce ? r->prompt->nonce : r->prompt->end);
}

/* Reads the member for a check. */
static void
read_check(
    struct verdict *v, const struct json *key, size_t i, struct reading *r)
{
	const struct prompt *p = r->prompt;
	const struct json *said = json_value(key);

	r->plain = str_eq(json_text(key, r->arena), prompt_id(r->arena, p, i));
	if (v->found != VERDICT_MISSING)
		*v = unfit("the answer judges the check twice");
	else
		*v = read_one(said, &p->checks[i], r);
	if (is_good(v) && quotes_repeat(r->arena, r->dense, said))
		*v = unfit("the answer is a quotation from the record");
}

static struct reading
reading_of(struct verdicts *all, const struct prompt *p, struct arena *a)
{
	struct reading r = {
		.prompt = p,
		.texts = quotes_texts(a, p->data, true),
		.dense = quotes_texts(a, p->data, false),
		.arena = a,
		.asked.arena = a,
	};
	struct prompt by_ids = prompt_by_ids(p);

	for (size_t i = 0; i < p->n; i++) {
		*hash_put(&r.asked, prompt_id(a, p, i)) = &all->list[i];
		if (p->ids.s != NULL)
			*hash_put(&r.asked, prompt_id(a, &by_ids, i)) =
			    &all->list[i];
	}
	return r;
}

/* Reads the answers for all checks. Returns false and sets *why if the answer
 * names anything else, or names checks without a proof that it answers this
 * request, read from the beginning to the end. */
static bool
read_answer(struct verdicts *all, struct arena *a, const struct prompt *p,
    const struct json *answer, struct str *why)
{
	struct reading r = reading_of(all, p, a);
	bool proven = true, plain = false;

	for (json_members(key, answer)) {
		struct str id = json_text(key, a);
		struct verdict *v = hash_get(&r.asked, id);

		if (v != NULL) {
			read_check(v, key, (size_t)(v - all->list), &r);
			plain |= r.plain;
		} else if (p->nonce.s != NULL &&
		    (json_str_is(key, "nonce") || json_str_is(key, "end"))) {
			proven &= read_nonce(key, &r);
		} else {
			*why = str_printf(a,
			    "the answer names '%.*s', which is not in the "
			    "request",
			    STR_FMT(clip(id, a)));
			return false;
		}
	}
	if (!proven || (p->nonce.s != NULL && plain && !(r.nonce && r.end))) {
		*why = STR("the answer does not repeat the nonces of the "
			   "request");
		return false;
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
	const struct json *answer = answer_object(&reader, text, why, a);
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
verdict_put_quotes(struct out *o, const struct verdict *v)
{
	if (v->quotes.s == NULL)
		return;
	out_key(o, "quotes");
	out_json_raw(o, v->quotes);
}

/* Writes the texts of the quotations, all of which are found again when the
 * answer is read. */
static void
put_list(struct out *o, struct str quotes)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *list = json_read(&reader, quotes, NULL, &error);

	out_member_begin(o, "quotes", '[');
	for (json_each(one, list))
		if (json_is(json_get(one, "found"), JSON_TRUE))
			out_json_raw(o, json_get(one, "text")->text);
	out_end(o, ']');
	json_reader_free(&reader);
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
		if (p->checks[i].quoted && !p->old)
			put_list(o, v->quotes);
		if (v->found == VERDICT_SCORE) {
			out_member_double(
			    o, "score", p->old ? v->score : v->rating);
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
