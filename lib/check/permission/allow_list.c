/* Decides calls by the lists of Cursor and of Gemini CLI. A command is taken apart into the
 * commands that are written in the text, and each must be allowed; how Cursor does that
 * is not documented. */
#include "check/permission/allow_list.h"

#include "base/ascii.h"
#include "check/permission/claude.h"
#include "check/permission/cover.h"
#include "shell/shell.h"

struct deciding {
	const struct permission_set *set;
	const struct allow_lists *lists;
	struct arena *arena;
	struct claude_call
	    call; /* the values of the call, by what its tool does */
	struct permission_hit *hits;
	size_t nhits;
	unsigned char *sorts; /* by line: those of its hits */
	struct permission_cover *covers;
	size_t ncovers;
	struct str unseen; /* the part in which what bash runs is written */
	bool gemini;
};

/* The reason of a hit that may be one. */
static const struct str in_any_folder =
    STR_CONST("not documented: whether a name fits in any folder");

/* ---- entries ---- */

static bool
command_fits(const struct allow_entry *e, struct str text)
{
	struct str rest;

	if (!str_starts(text, e->name))
		return false;
	rest = str_from(text, e->name.n);
	if (e->name.n > 0 && rest.n > 0 &&
	    !ascii_is_among((unsigned char)*rest.s, " \t\n\"'"))
		return false;
	return e->args.s == NULL ||
	    claude_star_fits(e->args, str_trim(rest), '\0');
}

static enum rule_fit
path_fits(
    const struct deciding *d, const struct allow_entry *e, struct str path)
{
	struct str folder = claude_path_of(
	    d->call.of->folder, e->of_home ? STR("~") : STR("."), d->arena);
	struct str below = { 0 };

	if (e->absolute)
		return str_starts(path, "/") &&
			path_pattern_fits(e->pattern, str_from(path, 1), 0)
		    ? RULE_YES
		    : RULE_NO;
	if (str_is(folder, "~") && str_starts(path, "/"))
		return path_pattern_fits(
			   e->pattern, str_from(path, 1), PATH_ANYWHERE)
		    ? RULE_MAYBE
		    : RULE_NO;
	if (claude_path_is_below(folder, path, &below) && below.n > 0)
		path = below;
	else if (e->of_home || str_starts(path, "/") || str_starts(path, ".."))
		return RULE_NO;
	if (path_pattern_fits(e->pattern, path, 0))
		return RULE_YES;
	return e->anywhere != NULL && path_pattern_fits(e->anywhere, path, 0)
	    ? RULE_MAYBE
	    : RULE_NO;
}

/* Returns whether the entry's tool is that of the call: the tool itself or, in the log
 * of another agent, the tool that does the same. */
static bool
tool_fits(const struct deciding *d, const struct allow_entry *e)
{
	const struct trace_call *call = d->call.of->call;
	struct trace_call named = { .tool = e->name };
	struct permission_call other = { .call = &named };

	if (str_eq(e->name, allow_gemini_name(call->tool)))
		return true;
	if (allow_is_gemini(call->tool) || d->call.known == NULL)
		return false;
	other.role = rule_role_of_call(d->set->program, &named, d->arena);
	return str_eq(claude_call_read(&other, d->arena).tool, d->call.tool);
}

static bool
server_fits(const struct deciding *d, const struct allow_entry *e)
{
	struct arena *a = d->arena;

	return d->call.mcp.s != NULL &&
	    claude_star_fits(claude_lower(a, e->server),
		claude_lower(a, d->call.server), '\0') &&
	    claude_star_fits(
		claude_lower(a, e->name), claude_lower(a, d->call.name), '\0');
}

static enum rule_fit
value_fits(
    const struct deciding *d, const struct allow_entry *e, struct str value)
{
	const struct claude_call *c = &d->call;

	if (e->kind == ALLOW_HOST)
		return str_is(c->tool, "WebFetch") &&
			claude_domain_fits(e->name, value, d->arena)
		    ? RULE_YES
		    : RULE_NO;
	if (e->kind == ALLOW_EDIT ? c->files != CLAUDE_EDITS
				  : e->kind != ALLOW_READ ||
		    c->files == CLAUDE_EDITS || c->files == CLAUDE_NO_FILES)
		return RULE_NO;
	return path_fits(d, e, value);
}

