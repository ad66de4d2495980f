/* Assertions, and their verdicts on records. */
#include <stdlib.h>

#include "check/dialect/apply.h"
#include "check/dialect/guard_run.h"
#include "check/dialect/spec.h"
#include "face/face.h"

/* ---- what is to be checked ---- */

struct mcplt_spec {
	struct face face;
	struct arena arena;
	struct spec spec;
	bool refused; /* something was not added */
};

/* An addition to a spec. */
struct addition {
	struct spec *spec;
	const char *name, *dialect;
	struct str text;
};

mcplt_spec *
mcplt_spec_open(mcplt *m)
{
	struct mcplt_spec *s = m == NULL ? NULL : calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->face.of = m;
	s->spec.arena = &s->arena;
	return s;
}

void
mcplt_spec_close(mcplt_spec *s)
{
	if (s == NULL)
		return;
	spec_close(&s->spec);
	arena_free(&s->arena);
	free(s);
}

/* Returns false after a message if there is no such dialect. */
static bool
find_dialect(const char *name, const struct dialect **found)
{
	*found = name == NULL ? NULL : dialect_named(name);
	if (name != NULL && *found == NULL)
		diag_error((struct place){ 0 }, "dialect: unknown: '%s'", name);
	return name == NULL || *found != NULL;
}

static void
add_file(void *arg)
{
	struct addition *a = arg;
	const struct dialect *d;

	if (find_dialect(a->dialect, &d))
		spec_load(a->spec, str_c(a->spec->arena, str_of(a->name)), d);
}

static void
add_text(void *arg)
{
	struct addition *a = arg;
	const struct dialect *d;

	if (find_dialect(a->dialect, &d))
		spec_load_given(a->spec, str_c(a->spec->arena, str_of(a->name)),
		    str_dup(a->spec->arena, a->text), d);
}

static void
add_rule(void *arg)
{
	struct addition *a = arg;

	spec_add_rule(a->spec, "rule", str_dup(a->spec->arena, a->text));
}

static enum mcplt_code
add(mcplt_spec *s, void (*work)(void *), struct addition *a)
{
	enum mcplt_code code = MCPLT_MISUSE;

	if (s == NULL)
		return code;
	a->spec = &s->spec;
	if (work == add_rule || a->name != NULL)
		code = face_run(&s->face, work, a);
	s->refused |= code != MCPLT_OK;
	return code;
}

enum mcplt_code
mcplt_spec_file(mcplt_spec *s, const char *path, const char *dialect)
{
	return add(
	    s, add_file, &(struct addition){ NULL, path, dialect, { 0 } });
}

enum mcplt_code
mcplt_spec_text(mcplt_spec *s, const char *name, struct mcplt_text text,
    const char *dialect)
{
	return add(s, add_text,
	    &(struct addition){ NULL, name, dialect, face_str(text) });
}

enum mcplt_code
mcplt_spec_rule(mcplt_spec *s, struct mcplt_text rule)
{
	return add(s, add_rule,
	    &(struct addition){ NULL, NULL, NULL, face_str(rule) });
}

const char *
mcplt_dialect_name(size_t i)
{
	const char *what;

	return dialect_at(i, &what);
}

/* ---- verdicts ---- */

struct mcplt_check {
	struct face face;
	const struct mcplt_spec *spec;
	struct apply apply;
	struct view view; /* of a call */
	struct json_reader reader, again;
	struct out out;
	struct arena arena; /* of the record */
	/* The results of the last call; known: they are in `results`. */
	struct mcplt_result *results;
	size_t n;
	bool known;
};

/* A question about a record. */
struct question {
	struct mcplt_check *check;
	struct mcplt_text record, tool, args;
	enum mcplt_status status;
};

static void
open_check(void *arg)
{
	struct mcplt_check *c = arg;

	apply_open(&c->apply);
	out_open_memory(&c->out);
}

mcplt_check *
mcplt_check_open(const mcplt_spec *s, const struct mcplt_check_options *given)
{
	struct mcplt_check *c = s == NULL ? NULL : calloc(1, sizeof *c);
	struct mcplt_check_options o = { 0 };

	if (c == NULL)
		return NULL;
	c->face.of = s->face.of;
	c->spec = s;
	if (face_options(&o, given, sizeof o)) {
		c->apply.slim = o.slim != 0;
		c->apply.append = o.append != 0;
		if (face_run(&c->face, open_check, c) != MCPLT_SYSTEM)
			return c;
	}
	free(c);
	return NULL;
}

void
mcplt_check_close(mcplt_check *c)
{
	if (c == NULL)
		return;
	apply_close(&c->apply);
	view_free(&c->view);
	json_reader_free(&c->reader);
	json_reader_free(&c->again);
	(void)out_close(&c->out);
	arena_free(&c->arena);
	free(c);
}

