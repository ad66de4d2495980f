#include "check/advice/runs.h"
#include "check/advice/permissions.h"

struct advice_runs {
	struct arena *arena;
	const struct spec *spec;
	struct advice_shown *shown; /* by the scenario's number */
	/* By the place of assertions, what the first scenario that has them
	 * shows. */
	struct hash_table first;
	/* By the scenario's number: the run that was added last. */
	size_t *last;
	/* By the scenario's number: for each of its checks, that a run was judged;
	 * NULL: there was no run. */
	bool **judged;
	size_t n;                /* runs so far */
	struct hash_table known; /* the tools that runs called */
	struct str *tools;
	size_t ntools;
	size_t failed; /* pairs of a run and a scenario that it fails */
	bool recorded; /* a run recorded its calls */
	struct permission_gains permissions;
	struct view view;
	struct arena moment;
};

struct advice_runs *
advice_runs_new(struct arena *a, const struct spec *spec)
{
	struct advice_runs *runs = arena_new(a, struct advice_runs);

	runs->arena = a;
	runs->spec = spec;
	runs->shown = arena_new_n(a, struct advice_shown, spec->nscenarios);
	runs->judged = arena_new_n(a, bool *, spec->nscenarios);
	runs->last = arena_new_n(a, size_t, spec->nscenarios);
	runs->first.arena = runs->known.arena = runs->permissions.arena = a;
	return runs;
}

static void
add_tool(struct advice_runs *runs, struct str name)
{
	void **slot = name.s == NULL ? NULL : hash_put_copy(&runs->known, name);

	if (slot == NULL || *slot != NULL)
		return;
	*slot = runs;
	*arena_push(runs->arena, runs->tools, runs->ntools) =
	    str_dup(runs->arena, name);
}

static void
add_tools(struct advice_runs *runs, const struct trace *t)
{
	struct trace_calls calls = trace_calls(t, &runs->moment);

	runs->recorded |= t->member[TRACE_TOOL_SEQUENCE] != NULL;
	for (size_t i = 0; i < calls.n; i++) {
		add_tool(runs, calls.list[i].tool);
		add_tool(runs, calls.list[i].name);
	}
}

/* Returns whether the run fails the scenario, and notes which checks judged anything. */
static bool
fails(struct advice_runs *runs, const struct scenario *s, struct view *v)
{
	bool **judged = &runs->judged[s->number], failed = false;

	if (*judged == NULL)
		*judged = arena_new_n(runs->arena, bool, s->n);
	for (size_t i = 0; i < s->n; i++) {
		const struct check *c = &s->checks[i];
		struct check_result r;

		if (failed && !c->kind->counts)
			continue;
		check_run_part(c, v, &r);
		(*judged)[i] |= !c->kind->counts || r.applied != 0 ||
		    (r.status == STATUS_SKIPPED && r.skipped_by == NULL);
		failed |= c->severity == NULL &&
		    (r.status == STATUS_FAILED || r.status == STATUS_ERROR);
	}
	return failed;
}

bool
advice_runs_idle(
    const struct advice_runs *runs, const struct scenario *s, size_t check)
{
	return runs->judged[s->number] != NULL &&
	    !runs->judged[s->number][check];
}

/* Returns what the scenario shows, for all scenarios whose assertions are in the
 * same place of a file: what is added there must hold for the runs of all. */
static struct advice_shown *
shown_of(struct advice_runs *runs, const struct scenario *s)
{
	const struct json *list = json_get(s->object, STR("assert"));
	struct advice_shown *own = &runs->shown[s->number];
	const char *at = NULL;
	void **slot;

	if (s->object != NULL)
		at = document_source(s->doc, list == NULL ? s->object : list).s;
	if (at == NULL)
		return own;
	slot = hash_put_copy(
	    &runs->first, (struct str){ (const char *)&at, sizeof at });
	if (*slot == NULL)
		*slot = own;
	return *slot;
}

static void
add_shown(
    struct advice_runs *runs, const struct scenario *s, const struct trace *t)
{
	struct advice_shown *shown = shown_of(runs, s);
	size_t *last = &runs->last[shown - runs->shown];

	if (*last != runs->n)
		advice_shown_add(shown, t, runs->arena);
	*last = runs->n;
}

/* Returns whether the scenario has lines of permissions, which the runs need not pass. */
static bool
is_of_permissions(const struct scenario *s)
{
	return s->n != 0 && str_starts(s->checks[0].type, "permission");
}

void
advice_runs_add(struct advice_runs *runs, const struct trace *t)
{
	struct spec_matches m;
	bool broken;

	arena_reset(&runs->moment);
	runs->n++;
	m = spec_match(runs->spec, t, &runs->moment);
	broken = trace_error(t, &runs->moment).s != NULL;
	add_tools(runs, t);
	view_run(&runs->view, t, &runs->moment);
	permission_gains_add(&runs->permissions, runs->spec, &runs->view);
	for (size_t i = 0; i < m.n; i++) {
		if (is_of_permissions(m.list[i]))
			continue;
		if (broken || fails(runs, m.list[i], &runs->view))
			runs->failed++;
		else
			add_shown(runs, m.list[i], t);
	}
}

void
advice_runs_end(struct advice_runs *runs)
{
	if (runs->failed != 0)
		diag_warn((struct place){ 0 },
		    "runs left out, since they fail the assertions of their "
		    "scenario: %zu",
		    runs->failed);
	view_free(&runs->view);
	arena_free(&runs->moment);
}

const struct advice_shown *
advice_shown_of(const struct advice_runs *runs, const struct scenario *s)
{
	if (runs == NULL || runs->shown[s->number].runs == 0)
		return NULL;
	return &runs->shown[s->number];
}

const struct permission_gains *
advice_runs_permissions(const struct advice_runs *runs)
{
	return runs == NULL ? NULL : &runs->permissions;
}

bool
advice_runs_call(const struct advice_runs *runs, const struct rule_call *call)
{
	if (!runs->recorded)
		return true;
	for (size_t i = 0; i < call->nglobs; i++) {
		struct str glob = call->globs[i];
		size_t colon = str_find_char(glob, ':');

		if (colon < glob.n) /* SERVER:TOOL */
			glob = str_from(glob, colon + 1);
		for (size_t k = 0; k < runs->ntools; k++)
			if (rule_glob_fits(call->globs[i], runs->tools[k]) ||
			    rule_glob_fits(glob, runs->tools[k]))
				return true;
	}
	return false;
}