/* Returns whether the entry is about the call, other than by a command: about some value
 * or, if `all`, about all. *part becomes a value that fits. */
static enum rule_fit
entry_fits(const struct deciding *d, const struct allow_entry *e, bool all,
    struct str *part)
{
	const struct claude_call *c = &d->call;
	enum rule_fit best = RULE_NO, least = RULE_YES;

	*part = c->mcp.s != NULL ? c->mcp : c->of->call->tool;
	if (e->kind == ALLOW_TOOL)
		return tool_fits(d, e) ? RULE_YES : RULE_NO;
	if (e->kind == ALLOW_SERVER)
		return server_fits(d, e) ? RULE_YES : RULE_NO;
	for (size_t i = 0; i < c->n; i++) {
		enum rule_fit fit = value_fits(d, e, c->values[i]);

		if (fit > best)
			*part = c->values[i];
		best = fit > best ? fit : best;
		least = rule_least(least, fit);
	}
	return all ? rule_least(best, least) : best;
}

/* ---- commands ---- */

/* Adds a hit, unless the line has one of the same sort, or one that is seen or sure. */
static void
add_hit(struct deciding *d, struct permission_hit hit)
{
	/* By unseen and maybe: the bits of the sorts that make such a hit needless. */
	static const unsigned char needless[2][2] = { { 1, 3 }, { 5, 15 } };
	unsigned char *sorts;

	if (d->sorts == NULL)
		d->sorts = arena_new_n(d->arena, unsigned char, d->set->n);
	sorts = &d->sorts[hit.line->number];
	if (*sorts & needless[hit.unseen][hit.maybe])
		return;
	*sorts |= (unsigned char)(1U << (2U * hit.unseen + hit.maybe));
	*arena_push(d->arena, d->hits, d->nhits) = hit;
}

/* Returns the command as it is written or, if the text has no such part, its words. */
static struct str
text_of(const struct shell_command *c, struct arena *a, bool written)
{
	struct str *words = arena_new_n(a, struct str, c->n);

	if (written && c->source.s != NULL)
		return str_trim(c->source);
	for (size_t i = 0; i < c->n; i++)
		words[i] = c->words[i].text;
	return str_join(a, words, c->n, STR(" "));
}

/* Adds the hits of a command or, if the text is absent, of another call. Returns whether
 * an allow line covers it. */
static bool
match(struct deciding *d, struct str text, bool unseen, struct str behind)
{
	bool allowed = false;

	for (size_t i = 0; i < d->set->n; i++) {
		const struct permission_line *line = &d->set->lines[i];
		const struct allow_entry *e = line->of;
		bool allows = line->decision == PERMISSION_ALLOW;
		struct str part = text;
		enum rule_fit fit = RULE_NO;

		if (e->kind != ALLOW_SHELL)
			fit = entry_fits(d, e, allows, &part);
		else if (text.s != NULL && command_fits(e, text))
			fit = RULE_YES;
		allowed |= allows && fit == RULE_YES;
		if (fit == RULE_NO ||
		    (unseen && (allows || e->kind != ALLOW_SHELL)))
			continue;
		add_hit(d,
		    (struct permission_hit){
			.line = line,
			.part = unseen ? d->unseen : part,
			.behind = behind,
			.unseen = unseen,
			.maybe = fit == RULE_MAYBE,
			.why = fit == RULE_MAYBE ? in_any_folder
						 : (struct str){ 0 },
		    });
	}
	return allowed;
}

/* Returns whether tools.core has the command, or the call (absent text). */
static bool
in_core(const struct deciding *d, struct str text)
{
	struct str part;

	for (size_t i = 0; i < d->lists->ncore; i++) {
		const struct allow_entry *e = &d->lists->core[i];

		if (e->kind == ALLOW_SHELL && text.s != NULL
			? command_fits(e, text)
			: entry_fits(d, e, true, &part) == RULE_YES)
			return true;
	}
	return !d->lists->has_core;
}

static void
add_cover(struct deciding *d, struct str line, bool irrevocable)
{
	for (size_t i = 0; i < d->ncovers; i++)
		if (str_eq(d->covers[i].line, line))
			return;
	*arena_push(d->arena, d->covers, d->ncovers) =
	    (struct permission_cover){ .line = line,
		    .irrevocable = irrevocable };
}