/* Forgets the last call. Reads the record; returns false after a message. */
static bool
begin(struct mcplt_check *c, struct mcplt_text record, struct trace *t)
{
	const struct json *v;

	arena_reset(&c->arena);
	out_clear(&c->out);
	c->results = NULL;
	c->n = 0;
	if (c->spec->refused) {
		diag_error((struct place){ 0 },
		    "nothing is checked: the assertions have a mistake");
		return false;
	}
	v = face_record(&c->reader, record);
	if (v == NULL)
		return false;
	if (!trace_read(t, v)) {
		if (!trace_warn_version(v, (struct place){ 0 }))
			diag_error((struct place){ 0 },
			    "record: expected a trace, found another value");
		return false;
	}
	return true;
}

static void
check_record(void *arg)
{
	struct question *q = arg;
	struct mcplt_check *c = q->check;
	struct trace t;

	c->known = false;
	if (begin(c, q->record, &t))
		q->status = (enum mcplt_status)apply_write(
		    &c->apply, &c->spec->spec, &t, &c->out);
}

enum mcplt_code
mcplt_check_record(mcplt_check *c, struct mcplt_text record,
    enum mcplt_status *status, struct mcplt_text *checked)
{
	struct question q = {
		.check = c, .record = record, .status = MCPLT_STATUS_ERROR
	};
	enum mcplt_code code = face_run(FACE_OF(c), check_record, &q);
	const struct mcplt_text none = { NULL, 0 };

	if (status != NULL)
		*status = q.status;
	if (checked != NULL)
		*checked = c == NULL ? none : face_text(out_memory(&c->out));
	return code;
}

/* ---- a call that is not made yet ---- */

/* Writes the call as a step that waits. */
static struct str
step_of(struct question *q, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	out_member_str(&o, "tool", face_str(q->tool));
	out_key(&o, "args");
	out_json_raw(&o, face_str(q->args));
	out_member_bool(&o, "pending", true);
	out_end(&o, '}');
	return out_keep(&o, a);
}

/* Writes the list with one more value. */
static void
put_longer(
    struct out *o, const char *key, const struct json *list, struct str last)
{
	out_member_begin(o, key, '[');
	for (json_each(v, list))
		out_json_raw(o, v->text);
	out_json_raw(o, last);
	out_end(o, ']');
}

/* Writes the turns with the step at their end. */
static void
put_turns(struct out *o, const struct json *turns, struct str step)
{
	static const char *const steps[] = { "steps", NULL };
	size_t left = json_count(turns);
	struct out of_turn;

	out_open_memory(&of_turn);
	out_begin(&of_turn, '{');
	out_clear(&of_turn);
	out_member_begin(o, "turns", '[');
	for (json_each(turn, turns)) {
		if (--left != 0) {
			out_json_raw(o, turn->text);
			continue;
		}
		put_longer(&of_turn, "steps", json_get(turn, "steps"), step);
		out_json_raw(o, STR(""));
		trace_splice(o, turn, steps, out_memory(&of_turn));
	}
	if (json_count(turns) == 0) {
		out_begin(o, '{');
		put_longer(o, "steps", NULL, step);
		out_end(o, '}');
	}
	out_end(o, ']');
	(void)out_close(&of_turn);
}

/* Returns the record of a hook that asks about the call. */
static const struct json *
asking(struct question *q, const struct trace *t)
{
	static const char *const drop[] = { "turns", "tool_sequence", "meta",
		NULL };
	static const char *const hook[] = { "hook", NULL };
	struct mcplt_check *c = q->check;
	struct out members, record;
	struct str step = step_of(q, &c->arena);

	out_open_memory(&members);
	if (t->member[TRACE_TOOL_SEQUENCE] != NULL) /* else calls may be lost */
		put_longer(&members, "tool_sequence",
		    t->member[TRACE_TOOL_SEQUENCE],
		    out_quote(&c->arena, face_str(q->tool)));
	put_turns(&members, t->member[TRACE_TURNS], step);
	out_key(&members, "meta");
	out_json_raw(&members, STR(""));
	trace_splice(&members,
	    t->member[TRACE_META] != NULL
		? t->member[TRACE_META]
		: face_record(&c->again, (struct mcplt_text){ "{}", 2 }),
	    hook,
	    STR("\"hook\":{\"agent\":\"claude-code\",\"event\":"
		"\"PreToolUse\"}"));
	out_open_memory(&record);
	trace_splice(&record, t->record, drop, out_memory(&members));
	(void)out_close(&members);
	q->record = face_text(out_keep(&record, &c->arena));
	return face_record(&c->again, q->record);
}

