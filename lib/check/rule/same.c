/*
 * The same calls as in a good run. The good runs are those of a file of traces
 * that have the run's scenario, or its prompt, and whose status is passed or
 * absent. Two calls are equal if their tools are, without their servers, and
 * their arguments, as JSON, without those that the claim ignores. An argument is free,
 * and does not count either, if at least three good runs call the tool, no value of it
 * occurs in two of them, and none is a number.
 */
#include "check/rule/run.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check/got.h"
#include "io/in.h"
#include "json/stream.h"

/* A call of a good run. */
struct good_call {
	struct str tool, key;
	const struct json *args;
};

struct good_run {
	struct good_call *calls; /* in order */
	size_t n;
	struct str *sorted; /* their keys */
};

/* The arguments of a tool in the good runs of a scenario. */
struct good_tool {
	struct str tool;
	size_t runs, last; /* how many call it; 1 + the last of them */
	struct hash_table arguments; /* by name: struct good_argument */
	struct good_argument **list;
	size_t n;
};

struct good_argument {
	struct str name;
	struct hash_table values; /* to the first run that has it */
	bool shared;              /* two runs have the same value */
	bool counts;              /* some value is a number */
};

/* The good runs of a scenario, or of a prompt. */
struct good_group {
	struct str name;
	bool of_prompt;
	struct good_run *runs;
	size_t n;
	struct hash_table tools;
	struct good_tool **list;
	size_t ntools;
};

struct rule_good {
	struct arena *arena;
	struct hash_table scenarios, prompts; /* to struct good_group */
	struct good_group **groups;
	size_t n;
};

/* A file that was read. */
struct good_file {
	struct str *records;
	size_t n;
	const char *wrong; /* NULL: nothing */
};

/* ---- reading ---- */

/* Returns whether the run counts as good. */
static bool
is_good(const struct trace *t)
{
	const struct json *status = t->member[TRACE_STATUS];

	return t->member[TRACE_ERROR] == NULL &&
	    (status == NULL || json_str_is(status, "passed"));
}

static void
read_records(struct good_file *f, const char *path, struct arena *a)
{
	char *files[] = { str_c(a, str_of(path)), NULL };
	struct json_stream stream = { 0 };
	const struct json *record;
	struct trace t;
	struct in in;

	in_open(&in, files);
	json_stream_open(&stream, &in, false);
	f->wrong = "no traces";
	while ((record = json_stream_next(&stream)) != NULL) {
		if (!trace_read(&t, record))
			continue;
		f->wrong = NULL;
		if (is_good(&t))
			*arena_push(a, f->records, f->n) =
			    str_dup(a, record->text);
	}
	json_stream_close(&stream);
	in_close(&in);
}

static const struct good_file *
file_of(struct rule_program *p, const char *path)
{
	void **slot;
	struct good_file *f;
	struct stat st;

	p->good.arena = p->arena;
	slot = hash_put_copy(&p->good, str_of(path));
	if (*slot != NULL)
		return *slot;
	*slot = f = arena_new(p->arena, struct good_file);
	if (access(path, R_OK) != 0)
		f->wrong = strerror(errno);
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		f->wrong = "not a regular file";
	else
		read_records(f, path, p->arena);
	return f;
}

static struct str
tool_of(const struct trace_call *c)
{
	return c->name.s != NULL ? c->name : c->tool;
}

/* Copies the calls of the run that fit the description. Returns false if
 * evidence of them is lacking: then the run is no measure. */
static bool
copy_calls(struct rule_run *run, const struct rule_call *call,
    struct good_run *good, struct arena *a)
{
	const struct rule_program *p = run->group->program;
	bool whole = run->recorded && !run->cut;

	for (run->at = 0; run->at < run->calls.n && whole; run->at++) {
		const struct trace_call *c = &run->calls.list[run->at];
		struct rule_match m =
		    rule_match_call(run, rule_name_of(p, run->view, c), call);
		struct good_call *copy;

		if (m.fit == RULE_NO)
			continue;
		if (m.fit == RULE_MAYBE || c->args == NULL ||
		    (c->step != NULL && trace_step_cut(c->step, STR("args")))) {
			whole = false;
			continue;
		}
		copy = arena_push(a, good->calls, good->n);
		copy->tool = str_dup(a, tool_of(c));
		copy->args = json_parse(a, str_dup(a, c->args->text));
	}
	return whole;
}

