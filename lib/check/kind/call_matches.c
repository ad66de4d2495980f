#include "check/kind/kind.h"

#include <string.h>

#include "base/hash.h"
#include "emulate/lang/go.h"

enum { ARGS_SHOWN = 120 }; /* bytes */

/* Returns the arguments as the log has them, empty if there are none. For a
 * command that codex ran, evolve sees the command as Go writes it in JSON. */
static struct str
arguments(const struct trace_call *c, struct arena *a)
{
	if (c->args == NULL)
		return STR("");
	if (json_is(c->args, JSON_STRING) &&
	    str_is(c->tool, "command_execution"))
		return go_json_str(a, json_text(c->args, a));
	return c->args->text;
}

static struct str
shown(const struct view *v, struct str args)
{
	args = view_truncate(v, args, ARGS_SHOWN);
	return args.n == 0 ? STR("") : str_cat(v->arena, STR(" "), args);
}

/* ---- views of names and arguments, shared by all checks of a run ---- */

/* Views of a tool's name as logged, and as mcp__SERVER__NAME, which evolve's
 * logs have; `full` is NULL if the server is not known. */
struct name {
	struct view *logged, *full;
};

/* The calls of a view. A run calls a few tools many times, so each different
 * name has one view. */
struct named {
	struct trace_calls calls;
	struct name *names; /* different names */
	size_t n;
	size_t *name;       /* of each call, the index in names */
	struct view **args; /* of each call; NULL: not looked at yet */
};

static struct name
new_name(struct view *v, const struct trace_call *c)
{
	const struct str parts[] = { STR("mcp"), c->server, c->name };
	struct name name = { .logged = view_of_text(v, c->tool) };

	if (c->server.s != NULL)
		name.full =
		    view_of_text(v, str_join(v->arena, parts, 3, STR("__")));
	return name;
}

static size_t
name_of(struct named *all, struct hash_table *seen, const struct trace_call *c,
    struct view *v)
{
	const struct str parts[] = { c->tool, c->server, c->name };
	void **first = hash_put(seen, hash_key(v->arena, parts, 3));
	struct name *name = *first;

	if (name == NULL) {
		*first = name = &all->names[all->n++];
		*name = new_name(v, c);
	}
	return (size_t)(name - all->names);
}

static struct named *
calls_of(struct view *v)
{
	struct named *all = v->memo[VIEW_NAMED];
	struct hash_table seen = { .arena = v->arena };
	size_t n;

	if (all != NULL)
		return all;
	v->memo[VIEW_NAMED] = all = arena_new(v->arena, struct named);
	all->calls = view_calls(v);
	n = all->calls.n;
	all->names = arena_new_n(v->arena, struct name, n);
	all->name = arena_new_n(v->arena, size_t, n);
	all->args = arena_new_n(v->arena, struct view *, n);
	for (size_t i = 0; i < n; i++)
		all->name[i] = name_of(all, &seen, &all->calls.list[i], v);
	return all;
}

static struct view *
arguments_of(struct named *all, size_t call, struct view *v)
{
	struct view **args = &all->args[call];

	if (*args == NULL)
		*args = view_of_text(
		    v, arguments(&all->calls.list[call], v->arena));
	return *args;
}

/* ---- finding ---- */

/* The state of one check while it looks at a view. */
struct search {
	const struct call_matches_want *want;
	struct view *view;
	struct named *all;
	struct answered {
		bool asked;
		enum regex_found found;
	} * names; /* of each different name, whether it matches */
};

static enum regex_found
match_name(const struct regex *tool, const struct name *name)
{
	enum regex_found found = view_search(name->logged, tool, NULL);

	if (found == REGEX_NO && name->full != NULL)
		found = view_search(name->full, tool, NULL);
	return found;
}

static enum regex_found
match_name_of(const struct search *s, size_t call)
{
	size_t name = s->all->name[call];
	struct answered *answer = &s->names[name];

	if (!answer->asked)
		answer->found = match_name(s->want->tool, &s->all->names[name]);
	answer->asked = true;
	return answer->found;
}

/* Returns whether the call has the single argument. */
static enum regex_found
match_argument(
    const struct argument *one, const struct json *args, struct arena *a)
{
	static const struct call_match json = { .by = BY_JSON };

	switch (call_match_argument(&json, one, json_get(args, one->name), a)) {
	case ARGUMENT_FITS:
		return REGEX_YES;
	case ARGUMENT_UNDECIDED:
		return REGEX_LIMIT;
	case ARGUMENT_MISSING:
	case ARGUMENT_DIFFERS:
		break;
	}
	return REGEX_NO;
}

