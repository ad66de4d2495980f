#include "check/dialect/spec.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check/dialect/foreign.h"
#include "check/dialect/permissions.h"
#include "check/dialect/rules.h"
#include "check/dialect/spec_file.h"
#include "io/list_files.h"
#include "io/slurp.h"

/* ---- loading ---- */

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

/* Returns the type, kind or name of an assertion; NULL: it has none. */
static const struct json *
type_of(const struct json *v, bool named)
{
	const struct json *type = json_get(v, "type");

	if (type == NULL)
		type = json_get(v, "kind");
	if (type == NULL && named)
		type = json_first(v);
	return json_is(type, JSON_STRING) ? type : NULL;
}

/* Returns the first type in the file of an assertion, or of a list of them, that no
 * dialect has, and sets *near to the most similar one; NULL: there is none. */
static const struct json *
unknown_type(const struct json *root, struct suggest *near, struct arena *a)
{
	static const char *const lists[] = { "assertions", "assert",
		"evaluators" };
	const struct json *v = root, *item, *type;
	bool named = false;

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		if (json_is(json_get(root, lists[i]), JSON_ARRAY)) {
			v = json_get(root, lists[i]);
			named = i == 2;
		}
	item = json_is(v, JSON_ARRAY) ? json_first(v) : v;
	for (; item != NULL; item = item == v ? NULL : json_next(v, item)) {
		type = type_of(item, named);
		if (type == NULL)
			continue;
		*near = suggest_for(json_text(type, a));
		for (const struct dialect *const *d = dialect_table; *d != NULL;
		     d++)
			dialect_suggest(*d, near, a);
		if (!str_eq(near->best, near->word))
			return type;
	}
	return NULL;
}

/* Reports a file of no dialect, with the type that none of them has. */
static void
refuse_unknown(const struct document *doc)
{
	struct arena a = { 0 };
	struct suggest near;
	const struct json *type = unknown_type(doc->roots[0], &near, &a);
	struct str part = { 0 };

	if (type != NULL)
		part = str_printf(&a, ", and no dialect has the type '%.*s'%s",
		    STR_FMT(near.word), suggest_text(&near, &a));
	document_report(doc, MISTAKE_REFUSES,
	    type != NULL ? type : doc->roots[0],
	    "not an assertion file of any dialect: it looks like %.*s%.*s (-d "
	    "DIALECT forces one; see --list-dialects)",
	    STR_FMT(appearance(doc, &a)), STR_FMT(part));
	arena_free(&a);
}

static const struct dialect *
choose(const struct document *doc, const struct dialect *named)
{
	const struct dialect *d = named != NULL ? named : dialect_of(doc);
	const char *foreign;

	if (doc->n == 0) {
		document_report(
		    doc, MISTAKE_REFUSES, NULL, "no assertions in this file");
		return NULL;
	}
	if (named == NULL &&
	    json_str_is(json_get(doc->roots[0], "type"), "trace")) {
		document_report(doc, MISTAKE_REFUSES, doc->roots[0],
		    "expected an assertion file, found a trace (a trace needs "
		    "no -s)");
		return NULL;
	}
	foreign =
	    named == NULL ? foreign_value(doc->roots[0], d != NULL) : NULL;
	if (foreign != NULL) {
		document_report(doc, MISTAKE_REFUSES, doc->roots[0],
		    "this is %s, which mcpl-check does not read", foreign);
		return NULL;
	}
	if (d == NULL)
		refuse_unknown(doc);
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
		document_report(doc, MISTAKE_REFUSES, NULL,
		    "no check was understood in this file (unknown keys that "
		    "look like checks: %.*s)",
		    STR_FMT(str_join(&a, p->lost, p->nlost, STR(", "))));
	arena_free(&a);
}

/* Returns where the rules of all files are. */
static struct rule_program *
rules_of(struct spec *spec)
{
	spec->rules.arena = spec->rules.by_text.arena = spec->arena;
	return &spec->rules;
}

/* Watches for calls whose tools have nearly the names of those that the check passes
 * without. */
static void
watch(struct spec *spec, const struct check *c)
{
	struct str_list tools = check_forbids(c, spec->arena);
	struct place at = c->source.place;

	if (at.file == NULL)
		at.file = str_c(spec->arena, c->at);
	for (size_t i = 0; i < tools.n; i++)
		rule_watch(rules_of(spec), tools.list[i], at);
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
	spec_index(spec, f);
	share_patterns(spec, f);
	for (size_t i = 0; i < f->n; i++) {
		struct scenario *s = &f->scenarios[i];

		check_prepare_passes(s->checks, s->n, spec->arena);
		for (size_t k = 0; k < s->n; k++)
			watch(spec, &s->checks[k]);
	}
}

/* Returns the scenarios of a file, none of which was read yet. */
static struct scenarios
scenarios_of(
    struct spec *spec, const struct document *doc, const struct dialect *d)
{
	return (struct scenarios){ .arena = spec->arena,
		.doc = doc,
		.dialect = d->name,
		.rules = rules_of(spec),
		.permissions = &spec->permissions,
		.config = &spec->config,
		.programs = spec->programs };
}

