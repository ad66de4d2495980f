#include "check/advice/permissions.h"
#include "check/advice/runs.h"
#include "check/advice/set.h"

/* The sets of a file in which a judge decides every assertion. */
struct left_to_judges {
	size_t n;
	struct advice_set first;
};

static void
advise_scenario(struct advice_notes *notes, const struct scenario *s,
    const struct dialect *d, const struct advice_runs *runs,
    struct left_to_judges *judged)
{
	struct advice_set set = advice_set_of(notes->arena, s, d);

	set.notes = notes;
	set.shown = advice_shown_of(runs, s);
	if (advise_families(&set) && judged->n++ == 0)
		judged->first = set;
	advise_tools(&set);
	advise_strictness(&set);
	advise_texts(&set);
	advise_judges(&set);
	advise_limits(&set);
	advise_conflicts(&set);
	advise_repeats(&set);
}

/* Adds a note for each call of a rule that no run makes. */
static void
advise_globs(struct advice_notes *notes, const struct spec *spec,
    const struct advice_runs *runs)
{
	for (size_t i = 0; runs != NULL && i < spec->rules.nmentions; i++) {
		const struct rule_mention *m = &spec->rules.mentions[i];

		if (!m->of_check && !advice_runs_call(runs, m->call))
			advice_add(notes, UNUSED_GLOB,
			    (struct place){ m->file, m->line, m->column },
			    "'%.*s' fits no call", STR_FMT(m->call->names));
	}
}

/* Adds one note for all sets of a file. */
static void
advise_left(struct advice_notes *notes, const struct left_to_judges *judged,
    size_t sets)
{
	struct place at = judged->first.place;

	if (judged->n == 1)
		advice_add(notes, ONLY_JUDGE, at,
		    "a judge decides every assertion of %.*s",
		    STR_FMT(judged->first.name));
	else if (judged->n != 0)
		advice_add(notes, ONLY_JUDGE, at,
		    "a judge decides every assertion of %zu of %zu sets",
		    judged->n, sets);
}

static void
advise_file(struct advice_notes *notes, const struct spec_scenarios *file,
    const struct advice_runs *runs)
{
	const struct dialect *d = file->dialect;

	struct left_to_judges judged = { 0 };

	for (size_t i = 0; i < file->n; i++) {
		if (d != NULL && d->advised)
			advise_scenario(
			    notes, &file->list[i], d, runs, &judged);
		else if (d == &dialect_rules)
			advise_rules(notes, &file->list[i], runs);
	}
	advise_left(notes, &judged, file->n);
}

static void
put_note(struct out *o, const struct advice_note *note)
{
	const struct advice *row = &advice_table[note->id];
	struct place at = note->at;

	out_text(o, at.file);
	if (at.line != 0)
		out_printf(o, ":%zu", at.line);
	if (at.column != 0)
		out_printf(o, ":%zu", at.column);
	out_printf(o, ": advice[%s]: %s: ", row->id,
	    advice_priority_name(row->priority));
	out_str(o, note->what);
	out_printf(o, ": %s", row->why);
	out_line(o);
}

/* Writes the notes of a priority behind a line with their number. */
static void
put_priority(
    struct out *o, const struct advice_notes *notes, enum advice_priority p)
{
	size_t first = 0, end;

	while (first < notes->n &&
	    advice_table[notes->list[first].id].priority != p)
		first++;
	for (end = first;
	     end < notes->n && advice_table[notes->list[end].id].priority == p;
	     end++)
		;
	if (first == end)
		return;
	out_printf(o, "%s: %zu", advice_priority_name(p), end - first);
	out_line(o);
	for (size_t i = first; i < end; i++)
		put_note(o, &notes->list[i]);
}

void
advise(struct out *o, const struct spec *spec, const struct advice_runs *runs,
    unsigned priorities)
{
	struct arena a = { 0 };
	struct advice_notes notes = { .arena = &a };

	for (size_t i = 0; i < spec->n; i++) {
		struct spec_scenarios file = spec_scenarios_of(spec, i);

		advise_file(&notes, &file, runs);
		permissions_advise(
		    &notes, spec, i, advice_runs_permissions(runs));
	}
	advise_globs(&notes, spec, runs);
	advice_sort(&notes);
	for (int i = 0; i < ADVICE_PRIORITIES; i++)
		if (priorities >> i & 1)
			put_priority(o, &notes, i);
	arena_free(&a);
}
