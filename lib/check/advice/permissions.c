#include "check/advice/permissions.h"

#include <stdlib.h>
#include <string.h>

#include "check/permission/run.h"
#include "redact/text.h"
#include "text/caseless.h"
#include "text/humanize.h"

/* The number of questions that a line has to spare. */
enum { LEAST_CALLS = 2 };

/* ---- what runs show ---- */

static struct permission_gain *
gain_of(struct permission_gains *g, const struct permission_set *set,
    const struct permission_cover *cover)
{
	struct arena *a = g->arena;
	void **slot;

	g->known.arena = a;
	slot = hash_put(&g->known,
	    str_printf(a, "%p %.*s", (const void *)set, STR_FMT(cover->line)));
	if (*slot == NULL) {
		struct permission_gain *gain =
		    arena_new(a, struct permission_gain);

		gain->set = set;
		gain->cover.line = str_dup(a, cover->line);
		gain->cover.exact = cover->exact.s == NULL
		    ? cover->exact
		    : str_dup(a, cover->exact);
		*arena_push(a, g->list, g->n) = gain;
		*slot = gain;
	}
	return *slot;
}

void
permission_gains_add(
    struct permission_gains *g, const struct spec *spec, struct view *v)
{
	for (size_t i = 0; i < spec->permissions.n; i++) {
		const struct permission_set *set = spec->permissions.list[i];
		const struct permission_rest *rest =
		    &permission_run_of(set, v)->rest[PERMISSION_NONE];

		for (size_t k = 0; k < rest->ncovers; k++) {
			const struct permission_covered *c = rest->covers[k];
			struct permission_gain *gain;

			if (c->cover.line.s == NULL)
				continue;
			gain = gain_of(g, set, &c->cover);
			gain->cover.irrevocable |= c->cover.irrevocable;
			gain->various |= c->various ||
			    !str_eq(gain->cover.exact, c->cover.exact);
			gain->calls += c->spared;
			gain->runs += c->spared != 0;
		}
	}
}

/* Returns the line to propose, no wider than what runs show; absent: none. */
static struct str
line_of(const struct permission_gain *gain)
{
	if (gain->cover.irrevocable || gain->calls < LEAST_CALLS)
		return (struct str){ 0 };
	return gain->various || gain->cover.exact.s == NULL ? gain->cover.line
							    : gain->cover.exact;
}

/* Returns whether a word before '=' names a secret: AUTH_TOKEN=x, --password=x. */
static bool
assigns_secret(struct str line)
{
	static const char *const names[] = { "token", "secret", "password",
		"passwd", "credential", "apikey", "api_key", "api-key" };
	size_t at;

	for (; (at = str_find_char(line, '=')) < line.n;
	     line = str_from(line, at + 1)) {
		struct str name = str_slice(line, 0, at);

		while (str_find_char(name, ' ') < name.n)
			str_cut(&name, ' ');
		for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
			if (caseless_has(name, str_of(names[i])))
				return true;
	}
	return false;
}

/* Returns whether the line would put a secret into the file. */
static bool
holds_secret(struct redact *rules, struct str line, struct arena *a)
{
	struct redaction r = redaction_begin(rules, a);

	(void)redact_text(&r, line);
	return r.marks != 0 || assigns_secret(line);
}

static int
compare(const void *a, const void *b)
{
	const struct permission_gain *g = *(struct permission_gain *const *)a;
	const struct permission_gain *h = *(struct permission_gain *const *)b;

	if (g->calls != h->calls)
		return g->calls > h->calls ? -1 : 1;
	return str_cmp(g->cover.line, h->cover.line);
}

/* Returns the gains of a set that are proposed, those that spare the most first. */
static const struct permission_gain **
proposed(const struct permission_gains *g, const struct permission_set *set,
    struct arena *a, size_t *n)
{
	const struct permission_gain **list = NULL;
	struct redact *secrets = redact_new(a);

	*n = 0;
	redact_add_default(secrets);
	for (size_t i = 0; g != NULL && i < g->n; i++) {
		struct str line = line_of(g->list[i]);

		if (g->list[i]->set == set && line.s != NULL &&
		    !holds_secret(secrets, line, a))
			*arena_push(a, list, *n) = g->list[i];
	}
	redact_free(secrets);
	if (*n != 0)
		qsort(list, *n, sizeof list[0], compare);
	return list;
}

