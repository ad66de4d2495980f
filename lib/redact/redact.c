#include "redact/redact.h"

#include "io/out.h"

enum { WITHIN_MAX = 8 }; /* levels of JSON in strings */

/* The parts of a record, by the way in which their members are treated. */
enum part {
	PART_DATA,   /* any data, whose keys are data, too */
	PART_KEPT,   /* not changed */
	PART_VALUES, /* an object whose keys stay, at every level */
	PART_PARTIAL,
	PART_RECORD,
	PART_TURN,
	PART_STEP,
	PART_RESULT,
	PART_JUDGE,
	PART_EVIDENCE,
	PART_STEPS,
};

struct walk {
	struct redaction *redaction;
	struct out out;
	const char *written; /* the source up to there is in `out` */
	unsigned within;     /* number of strings around the value */
};

static struct str walk_all(
    struct redaction *, const struct json *, enum part, unsigned within);

/* ---- one value ---- */

/* Writes the text, as a string, in place of the value. */
static void
replace(struct walk *w, const struct json *v, struct str text)
{
	out_str(&w->out,
	    (struct str){ w->written, (size_t)(v->text.s - w->written) });
	out_quoted(&w->out, text);
	w->written = v->text.s + v->text.n;
}

/* Returns the redacted text if the text is itself a JSON object, list or string;
 * else absent. */
static struct str
as_json(struct redaction *r, struct str text, unsigned within)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v = NULL;
	struct str trimmed = str_trim(text), got = { 0 };

	if (within < WITHIN_MAX && trimmed.n != 0 &&
	    str_find_char(STR("{[\""), *trimmed.s) < 3)
		v = json_read(&reader, text, NULL, &error);
	if (v != NULL)
		got = walk_all(r, v, PART_DATA, within + 1);
	if (v != NULL && got.s == v->text.s)
		got = text;
	json_reader_free(&reader);
	return got;
}

/* Redacts a scalar; `class` is the class of all values of its member, or
 * NULL. */
static void
walk_scalar(struct walk *w, const struct json *v, struct redact_class *class)
{
	struct redaction *r = w->redaction;
	struct str text = v->type == JSON_STRING ? json_text(v, r->arena)
						 : v->text,
		   got = { 0 };

	if (class != NULL)
		got = redact_whole(r, text, class);
	else if (v->type == JSON_STRING)
		got = as_json(r, text, w->within);
	if (got.s == NULL)
		got = redact_text(r, text);
	if (got.s != text.s)
		replace(w, v, got);
}

static struct redact_class *
class_of(const struct walk *w, const struct json *key)
{
	struct arena *a = w->redaction->arena;

	return redact_member(w->redaction->rules, a, json_text(key, a));
}

static void
walk_data(struct walk *w, const struct json *v, struct redact_class *class)
{
	if (v->type == JSON_STRING || v->type == JSON_NUMBER)
		walk_scalar(w, v, class);
	for (json_each(element, v))
		walk_data(w, element, class);
	for (json_members(key, v)) {
		walk_scalar(w, key, NULL);
		walk_data(w, json_value(key), class_of(w, key));
	}
}

/* ---- a record ---- */

static const struct {
	const char *name;
	enum part in, is;
} members[] = {
	{ "type", PART_PARTIAL, PART_KEPT },
	{ "v", PART_PARTIAL, PART_KEPT },
	{ "type", PART_RECORD, PART_KEPT },
	{ "v", PART_RECORD, PART_KEPT },
	{ "id", PART_RECORD, PART_KEPT },
	{ "ts_start", PART_RECORD, PART_KEPT },
	{ "ts_end", PART_RECORD, PART_KEPT },
	{ "duration_ms", PART_RECORD, PART_KEPT },
	{ "run_index", PART_RECORD, PART_KEPT },
	{ "usage", PART_RECORD, PART_KEPT },
	{ "cut", PART_RECORD, PART_KEPT },
	{ "workspace", PART_RECORD, PART_KEPT },
	{ "status", PART_RECORD, PART_KEPT },
	{ "turns", PART_RECORD, PART_TURN },
	{ "check_results", PART_RECORD, PART_RESULT },
	{ "ts", PART_TURN, PART_KEPT },
	{ "usage", PART_TURN, PART_KEPT },
	{ "duration_ms", PART_TURN, PART_KEPT },
	{ "steps", PART_TURN, PART_STEP },
	{ "id", PART_STEP, PART_KEPT },
	{ "ts", PART_STEP, PART_KEPT },
	{ "duration_ms", PART_STEP, PART_KEPT },
	{ "steps", PART_STEP, PART_STEP },
	{ "type", PART_RESULT, PART_KEPT },
	{ "status", PART_RESULT, PART_KEPT },
	{ "applied", PART_RESULT, PART_KEPT },
	{ "skipped_by", PART_RESULT, PART_KEPT },
	{ "severity", PART_RESULT, PART_KEPT },
	{ "dialect", PART_RESULT, PART_KEPT },
	{ "at", PART_RESULT, PART_KEPT },
	{ "turn", PART_RESULT, PART_KEPT },
	{ "judge", PART_RESULT, PART_JUDGE },
	{ "text", PART_JUDGE, PART_KEPT },
	{ "context", PART_JUDGE, PART_KEPT },
	{ "workspace", PART_JUDGE, PART_KEPT },
	{ "aggregate", PART_JUDGE, PART_KEPT },
	{ "min_score", PART_JUDGE, PART_KEPT },
	{ "criteria", PART_JUDGE, PART_VALUES },
	{ "verdict", PART_JUDGE, PART_KEPT },
	{ "score", PART_JUDGE, PART_KEPT },
	{ "scores", PART_JUDGE, PART_VALUES },
	{ "votes", PART_JUDGE, PART_KEPT },
	{ "provider", PART_JUDGE, PART_KEPT },
	{ "model", PART_JUDGE, PART_KEPT },
	{ "usage", PART_JUDGE, PART_KEPT },
	{ "shown", PART_JUDGE, PART_KEPT },
	{ "lacks", PART_JUDGE, PART_KEPT },
	{ "scale", PART_JUDGE, PART_KEPT },
	{ "quotes", PART_JUDGE, PART_VALUES },
	{ "results", PART_EVIDENCE, PART_STEPS },
	{ "tool_inputs", PART_EVIDENCE, PART_STEPS },
	{ "transcript", PART_EVIDENCE, PART_STEPS },
	{ "cut", PART_EVIDENCE, PART_KEPT },
	{ "steps", PART_STEPS, PART_STEPS },
};

