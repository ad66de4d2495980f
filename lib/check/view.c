#include "check/view.h"

#include "emulate/lang/js.h"
#include "text/caseless.h"
#include "text/unicode.h"
#include "trace/workspace.h"

/* The names that may appear in braces in the path of a folder. */
static const struct placeholder {
	const char *name;
	enum trace_member member;
} placeholders[] = {
	{ "id", TRACE_ID },
	{ "scenario_id", TRACE_SCENARIO_ID },
	{ "run_index", TRACE_RUN_INDEX },
};

/* Returns NULL if there is no placeholder of that name. */
static const struct placeholder *
placeholder_named(struct str name)
{
	for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0];
	     i++)
		if (str_is(name, placeholders[i].name))
			return &placeholders[i];
	return NULL;
}

bool
view_template_is_valid(struct str folder)
{
	for (;;) {
		str_cut(&folder, '{');
		if (folder.s == NULL)
			return true;
		if (placeholder_named(str_cut(&folder, '}')) == NULL ||
		    folder.s == NULL)
			return false;
	}
}

/* Returns the record's value for a placeholder, or absent text. */
static struct str
placeholder(const struct view *v, struct str name)
{
	const struct json *value =
	    v->trace->member[placeholder_named(name)->member];

	return json_is(value, JSON_NUMBER) ? value->text
					   : json_text(value, v->arena);
}

/* Returns whether the path has a "..", or a NUL: a log must not lead out of the
 * folder that the user named. */
static bool
leads_up(struct str path)
{
	if (str_find_char(path, '\0') < path.n)
		return true;
	while (path.s != NULL)
		if (str_is(str_cut(&path, '/'), ".."))
			return true;
	return false;
}

/* Returns the template with its placeholders filled in; NULL (no workspace) if
 * the run lacks one of the values, or a value would lead to another folder. */
static const char *
filled_in(const struct view *v, struct str rest)
{
	struct str *parts = NULL;
	size_t n = 0;

	while (rest.s != NULL) {
		struct str name;

		*arena_push(v->arena, parts, n) = str_cut(&rest, '{');
		if (rest.s == NULL)
			break;
		name = str_cut(&rest, '}');
		name = placeholder(v, name);
		if (name.n == 0 || leads_up(name))
			return NULL;
		*arena_push(v->arena, parts, n) = name;
	}
	return str_c(v->arena, str_join(v->arena, parts, n, STR("")));
}

static const char *
workspace_of(const struct view *v)
{
	const struct json *folder = v->trace->member[TRACE_WORKSPACE];

	if (v->options.workspace != NULL)
		return filled_in(v, str_of(v->options.workspace));
	return json_is(folder, JSON_STRING)
	    ? str_c(v->arena, json_text(folder, v->arena))
	    : NULL;
}

/* Returns whether one of the steps, or of those of their sub-agents, is a call. */
static bool
has_call(const struct json *steps)
{
	for (json_each(step, steps))
		if (json_has(step, "tool") || has_call(json_get(step, "steps")))
			return true;
	return false;
}

/* Returns whether the run has some calls, but no list of all. */
static bool
has_holes(const struct trace *t)
{
	if (t->member[TRACE_TOOL_SEQUENCE] != NULL)
		return false;
	for (json_each(turn, t->member[TRACE_TURNS]))
		if (has_call(json_get(turn, "steps")))
			return true;
	return false;
}

