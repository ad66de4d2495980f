/* The names of tools, and the globs in rules that they fit. What is found of a
 * name is kept for all runs of a thread. */
#include "check/rule/run.h"

#include "base/diag.h"
#include "base/suggest.h"
#include "text/unicode.h"

enum {
	NAMES_MAX = 1 << 14,
	RECENT = 1024,     /* a power of two */
	WATCHED_LEAST = 3, /* bytes; a shorter name is near any other */
};

/* Kept with the view of a thread. */
struct rule_names {
	struct hash_table by_name; /* to struct rule_name */
	struct rule_name *recent[RECENT];
	struct str *list; /* the names, also without servers */
	size_t n;
	bool *met; /* by glob: a call fits */
	struct rule_argument *arguments;
	size_t runs; /* whose calls are recorded */
};

struct rule_tools {
	struct hash_table by_name;
	struct str *list;
	size_t n;
	bool *met;
	struct rule_argument *arguments;
	size_t runs;
};

/* ---- globs ---- */

bool
rule_glob_fits(struct str glob, struct str text)
{
	size_t g = 0, t = 0, star = SIZE_MAX, from = 0, length;

	while (t < text.n) {
		if (g < glob.n && glob.s[g] == '*') {
			star = g++;
			from = t;
		} else if (g < glob.n && glob.s[g] == '?') {
			unicode_decode(str_from(text, t), &length);
			t += length;
			g++;
		} else if (g < glob.n && glob.s[g] == text.s[t]) {
			g++;
			t++;
		} else if (star != SIZE_MAX) {
			g = star + 1;
			t = ++from;
		} else {
			return false;
		}
	}
	while (g < glob.n && glob.s[g] == '*')
		g++;
	return g == glob.n;
}

size_t
rule_glob_number(struct rule_program *p, struct str glob)
{
	void **slot = hash_put(&p->by_text, glob);
	size_t *number = *slot;

	if (number == NULL) {
		*slot = number = arena_new(p->arena, size_t);
		*number = p->nglobs;
		*arena_push(p->arena, p->globs, p->nglobs) =
		    (struct rule_glob){ .text = glob };
	}
	return *number;
}

/* Returns whether the glob is SERVER:TOOL and the tool fits: the log may lack
 * the server. */
static bool
fits_but_for_server(struct str glob, struct str tool)
{
	size_t n = glob.n;

	while (n > 0 && glob.s[n - 1] != ':')
		n--;
	return n > 1 && rule_glob_fits(str_from(glob, n), tool);
}

/* The forms in which a glob may give the name of a call's tool. */
struct forms {
	struct str tool;
	struct str name, full, colon; /* absent: the server is not known */
};

static struct forms
forms_of(const struct trace_call *call, struct arena *a)
{
	struct forms f = { .tool = call->tool, .name = call->name };

	if (f.name.s == NULL)
		return f;
	f.full = str_printf(
	    a, "mcp__%.*s__%.*s", STR_FMT(call->server), STR_FMT(call->name));
	f.colon = str_printf(
	    a, "%.*s:%.*s", STR_FMT(call->server), STR_FMT(call->name));
	return f;
}

static enum rule_fit
fit_of(struct str glob, const struct forms *f)
{
	if (rule_glob_fits(glob, f->tool))
		return RULE_YES;
	if (f->name.s == NULL)
		return fits_but_for_server(glob, f->tool) ? RULE_MAYBE
							  : RULE_NO;
	return rule_glob_fits(glob, f->name) || rule_glob_fits(glob, f->full) ||
		rule_glob_fits(glob, f->colon)
	    ? RULE_YES
	    : RULE_NO;
}

/* ---- names ---- */

static struct rule_names *
names_of(const struct rule_program *p, struct view *v)
{
	struct rule_names *names = v->lasting.of_rules;

	if (names != NULL)
		return names;
	names = arena_new(&v->lasting.arena, struct rule_names);
	names->by_name.arena = &v->lasting.arena;
	names->met = arena_new_n(&v->lasting.arena, bool, p->nglobs);
	names->arguments =
	    arena_new_n(&v->lasting.arena, struct rule_argument, p->nasked);
	v->lasting.of_rules = names;
	return names;
}

struct rule_argument *
rule_arguments(const struct view *v)
{
	const struct rule_names *names = v->lasting.of_rules;

	return names->arguments;
}

