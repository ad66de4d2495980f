#include "judge/question/verdict.h"

#include "base/hash.h"
#include "json/json.h"

/* ---- where the answer is ---- */

static const struct str fence = { "```", 3 };

/* Returns the text between the first line that opens a code fence and the last
 * line that closes one; the text itself if there is no fence. Two fenced
 * blocks together are not JSON, and so are no answer. */
static struct str
fenced(struct str text)
{
	size_t open = str_find(text, fence), close = text.n;
	struct str inner = str_from(text, open + fence.n);

	str_cut(&inner, '\n');
	if (inner.s == NULL)
		return text;
	for (size_t at = str_find(inner, fence); at < inner.n;) {
		size_t next = str_find(str_from(inner, at + fence.n), fence);

		close = at;
		at += fence.n + next;
	}
	return str_slice(inner, 0, close);
}

static struct str
after_thinking(struct str text)
{
	struct str end = STR("</think>");
	size_t at = str_find(text, end);

	return at < text.n ? str_trim(str_from(text, at + end.n)) : text;
}

/* Returns the first of these readings of the text that is JSON: the text, the
 * text after its thoughts, the text in a code fence. Returns NULL and sets
 * *why if there is no object. */
static const struct json *
find_answer(struct json_reader *reader, struct str text, struct str *why,
    struct arena *a)
{
	struct json_error error;
	struct str thought = after_thinking(str_trim(text));
	struct str forms[] = { text, thought, fenced(thought) };
	const struct json *answer = NULL;

	if (str_trim(text).n == 0) {
		*why = STR("the answer is empty");
		return NULL;
	}
	for (size_t i = 0; answer == NULL && i < 3; i++)
		answer = json_read(reader, forms[i], NULL, &error);
	if (json_is(answer, JSON_OBJECT))
		return answer;
	*why = STR("the answer is not JSON");
	if (answer != NULL)
		*why = str_printf(a, "the answer is %s, not an object",
		    json_type_name(answer));
	return NULL;
}

/* ---- what it says ---- */

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
	v->reason = str_printf(a,
	    "the answer's %s is %s, not a number from 0 to 1", name,
	    json_is(said, JSON_NUMBER) ? str_c(a, said->text)
				       : json_type_name(said));
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
	v->refused = json_is(json_get(said, "passed"), JSON_FALSE);
	if (times > 1)
		v->reason = STR("the answer has two confidences");
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
	if (json_str_is(word, "pass"))
		v->found = VERDICT_PASS;
	else if (json_str_is(word, "fail"))
		v->found = VERDICT_FAIL;
	else
		v->reason = str_printf(a,
		    "the answer's verdict is %.*s, not \"pass\" or \"fail\"",
		    STR_FMT(str_truncate(word->text, 80)));
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
		v.reason = reason;
	return v;
}

static bool
is_good(const struct verdict *v)
{
	return v->found > VERDICT_UNFIT;
}

static void
read_answer(struct verdicts *all, struct arena *a, const struct prompt *p,
    const struct json *answer)
{
	struct hash_table asked = { .arena = a }; /* verdicts by id */

	for (size_t i = 0; i < p->n; i++)
		*hash_put(&asked, prompt_id(a, i)) = &all->list[i];
	for (json_members(key, answer)) {
		struct str id = json_text(key, a);
		struct verdict *v = hash_get(&asked, id);

		if (v == NULL)
			all->stray = str_dup(a, id);
		else if (v->found == VERDICT_MISSING)
			*v = read_one(
			    json_value(key), &p->checks[v - all->list], a);
		else
			*v = (struct verdict){ .found = VERDICT_UNFIT,
				.reason =
				    STR("the answer judges the check twice") };
	}
	for (size_t i = 0; i < p->n; i++)
		all->good += is_good(&all->list[i]);
}

bool
verdict_read(struct verdicts *all, struct arena *a, const struct prompt *p,
    struct str text, struct str *why)
{
	struct json_reader reader = { 0 };
	const struct json *answer = find_answer(&reader, text, why, a);

	*all = (struct verdicts){
		.list = arena_new_n(a, struct verdict, p->n),
		.n = p->n,
	};
	if (answer != NULL)
		read_answer(all, a, p, answer);
	json_reader_free(&reader);
	return answer != NULL;
}

void
verdict_write(struct out *o, struct arena *a, const struct verdicts *all)
{
	out_begin(o, '{');
	for (size_t i = 0; i < all->n; i++) {
		const struct verdict *v = &all->list[i];

		out_key_str(o, prompt_id(a, i));
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
			out_member_str(o, "verdict",
			    str_of(v->found == VERDICT_PASS ? "pass" : "fail"));
		}
		out_end(o, '}');
	}
	out_end(o, '}');
}