static enum regex_found
match(const struct search *s, size_t call)
{
	enum regex_found found = match_name_of(s, call);

	if (found == REGEX_YES && s->want->args != NULL)
		found = view_search(
		    arguments_of(s->all, call, s->view), s->want->args, NULL);
	for (size_t i = 0; found == REGEX_YES && i < s->want->n; i++)
		found = match_argument(&s->want->list[i],
		    s->all->calls.list[call].args, s->view->arena);
	return found;
}

/* Returns whether the check is undecidable because the log has no arguments of
 * any call, but some tool matches. */
static bool
lacks_arguments(const struct search *s)
{
	struct trace_calls calls = s->all->calls;
	bool needed = false;

	for (size_t i = 0; i < calls.n && s->want->args != NULL; i++) {
		if (calls.list[i].args != NULL)
			return false;
		needed |= match_name_of(s, i) == REGEX_YES;
	}
	return needed;
}

/* Returns whether single arguments of a call whose tool matches are not recorded. */
static bool
lacks_one(const struct search *s)
{
	struct trace_calls calls = s->all->calls;

	for (size_t i = 0; i < calls.n && s->want->n != 0; i++)
		if ((calls.list[i].args == NULL ||
			trace_step_cut(calls.list[i].step, STR("args"))) &&
		    match_name_of(s, i) == REGEX_YES)
			return true;
	return false;
}

static struct finding
found_in(const struct trace_call *c, const struct view *v)
{
	struct arena *a = v->arena;

	return finding_why(
	    FOUND_YES, str_cat(a, c->tool, shown(v, arguments(c, a))));
}

static struct finding
call_matches_find(const void *want, struct view *v)
{
	struct search s = { .want = want, .view = v, .all = calls_of(v) };
	struct finding f = { .open = v->cut & VIEW_CALLS };
	struct trace_calls calls = s.all->calls;

	s.names = arena_new_n(v->arena, struct answered, s.all->n);
	if (lacks_arguments(&s))
		return finding_skip("not recorded: the arguments of a call");
	for (size_t i = 0; i < calls.n; i++) {
		switch (match(&s, i)) {
		case REGEX_YES:
			return found_in(&calls.list[i], v);
		case REGEX_LIMIT:
			f.found = FOUND_ERROR;
			f.why = STR("no verdict within the step limit");
			break;
		default:
			break;
		}
	}
	if (f.found == FOUND_NO && lacks_one(&s))
		return finding_skip("not recorded: the arguments of a call");
	return f;
}

static void
call_matches_show(const void *want, struct out *o)
{
	const struct call_matches_want *w = want;

	out_member_text(o, "tool", w->tool_pattern);
	if (w->args != NULL)
		out_member_text(o, "args", w->args_pattern);
	if (w->n == 0)
		return;
	out_member_begin(o, "where", '{');
	for (size_t i = 0; i < w->n; i++) {
		out_key_str(o, w->list[i].name);
		if (w->list[i].value != NULL)
			out_json_raw(o, w->list[i].value->text);
		else
			out_json_str(o, w->list[i].pattern);
	}
	out_end(o, '}');
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct call_matches_want *w = want;

	each(w->tool, arg);
	each(w->args, arg);
	for (size_t i = 0; i < w->n; i++)
		each(w->list[i].regex, arg);
}

/* Returns the tool's name if the pattern is no more than a name, with or without
 * anchors. */
static struct str_list
tools_of(const void *want, struct arena *a)
{
	const struct call_matches_want *w = want;
	struct str name = w->tool_pattern;

	if (w->part && !str_starts(name, "^"))
		return (struct str_list){ 0 };
	if (str_starts(name, "^"))
		name = str_from(name, 1);
	if (str_ends(name, "$"))
		name.n--;
	for (size_t i = 0; i < name.n; i++)
		if (strchr("^$*+?()[]{}|\\", name.s[i]) != NULL)
			name.n = 0;
	return check_one_tool(name, a);
}

struct check
call_matches_check(struct arena *a, const struct call_matches_want *want)
{
	static const struct check_kind kind = { .name = "call",
		.find = call_matches_find,
		.show = call_matches_show,
		.patterns = patterns,
		.tools = tools_of,
		.tools_as_logged = true };

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
