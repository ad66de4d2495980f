/* Views of a run's turns, and the assistant's messages in them. */
#include "check/view.h"

static bool
was_taken_back(const struct json *turn)
{
	return json_is(json_get(turn, "abandoned"), JSON_TRUE);
}

/* ---- messages ---- */

struct messages {
	struct arena *arena;
	bool unmarked; /* only its dots show that a text is cut short */
	struct str *list;
	bool *cut;
	size_t n, n_cut;
};

static void
add(struct messages *m, struct str text, bool cut, bool unmarked)
{
	if (cut || unmarked)
		cut |= view_uncut(&text);
	*arena_push(m->arena, m->list, m->n) = text;
	*arena_push(m->arena, m->cut, m->n_cut) = cut;
}

/* Adds the texts of the turn's steps, without those of sub-agents. */
static void
collect(struct messages *m, const struct json *turn)
{
	for (json_each(step, json_get(turn, "steps"))) {
		const struct json *text = json_get(step, "text");

		if (json_is(text, JSON_STRING))
			add(m, json_text(text, m->arena),
			    trace_step_cut(step, STR("text")), m->unmarked);
	}
}

bool
view_shows_turn(const struct view *v, const struct json *turn)
{
	return v->turn == NULL || turn == v->turn ||
	    (v->until && turn < v->turn);
}

struct view_messages
view_messages(struct view *v)
{
	struct messages m = { .arena = v->arena, .unmarked = v->unmarked };
	bool cut = v->cut & VIEW_TEXT;

	if (v->turn != NULL && !v->until)
		collect(&m, v->turn);
	else
		for (json_each(turn, v->trace->member[TRACE_TURNS]))
			if (view_shows_turn(v, turn) && !was_taken_back(turn))
				collect(&m, turn);
	if (m.n == 0 && v->have & VIEW_TEXT)
		add(&m, view_text(v, VIEW_AS_WRITTEN), cut, false);
	else if (m.n != 0 && cut) /* the last one is the answer */
		m.cut[m.n - 1] |= view_uncut(&m.list[m.n - 1]) || cut;
	return (struct view_messages){ m.list, m.cut, m.n };
}

/* ---- turns ---- */

/* Finds turns by place or by prompt, since a file may ask for each of very many
 * turns. */
struct view_index {
	const struct json **turns;
	struct str *prompts; /* squeezed */
	size_t opening;      /* the turn before any input; SIZE_MAX: none */
	size_t *kept;        /* the other turns that were not taken back */
	size_t n, n_kept;
	struct hash_table said; /* prompt to struct said */
};

/* Finds the calls of the turn by binary search: the run's calls are in the
 * order of their turns. */
static void
set_calls(struct view *v, struct view *run)
{
	struct trace_calls all = view_calls(run);
	size_t from = 0, to = all.n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (all.list[middle].turn < v->turn_index)
			from = middle + 1;
		else
			to = middle;
	}
	to = from;
	while (to < all.n && all.list[to].turn == v->turn_index)
		to++;
	if (v->until)
		from = 0;
	v->calls.list = all.n == 0 ? NULL : &all.list[from];
	v->calls.n = to - from;
	v->calls_known = true;
}

/* Sets the text to the assistant's last message; to empty text if the assistant
 * only called tools. */
static void
set_text(struct view *v, bool last)
{
	struct messages m = { .arena = v->arena, .unmarked = v->unmarked };

	collect(&m, v->turn);
	v->text = m.n == 0 ? STR("") : m.list[m.n - 1];
	if ((m.n != 0 && m.cut[m.n - 1]) ||
	    (last && trace_cut(v->trace, STR("final_text")) &&
		view_uncut(&v->text)))
		v->cut |= VIEW_TEXT;
}

/* Makes the view of a turn. A turn in which the assistant did nothing has
 * neither text nor calls. */
static void
look_at(struct view *v, struct view *run, const struct json *turn, bool last)
{
	v->trace = run->trace;
	v->arena = run->arena;
	v->unmarked = run->unmarked;
	v->options = run->options;
	v->quotes = run->quotes;
	v->workspace = run->workspace;
	v->turn = turn;
	if (json_count(json_get(turn, "steps")) != 0) {
		v->have = VIEW_TEXT | (run->have & VIEW_CALLS);
		v->holes = run->holes;
		set_text(v, last);
		set_calls(v, run);
	}
	v->have |= run->have & (VIEW_WORKSPACE | VIEW_WORKFLOW);
	if (json_is(json_get(turn, "state"), JSON_STRING))
		v->have |= VIEW_STATE;
	if (json_is(json_get(turn, "guardrails"), JSON_ARRAY))
		v->have |= VIEW_GUARDRAILS;
	if (last)
		v->cut |= run->cut & VIEW_CALLS;
}