static void
join_group(struct rule_good *g, struct hash_table *by, struct str name,
    const struct good_run *run)
{
	struct good_group *group;
	void **slot;

	if (name.s == NULL)
		return;
	by->arena = g->arena;
	slot = hash_put_copy(by, name);
	group = *slot;
	if (group == NULL) {
		*slot = group = arena_new(g->arena, struct good_group);
		group->name = str_dup(g->arena, name);
		group->of_prompt = by == &g->prompts;
		group->tools.arena = g->arena;
		*arena_push(g->arena, g->groups, g->n) = group;
	}
	*arena_push(g->arena, group->runs, group->n) = *run;
}

static struct str
prompt_of(const struct trace *t, struct arena *a)
{
	struct str prompt = json_text(t->member[TRACE_PROMPT], a);

	return prompt.s == NULL ? prompt : str_squeeze(a, prompt);
}

static void
read_run(struct rule_good *g, struct view *v, struct rule_program *p,
    struct str text, const struct rule_call *call)
{
	struct json_reader reader = { 0 };
	const struct rule_group group = { .program = p };
	struct rule_run run = { .group = &group, .view = v, .arena = v->arena };
	struct good_run good = { 0 };
	struct trace t;

	if (trace_read(&t, json_read(&reader, text, NULL, NULL))) {
		view_run(v, &t, v->arena);
		run.calls = view_calls(v);
		run.recorded = v->have & VIEW_CALLS;
		run.cut = v->cut & VIEW_CALLS;
		run.steps_cut = t.member[TRACE_CUT] != NULL;
		if (copy_calls(&run, call, &good, g->arena)) {
			join_group(g, &g->scenarios,
			    json_text(t.member[TRACE_SCENARIO_ID], v->arena),
			    &good);
			join_group(
			    g, &g->prompts, prompt_of(&t, v->arena), &good);
		}
	}
	json_reader_free(&reader);
}

/* ---- free arguments ---- */

static struct good_tool *
good_tool(struct good_group *g, struct str tool, struct arena *a)
{
	void **slot = hash_put(&g->tools, tool);
	struct good_tool *t = *slot;

	if (t != NULL)
		return t;
	*slot = t = arena_new(a, struct good_tool);
	t->tool = tool;
	t->arguments.arena = a;
	*arena_push(a, g->list, g->ntools) = t;
	return t;
}

static void
note_argument(struct good_tool *t, struct str name, const struct json *value,
    size_t run, struct arena *a)
{
	void **slot = hash_put(&t->arguments, name), **first;
	struct good_argument *arg = *slot;

	if (arg == NULL) {
		*slot = arg = arena_new(a, struct good_argument);
		arg->name = name;
		arg->values.arena = a;
		*arena_push(a, t->list, t->n) = arg;
	}
	first = hash_put(&arg->values, rule_key(value, a));
	if (*first == NULL) {
		*first = arena_new(a, size_t);
		*(size_t *)*first = run;
	}
	arg->shared |= *(size_t *)*first != run;
	arg->counts |= json_is(value, JSON_NUMBER);
}

static void
note_call(struct good_group *g, const struct good_call *c, size_t run,
    struct arena *a)
{
	struct good_tool *t = good_tool(g, c->tool, a);

	if (t->last != run + 1)
		t->runs++;
	t->last = run + 1;
	for (json_members(key, c->args))
		note_argument(t, json_text(key, a), json_value(key), run, a);
}

enum { RUNS_MIN = 3 };

static bool
is_free(const struct good_group *g, struct str tool, struct str name)
{
	const struct good_tool *t = hash_get(&g->tools, tool);
	const struct good_argument *arg = t == NULL || t->runs < RUNS_MIN
	    ? NULL
	    : hash_get(&t->arguments, name);

	return arg != NULL && !arg->shared && !arg->counts;
}

/* A tool, in the good runs of a scenario or prompt. */
struct tool_of_group {
	const struct good_group *group;
	struct str tool;
};

static bool
is_free_there(const void *arg, struct str name)
{
	const struct tool_of_group *t = arg;

	return is_free(t->group, t->tool, name);
}

/* Returns a text that is the same for equal calls. */
static struct str
key_of(const struct rule_claim *c, const struct good_group *g, struct str tool,
    const struct json *args, struct arena *a)
{
	const struct tool_of_group there = { g, tool };
	const struct rule_ignored ignored = { a, c->ignored, c->nignored,
		is_free_there, &there };

	if (json_is(args, JSON_OBJECT))
		args = rule_without_ignored(args, &ignored);
	return hash_key(a, (const struct str[]){ tool, rule_key(args, a) }, 2);
}

