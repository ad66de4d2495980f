#include "check/dialect/spec.h"

#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ascii.h"
#include "check/dialect/rules.h"
#include "io/list_files.h"
#include "io/slurp.h"

/* Scenarios that have the same key. */
struct group {
	const struct scenario **list;
	size_t n;
	struct str key; /* a prompt without needless blanks, if it is one */
};

struct spec_file {
	const char *path; /* NULL: the short checks of the command line */
	const struct dialect *dialect;
	struct scenario *scenarios;
	size_t n;
	struct hash_table by_id, by_logged, by_prompt, by_key; /* to groups */
	struct group always;
	struct group recorded; /* those that name the file of their run */
	struct group globs;    /* those whose id is a glob */
	/* The prompts that may be a part of a run's prompt. */
	const struct group **prompts;
	size_t nprompts;
	bool wraps_prompts; /* of its dialect, as is: */
	struct str (*run_key)(const struct trace *, struct arena *);
	bool chosen; /* by spec_select_scenario: the group, or NULL */
	const struct group *selected;
};

/* ---- loading ---- */

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

/* Numbers the scenarios and indexes them by their keys. */
static void
index_scenarios(struct spec *spec, struct spec_file *f)
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

static void
share(struct regex *re, void *patterns)
{
	if (re != NULL)
		regex_share(re, patterns);
}

/* Lets equal patterns of many assertions be made ready to search only once.
 * This follows reading, since a dialect may drop a check again while it
 * reads. */
static void
share_patterns(struct spec *spec, const struct spec_file *f)
{
	spec->patterns.arena = spec->arena;
	for (size_t i = 0; i < f->n; i++) {
		const struct scenario *s = &f->scenarios[i];

		for (size_t j = 0; j < s->n; j++)
			check_patterns(&s->checks[j], share, &spec->patterns);
		for (size_t j = 0; j < s->ncaptures; j++)
			share(s->captures[j].regex, &spec->patterns);
	}
}

static bool
is_trace(const struct document *doc)
{
	return json_str_is(json_get(doc->roots[0], "type"), "trace");
}

/* Returns words for a file of an unknown kind: its outer value, and the keys of
 * its first object. */
static struct str
appearance(const struct document *doc, struct arena *a)
{
	enum { SHOWN = 6 };
	const struct json *root = doc->roots[0];
	bool list = json_is(root, JSON_ARRAY);
	const struct json *object = list ? json_first(root) : root;
	struct str keys[SHOWN + 1];
	size_t n = 0;

	for (json_members(key, object)) {
		keys[n] = n < SHOWN ? json_text(key, a) : STR("...");
		if (n++ == SHOWN)
			break;
	}
	if (n == 0)
		return str_printf(a, "%s%s",
		    list ? "a list that begins with " : "",
		    json_type_name(object));
	return str_printf(a, "%s with the keys %.*s",
	    list ? "a list of mappings" : "a mapping",
	    STR_FMT(str_join(a, keys, n, STR(", "))));
}

static const struct dialect *
choose(const struct document *doc, const struct dialect *named)
{
	const struct dialect *d = named != NULL ? named : dialect_of(doc);
	struct arena a = { 0 };

	if (doc->n == 0) {
		policy_report(doc->policy, MISTAKE_REFUSES,
		    (struct place){ .file = doc->file },
		    "no assertions in this file");
		return NULL;
	}
	if (named == NULL && is_trace(doc)) {
		policy_report(doc->policy, MISTAKE_REFUSES,
		    document_place(doc, doc->roots[0]),
		    "expected an assertion file, found a trace (a trace needs "
		    "no -s)");
		return NULL;
	}
	if (d == NULL)
		policy_report(doc->policy, MISTAKE_REFUSES,
		    document_place(doc, doc->roots[0]),
		    "not an assertion file of any dialect: it looks like "
		    "%.*s (-d DIALECT forces one; see --list-dialects)",
		    STR_FMT(appearance(doc, &a)));
	arena_free(&a);
	return d;
}

/* Refuses a file in which no check was understood, but unknown keys look like
 * checks: its author means something else than the dialect. */
static void
require_understood(const struct document *doc, size_t understood)
{
	const struct policy *p = doc->policy;
	struct arena a = { 0 };

	if (p != NULL && understood == 0 && p->nlost != 0)
		policy_report(doc->policy, MISTAKE_REFUSES,
		    (struct place){ .file = doc->file },
		    "no check was understood in this file (unknown keys that "
		    "look like checks: "
		    "%.*s)",
		    STR_FMT(str_join(&a, p->lost, p->nlost, STR(", "))));
	arena_free(&a);
}