void
spec_load_doc(
    struct spec *spec, struct document *doc, const struct dialect *named)
{
	const struct dialect *d = choose(doc, named);
	struct scenarios r;

	if (d == NULL)
		return;
	document_resolve(doc, d->schema);
	r = scenarios_of(spec, doc, d);
	spec->policy.levels = d->levels;
	if (d->read != NULL)
		d->read(&r);
	for (size_t i = 0; d->read_root != NULL && i < doc->n; i++)
		d->read_root(&r, doc->roots[i]);
	require_understood(doc, r.understood);
	add_file(spec, &r, d);
}

void
spec_load_text(struct spec *spec, const char *path, struct str text,
    const struct dialect *d)
{
	struct document *doc =
	    document_of_text(spec->arena, path, text, &spec->policy);
	struct scenarios r = scenarios_of(spec, doc, d);

	d->read_text(&r, text);
	add_file(spec, &r, d);
}

/* Returns the dialect whose files have this suffix: of several the first that owns the
 * text, or else the last. NULL: none has the suffix. */
static const struct dialect *
dialect_by_suffix(struct str path, struct str text)
{
	const struct dialect *last = NULL;

	for (const struct dialect *const *d = dialect_table; *d != NULL; d++) {
		if ((*d)->suffix == NULL || !str_ends(path, (*d)->suffix))
			continue;
		last = *d;
		if (last->owns_text != NULL && last->owns_text(text))
			break;
	}
	return last;
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

/* Returns the dialect whose files are not YAML and look like this text, or
 * NULL. */
static const struct dialect *
dialect_by_text(struct str text)
{
	for (const struct dialect *const *d = dialect_table; *d != NULL; d++)
		if ((*d)->owns_text != NULL && (*d)->owns_text(text))
			return *d;
	return NULL;
}

/* Reads a file of values. Returns NULL after a message. */
static struct document *
read_values(struct spec *spec, const char *path, struct str text)
{
	size_t line;
	const char *foreign;

	if (!is_python(path, text, &line)) {
		foreign = foreign_text(path, text, &line);
		if (foreign == NULL)
			return document_read_text(
			    spec->arena, path, text, &spec->policy);
		policy_report(&spec->policy, MISTAKE_REFUSES,
		    (struct place){ .file = path, .line = line },
		    "this is %s, which mcpl-check does not read", foreign);
		return NULL;
	}
	policy_report(&spec->policy, MISTAKE_REFUSES,
	    (struct place){ .file = path, .line = line },
	    "assertions of mcp-eval in Python, which are not read (its "
	    "scenarios, tests and datasets in JSON or YAML are)");
	return NULL;
}

void
spec_load_given(struct spec *spec, const char *name, struct str text,
    const struct dialect *named)
{
	const struct dialect *d =
	    named != NULL ? named : dialect_by_suffix(str_of(name), text);
	struct document *doc;

	policy_begin_file(&spec->policy, spec->arena);
	if (d == NULL)
		d = dialect_by_text(text);
	if (d != NULL && d->read_text != NULL &&
	    (!dialect_has_values(d) || named == NULL ||
		str_ends(str_of(name), d->suffix))) {
		spec_load_text(spec, name, text, d);
		return;
	}
	doc = read_values(spec, name, text);
	if (doc != NULL)
		spec_load_doc(spec, doc, named);
}

static void
load_file(struct spec *spec, const char *path, const struct dialect *named)
{
	const char *shown = str_is(str_of(path), "-") ? "<stdin>" : path;
	struct str text;
	const char *why = slurp_whole(
	    spec->arena, path, SLURP_NAMED, policy_most(&spec->policy), &text);

	if (why != NULL)
		diag_system_error("%s: cannot read: %s", shown, why);
	else
		spec_load_given(spec, shown, text, named);
}

static void
load_folder(struct spec *spec, const char *path, const struct dialect *named)
{
	struct folder all = list_files(spec->arena, path);
	bool any = false;

	for (size_t i = 0; i < all.n; i++) {
		struct str name = str_of(all.paths[i]);
		const struct dialect *d = dialect_by_suffix(name, STR(""));

		if (!str_ends_with_one_of(
			name, ".yaml .yml .test.json .evalset.json") &&
		    (d == NULL || dialect_has_values(d)))
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
		spec_index(spec, f);
	}
	s = f->scenarios;
	spec->understood++;
	*arena_push(spec->arena, s->checks, s->n) = c;
	check_prepare_passes(s->checks, s->n, spec->arena);
	watch(spec, &c);
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
	rule_report(&spec->rules, tools, spec->policy.strict);
}

void
spec_warn_lines(struct spec *spec)
{
	permissions_warn(&spec->permissions, &spec->policy);
}

/* ---- showing ---- */

static void
show_capture(struct out *o, const struct scenario *s, const struct capture *c)
{
	out_begin(o, '{');
	out_member_str(o, "scenario", s->id);
	out_member_text(o, "at", c->at);
	out_member_text(o, "extract", c->name);
	out_member_text(o, "pattern", c->pattern);
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