static void
finish_group(const struct rule_claim *c, struct good_group *g, struct arena *a)
{
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->runs[i].n; k++)
			note_call(g, &g->runs[i].calls[k], i, a);
	for (size_t i = 0; i < g->n; i++) {
		struct good_run *run = &g->runs[i];
		struct good_call *calls =
		    arena_new_n(a, struct good_call, run->n);

		run->sorted = arena_new_n(a, struct str, run->n);
		for (size_t k = 0; k < run->n; k++) {
			calls[k] = run->calls[k];
			calls[k].key =
			    key_of(c, g, calls[k].tool, calls[k].args, a);
			run->sorted[k] = calls[k].key;
		}
		run->calls = calls; /* another group may have the old ones */
		qsort(run->sorted, run->n, sizeof *run->sorted, str_compare);
	}
}

const struct rule_good *
rule_good_read(struct rule_program *p, const char *path,
    const struct rule_claim *c, struct str *why)
{
	const struct good_file *f = file_of(p, path);
	struct rule_good *g = arena_new(p->arena, struct rule_good);
	struct arena a = { 0 };
	struct view v = { .arena = &a };

	if (f->wrong != NULL) {
		*why = str_printf(p->arena,
		    "same: expected a file of traces, found '%s': %s%s", path,
		    f->wrong,
		    str_is(str_of(f->wrong), "no traces")
			? " (mcpl-extract makes these of logs)"
			: "");
		return NULL;
	}
	g->arena = p->arena;
	for (size_t i = 0; i < f->n; i++) {
		arena_reset(&a);
		read_run(g, &v, p, f->records[i], c->stages[0].list);
	}
	view_free(&v);
	arena_free(&a);
	for (size_t i = 0; i < g->n; i++)
		finish_group(c, g->groups[i], p->arena);
	return g;
}

/* ---- comparing ---- */

/* The difference of the run's calls from those of the nearest good run. */
struct rule_difference {
	const struct good_run *nearest;
	const size_t *missing, *extra; /* calls, by their places */
	size_t nmissing, nextra;
	bool equal, possible; /* possible: more calls could make it equal */
};

static const struct good_group *
group_of(const struct rule_good *g, const struct trace *t, struct arena *a)
{
	struct str id = json_text(t->member[TRACE_SCENARIO_ID], a);
	struct str prompt;
	const struct good_group *found = NULL;

	if (id.s != NULL && g->scenarios.n != 0)
		found = hash_get(&g->scenarios, id);
	if (found != NULL || g->prompts.n == 0)
		return found;
	prompt = prompt_of(t, a);
	return prompt.s == NULL ? NULL : hash_get(&g->prompts, prompt);
}

/* Pairs equal calls, of which each is used once, in their order or not. */
static struct rule_difference
differ(const struct good_run *good, const struct str *keys, size_t n,
    const struct rule_claim *c, const struct rule_run *run)
{
	struct arena *a = run->arena;
	struct rule_difference d = { .nearest = good };
	bool in_order = c->in_order;
	bool *used = arena_new_n(a, bool, good->n);
	size_t *missing = arena_new_n(a, size_t, good->n);
	size_t *extra = arena_new_n(a, size_t, n);
	size_t prefix = 0;

	while (prefix < n && prefix < good->n &&
	    str_eq(keys[prefix], good->calls[prefix].key))
		prefix++;
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;

		while (k < good->n &&
		    (used[k] || !str_eq(good->calls[k].key, keys[i])))
			k++;
		if (k < good->n)
			used[k] = true;
		else
			extra[d.nextra++] = i;
	}
	for (size_t k = 0; k < good->n; k++)
		if (!used[k])
			missing[d.nmissing++] = k;
	d.missing = missing;
	d.extra = extra;
	d.equal = d.nmissing + d.nextra == 0;
	d.possible = d.nextra == 0;
	if (in_order) {
		d.equal = prefix == n && n == good->n;
		d.possible = run->holes ? d.nextra == 0 : prefix == n;
	}
	return d;
}