void
view_run(struct view *v, const struct trace *t, struct arena *a)
{
	struct json_reader reader = v->reader;

	*v = (struct view){ .trace = t,
		.arena = a,
		.reader = reader,
		.options = v->options,
		.quotes = v->quotes,
		.lasting = v->lasting };
	v->workspace = workspace_of(v);
	if (v->workspace != NULL && workspace_exists(v->workspace))
		v->have |= VIEW_WORKSPACE;
	if (t->member[TRACE_FINAL_TEXT] != NULL)
		v->have |= VIEW_TEXT;
	if (json_is(t->member[TRACE_TOOL_SEQUENCE], JSON_ARRAY))
		v->have |= VIEW_CALLS;
	v->holes = has_holes(t);
	if (json_is(json_get(t->member[TRACE_WORKFLOW], "state"), JSON_STRING))
		v->have |= VIEW_STATE;
	if (json_is(t->member[TRACE_WORKFLOW], JSON_OBJECT))
		v->have |= VIEW_WORKFLOW;
	if (trace_cut(t, STR("final_text")))
		v->cut |= VIEW_TEXT;
	if (trace_cut(t, STR("tool_sequence")))
		v->cut |= VIEW_CALLS;
	v->unmarked = trace_cut_unmarked(t);
}

struct str
view_fold(struct arena *a, struct str text, enum view_fold fold)
{
	switch (fold) {
	case VIEW_LOWER_JS:
		return unicode_lower_js(a, text);
	case VIEW_LOWER_GO:
		return unicode_lower_go(a, text);
	default:
		return text;
	}
}

/* Returns whether the answer is text. A record that was not made from a log may
 * have another value there. */
static bool
is_text(const struct view *v)
{
	return v->trace == NULL || v->turn != NULL ||
	    json_is(v->trace->member[TRACE_FINAL_TEXT], JSON_STRING);
}

bool
view_uncut(struct str *text)
{
	const struct str half = STR("\ufffd");

	if (!str_ends(*text, "..."))
		return false;
	text->n -= 3;
	if (str_ends(*text, half))
		text->n -= half.n;
	return true;
}

/* Returns the text unfolded; empty if the answer is not text. */
static struct str
as_written(struct view *v)
{
	if (v->text.s == NULL && v->trace != NULL) {
		v->text =
		    json_text(v->trace->member[TRACE_FINAL_TEXT], v->arena);
		if (v->text.s == NULL)
			v->text = STR("");
		if (v->cut & VIEW_TEXT)
			view_uncut(&v->text);
	}
	return v->text;
}

struct str
view_text(struct view *v, enum view_fold fold)
{
	if (fold == VIEW_AS_WRITTEN)
		return as_written(v);
	if (v->lower.s == NULL || v->lowered != fold)
		v->lower = view_fold(v->arena, as_written(v), fold);
	v->lowered = fold;
	return v->lower;
}

/* This number of searches costs as much as one pass that makes ngrams. */
enum { SEARCHES_FEW = 8 };

static struct view_searched *
searched(struct view *v, enum view_fold fold)
{
	struct view_searched *s =
	    fold == VIEW_AS_WRITTEN ? &v->plain : &v->folded;
	struct str text = view_text(v, fold);

	if (s->text.s != text.s)
		*s = (struct view_searched){ .text = text };
	return s;
}

static bool
may_hold(struct view_searched *s, struct str literal, struct arena *a)
{
	if (!s->known)
		s->pieces = ngrams_of(a, s->text, NGRAMS_OF_4);
	s->known = true;
	return ngrams_may_hold(&s->pieces, literal);
}

/* Searches without a copy of the text in lower case, for the first searches;
 * later ones are UNSURE. */
static enum caseless
find_caseless(struct view *v, enum view_fold fold, struct str literal)
{
	if (fold == VIEW_AS_WRITTEN || v->lower.s != NULL ||
	    v->caseless++ >= SEARCHES_FEW)
		return CASELESS_UNSURE;
	return caseless_find(as_written(v), literal);
}

bool
view_contains(struct view *v, enum view_fold fold, struct str literal)
{
	enum caseless found;
	struct view_searched *s;

	if (!is_text(v))
		return false;
	found = find_caseless(v, fold, literal);
	if (found != CASELESS_UNSURE)
		return found == CASELESS_YES;
	s = searched(v, fold);
	if (s->searches++ >= SEARCHES_FEW && !may_hold(s, literal, v->arena))
		return false;
	return str_contains(s->text, literal);
}