/* The first and the last turn that has a prompt and was not taken back. */
struct said {
	size_t first, last;
};

static void
note_prompt(struct view_index *x, size_t index)
{
	void **slot = hash_put(&x->said, x->prompts[index]);
	struct said *said = *slot;

	if (said == NULL) {
		*slot = said = arena_new(x->said.arena, struct said);
		said->first = index;
	}
	said->last = index;
}

/* Sets `opening` if the first turn has no prompt, but a later turn and the
 * record have: then the agent spoke first. A log that has only what the user
 * said later yields a record without a prompt. */
static void
set_opening(struct view_index *x, const struct trace *t, bool prompted)
{
	x->opening = SIZE_MAX;
	if (!prompted || t->member[TRACE_PROMPT] == NULL ||
	    json_has(x->turns[x->kept[0]], "prompt"))
		return;
	x->opening = *x->kept++;
	x->n_kept--;
}

static struct view_index *
index_of(struct view *run)
{
	const struct json *turns = run->trace->member[TRACE_TURNS];
	struct view_index *x = run->index;
	struct arena *a = run->arena;
	bool prompted = false;
	size_t n;

	if (x != NULL)
		return x;
	n = json_count(turns);
	run->index = x = arena_new(a, struct view_index);
	x->said.arena = a;
	x->turns = arena_new_n(a, const struct json *, n);
	x->prompts = arena_new_n(a, struct str, n);
	x->kept = arena_new_n(a, size_t, n);
	for (json_each(turn, turns)) {
		x->turns[x->n] = turn;
		x->prompts[x->n] =
		    str_squeeze(a, json_text(json_get(turn, "prompt"), a));
		if (!was_taken_back(turn)) {
			x->kept[x->n_kept++] = x->n;
			note_prompt(x, x->n);
			prompted |= json_has(turn, "prompt");
		}
		x->n++;
	}
	set_opening(x, run->trace, prompted);
	return x;
}

static struct view *
turn_at(struct view *run, size_t index, bool until)
{
	const struct view_index *x = index_of(run);
	struct view **views = until ? &run->untils : &run->turns, *v;

	if (*views == NULL)
		*views = arena_new_n(run->arena, struct view, x->n);
	v = &(*views)[index];
	if (v->turn == NULL) {
		v->turn_index = index;
		v->until = until;
		look_at(v, run, x->turns[index], index + 1 == x->n);
	}
	return v;
}

struct view *
view_turn(struct view *run, size_t index)
{
	return turn_at(run, index, false);
}

/* Returns the index of the turn in the run; SIZE_MAX: there is none. If the
 * user said the prompt more than once, the turn at the scope's place has
 * precedence. */
static size_t
find(struct view *run, const struct scope *s)
{
	const struct view_index *x = index_of(run);
	const struct said *said =
	    s->prompt.s == NULL ? NULL : hash_get(&x->said, s->prompt);
	size_t found = SIZE_MAX;

	if (s->part == SCOPE_OPENING)
		return x->opening;
	if (s->part == SCOPE_LAST)
		found = x->n_kept == 0 ? SIZE_MAX : x->kept[x->n_kept - 1];
	else if (s->turn < x->n_kept)
		found = x->kept[s->turn];
	if (said == NULL)
		return found != SIZE_MAX && s->listed != NULL &&
			hash_get(s->listed, x->prompts[found]) != NULL
		    ? SIZE_MAX
		    : found;
	if (s->part == SCOPE_LAST)
		return said->last;
	return found != SIZE_MAX && str_eq(x->prompts[found], s->prompt)
	    ? found
	    : said->first;
}

struct view *
view_part(struct view *run, const struct scope *s)
{
	size_t index;

	if (s->part == SCOPE_RUN ||
	    (s->part == SCOPE_LAST &&
		json_first(run->trace->member[TRACE_TURNS]) == NULL))
		return run;
	index = find(run, s);
	return index == SIZE_MAX ? NULL : turn_at(run, index, s->until);
}
