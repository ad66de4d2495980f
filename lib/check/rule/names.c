/* The names of tools, and the globs in rules that they fit. What is found of a
 * name is kept for all runs of a thread. */
#include "check/rule/run.h"

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
	struct rule_name **list;
	size_t n;
	bool many;     /* there are more names than are kept */
	bool *met;     /* by glob: a call fits */
	bool *applied; /* by positive claim: it applied to a call */
	bool *groups;  /* by group: a run whose calls are recorded */
	size_t runs;   /* whose calls are recorded */
	struct rule_name *kinds[RULE_IS_USER + 1]; /* of texts */
};

/* ---- globs ---- */

/* Not inlined: most names differ from a glob in the first character. */
static __attribute__((noinline)) bool
fits_to_end(struct str glob, struct str text)
{
	size_t g = 0, t = 0, star = SIZE_MAX, from = 0, length;

	while (t < text.n) {
		if (g < glob.n && glob.s[g] == '*') {
			star = g++;
			from = t;
			if (g == glob.n)
				return true;
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

bool
rule_glob_fits(struct str glob, struct str text)
{
	if (glob.n != 0 && text.n != 0 && glob.s[0] != text.s[0] &&
	    glob.s[0] != '*' && glob.s[0] != '?')
		return false;
	return fits_to_end(glob, text);
}

bool
rule_call_fits(const struct rule_call *call, struct str name)
{
	for (size_t i = 0; i < call->nglobs; i++)
		if (rule_glob_fits(call->globs[i], name))
			return true;
	return false;
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
	names->applied = arena_new_n(&v->lasting.arena, bool, p->npositive + 1);
	names->groups = arena_new_n(&v->lasting.arena, bool, p->ngroups);
	v->lasting.of_rules = names;
	return names;
}

void
rule_names_note_applied(const struct rule_run *run)
{
	const struct rule_group *g = run->group;
	bool *applied = names_of(g->program, run->view)->applied;

	for (size_t i = 0; i < g->npositive; i++)
		applied[g->positive[i]->positive] |=
		    run->states[g->positive[i]->machine].applied != 0;
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
	name->keys = rule_keys_of(p, fits, a);
	name->groups = arena_new_n(a, struct rule_concerned, p->ngroups);
	return name;
}

struct str
rule_kind_glob(enum rule_kind kind)
{
	return kind == RULE_IS_USER ? STR("\1user") : STR("\1said");
}

struct rule_name *
rule_name_of_kind(
    const struct rule_program *p, struct view *v, enum rule_kind kind)
{
	struct rule_names *names = names_of(p, v);
	struct arena *a = &v->lasting.arena;
	struct rule_name *name = names->kinds[kind];
	unsigned char *fits;

	if (name != NULL)
		return name;
	fits = arena_new_n(a, unsigned char, p->nglobs);
	names->kinds[kind] = name = arena_new(a, struct rule_name);
	for (size_t i = 0; i < p->nglobs; i++)
		if (str_eq(p->globs[i].text, rule_kind_glob(kind)))
			fits[i] = RULE_YES;
	name->arena = a;
	name->kind = kind;
	name->fits = fits;
	name->groups = arena_new_n(a, struct rule_concerned, p->ngroups);
	return name;
}

static __attribute__((noinline)) struct rule_name *
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
	if (names->n >= NAMES_MAX) {
		names->many = true;
		return new_name(p, names, call, v->arena);
	}
	name = new_name(p, names, call, a);
	name->key = str_dup(a, key);
	*hash_put(&names->by_name, name->key) = name;
	*arena_push(a, names->list, names->n) = name;
	return *recent = name;
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

void
rule_names_count_run(
    const struct rule_program *p, const struct rule_group *g, struct view *v)
{
	struct rule_names *names = names_of(p, v);

	names->runs++;
	if (g != NULL)
		names->groups[g->number] = true;
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
		rule_names_count_run(p, NULL, v);
	for (size_t i = 0; i < calls.n; i++)
		rule_name_of(p, v, &calls.list[i]);
}

/* ---- the names of all threads ---- */

static void
add_text(struct rule_tools *sum, struct str name, struct arena *a)
{
	void **slot;

	if (name.s == NULL)
		return;
	slot = hash_put_copy(&sum->by_name, name);
	if (*slot == NULL)
		*arena_push(a, sum->names, sum->nnames) = str_dup(a, name);
	*slot = sum;
}

static void
add_tool(const struct rule_program *p, struct rule_tools *sum,
    const struct rule_name *name, struct arena *a)
{
	void **slot = hash_put_copy(&sum->by_key, name->key);
	struct rule_tool *tool = *slot;

	add_text(sum, name->tool, a);
	add_text(sum, name->name, a);
	if (tool == NULL) {
		unsigned char *fits = arena_new_n(a, unsigned char, p->nglobs);

		for (size_t i = 0; i < p->nglobs; i++)
			fits[i] = name->fits[i];
		*slot = tool = arena_push(a, sum->tools, sum->n);
		tool->fits = fits;
		tool->keys = arena_new(a, struct rule_keys);
		tool->keys->known.arena = a;
	}
	rule_keys_add(tool->keys, name->keys);
}

static void
add_flags(bool *sum, const bool *flags, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sum[i] |= flags[i];
}

struct rule_tools *
rule_tools_add(const struct rule_program *p, struct rule_tools *sum,
    struct arena *a, const struct view *v)
{
	const struct rule_names *names = v->lasting.of_rules;

	if (sum == NULL) {
		sum = arena_new(a, struct rule_tools);
		sum->by_name.arena = sum->by_key.arena = a;
		sum->met = arena_new_n(a, bool, p->nglobs);
		sum->applied = arena_new_n(a, bool, p->npositive + 1);
		sum->groups = arena_new_n(a, bool, p->ngroups);
	}
	if (names == NULL)
		return sum;
	sum->runs += names->runs;
	sum->many |= names->many;
	add_flags(sum->met, names->met, p->nglobs);
	add_flags(sum->applied, names->applied, p->npositive + 1);
	add_flags(sum->groups, names->groups, p->ngroups);
	for (size_t i = 0; i < names->n; i++)
		add_tool(p, sum, names->list[i], a);
	return sum;
}
