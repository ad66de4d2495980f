#include "check/dialect/apply.h"

#include "base/diag.h"
#include "base/hash.h"
#include "trace/verdict.h"

/* The results of one run. */
struct run_results {
	const struct trace *trace;
	struct spec_matches scenarios;
	struct check_result *results;
	size_t n;
	/* of the results that count for the run, also earlier ones */
	size_t counts[STATUS_COUNT];
	struct str error; /* why the run itself failed, or absent */
	bool append;      /* there are earlier results to keep */
	struct arena *arena;
};

/* ---- checking ---- */

static void
mark_met(bool *met, struct spec_matches m)
{
	for (size_t i = 0; met != NULL && i < m.n; i++)
		met[m.list[i]->number] = true;
}

static size_t
count_checks(struct spec_matches m)
{
	size_t n = 0;

	for (size_t i = 0; i < m.n; i++)
		n += m.list[i]->n;
	return n;
}

/* Decides the check of a run that itself failed. */
static void
run_after_error(const struct check *c, struct view *v, struct check_result *r)
{
	unsigned cut = v->cut;

	*r = check_skip(c, STR("the run failed"));
	if (c->after_error == AFTER_ERROR_DECIDED)
		check_run_part(c, v, r);
	if (c->after_error != AFTER_ERROR_MAY_FAIL)
		return;
	v->cut |= VIEW_TEXT | VIEW_CALLS;
	check_run_part(c, v, r);
	v->cut = cut;
	if (r->status != STATUS_FAILED)
		*r = check_skip(c, STR("the run failed"));
}

static void
run_checks(struct run_results *f, struct view *v)
{
	struct check_result *r = arena_room(
	    f->arena, count_checks(f->scenarios) * sizeof *f->results);
	void (*decide)(
	    const struct check *, struct view *, struct check_result *) =
	    f->error.s != NULL ? run_after_error : check_run_part;

	f->results = r;
	for (size_t i = 0; i < f->scenarios.n; i++) {
		const struct scenario *s = f->scenarios.list[i];

		for (size_t j = 0; j < s->n; j++) {
			decide(&s->checks[j], v, r);
			if (r->none)
				continue;
			if (check_severity(r) == NULL)
				f->counts[r->status]++;
			r++;
		}
	}
	f->n = (size_t)(r - f->results);
}

/* ---- writing ---- */

static const struct json *
earlier_results(const struct run_results *f)
{
	return f->append ? f->trace->member[TRACE_CHECK_RESULTS] : NULL;
}

/* Writes the failures of all results anew, since another program may have added
 * results without their failures. */
static void
put_failures(struct out *o, const struct run_results *f)
{
	bool may_fail = f->counts[STATUS_FAILED] + f->counts[STATUS_ERROR] != 0;

	out_member_begin(o, "failures", '[');
	if (f->error.s != NULL)
		out_json_str(
		    o, str_cat(f->arena, STR("Scenario error: "), f->error));
	for (json_each(r, earlier_results(f)))
		verdict_put_failure(o, r, verdict_status(json_get(r, "status")),
		    (struct str){ 0 }, f->arena);
	for (size_t i = 0; may_fail && i < f->n; i++) {
		const struct check_result *r = &f->results[i];

		if (check_severity(r) == NULL &&
		    (r->status == STATUS_FAILED || r->status == STATUS_ERROR))
			out_json_str(o,
			    r->reason.s != NULL ? r->reason : r->check->label);
	}
	out_end(o, ']');
}

static void
put_results(struct out *o, const struct run_results *f)
{
	out_member_begin(o, "check_results", '[');
	for (json_each(r, earlier_results(f)))
		out_json_raw(o, r->text);
	check_write(o, f->results, f->n);
	out_end(o, ']');
}

/* A captured value; of several values of one name the last counts. */
struct captured {
	struct str name, value;
};

struct captures {
	struct captured *list;
	size_t n;
	struct hash_table names; /* to the elements of list */
};

static size_t
count_captures(const struct run_results *f)
{
	size_t n =
	    f->append ? json_count(f->trace->member[TRACE_EXTRACTED]) : 0;

	for (size_t i = 0; i < f->scenarios.n; i++)
		n += f->scenarios.list[i]->ncaptures;
	return n;
}

static void
add_captured(struct captures *all, struct captured one)
{
	void **place = hash_put(&all->names, one.name);

	if (*place == NULL)
		*place = &all->list[all->n++];
	*(struct captured *)*place = one;
}

static void
add_earlier(struct captures *all, const struct run_results *f)
{
	for (json_members(key, f->trace->member[TRACE_EXTRACTED]))
		add_captured(all,
		    (struct captured){
			json_text(key, f->arena), json_value(key)->text });
}

static void
add_found(struct captures *all, const struct capture *c, struct view *v)
{
	struct captured one = { c->name, capture_value(c, v) };

	if (one.value.s != NULL)
		add_captured(all, one);
}

static struct captures
capture_all(const struct run_results *f, struct view *v)
{
	struct captures all = { .names.arena = f->arena };

	all.list = arena_new_n(f->arena, struct captured, count_captures(f));
	if (f->append)
		add_earlier(&all, f);
	for (size_t i = 0; f->error.s == NULL && i < f->scenarios.n; i++) {
		const struct scenario *s = f->scenarios.list[i];

		for (size_t j = 0; j < s->ncaptures; j++)
			add_found(&all, &s->captures[j], v);
	}
	return all;
}

