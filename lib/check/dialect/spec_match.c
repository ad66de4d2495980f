#include "check/dialect/spec.h"

#include <fnmatch.h>

#include "base/ascii.h"
#include "check/dialect/dialect.h"
#include "check/dialect/spec_file.h"

/* ---- the index ---- */

static void
join(struct group *g, const struct scenario *s, struct arena *a)
{
	*arena_push(a, g->list, g->n) = s;
}

static struct group *
join_keyed(struct hash_table *t, struct str key, const struct scenario *s)
{
	void **slot = hash_put(t, key);

	if (*slot == NULL)
		*slot = arena_new(t->arena, struct group);
	join(*slot, s, t->arena);
	return *slot;
}

static void
join_prompt(struct spec_file *f, const struct scenario *s, struct str written,
    struct arena *a)
{
	struct str prompt = str_squeeze(a, written);
	struct group *g = join_keyed(&f->by_prompt, prompt, s);

	g->key = prompt;
	if (f->wraps_prompts && g->n == 1 && prompt.n != 0)
		*arena_push(a, f->prompts, f->nprompts) = g;
}

/* Returns whether the scenario is for runs with its id or prompt. */
static bool
is_keyed(const struct scenario *s)
{
	return s->id.s != NULL || s->prompt.s != NULL;
}

void
spec_index(struct spec *spec, struct spec_file *f)
{
	struct arena *a = spec->arena;

	f->by_id.arena = f->by_logged.arena = a;
	f->by_prompt.arena = f->by_key.arena = a;
	for (size_t i = 0; i < f->n; i++) {
		struct scenario *s = &f->scenarios[i];

		s->number = spec->nscenarios++;
		if (!is_keyed(s))
			join(&f->always, s, a);
		if (s->recording.s != NULL)
			join(&f->recorded, s, a);
		if (s->changed)
			join(&f->changed, s, a);
		if (s->glob)
			join(&f->globs, s, a);
		else if (s->id.s != NULL)
			(void)join_keyed(&f->by_id, s->id, s);
		if (s->logged.s != NULL)
			(void)join_keyed(&f->by_logged, s->logged, s);
		if (s->key.s != NULL)
			(void)join_keyed(&f->by_key, s->key, s);
		if (s->prompt.s != NULL)
			join_prompt(f, s, s->prompt, a);
		for (size_t j = 0; j < s->nprompts; j++)
			join_prompt(f, s, s->prompts[j], a);
	}
}

/* ---- matching ---- */

bool
spec_has_keyed_scenarios(const struct spec *spec)
{
	for (size_t i = 0; i < spec->n; i++)
		for (size_t j = 0; j < spec->files[i].n; j++) {
			const struct scenario *s = &spec->files[i].scenarios[j];

			if (is_keyed(s) && s->n != 0)
				return true;
		}
	return false;
}

bool
spec_select_scenario(struct spec *spec, struct str id, struct suggest *near)
{
	bool found = false;

	spec->only = id;
	for (size_t i = 0; i < spec->n; i++) {
		struct spec_file *f = &spec->files[i];
		const struct group *g = hash_get(&f->by_id, id);

		f->chosen = true;
		f->selected = g;
		found |= g != NULL;
		for (size_t j = 0; j < f->globs.n; j++)
			if (rule_glob_fits(f->globs.list[j]->id, id)) {
				join(&f->always, f->globs.list[j], spec->arena);
				found = true;
			}
		f->globs.n = 0;
		for (size_t j = 0; j < f->n; j++)
			if (f->scenarios[j].id.s != NULL)
				suggest_try(near, f->scenarios[j].id);
	}
	return found;
}

/* The keys of a run. Its prompt is decoded when a file first needs it. */
struct run_keys {
	struct str id, prompt;
	const struct json *written; /* the prompt */
	const struct trace *trace;
	struct arena *arena;
};

/* Returns whether letters or digits continue each other at an index. */
static bool
is_within_word(struct str text, size_t at)
{
	return at > 0 && at < text.n &&
	    ascii_is_alnum((unsigned char)text.s[at - 1]) &&
	    ascii_is_alnum((unsigned char)text.s[at]);
}

/* Returns whether the part, which is not empty, is in the text, and begins and
 * ends where no word is cut. */