/* Returns whether the text may contain one of the literals that a match
 * requires; the ngrams know nothing about a shorter literal. */
static bool
may_match(struct view *v, const struct regex *re)
{
	struct view_searched *s =
	    searched(v, v->lower.s == NULL ? VIEW_LOWER_GO : v->lowered);
	struct str_list factors = regex_literals(re);
	bool may = factors.n == 0;

	for (size_t i = 0; i < factors.n && !may; i++)
		may = may_hold(s, factors.list[i], v->arena);
	return may;
}

/* The first patterns are searched for one by one. */
enum regex_found
view_search(struct view *v, const struct regex *re, struct regex_match *match)
{
	if (!is_text(v))
		return REGEX_NO;
	if (v->patterns++ >= SEARCHES_FEW && !may_match(v, re))
		return REGEX_NO;
	return regex_search(re, as_written(v), match, v->arena);
}

const struct json *
view_json(struct view *v)
{
	if (!v->value_known)
		v->value = json_read(&v->reader, as_written(v), NULL, NULL);
	v->value_known = true;
	return v->value;
}

struct trace_calls
view_calls(struct view *v)
{
	if (!v->calls_known && (v->have & VIEW_CALLS || v->holes))
		v->calls = trace_calls(v->trace, v->arena);
	v->calls_known = true;
	return v->calls;
}

/* Makes a view without a trace, of the arguments of a call (NULL: not
 * recorded). */
static void
look_at(struct view *v, const struct json *value, struct arena *a)
{
	struct out text;

	*v = (struct view){ .arena = a,
		.quotes = v->quotes,
		.value = value,
		.value_known = true };
	if (value == NULL)
		return;
	v->have = VIEW_TEXT;
	out_open_memory(&text);
	js_stringify(&text, value, a);
	v->text = out_keep(&text, a);
}

struct view *
view_of_text(struct view *v, struct str text)
{
	struct view *made = arena_new(v->arena, struct view);

	made->arena = v->arena;
	made->quotes = v->quotes;
	made->have = VIEW_TEXT;
	made->text = text;
	return made;
}

struct view *
view_arguments(struct view *v, size_t call)
{
	struct trace_calls calls = view_calls(v);

	if (v->arguments == NULL)
		v->arguments = arena_new_n(v->arena, struct view, calls.n);
	v->arguments[call].quotes = v->quotes;
	if (v->arguments[call].arena == NULL)
		look_at(&v->arguments[call], calls.list[call].args, v->arena);
	return &v->arguments[call];
}

struct str
view_shown(const struct view *v, struct str text)
{
	return v->quotes == NULL
	    ? text
	    : redact_quote(v->quotes, unicode_repair(v->arena, text));
}

struct str
view_excerpt(const struct view *v, struct str part, struct str text)
{
	struct str shown = view_shown(v, part);

	return v->quotes == NULL || str_contains(view_shown(v, text), shown)
	    ? shown
	    : STR("[redacted]");
}

struct str
view_truncate(const struct view *v, struct str text, size_t most)
{
	return str_truncate(view_shown(v, text), most);
}

struct str
view_ellipsize(const struct view *v, struct str text, size_t most)
{
	return str_ellipsize(v->arena, view_shown(v, text), most);
}

const char *
view_evidence_name(unsigned bit)
{
	switch (bit) {
	case VIEW_TEXT:
		return "final_text";
	case VIEW_CALLS:
		return "tool_sequence";
	case VIEW_STATE:
		return "state";
	case VIEW_WORKFLOW:
		return "workflow";
	case VIEW_GUARDRAILS:
		return "guardrails";
	default:
		return "workspace";
	}
}

void
view_free(struct view *v)
{
	json_reader_free(&v->reader);
	arena_free(&v->lasting.arena);
}