static const enum mcplt_status status_of_found[] = {
	[GUARD_FINE] = MCPLT_PASSED,
	[GUARD_UNDECIDED] = MCPLT_SKIPPED,
	[GUARD_ASK] = MCPLT_PENDING,
	[GUARD_BROKEN] = MCPLT_FAILED,
};

/* Reads the arguments, so that nothing but an object becomes a part of the record.
 * Returns false after a message. */
static bool
read_args(struct question *q)
{
	const struct json *args;

	if (q->args.n == 0)
		q->args = (struct mcplt_text){ "{}", 2 };
	args = face_record(&q->check->again, q->args);
	if (args != NULL && args->type == JSON_OBJECT) {
		q->args = face_text(str_dup(&q->check->arena, args->text));
		return true;
	}
	if (args != NULL)
		diag_error((struct place){ 0 },
		    "args: expected an object, found another value");
	return false;
}

/* Returns false after a message if the record has the names of its calls alone. */
static bool
has_calls(const struct trace *t)
{
	if (t->member[TRACE_TURNS] != NULL ||
	    json_count(t->member[TRACE_TOOL_SEQUENCE]) == 0)
		return true;
	diag_error((struct place){ 0 },
	    "record: expected turns with the calls, found only their names (a "
	    "record that --slim made)");
	return false;
}

/* Sets the results to the reasons of the verdict. */
static void
keep_reasons(struct mcplt_check *c, const struct guard_verdict *v)
{
	c->results = arena_new_n(&c->arena, struct mcplt_result, v->n + 1);
	for (size_t i = 0; i < v->n; i++) {
		const struct guard_reason *r = &v->reasons[i];

		c->results[i] = (struct mcplt_result){
			.status = status_of_found[r->finding.found],
			.type = face_text(r->check->type),
			.label = face_text(r->check->label),
			.reason = face_text(str_dup(&c->arena, r->finding.why)),
			.at = face_text(r->check->at),
			.turn = -1,
		};
	}
	c->n = v->n;
}

static void
check_call(void *arg)
{
	struct question *q = arg;
	struct mcplt_check *c = q->check;
	struct guard_verdict v;
	const struct json *record;
	struct trace t;

	c->known = true;
	if (!begin(c, q->record, &t) || !has_calls(&t) || !read_args(q))
		return;
	guard_examine(&c->spec->spec);
	if (diag_errors() != 0)
		return;
	record = asking(q, &t);
	if (record == NULL || !trace_read(&t, record))
		return;
	v = guard_run(&c->spec->spec, &t, &c->view, &c->arena);
	keep_reasons(c, &v);
	q->status = status_of_found[v.found];
	if (v.found == GUARD_FINE && (v.judged == 0 || v.unable != 0))
		q->status = MCPLT_SKIPPED;
}

enum mcplt_code
mcplt_check_call(mcplt_check *c, struct mcplt_text record,
    struct mcplt_text tool, struct mcplt_text args, enum mcplt_status *status)
{
	struct question q = { .check = c,
		.record = record,
		.tool = tool,
		.args = args,
		.status = MCPLT_SKIPPED };
	enum mcplt_code code = face_run(FACE_OF(c), check_call, &q);

	if (status != NULL)
		*status = q.status;
	return code;
}

/* ---- results ---- */

static struct mcplt_text
member(const struct json *result, const char *key, struct arena *a)
{
	return face_text(json_text(json_get(result, str_of(key)), a));
}

/* Reads the results from the record that was written. */
static void
read_results(void *arg)
{
	struct mcplt_check *c = arg;
	struct arena *a = &c->arena;
	const struct json *list =
	    json_get(face_record(&c->again, face_text(out_memory(&c->out))),
		"check_results");

	c->results = arena_new_n(a, struct mcplt_result, json_count(list) + 1);
	for (json_each(v, list)) {
		const struct json *turn = json_get(v, "turn");
		enum status s = STATUS_ERROR;

		(void)status_of(json_text(json_get(v, "status"), a), &s);
		c->results[c->n++] = (struct mcplt_result){
			.status = (enum mcplt_status)s,
			.type = member(v, "type", a),
			.label = member(v, "label", a),
			.reason = member(v, "reason", a),
			.got = member(v, "got", a),
			.at = member(v, "at", a),
			.severity = member(v, "severity", a),
			.turn =
			    turn == NULL ? -1 : (ptrdiff_t)json_double(turn),
		};
	}
}

const struct mcplt_result *
mcplt_check_results(mcplt_check *c, size_t *n)
{
	*n = 0;
	if (c == NULL)
		return NULL;
	if (!c->known && out_memory(&c->out).n != 0)
		(void)face_run(&c->face, read_results, c);
	c->known = true;
	*n = c->face.dead ? 0 : c->n;
	return c->results;
}