static bool
contains_whole(struct str text, struct str part)
{
	for (size_t at = str_find(text, part); at < text.n;
	     at += 1 + str_find(str_from(text, at + 1), part))
		if (!is_within_word(text, at) &&
		    !is_within_word(text, at + part.n))
			return true;
	return false;
}

/* Returns the scenarios whose prompt is a part of the run's prompt, since a
 * harness wrote its own text around it. NULL: the prompts of none or of several
 * evals are. */
static const struct group *
group_wrapped(const struct spec_file *f, struct str prompt)
{
	const struct group *found = NULL;

	for (size_t i = 0; i < f->nprompts; i++) {
		if (!contains_whole(prompt, f->prompts[i]->key))
			continue;
		if (found != NULL || f->prompts[i]->n != 1)
			return NULL;
		found = f->prompts[i];
	}
	return found;
}

/* Returns the scenarios with the run's prompt, or NULL. */
static const struct group *
group_by_prompt(const struct spec_file *f, struct run_keys *run)
{
	if (run->written == NULL || f->by_prompt.n == 0)
		return NULL;
	if (run->prompt.s == NULL)
		run->prompt = str_squeeze(
		    run->arena, json_text(run->written, run->arena));
	return hash_get(&f->by_prompt, run->prompt);
}

/* Returns the scenarios with what else the run records of its scenario. */
static const struct group *
group_by_key(const struct spec_file *f, const struct run_keys *run)
{
	struct str key;

	if (f->run_key == NULL || f->by_key.n == 0)
		return NULL;
	key = f->run_key(run->trace, run->arena);
	return key.s == NULL ? NULL : hash_get(&f->by_key, key);
}

static const struct group *
group_of(const struct spec_file *f, struct run_keys *run)
{
	const struct group *g = NULL;

	if (f->chosen)
		return f->selected;
	if (run->id.s != NULL && f->by_id.n != 0)
		g = hash_get(&f->by_id, run->id);
	if (g == NULL && run->id.s != NULL && f->by_logged.n != 0)
		g = hash_get(&f->by_logged, run->id);
	if (g == NULL)
		g = group_by_key(f, run);
	if (g == NULL)
		g = group_by_prompt(f, run);
	return g != NULL || run->prompt.s == NULL
	    ? g
	    : group_wrapped(f, run->prompt);
}

static void
add(struct spec_matches *m, const struct group *g, struct arena *a)
{
	for (size_t i = 0; i < g->n; i++)
		*arena_push(a, m->list, m->n) = g->list[i];
}

/* Adds those of the group that are in the other group (NULL: none), too. Returns
 * whether there are any. */
static bool
add_both(struct spec_matches *m, const struct group *g,
    const struct group *other, struct arena *a)
{
	size_t before = m->n;

	if (g == other) {
		add(m, g, a);
		return true;
	}
	for (size_t i = 0; other != NULL && i < g->n; i++)
		for (size_t j = 0; j < other->n; j++)
			if (g->list[i] == other->list[j])
				*arena_push(a, m->list, m->n) = g->list[i];
	return m->n != before;
}

/* Adds the scenarios of the group. Of variants, one of which a run is of, only
 * those with the run's key or else with its prompt are added. */
static void
add_variants(struct spec_matches *m, const struct spec_file *f,
    const struct group *g, struct run_keys *run)
{
	if (f->run_key == NULL || g->n == 1) {
		add(m, g, run->arena);
		return;
	}
	if (add_both(m, g, group_by_key(f, run), run->arena) ||
	    add_both(m, g, group_by_prompt(f, run), run->arena))
		return;
	for (size_t i = 0; i < g->n; i++)
		if (!g->list[i]->variant)
			*arena_push(run->arena, m->list, m->n) = g->list[i];
}

/* Keeps of the scenarios that were added for the file, from `before` on, the one that
 * the run says it is of, if it says so. */
static void
keep_picked(struct spec_matches *m, size_t before, const struct spec_file *f,
    const struct run_keys *run)
{
	const struct scenario *one;

	if (f->dialect == NULL || f->dialect->pick == NULL || m->n - before < 2)
		return;
	for (size_t i = before; i < m->n; i++)
		if (m->list[i]->own == NULL)
			return;
	one = f->dialect->pick(
	    &m->list[before], m->n - before, false, run->trace, run->arena);
	if (one == NULL)
		return;
	m->list[before] = one;
	m->n = before + 1;
}