static void
cover_command(struct deciding *d, const struct shell_command *c)
{
	struct arena *a = d->arena;
	struct str *words = arena_new_n(a, struct str, c->n), text, rest;
	size_t n = 0, most;

	while (n < c->n && !shell_word_is_computed(&c->words[n])) {
		words[n] = c->words[n].text;
		n++;
	}
	most = n > 0 ? permission_cover_words(words, n) : 0;
	if (most == 0) {
		add_cover(d, (struct str){ 0 }, false);
		return;
	}
	text = str_join(a, words, most, STR(" "));
	rest = str_join(a, words + 1, most - 1, STR(" "));
	if (d->gemini)
		text = str_printf(a, "run_shell_command(%.*s)", STR_FMT(text));
	else if (d->lists->cli)
		text = str_printf(a, "Shell(%.*s%s%.*s%s)", STR_FMT(words[0]),
		    rest.n > 0 ? ":" : "", STR_FMT(rest),
		    rest.n > 0 ? "*" : "");
	add_cover(d, text, permission_irrevocable(words, most));
}

/* Adds the hits of what bash runs and the agent does not see. */
static void
add_unseen(struct deciding *d, struct permission_verdict *v)
{
	struct arena *a = d->arena;
	struct shell ran = shell_read(a, d->call.of->command);

	v->open = ran.unknown;
	for (size_t i = 0; i < ran.n; i++) {
		const struct shell_command *c = &ran.list[i];
		const struct shell_command *top = c;
		struct str part;
		size_t at;

		while (top->by != SHELL_NONE)
			top = &ran.list[top->by];
		part = text_of(top, a, true);
		at = str_find(part, c->words[0].text);
		d->unseen = part;
		match(d, text_of(c, a, false), true,
		    at > 0 && at < part.n ? str_trim(str_slice(part, 0, at))
					  : (struct str){ 0 });
	}
}

/* Decides a command by its parts. */
static void
decide_command(struct deciding *d, struct permission_verdict *v)
{
	struct shell written =
	    shell_read_written(d->arena, d->call.of->command);
	bool allowed = written.n > 0 && !written.invalid, core = true;

	for (size_t i = 0; i < written.n; i++) {
		const struct shell_command *c = &written.list[i];
		struct str text = text_of(c, d->arena, true);

		core &= in_core(d, text);
		if (match(d, text, false, (struct str){ 0 }))
			continue;
		allowed = false;
		cover_command(d, c);
	}
	v->decision = allowed ? PERMISSION_ALLOW : PERMISSION_NONE;
	if (core)
		return;
	v->decision = PERMISSION_DENY;
	v->why = STR("not in tools.core");
}

/* ---- other calls ---- */

static void
cover_call(struct deciding *d)
{
	const struct claude_call *c = &d->call;
	struct arena *a = d->arena;
	struct str line = c->of->call->tool, first;

	if (d->gemini) {
		add_cover(
		    d, c->mcp.s == NULL ? line : (struct str){ 0 }, false);
		return;
	}
	line = (struct str){ 0 };
	if (c->mcp.s != NULL)
		line = str_printf(a,
		    d->lists->cli ? "Mcp(%.*s:%.*s)" : "%.*s:%.*s",
		    STR_FMT(c->server), STR_FMT(c->name));
	else if (d->lists->cli && c->n > 0 && str_is(c->tool, "WebFetch"))
		line = str_printf(a, "WebFetch(%.*s)", STR_FMT(c->values[0]));
	else if (d->lists->cli && c->n > 0 && c->files == CLAUDE_EDITS) {
		first =
		    claude_path_cover("", c->of->folder, c->values[0], a).line;
		line = str_printf(a, "Write(%.*s", STR_FMT(str_from(first, 2)));
	}
	add_cover(d, line, false);
}