static struct str
reason_of(const struct permission_gain *gain, struct arena *a)
{
	return str_printf(a, "advice[%s]: would have spared %.*s in %.*s",
	    advice_table[ASKED_PERMISSION].id,
	    STR_FMT(humanize_of(a, gain->calls, "question")),
	    STR_FMT(humanize_of(a, gain->runs, "run")));
}

/* ---- files ---- */

const struct permission_set *
permissions_of(const struct spec *spec, const struct spec_scenarios *file)
{
	const char *name = file->dialect == NULL ? "" : file->dialect->name;

	for (size_t i = 0; i < spec->permissions.n; i++)
		if (strcmp(spec->permissions.list[i]->product->dialect, name) ==
		    0)
			return spec->permissions.list[i];
	return NULL;
}

/* Returns whether no later file has lines of the same dialect. */
static bool
is_last(const struct spec *spec, size_t file)
{
	const struct dialect *d = spec_scenarios_of(spec, file).dialect;

	while (++file < spec->n)
		if (spec_scenarios_of(spec, file).dialect == d)
			return false;
	return true;
}

void
permissions_advise(struct advice_notes *notes, const struct spec *spec,
    size_t file, const struct permission_gains *gains)
{
	struct spec_scenarios of = spec_scenarios_of(spec, file);
	const struct permission_set *set = permissions_of(spec, &of);
	const struct permission_gain **list;
	size_t n;

	if (set == NULL || of.n == 0 || !is_last(spec, file))
		return;
	list = proposed(gains, set, notes->arena, &n);
	for (size_t i = 0; i < n; i++)
		advice_add(notes, ASKED_PERMISSION,
		    (struct place){ .file = of.list[0].doc->file },
		    "'%.*s' would have spared %.*s in %.*s",
		    STR_FMT(line_of(list[i])),
		    STR_FMT(
			humanize_of(notes->arena, list[i]->calls, "question")),
		    STR_FMT(humanize_of(notes->arena, list[i]->runs, "run")));
}

/* Returns the values of the lines that are proposed. */
static struct edit_values
values_of(struct edits *e, const struct permission_set *set,
    const struct permission_gains *gains)
{
	struct edit_values values = { 0 };
	size_t n;
	const struct permission_gain **list =
	    proposed(gains, set, e->arena, &n);

	for (size_t i = 0; i < n; i++) {
		struct str line = line_of(list[i]);

		*arena_push(e->arena, values.list, values.n) =
		    (struct edit_value){ .json = out_quote(e->arena, line),
			    .yaml = line,
			    .reason = reason_of(list[i], e->arena) };
	}
	return values;
}

/* Returns the line that leaves this one nothing to say, if both are of one file, which
 * may be used without the others. */
static const struct permission_line *
idled_by(const struct permission_set *set, const struct permission_line *line)
{
	const struct permission_line *by = permission_idled_by(set, line);

	return by != NULL && by->source == line->source ? by : NULL;
}

static void
say_removed(
    const struct permission_line *line, const struct permission_line *by)
{
	diag_warn(line->place, "removed: line %zu covers it: %s %.*s",
	    by->place.line, permission_name(line->decision),
	    STR_FMT(line->written));
}

/* ---- Claude Code's settings ---- */

/* Returns the line that the element of a list is; NULL: none. */
static const struct permission_line *
line_at(const struct permission_set *set, struct place at)
{
	for (size_t i = 0; i < set->n; i++) {
		struct place p = set->lines[i].place;

		if (p.line == at.line && p.column == at.column &&
		    strcmp(p.file, at.file) == 0)
			return &set->lines[i];
	}
	return NULL;
}

/* Edits a list of the permissions: removes what another line covers, and adds values. */
static void
edit_one_list(struct edits *e, const struct permission_set *set,
    const struct document *doc, const struct json *list,
    const struct edit_values *values)
{
	bool *gone = arena_new_n(e->arena, bool, json_count(list) + 1);
	size_t i = 0;

	for (json_each(item, list)) {
		const struct permission_line *line =
		    line_at(set, document_place(doc, item));
		const struct permission_line *by =
		    line == NULL ? NULL : idled_by(set, line);

		gone[i++] = by != NULL;
		if (by != NULL)
			say_removed(line, by);
	}
	edit_list(e, doc, list, gone, values);
	edit_say(document_place(doc, list), values, true);
}