static enum part
part_of(enum part in, const struct json *key)
{
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		if (members[i].in == in &&
		    json_str_is(key, str_of(members[i].name)))
			return members[i].is;
	return in == PART_VALUES || in == PART_PARTIAL ? PART_VALUES
						       : PART_DATA;
}

static void
walk_part(struct walk *w, const struct json *v, enum part part,
    struct redact_class *class)
{
	bool holds = v->type == JSON_ARRAY || v->type == JSON_OBJECT;

	if (part == PART_KEPT)
		return;
	if (part == PART_DATA || !holds) {
		walk_data(w, v, class);
		return;
	}
	for (json_each(element, v))
		walk_part(w, element, part, class);
	for (json_members(key, v))
		walk_part(
		    w, json_value(key), part_of(part, key), class_of(w, key));
}

/* ---- the whole ---- */

static struct str
walk_all(
    struct redaction *r, const struct json *v, enum part part, unsigned within)
{
	struct walk w = { r, .written = v->text.s, .within = within };
	const char *end = v->text.s + v->text.n;

	out_open_memory(&w.out);
	walk_part(&w, v, part, NULL);
	if (w.written == v->text.s) {
		out_close(&w.out);
		return v->text;
	}
	out_str(&w.out, (struct str){ w.written, (size_t)(end - w.written) });
	return out_keep(&w.out, r->arena);
}

struct str
redact_json(struct redaction *r, const struct json *v)
{
	return walk_all(r, v, PART_DATA, 0);
}

struct str
redact_context(struct redaction *r, const struct json *v)
{
	return walk_all(r, v, PART_EVIDENCE, 0);
}

struct str
redact_record(struct redaction *r, const struct json *v)
{
	bool trace = json_str_is(json_get(v, "type"), "trace");
	bool partial = json_str_is(json_get(v, "type"), "partial");

	return walk_all(r, v,
	    trace         ? PART_RECORD
		: partial ? PART_PARTIAL
			  : PART_DATA,
	    0);
}

struct redact_quotes
redact_quotes_of(
    struct redact *rules, struct arena *a, const struct json *record)
{
	struct redact_quotes q = { redaction_begin(rules, a), record, false };

	q.redaction.uncounted = true;
	return q;
}

struct redaction
redact_after(const struct redact_quotes *q, struct str written)
{
	struct redaction r = q->redaction;

	if (q->any)
		redact_count(r.rules, written);
	r.uncounted = false;
	return r;
}

static struct str
redact_string(struct redaction *r, struct str text)
{
	struct str got = as_json(r, text, 0);

	return got.s != NULL ? got : redact_text(r, text);
}

struct str
redact_quote(struct redact_quotes *q, struct str text)
{
	struct redaction trial =
	    redaction_begin(q->redaction.rules, q->redaction.arena);

	trial.uncounted = true;
	if (redact_string(&trial, text).s == text.s)
		return text;
	if (!q->any) /* the record's own marks have the first numbers */
		(void)redact_record(&q->redaction, q->record);
	q->any = true;
	return redact_string(&q->redaction, text);
}

/* Values are replaced by strings only, so the result is JSON again. */
const struct json *
redact_reread(struct redact *rules, struct arena *a, struct json_reader *reader,
    const struct json *v)
{
	struct redaction r = redaction_begin(rules, a);
	struct json_error error;

	return rules == NULL
	    ? v
	    : json_read(reader, redact_record(&r, v), NULL, &error);
}
