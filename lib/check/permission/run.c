/* Decides the calls of a run, once for all checks of a set. */
#include "check/permission/run.h"

#include "shell/shell.h"

enum { RAN_SHOWN = 3 }; /* unseen parts of a line */

/* ---- calls ---- */

/* Appends a word of a command as bash would read it. */
static void
put_word(struct out *o, struct str word)
{
	static const struct str signs = STR_CONST(
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "%+,-./:=@_");
	bool plain = word.n != 0;

	for (size_t i = 0; i < word.n; i++)
		plain &= str_find_char(signs, word.s[i]) < signs.n;
	if (o->comma)
		out_char(o, ' ');
	o->comma = true;
	if (plain) {
		out_str(o, word);
		return;
	}
	out_char(o, '\'');
	for (size_t i = 0; i < word.n; i++)
		if (word.s[i] == '\'')
			out_text(o, "'\\''");
		else
			out_char(o, word.s[i]);
	out_char(o, '\'');
}

/* Returns a list of words as bash would read them; of bash -c TEXT, the text. */
static struct str
command_of_words(const struct json *list, struct arena *a)
{
	struct str shell = shell_base_name(json_text(json_at(list, 0), a));
	struct str option = json_text(json_at(list, 1), a);
	struct out o;

	if (json_count(list) == 3 && str_is_one_of(shell, "bash sh zsh") &&
	    str_is_one_of(option, "-c -lc"))
		return json_text(json_at(list, 2), a);
	out_open_memory(&o);
	for (json_each(word, list))
		put_word(&o, json_text(word, a));
	return out_keep(&o, a);
}

/* A tool, as its name tells of it. */
struct tool {
	const struct rule_role *role;
	bool fixed; /* the role is that of all its calls */
};

struct pass {
	struct permission_run *run;
	struct view *view;
	struct arena *arena;
	struct hash_table tools;               /* by name */
	struct hash_table covers[PERMISSIONS]; /* of the rest, by line */
	struct str folder;
	const struct rule_role *shell;
	bool cut; /* the log may have cut arguments */
};

static const struct rule_role *
role_of(struct pass *p, const struct trace_call *call)
{
	struct rule_program *program = p->run->set->program;
	void **slot = hash_put(&p->tools, call->tool);
	struct tool *t = *slot;

	if (t == NULL)
		t = arena_new(p->arena, struct tool);
	else if (t->fixed)
		return t->role;
	t->role = rule_role_of_call(program, call, p->arena);
	t->fixed = *slot == NULL && rule_role_is_fixed(program, call);
	*slot = t;
	return t->role;
}

static struct permission_call
look_at(struct pass *p, const struct trace_call *call)
{
	struct permission_call c = {
		.call = call, .folder = p->folder, .role = role_of(p, call)
	};
	const struct json *command;

	if (c.role != p->shell || call->args == NULL)
		return c;
	command = rule_role_command(p->run->set->program, call);
	if (json_is(command, JSON_STRING))
		c.command = json_text(command, p->arena);
	else if (json_is(command, JSON_ARRAY))
		c.command = command_of_words(command, p->arena);
	return c;
}

/* ---- lines ---- */

static void
note_ran(struct permission_use *u, struct str part, struct arena *a)
{
	for (size_t i = 0; i < u->nran; i++)
		if (str_eq(u->ran[i], part))
			return;
	if (u->nran < RAN_SHOWN)
		*arena_push(a, u->ran, u->nran) = part;
}

/* Counts a hit of the call at this place. A call counts once for a line, in the way in
 * which the line applies most surely. */
static void
note_hit(struct pass *p, const struct permission_hit *hit,
    const struct permission_call *c, size_t at)
{
	struct permission_use *u = &p->run->uses[hit->line->number];
	enum permission_sight how = hit->maybe ? PERMISSION_MAYBE
	    : hit->unseen                      ? PERMISSION_UNSEEN
					       : PERMISSION_SEEN;
	struct permission_calls *calls = &u->by[how];

	if (hit->unseen && hit->line->decision == PERMISSION_ALLOW)
		return;
	if (how == PERMISSION_UNSEEN)
		note_ran(u, hit->part, p->arena);
	if (how != PERMISSION_MAYBE)
		u->last = at;
	if (u->call == at + 1 && u->best >= how)
		return;
	if (u->call == at + 1)
		u->by[u->best].n--;
	u->call = at + 1;
	u->best = how;
	if (calls->n++ != 0)
		return;
	calls->first = at;
	calls->hit = hit;
	calls->command = c->command;
}

/* ---- calls that no line decides ---- */