static void
edit_settings(struct edits *e, const struct permission_set *set,
    const struct document *doc, struct edit_values values)
{
	static const char *const keys[] = { "allow", "ask", "deny" };
	const struct json *in = json_get(doc->roots[0], "permissions");
	bool added = values.n == 0;

	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		const struct json *list = json_get(in, str_of(keys[i]));
		struct edit_values own = { 0 };

		if (!json_is(list, JSON_ARRAY))
			continue;
		if (i == 0) {
			own = values;
			added = true;
		}
		edit_one_list(e, set, doc, list, &own);
	}
	if (!added)
		edit_say(document_place(doc, in), &values,
		    edit_list_member(e, doc, in, keys[0], &values));
}

/* ---- Codex's rules ---- */

/* Returns the number of bytes, with the newline, of a call that begins a line and ends one;
 * 0: the call does not stand alone. */
static size_t
length_of_call(struct str text)
{
	size_t depth = 0, i = 0;
	char quote = '\0';

	for (; i < text.n && (i == 0 || depth != 0 || text.s[i] != '\n'); i++) {
		char c = text.s[i];

		if (quote != '\0') {
			i += c == '\\';
			if (c == quote)
				quote = '\0';
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (c == '#') {
			while (i + 1 < text.n && text.s[i + 1] != '\n')
				i++;
		} else if (strchr("([{", c) != NULL) {
			depth++;
		} else if (strchr(")]}", c) != NULL) {
			if (depth-- == 0)
				return 0;
		} else if (c == ';' && depth == 0) {
			return 0;
		}
		if (c == '\n' && depth == 0)
			return 0;
	}
	return depth == 0 && quote == '\0' ? i + (i < text.n) : 0;
}

/* Returns the text from a line on. */
static struct str
text_from_line(struct str text, size_t line)
{
	while (--line > 0)
		str_cut(&text, '\n');
	return text;
}

/* Returns whether another line is of the same call. */
static bool
shares_call(
    const struct permission_set *set, const struct permission_line *line)
{
	for (size_t i = 0; i < set->n; i++)
		if (&set->lines[i] != line &&
		    set->lines[i].source == line->source &&
		    set->lines[i].place.line == line->place.line)
			return true;
	return false;
}

static void
edit_rules_file(struct edits *e, const struct permission_set *set,
    const struct document *doc, const struct edit_values *values)
{
	struct str text = document_text(doc);

	for (size_t i = 0; i < set->n; i++) {
		const struct permission_line *line = &set->lines[i];
		const struct permission_line *by = NULL;
		struct str call;
		size_t n;

		if (strcmp(line->place.file, doc->file) == 0 &&
		    line->why.n == 0 && !shares_call(set, line))
			by = idled_by(set, line);
		if (by == NULL)
			continue;
		call = text_from_line(text, line->place.line);
		n = length_of_call(call);
		if (n == 0 || !str_starts(call, "prefix_rule"))
			continue;
		edit_replace(e, doc, (size_t)(call.s - text.s), n, STR(""));
		say_removed(line, by);
	}
	if (values->n != 0)
		(void)edit_lines(e, doc,
		    str_count_char(text, '\n') +
			(text.n != 0 && !str_ends(text, "\n")),
		    values);
}

void
permissions_edit(struct edits *e, const struct spec *spec, size_t file,
    const struct permission_gains *gains)
{
	struct spec_scenarios of = spec_scenarios_of(spec, file);
	const struct permission_set *set = permissions_of(spec, &of);
	struct edit_values values = { 0 };
	const struct document *doc;

	if (set == NULL || of.n == 0)
		return;
	doc = of.list[0].doc;
	if (is_last(spec, file))
		values = values_of(e, set, gains);
	if (strcmp(of.dialect->name, "codex-rules") == 0)
		edit_rules_file(e, set, doc, &values);
	else if (strcmp(of.dialect->name, "claude-settings") == 0 && !doc->yaml)
		edit_settings(e, set, doc, values);
	else
		edit_say((struct place){ .file = doc->file }, &values, false);
}