static void
add_file(struct spec *spec, const struct scenarios *r, const struct dialect *d)
{
	struct spec_file *f = arena_push(spec->arena, spec->files, spec->n);

	f->path = r->doc->file;
	f->dialect = d;
	f->wraps_prompts = d->wraps_prompts;
	f->run_key = d->run_key;
	f->scenarios = r->scenarios;
	f->n = r->n;
	spec->understood += r->understood;
	index_scenarios(spec, f);
	share_patterns(spec, f);
}

void
spec_load_doc(
    struct spec *spec, struct document *doc, const struct dialect *named)
{
	const struct dialect *d = choose(doc, named);
	struct scenarios r = { .arena = spec->arena, .doc = doc };

	if (d == NULL)
		return;
	document_resolve(doc, d->schema);
	r.dialect = d->name;
	d->read(&r);
	require_understood(doc, r.understood);
	add_file(spec, &r, d);
}

/* Returns where the rules of all files are. */
static struct rule_program *
rules_of(struct spec *spec)
{
	spec->rules.arena = spec->rules.by_text.arena = spec->arena;
	return &spec->rules;
}

void
spec_load_text(struct spec *spec, const char *path, struct str text,
    const struct dialect *d)
{
	struct document *doc =
	    document_of_text(spec->arena, path, text, &spec->policy);
	struct scenarios r = { .arena = spec->arena,
		.doc = doc,
		.dialect = d->name,
		.rules = rules_of(spec) };

	d->read_text(&r, text);
	add_file(spec, &r, d);
}

/* Reads a file of a dialect that is not YAML. */
static void
load_text(struct spec *spec, const char *path, const struct dialect *d)
{
	bool standard = str_is(str_of(path), "-");
	const char *shown = standard ? "<stdin>" : path;
	struct str text;

	if (!(standard ? slurp(spec->arena, STDIN_FILENO, SIZE_MAX, &text)
		       : slurp_file(spec->arena, path, SIZE_MAX, &text))) {
		diag_error((struct place){ .file = shown }, "cannot read:");
		return;
	}
	spec_load_text(spec, shown, text, d);
}

/* Returns the dialect whose files have this suffix and are not YAML, or
 * NULL. */
static const struct dialect *
dialect_by_suffix(const char *path)
{
	for (const struct dialect *const *d = dialect_table; *d != NULL; d++)
		if ((*d)->suffix != NULL &&
		    str_ends(str_of(path), str_of((*d)->suffix)))
			return *d;
	return NULL;
}

/* Returns whether the file is a Python file of mcp-eval's, whose assertions are
 * calls of Expect; sets *line to that of the first one. */
static bool
is_python(const char *path, struct str text, size_t *line)
{
	size_t at = str_find(text, "Expect.");
	struct str start = str_trim(str_slice(text, 0, at));

	if (at == text.n ||
	    (!str_ends(str_of(path), ".py") && !str_starts(start, "import ") &&
		!str_starts(start, "from ") && !str_starts(start, "#!") &&
		!str_starts(start, "\"\"\"")))
		return false;
	*line = 1 + str_count_char(str_slice(text, 0, at), '\n');
	return true;
}

/* Reads a file of values. Returns NULL after a message. */
static struct document *
read_values(struct spec *spec, const char *path)
{
	bool standard = str_is(str_of(path), "-");
	struct str text;
	size_t line;

	if (standard || !slurp_file(spec->arena, path, SIZE_MAX, &text))
		return document_read(spec->arena, path, &spec->policy);
	if (!is_python(path, text, &line))
		return document_read_text(
		    spec->arena, path, text, &spec->policy);
	policy_report(&spec->policy, MISTAKE_REFUSES,
	    (struct place){ .file = path, .line = line },
	    "assertions of mcp-eval in Python, which are not read (its "
	    "scenarios, tests and datasets in JSON or YAML are)");
	return NULL;
}

static void
load_file(struct spec *spec, const char *path, const struct dialect *named)
{
	const struct dialect *d =
	    named != NULL ? named : dialect_by_suffix(path);
	struct document *doc;

	policy_begin_file(&spec->policy, spec->arena);
	if (d != NULL && d->read_text != NULL &&
	    (d->read == NULL || str_ends(str_of(path), str_of(d->suffix)))) {
		load_text(spec, path, d);
		return;
	}
	doc = read_values(spec, path);
	if (doc != NULL)
		spec_load_doc(spec, doc, named);
}