static struct rule_name *
new_name(const struct rule_program *p, struct rule_names *names,
    const struct trace_call *call, struct arena *a)
{
	struct rule_name *name = arena_new(a, struct rule_name);
	unsigned char *fits = arena_new_n(a, unsigned char, p->nglobs);
	struct forms forms = forms_of(call, a);

	for (size_t i = 0; i < p->nglobs; i++) {
		fits[i] = (unsigned char)fit_of(p->globs[i].text, &forms);
		names->met[i] |= fits[i] != RULE_NO;
	}
	name->arena = a;
	name->tool = str_dup(a, call->tool);
	name->server = str_dup(a, call->server);
	name->name = call->name.s == NULL ? call->name : str_dup(a, call->name);
	name->fits = fits;
	name->asked = rule_arguments_of(p, fits, a, &name->nasked);
	name->groups = arena_new_n(a, struct rule_concerned, p->ngroups);
	return name;
}

static void
list_name(struct rule_names *names, struct str name, struct arena *a)
{
	if (name.s != NULL)
		*arena_push(a, names->list, names->n) = str_dup(a, name);
}

static struct rule_name *
find_name(const struct rule_program *p, struct rule_names *names,
    struct rule_name **recent, struct view *v, const struct trace_call *call)
{
	struct arena *a = &v->lasting.arena;
	struct str key = call->tool;
	struct rule_name *name;

	if (call->name.s != NULL)
		key = hash_key(v->arena,
		    (const struct str[]){
			call->tool, call->server, call->name },
		    3);
	name = hash_get(&names->by_name, key);
	if (name != NULL)
		return *recent = name;
	if (names->n >= NAMES_MAX)
		return new_name(p, names, call, v->arena);
	name = new_name(p, names, call, a);
	*hash_put_copy(&names->by_name, key) = name;
	*recent = name;
	list_name(names, call->tool, a);
	list_name(names, call->name, a);
	return name;
}

static bool
is_name_of(const struct rule_name *name, const struct trace_call *call)
{
	return str_eq(name->tool, call->tool) &&
	    str_eq(name->server, call->server) &&
	    str_eq(name->name, call->name) &&
	    (name->name.s == NULL) == (call->name.s == NULL);
}

/* Returns a quick hash of the tool and of the server, as far as servers differ in
 * length or in the first letter. */
static size_t
hash_of(const struct trace_call *call)
{
	struct str server = call->server;

	return (size_t)hash_quick(call->tool) + server.n * 64 +
	    (server.n == 0 ? 0 : (unsigned char)server.s[0]);
}

struct rule_name *
rule_name_of(
    const struct rule_program *p, struct view *v, const struct trace_call *call)
{
	struct rule_names *names = names_of(p, v);
	struct rule_name **recent = &names->recent[hash_of(call) % RECENT];

	if (*recent != NULL && is_name_of(*recent, call))
		return *recent;
	return find_name(p, names, recent, v, call);
}

enum rule_fit
rule_name_fits(const struct rule_name *name, const struct rule_call *call)
{
	enum rule_fit best = RULE_NO;

	for (size_t i = 0; i < call->nglobs && best != RULE_YES; i++)
		if (name->fits[call->numbers[i]] > best)
			best = (enum rule_fit)name->fits[call->numbers[i]];
	return best;
}

void
rule_names_count_run(const struct rule_program *p, struct view *v)
{
	names_of(p, v)->runs++;
}

void
rule_watch(struct rule_program *p, struct str tool, struct place at)
{
	struct rule_call *call = arena_new(p->arena, struct rule_call);
	struct str *glob = arena_new(p->arena, struct str);
	size_t *number = arena_new(p->arena, size_t);

	*glob = tool;
	*number = rule_glob_number(p, tool);
	if (tool.n < WATCHED_LEAST || p->globs[*number].watched)
		return;
	p->globs[*number].watched = p->watches = true;
	*call = (struct rule_call){
		.globs = glob, .numbers = number, .nglobs = 1, .names = tool
	};
	*arena_push(p->arena, p->mentions, p->nmentions) =
	    (struct rule_mention){ call, at.file, at.line, at.column, true };
}