static void
put_extracted(struct out *o, const struct run_results *f, struct view *v)
{
	struct captures all = capture_all(f, v);

	if (all.n == 0)
		return;
	out_member_begin(o, "extracted", '{');
	for (size_t i = 0; i < all.n; i++) {
		out_key_str(o, all.list[i].name);
		out_json_raw(o, all.list[i].value);
	}
	out_end(o, '}');
}

static struct str
put_members(struct out *o, const struct run_results *f, struct view *v,
    enum status status)
{
	out_clear(o);
	o->comma = false;
	trace_put_status(o, status);
	put_failures(o, f);
	put_results(o, f);
	put_extracted(o, f, v);
	return out_memory(o);
}

/* Returns whether one of the earlier results is not skipped, or notes why one is,
 * unless its author wanted it so. */
static bool
decided_earlier(struct apply *apply, const struct run_results *f)
{
	for (json_each(r, earlier_results(f))) {
		if (verdict_status(json_get(r, "status")) != STATUS_SKIPPED)
			return true;
		if (!json_has(r, "skipped_by"))
			apply->lacking =
			    json_text(json_get(r, "reason"), f->arena);
	}
	return false;
}

/* Finds out whether anything was decided about the run. */
static void
note_decided(
    struct apply *apply, const struct run_results *f, enum status status)
{
	apply->lacking = (struct str){ 0 };
	apply->decided =
	    (status != STATUS_SKIPPED && status != STATUS_UNCHECKED) ||
	    decided_earlier(apply, f);
	for (size_t i = 0; i < f->n && !apply->decided; i++) {
		const struct check_result *r = &f->results[i];

		apply->decided = r->status != STATUS_SKIPPED;
		if (apply->lacking.s == NULL && !apply->decided &&
		    r->skipped_by == NULL)
			apply->lacking = r->reason;
	}
}

struct program_settings
apply_programs(const struct view_options *o)
{
	return (struct program_settings){ .sandbox = o->sandbox,
		.environment = o->environment,
		.seconds = o->seconds };
}

void
apply_open(struct apply *apply)
{
	apply->view.options = apply->options;
	apply->programs = apply_programs(&apply->options);
	if (apply->options.commands)
		apply->view.options.programs = programs_open(&apply->programs);
	apply->view.quotes = apply->redact == NULL ? NULL : &apply->quotes;
	out_open_memory(&apply->members);
	out_open_memory(&apply->record);
}

/* Redacts a record before it is written. Checks look at the unredacted
 * record. */
static void
put_redacted(
    struct apply *apply, struct redaction r, struct str record, struct out *o)
{
	struct json_error error;
	const struct json *v = json_read(&apply->reader, record, NULL, &error);

	if (v != NULL)
		out_source(o, redact_record(&r, v));
	else /* the results made it deeper than json_read accepts */
		diag_system_error(
		    "--redact: a record is left out: %s", error.why);
}

void
apply_copy(struct apply *apply, const struct json *v, struct out *o)
{
	arena_reset(&apply->arena);
	if (apply->redact == NULL)
		out_source(o, v->text);
	else
		put_redacted(apply,
		    redaction_begin(apply->redact, &apply->arena), v->text, o);
}

enum status
apply_write(struct apply *apply, const struct spec *spec, const struct trace *t,
    struct out *o)
{
	static const char *const replaced[] = { "status", "pass", "failures",
		"check_results", "extracted", NULL };
	static const char *const and_turns[] = { "status", "pass", "failures",
		"check_results", "extracted", "turns", NULL };
	struct run_results f = { .trace = t, .arena = &apply->arena };
	struct view *v = &apply->view;
	struct out *to = apply->redact == NULL ? o : &apply->record;
	enum status status;
	bool slim;

	arena_reset(f.arena);
	f.error = trace_error(t, f.arena);
	f.append = apply->append && t->member[TRACE_CHECK_RESULTS] != NULL;
	f.scenarios = spec_match(spec, t, f.arena);
	mark_met(apply->met, f.scenarios);
	if (f.append)
		verdict_count(t, f.counts);
	apply->quotes = redact_quotes_of(apply->redact, f.arena, t->record);
	view_run(v, t, f.arena);
	run_checks(&f, v);
	rule_watch_run(&spec->rules, v);
	apply->checked = f.n != 0 || json_first(earlier_results(&f)) != NULL;
	status = trace_status(f.counts, f.error.s != NULL);
	note_decided(apply, &f, status);
	slim = apply->slim && f.counts[STATUS_PENDING] == 0;
	out_clear(&apply->record);
	trace_splice(to, t->record, slim ? and_turns : replaced,
	    put_members(&apply->members, &f, v, status));
	if (to != o)
		put_redacted(apply,
		    redact_after(&apply->quotes, out_memory(&apply->members)),
		    out_memory(to), o);
	return status;
}

void
apply_close(struct apply *apply)
{
	out_close(&apply->members);
	out_close(&apply->record);
	json_reader_free(&apply->reader);
	programs_close(apply->view.options.programs);
	view_free(&apply->view);
	arena_free(&apply->arena);
}