static void
load_folder(struct spec *spec, const char *path, const struct dialect *named)
{
	struct folder all = list_files(spec->arena, path);
	bool any = false;

	for (size_t i = 0; i < all.n; i++) {
		struct str name = str_of(all.paths[i]);

		const struct dialect *d = dialect_by_suffix(name.s);

		if (!str_ends(name, ".yaml") && !str_ends(name, ".yml") &&
		    (d == NULL || d->read != NULL))
			continue;
		load_file(spec, name.s, named);
		any = true;
	}
	if (!any)
		diag_error((struct place){ .file = path },
		    "no *.yaml, *.yml or *.rules in this folder");
}

void
spec_load(struct spec *spec, const char *path, const struct dialect *named)
{
	struct str shown = str_of(path);
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		load_file(spec, path, named);
		return;
	}
	while (shown.n > 1 && str_ends(shown, "/"))
		shown.n--;
	load_folder(spec, str_c(spec->arena, shown), named);
}

struct spec_scenarios
spec_scenarios_of(const struct spec *spec, size_t file)
{
	const struct spec_file *f = &spec->files[file];

	return (struct spec_scenarios){ f->dialect, f->scenarios, f->n };
}

void
spec_add(struct spec *spec, struct check c)
{
	struct spec_file *f = spec->n == 0 ? NULL : &spec->files[spec->n - 1];
	struct scenario *s;

	if (f == NULL || f->path != NULL) {
		f = arena_push(spec->arena, spec->files, spec->n);
		f->scenarios = arena_new(spec->arena, struct scenario);
		f->n = 1;
		index_scenarios(spec, f);
	}
	s = f->scenarios;
	spec->understood++;
	*arena_push(spec->arena, s->checks, s->n) = c;
}

void
spec_add_rule(struct spec *spec, const char *option, struct str argument)
{
	struct check c;

	if (spec->options == NULL)
		spec->options = rule_group_new(rules_of(spec));
	spec->patterns.arena = spec->arena;
	if (!rules_option(
		spec->options, option, argument, ++spec->noptions, &c))
		return;
	check_patterns(&c, share, &spec->patterns);
	spec_add(spec, c);
}

void
spec_warn_tools(const struct spec *spec, const struct rule_tools *tools)
{
	rule_report(&spec->rules, tools);
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

/* Adds the scenarios whose id is a glob that the run's fits. */
static void
add_globs(struct spec_matches *m, const struct spec_file *f, struct str id,
    struct arena *a)
{
	for (size_t i = 0; id.s != NULL && i < f->globs.n; i++)
		if (rule_glob_fits(f->globs.list[i]->id, id))
			*arena_push(a, m->list, m->n) = f->globs.list[i];
}

/* Returns what follows the last slash. */
static struct str
last_name(struct str path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.s[i - 1] == '/')
			return str_from(path, i);
	return path;
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

		if (fnmatch(str_c(a, last_name(s->recording)),
			str_c(a, last_name(file)), 0) == 0)
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

		add(&m, &f->always, a);
		add_globs(&m, f, run.id, a);
		if (g != NULL)
			add_variants(&m, f, g, &run);
		else if (spec->only.s == NULL)
			add_recorded(&m, f, t, a);
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

/* ---- showing ---- */

static void
show_capture(struct out *o, const struct scenario *s, const struct capture *c)
{
	out_begin(o, '{');
	if (s->id.s != NULL) {
		out_key(o, "scenario");
		out_json_str(o, s->id);
	}
	out_key(o, "at");
	out_json_str(o, c->at);
	out_key(o, "extract");
	out_json_str(o, c->name);
	out_key(o, "pattern");
	out_json_str(o, c->pattern);
	out_end(o, '}');
	out_line(o);
}

static void
show_scenario(struct out *o, const struct scenario *s)
{
	for (size_t i = 0; i < s->n; i++) {
		if (check_is_broken(&s->checks[i]))
			continue;
		check_show(o, &s->checks[i]);
		out_line(o);
	}
	for (size_t i = 0; i < s->ncaptures; i++)
		if (s->captures[i].regex != NULL)
			show_capture(o, s, &s->captures[i]);
}

void
spec_show(struct out *o, const struct spec *spec)
{
	for (size_t i = 0; i < spec->n; i++)
		for (size_t j = 0; j < spec->files[i].n; j++)
			show_scenario(o, &spec->files[i].scenarios[j]);
}

static void
close_scenario(const struct scenario *s)
{
	for (size_t i = 0; i < s->n; i++)
		check_close(&s->checks[i]);
	for (size_t i = 0; i < s->ncaptures; i++)
		regex_free(s->captures[i].regex);
}

void
spec_close(struct spec *spec)
{
	for (size_t i = 0; i < spec->n; i++)
		for (size_t j = 0; j < spec->files[i].n; j++)
			close_scenario(&spec->files[i].scenarios[j]);
}