/* Returns the difference to the nearest good run. */
static const struct rule_difference *
compare(struct rule_run *run, const struct rule_claim *c,
    const struct good_group *g, const struct rule_state *s)
{
	struct arena *a = run->arena;
	struct str *keys = arena_new_n(a, struct str, s->ncalls);
	struct rule_difference *best = arena_new(a, struct rule_difference);

	for (size_t i = 0; i < s->ncalls; i++) {
		const struct trace_call *call = &run->calls.list[s->calls[i]];

		keys[i] = key_of(c, g, tool_of(call), call->args, a);
	}
	for (size_t i = 0; i < g->n && !best->equal; i++) {
		struct rule_difference d;

		run->work += s->ncalls * g->runs[i].n;
		if (run->work > RULE_WORK_MAX)
			return NULL;
		d = differ(&g->runs[i], keys, s->ncalls, c, run);
		d.possible |= best->possible;
		if (best->nearest == NULL || d.equal ||
		    d.nmissing + d.nextra < best->nmissing + best->nextra)
			*best = d;
		best->possible |= d.possible;
	}
	return best;
}

struct rule_outcome
rule_decide_same(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_state *s = &run->states[c->machine];
	const struct good_group *g =
	    group_of(c->good, run->view->trace, run->arena);

	if (g == NULL)
		return rule_unknown("no good run of this scenario or prompt");
	if (s->maybe)
		return rule_unknown(s->lacking);
	if (s->difference == NULL)
		s->difference = compare(run, c, g, s);
	if (s->difference == NULL)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	if (rule_may_lack(run) && s->difference->possible)
		return rule_calls_lack(run);
	return (struct rule_outcome){
		.truth = s->difference->equal ? RULE_TRUE : RULE_FALSE
	};
}

/* ---- what was there ---- */

enum { SHOWN = 3 }; /* calls of each kind */

struct str
rule_got_same(struct rule_run *run, const struct rule_claim *c)
{
	const struct rule_state *s = &run->states[c->machine];
	const struct rule_difference *d = s->difference;
	struct arena *a = run->arena;
	struct str_list got = { 0 };

	for (size_t i = 0; i < d->nextra && i < SHOWN; i++)
		str_list_add(
		    a, &got, rule_got_call(run, s->calls[d->extra[i]]));
	if (d->nextra > SHOWN)
		str_list_add(
		    a, &got, str_printf(a, "%zu more", d->nextra - SHOWN));
	for (size_t i = 0; i < d->nmissing && i < SHOWN; i++) {
		const struct good_call *call =
		    &d->nearest->calls[d->missing[i]];

		str_list_add(a, &got,
		    str_cat(a, STR("no "),
			got_shown(run->view, call->tool, call->args)));
	}
	if (d->nmissing > SHOWN)
		str_list_add(a, &got,
		    str_printf(a, "%zu more missing", d->nmissing - SHOWN));
	if (got.n == 0)
		return STR("the calls of a good run in another order");
	return str_join(a, got.list, got.n, STR("; "));
}

/* ---- showing ---- */

static void
show_tool(const struct good_group *g, const struct good_tool *t, struct out *o)
{
	bool any = false;

	for (size_t i = 0; i < t->n; i++)
		any |= is_free(g, t->tool, t->list[i]->name);
	if (!any)
		return;
	out_begin(o, '{');
	out_member_str(o, g->of_prompt ? "prompt" : "scenario", g->name);
	out_member_str(o, "tool", t->tool);
	out_member_begin(o, "arguments", '[');
	for (size_t i = 0; i < t->n; i++)
		if (is_free(g, t->tool, t->list[i]->name))
			out_json_str(o, t->list[i]->name);
	out_end(o, ']');
	out_end(o, '}');
}

/* A prompt of runs whose scenario is known is not shown again. */
void
rule_good_show(const struct rule_claim *c, struct out *o)
{
	const struct rule_good *g = c->good;
	bool scenarios = g->scenarios.n != 0;

	out_member_bool(o, "in_order", c->in_order);
	if (c->nignored != 0)
		out_member_begin(o, "ignoring", '[');
	for (size_t i = 0; i < c->nignored; i++)
		out_json_str(o, c->ignored[i].written);
	if (c->nignored != 0)
		out_end(o, ']');
	out_member_begin(o, "good_runs", '{');
	for (size_t i = 0; i < g->n; i++)
		if (g->groups[i]->of_prompt != scenarios) {
			out_key_str(o, g->groups[i]->name);
			out_json_int(o, (int64_t)g->groups[i]->n);
		}
	out_end(o, '}');
	out_member_begin(o, "free", '[');
	for (size_t i = 0; i < g->n; i++)
		for (size_t k = 0; k < g->groups[i]->ntools; k++)
			if (g->groups[i]->of_prompt != scenarios)
				show_tool(
				    g->groups[i], g->groups[i]->list[k], o);
	out_end(o, ']');
}
