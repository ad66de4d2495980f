#include "report/tally/result_check.h"

#include "base/hash.h"
#include "text/layout.h"

static const char *const severities[SEVERITY_COUNT] = { "error", "warning",
	"note" };

const char *
severity_name(enum severity s)
{
	return severities[s];
}

bool
severity_of(struct str name, enum severity *s)
{
	for (int i = 0; i < SEVERITY_COUNT; i++) {
		if (!str_is(name, severities[i]))
			continue;
		*s = (enum severity)i;
		return true;
	}
	return false;
}

bool
result_check_status(
    const struct json *v, enum status *s, struct arena *a, struct str *why)
{
	struct str name = json_text(v, a);

	if (name.s != NULL && status_of(name, s))
		return true;
	*why = name.s != NULL
	    ? str_printf(a, "status: no such status: '%.*s'", STR_FMT(name))
	    : str_printf(
		  a, "status: expected a string, found %s", json_type_name(v));
	return false;
}

static bool
read_severity(
    const struct json *v, enum severity *s, struct arena *a, struct str *why)
{
	struct str name = json_text(v, a);

	if (v == NULL || (name.s != NULL && severity_of(name, s)))
		return true;
	*why = str_printf(a,
	    "severity: expected error, warning or note, found %.*s",
	    STR_FMT(name.s != NULL ? name : v->text));
	return false;
}

/* The members of a check's result, in the order in which they are written. */
enum {
	CHECK_TYPE,
	CHECK_LABEL,
	CHECK_STATUS,
	CHECK_REASON,
	CHECK_GOT,
	CHECK_APPLIED,
	CHECK_DIALECT,
	CHECK_SCENARIO,
	CHECK_AT,
	CHECK_METADATA,
	CHECK_JUDGE,
	CHECK_SEVERITY,
	CHECK_SKIPPED_BY,
	CHECK_MEMBERS
};

static const struct str check_names[CHECK_MEMBERS] = {
	[CHECK_TYPE] = STR_CONST("type"),
	[CHECK_LABEL] = STR_CONST("label"),
	[CHECK_STATUS] = STR_CONST("status"),
	[CHECK_REASON] = STR_CONST("reason"),
	[CHECK_GOT] = STR_CONST("got"),
	[CHECK_APPLIED] = STR_CONST("applied"),
	[CHECK_DIALECT] = STR_CONST("dialect"),
	[CHECK_SCENARIO] = STR_CONST("scenario"),
	[CHECK_AT] = STR_CONST("at"),
	[CHECK_METADATA] = STR_CONST("metadata"),
	[CHECK_JUDGE] = STR_CONST("judge"),
	[CHECK_SEVERITY] = STR_CONST("severity"),
	[CHECK_SKIPPED_BY] = STR_CONST("skipped_by"),
};

static struct str
cut(struct str text, struct arena *a)
{
	return text.n <= RESULT_CHECK_TEXT_MAX
	    ? text
	    : layout_cut(a, text, RESULT_CHECK_TEXT_MAX);
}

struct str
result_check_key(const struct result_check *c, struct arena *a)
{
	const struct str texts[RESULT_CHECK_KEY_TEXTS] = {
		cut(c->scenario, a),
		cut(c->dialect, a),
		cut(c->type, a),
		cut(c->label, a),
		c->ordinal == 0 ? STR("0") : str_int(a, (int64_t)c->ordinal),
	};

	return hash_key(a, texts, RESULT_CHECK_KEY_TEXTS);
}

/* Returns a hash of one of a few words, or of an absent text. */
static uint64_t
hash_word(struct str word)
{
	return hash_quick(word) + (word.s == NULL);
}

uint64_t
result_check_names(const struct result_check *c, struct arena *a)
{
	uint64_t words = 3 * hash_word(cut(c->dialect, a)) +
	    hash_word(cut(c->type, a)) + (c->label.s == NULL);
	uint64_t hash = hash_add(HASH_START ^ words, cut(c->label, a));

	return hash == 0 ? 1 : hash;
}

uint64_t
result_check_hash(uint64_t names, uint64_t scenario, size_t ordinal)
{
	const uint64_t parts[] = { names, scenario, ordinal };

	return hash_add(
	    HASH_START, (struct str){ (const char *)parts, sizeof parts });
}

uint64_t
result_check_scenario(struct str scenario, struct arena *a)
{
	return hash_add(HASH_START ^ (scenario.s == NULL), cut(scenario, a));
}

/* Returns the text; of another value the JSON; absent for null. */
static struct str
shown_value(const struct json *v, struct arena *a)
{
	return v == NULL || json_is(v, JSON_NULL) || json_is(v, JSON_STRING)
	    ? json_text(v, a)
	    : v->text;
}

#define EXPECTATION STR(" (source: expectation)")

struct str
result_check_bare_label(struct str label, bool expectation)
{
	return expectation && str_ends(label, EXPECTATION)
	    ? str_slice(label, 0, label.n - EXPECTATION.n)
	    : label;
}

/* Returns the label as reports show it; without a label, the type. The label of
 * a statement that its author wrote as an expectation says so, since an
 * assertion may have the same words. */
static struct str
label_of(const struct json *label, struct str type, bool expectation,
    struct arena *a)
{
	struct str text = shown_value(label, a);

	if (text.s == NULL)
		text = type.s != NULL ? type : STR("(no label)");
	return expectation ? str_cat(a, text, EXPECTATION) : text;
}

bool
result_check_read(struct result_check *c, const struct json *result,
    struct arena *a, struct str *why)
{
	const struct json *found[CHECK_MEMBERS];
	struct str type;
	bool expectation;

	json_pick(result, check_names, CHECK_MEMBERS, found);
	expectation = json_str_is(
	    json_get(found[CHECK_METADATA], "source"), "expectation");
	type = json_text(found[CHECK_TYPE], a);
	*c = (struct result_check){
		.type = type,
		.label = label_of(found[CHECK_LABEL], type, expectation, a),
		.dialect = json_text(found[CHECK_DIALECT], a),
		.at = json_text(found[CHECK_AT], a),
		.reason = shown_value(found[CHECK_REASON], a),
		.got = json_text(found[CHECK_GOT], a),
		.scenario = json_text(found[CHECK_SCENARIO], a),
		.applied = -1,
		.judge = found[CHECK_JUDGE],
		.metadata = found[CHECK_METADATA],
		.expectation = expectation,
		.by_author = json_is(found[CHECK_SKIPPED_BY], JSON_STRING),
		.permission = json_is(found[CHECK_METADATA], JSON_OBJECT) &&
		    (str_is(type, "permission") || str_is(type, "permissions")),
	};
	json_int(found[CHECK_APPLIED], &c->applied);
	return read_severity(found[CHECK_SEVERITY], &c->severity, a, why) &&
	    result_check_status(found[CHECK_STATUS], &c->status, a, why);
}