void
rule_watch_run(const struct rule_program *p, struct view *v)
{
	struct trace_calls calls;

	if (!p->watches)
		return;
	calls = view_calls(v);
	if (v->have & VIEW_CALLS)
		rule_names_count_run(p, v);
	for (size_t i = 0; i < calls.n; i++)
		rule_name_of(p, v, &calls.list[i]);
}

/* ---- globs that fit no call ---- */

struct rule_tools *
rule_tools_add(const struct rule_program *p, struct rule_tools *sum,
    struct arena *a, const struct view *v)
{
	const struct rule_names *names = v->lasting.of_rules;

	if (sum == NULL) {
		sum = arena_new(a, struct rule_tools);
		sum->by_name.arena = a;
		sum->met = arena_new_n(a, bool, p->nglobs);
		sum->arguments =
		    arena_new_n(a, struct rule_argument, p->nasked);
	}
	if (names == NULL)
		return sum;
	sum->runs += names->runs;
	rule_arguments_add(sum->arguments, names->arguments, p->nasked, a);
	for (size_t i = 0; i < p->nglobs; i++)
		sum->met[i] |= names->met[i];
	for (size_t i = 0; i < names->n; i++) {
		void **slot = hash_put_copy(&sum->by_name, names->list[i]);

		if (*slot == NULL)
			*arena_push(a, sum->list, sum->n) =
			    str_dup(a, names->list[i]);
		*slot = sum;
	}
	return sum;
}

static struct place
place_of(const struct rule_mention *m)
{
	return (struct place){
		.file = m->file, .line = m->line, .column = m->column
	};
}

/* Returns whether one of the call's globs fits the name. */
static bool
is_fitting(const struct rule_call *call, struct str name)
{
	for (size_t i = 0; i < call->nglobs; i++)
		if (rule_glob_fits(call->globs[i], name))
			return true;
	return false;
}

/* Names of calls that no run has, for one warning. */
struct uncalled {
	struct arena *arena;
	struct place first;
	struct str names; /* in quotes, with commas */
	struct hash_table known;
};

static void
add_uncalled(struct uncalled *u, const struct rule_mention *m, struct str name)
{
	void **slot = hash_put(&u->known, name);

	if (*slot != NULL)
		return;
	*slot = u;
	if (u->names.n == 0)
		u->first = place_of(m);
	u->names = str_printf(u->arena, "%.*s%s'%.*s'", STR_FMT(u->names),
	    u->names.n == 0 ? "" : ", ", STR_FMT(name));
}

/* Warns of a glob that fits no call, and to whose name another is near. */
static void
warn_of(const struct rule_mention *m, struct str glob,
    const struct rule_tools *tools, struct uncalled *u, bool others)
{
	struct suggest near = suggest_for(glob);

	for (size_t i = 0; i < tools->n; i++)
		if (!is_fitting(m->call, tools->list[i]))
			suggest_try(&near, tools->list[i]);
	if (near.best.s != NULL)
		diag_warn(place_of(m), "no run calls '%.*s'%s", STR_FMT(glob),
		    suggest_text(&near, u->arena));
	else if (!others)
		add_uncalled(u, m, glob);
}

/* Reports the globs of a mentioned call that fit no call. Of a check that passes
 * without the call, only a name that is nearly that of a call is worth a warning. */
static void
report_globs(const struct rule_mention *m, const struct rule_tools *tools,
    struct uncalled *u)
{
	bool others = m->of_check;

	for (size_t k = 0; k < m->call->nglobs; k++)
		others |= tools->met[m->call->numbers[k]];
	if (!others && m->call->nglobs > 1) {
		add_uncalled(u, m, m->call->names);
		return;
	}
	for (size_t k = 0; k < m->call->nglobs; k++)
		if (!tools->met[m->call->numbers[k]])
			warn_of(m, m->call->globs[k], tools, u, others);
}

void
rule_report(const struct rule_program *p, const struct rule_tools *tools)
{
	struct arena a = { 0 };
	struct uncalled u = { .arena = &a, .known.arena = &a };

	if (tools == NULL || tools->runs == 0)
		return;
	for (size_t i = 0; i < p->nmentions; i++) {
		report_globs(&p->mentions[i], tools, &u);
		rule_arguments_report(p, i, tools->arguments, &a);
	}
	if (u.names.n != 0)
		diag_warn(u.first, "no run calls %.*s", STR_FMT(u.names));
	arena_free(&a);
}