/* Adds the scenario that the run is of, though its vars or its prompt are others than
 * are written. */
static void
add_changed(struct spec_matches *m, const struct spec_file *f,
    const struct run_keys *run)
{
	const struct scenario *one;

	if (f->changed.n == 0 || f->dialect->pick == NULL)
		return;
	one = f->dialect->pick(
	    f->changed.list, f->changed.n, true, run->trace, run->arena);
	if (one != NULL)
		*arena_push(run->arena, m->list, m->n) = one;
}

/* Adds the scenarios whose id is a glob that the run's fits. */
static void
add_globs(struct spec_matches *m, const struct spec_file *f, struct str id,
    struct arena *a)
{
	for (size_t i = 0; id.s != NULL && i < f->globs.n; i++)
		if (rule_glob_fits(f->globs.list[i]->id, id))
			*arena_push(a, m->list, m->n) = f->globs.list[i];
}

/* Adds the scenarios that name the file that the run comes from. Folders do not
 * count, since paths begin elsewhere. */
static void
add_recorded(struct spec_matches *m, const struct spec_file *f,
    const struct trace *t, struct arena *a)
{
	struct str file =
	    json_text(json_get(t->member[TRACE_SOURCE], "file"), a);

	for (size_t i = 0; file.s != NULL && i < f->recorded.n; i++) {
		const struct scenario *s = f->recorded.list[i];

		if (fnmatch(str_c(a, str_file_name(s->recording)),
			str_c(a, str_file_name(file)), 0) == 0)
			*arena_push(a, m->list, m->n) = s;
	}
}

struct spec_matches
spec_match(const struct spec *spec, const struct trace *t, struct arena *a)
{
	struct run_keys run = {
		.id = json_text(t->member[TRACE_SCENARIO_ID], a),
		.written = t->member[TRACE_PROMPT],
		.trace = t,
		.arena = a,
	};
	struct spec_matches m = { 0 };

	for (size_t i = 0; i < spec->n; i++) {
		const struct spec_file *f = &spec->files[i];
		const struct group *g = group_of(f, &run);
		size_t before;

		add(&m, &f->always, a);
		add_globs(&m, f, run.id, a);
		before = m.n;
		if (g != NULL) {
			add_variants(&m, f, g, &run);
			keep_picked(&m, before, f, &run);
		} else if (spec->only.s == NULL) {
			add_changed(&m, f, &run);
			add_recorded(&m, f, t, a);
		}
	}
	return m;
}

/* Returns whether some run should meet the scenario. */
static bool
is_awaited(const struct spec *spec, const struct scenario *s)
{
	if (spec->only.s != NULL)
		return s->id.s != NULL &&
		    (s->glob ? rule_glob_fits(s->id, spec->only)
			     : str_eq(s->id, spec->only));
	return is_keyed(s);
}

void
spec_report_sections(const struct spec *spec, const bool *met)
{
	for (size_t i = 0; i < spec->n; i++)
		for (size_t j = 0; j < spec->files[i].n; j++) {
			const struct spec_file *f = &spec->files[i];
			const struct scenario *s = &f->scenarios[j];

			if (s->glob && s->n != 0 && !met[s->number])
				(spec->policy.strict ? diag_error : diag_warn)(
				    (struct place){ .file = f->path,
					.line = s->place.line,
					.column = 1 },
				    "no run has a scenario_id that '%.*s' fits",
				    STR_FMT(s->id));
		}
}

bool
spec_has_sections(const struct spec *spec)
{
	for (size_t i = 0; i < spec->n; i++)
		for (size_t j = 0; j < spec->files[i].n; j++)
			if (spec->files[i].scenarios[j].glob)
				return true;
	return false;
}

bool
spec_warn_unmet(const struct spec *spec, const bool *met)
{
	bool any = false;

	for (size_t i = 0; i < spec->n; i++)
		for (size_t j = 0; j < spec->files[i].n; j++) {
			const struct spec_file *f = &spec->files[i];
			const struct scenario *s = &f->scenarios[j];

			if (!is_awaited(spec, s) || met[s->number])
				continue;
			diag_warn((struct place){ .file = f->path },
			    "no run of the scenario '%.*s'",
			    STR_FMT(s->id.s != NULL ? s->id : s->prompt));
			any = true;
		}
	return any;
}
