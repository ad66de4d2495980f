/* The uses of skills: calls that load a skill, reads of its file, and commands of the
 * user that name the skill. */
#include "check/kind/kind.h"

#include "base/ascii.h"
#include "check/got.h"
#include "text/caseless.h"

/* Tools that load a skill, and the arguments that name the skill. */
static const char tools[] =
    "skill skill__activate activate_skill use_skill load_skill";
static const char *const named[] = { "skill", "name", "skill_name", "command" };

/* Returns whether the name, which may have the name of its plugin before a colon, is
 * the wanted one. An absent one is any. */
static bool
is_wanted(struct str name, struct str wanted)
{
	size_t n = wanted.n;

	name = str_trim(name);
	if (str_starts(name, "/"))
		name = str_from(name, 1);
	if (name.n == 0)
		return false;
	return wanted.s == NULL || str_eq(name, wanted) ||
	    (name.n > n && name.s[name.n - n - 1] == ':' &&
		str_eq(str_from(name, name.n - n), wanted));
}

/* Returns whether a text names the file of the skill: FOLDERS/SKILL/SKILL.md. */
static bool
names_file(struct str text, struct str wanted)
{
	static const struct str file = STR_CONST("/SKILL.md");

	for (size_t at = str_find(text, file); at < text.n;
	     at += 1 + str_find(str_from(text, at + 1), file)) {
		size_t from = at;

		while (
		    from > 0 && !ascii_is_among(text.s[from - 1], "/\\ \"'=\n"))
			from--;
		if (is_wanted(str_slice(text, from, at), wanted))
			return true;
	}
	return false;
}

/* Returns whether a text in the call's arguments names the skill's file. Calls that
 * write are no uses. */
static bool
reads_file(const struct trace_call *call, struct str wanted, struct arena *a)
{
	static const char *const written[] = { "content", "new_string", "patch",
		"edits" };
	const struct json *args = call->args;

	for (size_t i = 0; i < sizeof written / sizeof written[0]; i++)
		if (json_has(args, written[i]))
			return false;
	for (const struct json *v = args; v != NULL && v < args + args->span;
	     v++)
		if (v->type == JSON_STRING &&
		    names_file(json_text(v, a), wanted))
			return true;
	return false;
}

struct str
trigger_skill(const struct trace_call *call, struct arena *a)
{
	struct str name = call->name.s != NULL ? call->name : call->tool,
		   skill = { 0 };

	for (size_t i = 0; caseless_is_one_of(name, tools) && skill.s == NULL &&
	     i < sizeof named / sizeof named[0];
	     i++)
		skill = json_text(json_get(call->args, str_of(named[i])), a);
	return skill;
}

static bool
loads(const struct trace_call *call, const struct trigger_want *w,
    struct arena *a)
{
	struct str skill = trigger_skill(call, a);

	if (skill.s == NULL)
		return false;
	return w->part ? str_contains(skill, w->skill)
		       : is_wanted(skill, w->skill);
}

/* Returns the command that an input of the user is: the first word of "/csv a.csv", or
 * its name as Claude Code logs commands; absent if the input is none. */
static struct str
command_of(struct str input)
{
	struct str mark = STR("<command-name>"), name;
	size_t at = str_find(input, mark), n = 1;

	if (at < input.n) {
		name = str_from(input, at + mark.n);
		return str_slice(name, 0, str_find_char(name, '<'));
	}
	input = str_trim(input);
	if (!str_starts(input, "/"))
		return (struct str){ 0 };
	while (n < input.n && !json_is_space(input.s[n]))
		n++;
	return str_slice(input, 0, n);
}

/* Finds a command of the user that names the skill. A command is no use of just any
 * skill for certain, since agents have commands of their own. */
static struct finding
find_command(const struct trigger_want *w, const struct view *v)
{
	struct finding f = { .found = FOUND_NO };

	for (json_each(turn, v->trace->member[TRACE_TURNS])) {
		struct str command =
		    command_of(json_text(json_get(turn, "prompt"), v->arena));

		if (command.s == NULL)
			continue;
		if (w->skill.s == NULL) {
			f.found = FOUND_SKIP;
			f.why = STR("a command of the user, which may be a "
				    "skill's");
		} else if (is_wanted(command, w->skill)) {
			f.found = FOUND_YES;
			f.why = STR("a command of the user");
			return f;
		}
	}
	return f;
}

static struct finding
trigger_find(const void *want, struct view *v)
{
	const struct trigger_want *w = want;
	struct trace_calls calls = view_calls(v);
	struct finding f = find_command(w, v);
	bool unknown = false;

	f.seen = calls.n;
	if (f.found == FOUND_YES)
		return f;
	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];
		bool loaded = loads(call, w, v->arena);

		unknown |= call->args == NULL ||
		    trace_step_cut(call->step, STR("args"));
		if (!loaded && !reads_file(call, w->skill, v->arena))
			continue;
		f.found = FOUND_YES;
		f.cause = got_call(v, i);
		f.why = loaded ? STR("a call that loads the skill")
			       : STR("a read of SKILL.md");
		return f;
	}
	if (f.found == FOUND_SKIP)
		return f;
	if (unknown)
		return finding_skip("not recorded: the arguments of a call");
	f.why = STR("no call or command of the user");
	f.open = v->cut & VIEW_CALLS;
	return f;
}

static const struct check_kind trigger_check_kind = { .name = "trigger",
	.find = trigger_find,
	WANTS(WANT("skill", WANT_STR, trigger_want, skill)) };

struct check
trigger_check(struct arena *a, const struct trigger_want *want)
{
	return check_new(
	    a, &trigger_check_kind, want, sizeof *want, VIEW_CALLS);
}