static void
note_cover(struct pass *p, struct permission_rest *r,
    const struct permission_cover *cover, size_t at, bool spared)
{
	void **slot = hash_put(&p->covers[r - p->run->rest], cover->line);
	struct permission_covered *c = *slot;

	if (c == NULL) {
		*slot = c = arena_new(p->arena, struct permission_covered);
		c->cover = *cover;
		*arena_push(p->arena, r->covers, r->ncovers) = c;
	}
	c->n += c->last != at + 1;
	c->spared += spared && c->last != at + 1;
	c->various |= !str_eq(c->cover.exact, cover->exact);
	c->cover.irrevocable |= cover->irrevocable;
	c->last = at + 1;
}

static void
note_rest(struct pass *p, const struct permission_verdict *v, size_t at)
{
	struct permission_rest *r =
	    &p->run->rest[v->decision == PERMISSION_ASK ? PERMISSION_NONE
							: v->decision];
	bool spared = true;

	if (r->n++ == 0) {
		r->first = at;
		r->why = v->why;
	}
	r->last = at;
	for (size_t i = 0; i < v->ncovers; i++)
		spared &=
		    v->covers[i].line.s != NULL && !v->covers[i].irrevocable;
	for (size_t i = 0; i < v->ncovers; i++)
		note_cover(p, r, &v->covers[i], at, spared);
}

/* Returns whether a line says what was decided. */
static bool
is_by_line(const struct permission_verdict *v)
{
	for (size_t i = 0; i < v->nhits; i++)
		if (!v->hits[i].unseen && !v->hits[i].maybe &&
		    v->hits[i].line->decision == v->decision)
			return true;
	return false;
}

/* ---- runs ---- */

/* A line that fits a part of arguments which the log cut short may not fit the whole. */
static void
doubt(struct permission_verdict *v, struct arena *a)
{
	struct permission_hit *hits =
	    arena_new_n(a, struct permission_hit, v->nhits);

	v->unknown = true;
	v->why = STR("cut short in the log: the arguments of a call");
	for (size_t i = 0; i < v->nhits; i++) {
		hits[i] = v->hits[i];
		hits[i].maybe = true;
		hits[i].why = v->why;
	}
	v->hits = hits;
}

static void
decide(struct pass *p, const struct trace_call *call, size_t at)
{
	struct permission_run *run = p->run;
	struct permission_call c = look_at(p, call);
	struct permission_verdict v =
	    run->set->product->decide(run->set, &c, p->arena);

	if (p->cut && call->step != NULL &&
	    trace_step_cut(call->step, STR("args")))
		doubt(&v, p->arena);
	for (size_t i = 0; i < v.nhits; i++)
		note_hit(p, &v.hits[i], &c, at);
	run->open += v.open;
	if (v.unknown) {
		if (run->unknown++ == 0)
			run->why = v.why;
		return;
	}
	run->counts[v.decision]++;
	if (!is_by_line(&v))
		note_rest(p, &v, at);
}

/* Returns the folder that the run worked in; absent if it is not recorded. */
static struct str
folder_of(const struct view *v)
{
	const struct json *cwd =
	    json_get(v->trace->member[TRACE_META], STR("cwd"));

	return json_is(cwd, JSON_STRING) ? json_text(cwd, v->arena)
					 : (struct str){ 0 };
}

static struct permission_run *
make_run(const struct permission_set *set, struct view *v)
{
	struct permission_run *run = arena_new(v->arena, struct permission_run);
	struct trace_calls calls = view_calls(v);
	struct pass p = { .run = run,
		.view = v,
		.arena = v->arena,
		.tools.arena = v->arena,
		.folder = folder_of(v),
		.shell = rule_role_find(set->program, STR("shell")),
		.cut = v->trace->member[TRACE_CUT] != NULL };

	for (int i = 0; i < PERMISSIONS; i++)
		p.covers[i].arena = v->arena;
	run->set = set;
	run->uses = arena_new_n(v->arena, struct permission_use, set->n);
	run->ncalls = calls.n;
	for (size_t i = 0; i < calls.n; i++)
		if (v->guard == NULL || v->guard->call == i)
			decide(&p, &calls.list[i], i);
	permission_note_applied(run, v);
	return run;
}

const struct permission_run *
permission_run_of(const struct permission_set *set, struct view *v)
{
	struct permission_run *run = v->memo[VIEW_PERMISSIONS];

	while (run != NULL && run->set != set)
		run = run->next;
	if (run != NULL)
		return run;
	run = make_run(set, v);
	run->next = v->memo[VIEW_PERMISSIONS];
	v->memo[VIEW_PERMISSIONS] = run;
	return run;
}