static void
decide_other(struct deciding *d, struct permission_verdict *v)
{
	const struct claude_call *c = &d->call;
	bool allowed = match(d, (struct str){ 0 }, false, (struct str){ 0 });
	bool builtin = c->mcp.s == NULL && c->known != NULL;

	if (builtin && !in_core(d, (struct str){ 0 })) {
		v->decision = PERMISSION_DENY;
		v->why = STR("not in tools.core");
	} else if (allowed) {
		v->decision = PERMISSION_ALLOW;
	} else if (c->files == CLAUDE_READS || c->files == CLAUDE_SEARCHES ||
	    (d->gemini && str_is(c->tool, "WebSearch")) ||
	    (builtin && !c->known->asks)) {
		v->decision = PERMISSION_ALLOW;
		v->why = STR("read-only");
	} else if (c->files == CLAUDE_EDITS && d->lists->edits) {
		v->decision = PERMISSION_ALLOW;
		v->why = STR("edits need no approval");
	} else {
		v->decision = PERMISSION_NONE;
		cover_call(d);
	}
}

static bool
is_denied(const struct deciding *d)
{
	for (size_t i = 0; i < d->nhits; i++)
		if (d->hits[i].line->decision == PERMISSION_DENY &&
		    !d->hits[i].maybe)
			return true;
	return false;
}

static struct permission_verdict
decide(const struct permission_set *set, const struct permission_call *call,
    struct arena *a)
{
	static const struct allow_lists none = { 0 };
	struct permission_verdict v = { 0 };
	struct deciding d = {
		.set = set,
		.lists = set->of == NULL ? &none : set->of,
		.arena = a,
		.call = claude_call_read(call, a),
		.gemini = set->product == &permission_gemini,
	};

	if (call->command.s != NULL)
		decide_command(&d, &v);
	else
		decide_other(&d, &v);
	if (d.call.lacking && d.call.known != NULL &&
	    d.call.known->main != NULL) {
		v.unknown = true;
		v.why = STR("not recorded: the arguments of a call");
	}
	if (is_denied(&d))
		v.decision = PERMISSION_DENY;
	if (call->command.s != NULL)
		add_unseen(&d, &v);
	for (size_t i = 0; i < d.nhits && v.decision < PERMISSION_DENY; i++)
		if (d.hits[i].maybe &&
		    d.hits[i].line->decision == PERMISSION_DENY) {
			v.unknown = true;
			v.why = in_any_folder;
		}
	v.hits = d.hits;
	v.nhits = d.nhits;
	if (v.decision == PERMISSION_NONE) {
		v.covers = d.covers;
		v.ncovers = d.ncovers;
	}
	return v;
}

/* ---- lines ---- */

static struct str
calls(const struct permission_line *line, struct arena *a)
{
	const struct allow_entry *e = line->of;

	if (e->args.s != NULL)
		return (struct str){ 0 };
	if (e->kind == ALLOW_SHELL)
		return str_printf(a, "run \"%.*s\"", STR_FMT(e->name));
	if (e->kind == ALLOW_TOOL)
		return e->name;
	if (e->kind == ALLOW_SERVER)
		return str_printf(
		    a, "mcp__%.*s__%.*s", STR_FMT(e->server), STR_FMT(e->name));
	return (struct str){ 0 };
}

static bool
covers(const struct permission_line *outer, const struct permission_line *inner)
{
	const struct allow_entry *o = outer->of, *i = inner->of;

	if (o->kind == ALLOW_TOOL && i->kind == ALLOW_SHELL)
		return str_is(o->name, "run_shell_command");
	if (o->kind != i->kind || i->kind == ALLOW_NOTHING)
		return false;
	if (o->kind == ALLOW_SHELL)
		return o->args.s == NULL
		    ? command_fits(o, i->name)
		    : str_eq(o->name, i->name) && str_eq(o->args, i->args);
	if (o->kind == ALLOW_SERVER)
		return claude_star_fits(o->server, i->server, '\0') &&
		    claude_star_fits(o->name, i->name, '\0');
	return str_eq(o->name, i->name);
}

const struct permission_product permission_cursor = {
	.dialect = "cursor-permissions",
	.agent = "Cursor",
	.uncovered = "would ask about",
	.decide = decide,
	.calls = calls,
	.covers = covers,
};

const struct permission_product permission_gemini = {
	.dialect = "gemini-settings",
	.agent = "Gemini CLI",
	.uncovered = "would ask about",
	.decide = decide,
	.calls = calls,
	.covers = covers,
};
