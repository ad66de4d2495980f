#include "check/kind/kind.h"

/* The state while one view is searched. */
struct search {
	const struct args_equal_want *want;
	struct view *view;
	struct out list;          /* of violations, or of matches */
	const struct json *first; /* the first wrong arguments */
	bool any;                 /* a call added to the list */
	bool wrong;               /* the current call added to the list */
	bool limit;               /* a pattern gave no verdict */
};

static void
put(struct search *s, const char *key, struct str text)
{
	out_member_text(&s->list, key, text);
}

/* Begins an element of the list; the caller ends the element. */
static void
begin(struct search *s, const char *type, const struct trace_call *call,
    const struct argument *argument)
{
	s->wrong = true;
	out_begin(&s->list, '{');
	if (type != NULL)
		put(s, "type", str_of(type));
	put(s, "tool", call->tool);
	if (argument != NULL)
		put(s, "argument", argument->name);
}

static void
put_value(struct search *s, const char *key, const struct json *value)
{
	out_member_raw(&s->list, key, value->text);
}

static void
differ(struct search *s, const struct trace_call *call,
    const struct argument *wanted, const struct json *actual)
{
	bool matches = wanted->regex != NULL;

	begin(s, matches ? "pattern_mismatch" : "value_mismatch", call, wanted);
	if (matches)
		put(s, "pattern", wanted->pattern);
	else
		put_value(s, "expected", wanted->value);
	put_value(s, "actual", actual);
	out_end(&s->list, '}');
}

/* Lists an argument that is missing. */
static void
miss(struct search *s, const struct trace_call *call,
    const struct argument *wanted)
{
	bool matches = wanted->regex != NULL;

	begin(s, matches ? "missing_argument_for_pattern" : "missing_argument",
	    call, wanted);
	if (matches)
		put(s, "pattern", wanted->pattern);
	out_end(&s->list, '}');
}

/* Returns whether the arguments are an object, or there are none. */
static bool
are_named(const struct json *args)
{
	return json_is(args, JSON_OBJECT) || json_is(args, JSON_NULL) ||
	    json_str_is(args, "");
}

static enum argument_fit
fit(const struct search *s, const struct argument *wanted,
    const struct json *actual)
{
	return call_match_argument(
	    &s->want->call, wanted, actual, s->view->arena);
}

/* Lists the arguments of the call that are not as expected. */
static void
judge(struct search *s, const struct trace_call *call)
{
	if (!are_named(call->args)) {
		begin(s, "invalid_args_json", call, NULL);
		out_end(&s->list, '}');
		return;
	}
	for (size_t i = 0; i < s->want->call.n; i++) {
		const struct argument *wanted = &s->want->call.list[i];
		const struct json *actual = json_get(call->args, wanted->name);

		switch (fit(s, wanted, actual)) {
		case ARGUMENT_MISSING:
			miss(s, call, wanted);
			break;
		case ARGUMENT_DIFFERS:
			differ(s, call, wanted, actual);
			break;
		case ARGUMENT_UNDECIDED:
			s->limit = true;
			break;
		case ARGUMENT_FITS:
			break;
		}
	}
}

/* Lists what is wrong with the call's result. Returns false if the result was
 * not recorded. */
static bool
judge_result(struct search *s, const struct trace_call *call)
{
	const char *what;
	struct finding f =
	    call_match_result(&s->want->call, call, s->view->arena, &what);

	s->limit |= f.found == FOUND_ERROR;
	if (f.found == FOUND_NO) {
		begin(s, what, call, NULL);
		if (f.why.s != NULL)
			put(s, "pattern", f.why);
		out_end(&s->list, '}');
	}
	return f.found != FOUND_CANNOT;
}

/* Lists the expected values that the call has. */
static void
seek(struct search *s, const struct trace_call *call)
{
	for (size_t i = 0; i < s->want->call.n; i++) {
		const struct argument *wanted = &s->want->call.list[i];
		const struct json *actual = json_get(call->args, wanted->name);

		if (fit(s, wanted, actual) != ARGUMENT_FITS)
			continue;
		begin(s, NULL, call, wanted);
		put_value(s, "value", actual);
		out_end(&s->list, '}');
	}
}

/* Returns whether the argument is listed again further on, with a pattern for
 * example. */
static bool
is_listed_again(const struct args_equal_want *w, size_t at)
{
	for (size_t i = at + 1; i < w->call.n; i++)
		if (str_eq(w->call.list[i].name, w->call.list[at].name))
			return true;
	return false;
}

/* Writes the expected arguments and the first wrong ones, as PromptKit's
 * documentation shows them. */
static void
sum_up(struct search *s)
{
	put(s, "tool",
	    s->want->call.tool.s == NULL ? STR("") : s->want->call.tool);
	out_member_begin(&s->list, "expected", '{');
	for (size_t i = 0; i < s->want->call.n; i++) {
		const struct argument *wanted = &s->want->call.list[i];

		if (is_listed_again(s->want, i))
			continue;
		out_key_str(&s->list, wanted->name);
		if (wanted->regex != NULL)
			out_json_str(&s->list, wanted->pattern);
		else if (wanted->value == NULL)
			out_json_null(&s->list);
		else
			out_json_raw(&s->list, wanted->value->text);
	}
	out_end(&s->list, '}');
	out_key(&s->list, "actual");
	if (s->first == NULL)
		out_json_null(&s->list);
	else
		out_json_raw(&s->list, s->first->text);
}

/* Looks at all calls. Returns false if the arguments of one were not recorded,
 * or only in part: then only what they have is looked for. */
static bool
look(struct search *s, struct finding *f)
{
	struct trace_calls calls = view_calls(s->view);
	bool known = true;

	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];
		bool cut = trace_step_cut(call->step, STR("args"));

		if (!call_match_is_of(&s->want->call, call))
			continue;
		f->seen++;
		s->wrong = false;
		known &= judge_result(s, call);
		known &= !cut || s->want->call.n == 0;
		if (call->args == NULL && s->want->call.n != 0)
			known = false;
		else if (s->want->some)
			seek(s, call);
		else if (s->want->call.n != 0 && !cut)
			judge(s, call);
		s->any |= s->wrong;
		if (s->wrong && s->first == NULL)
			s->first = call->args;
		f->matched += s->wrong == s->want->some;
	}
	return known;
}

static void
decide(const struct search *s, struct finding *f, bool known)
{
	const struct args_equal_want *w = s->want;
	bool listed = w->some ? f->matched != 0 : s->any;

	if (w->some)
		f->found = listed ? FOUND_YES : FOUND_NO;
	else if (w->call.tool.n != 0 && f->seen == 0 && !w->idle)
		f->found = FOUND_NO;
	else
		f->found = listed ? FOUND_NO : FOUND_YES;
	if (!listed && s->limit) {
		f->found = FOUND_ERROR;
		f->why = STR("no verdict within the step limit");
	} else if (!listed && !known) {
		f->found = FOUND_SKIP;
		f->why = STR("not recorded: the arguments of a call");
	}
	f->open = !listed && s->view->cut & VIEW_CALLS;
}

static struct finding
args_equal_find(const void *want, struct view *v)
{
	struct search s = { .want = want, .view = v };
	struct finding f = { .found = FOUND_NO };

	out_open_memory(&s.list);
	out_key(&s.list, s.want->some ? "matches" : "violations");
	out_begin(&s.list, '[');
	decide(&s, &f, look(&s, &f));
	out_end(&s.list, ']');
	if (s.want->sums)
		sum_up(&s);
	if (f.why.s == NULL)
		f.why = str_dup(v->arena, out_memory(&s.list));
	out_close(&s.list);
	return f;
}

static void
args_equal_show(const void *want, struct out *o)
{
	const struct args_equal_want *w = want;

	out_key(o, w->some ? "some" : "each");
	out_begin(o, '[');
	for (size_t i = 0; i < w->call.n; i++) {
		const struct argument *wanted = &w->call.list[i];

		out_begin(o, '{');
		out_member_text(o, "argument", wanted->name);
		if (wanted->regex != NULL)
			out_member_text(o, "pattern", wanted->pattern);
		else if (wanted->value != NULL)
			out_member_raw(o, "value", wanted->value->text);
		out_end(o, '}');
	}
	out_end(o, ']');
	if (w->call.includes.n != 0 || w->call.matches != NULL ||
	    w->call.succeeds) {
		out_member_str(o, "result", w->call.pattern);
		out_member_strs(o, "includes", w->call.includes);
		out_member_bool(o, "succeeds", w->call.succeeds);
	}
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct args_equal_want *w = want;

	call_match_patterns(&w->call, each, arg);
}

static const struct check_kind args_equal_kind = { .name = "arguments",
	.find = args_equal_find,
	.show = args_equal_show,
	.patterns = patterns,
	WANTS(WANT("tool", WANT_STR | WANT_TOOLS | WANT_IF, args_equal_want,
	    call.tool)) };

struct check
args_equal_check(struct arena *a, const struct args_equal_want *want)
{
	return check_new(a, &args_equal_kind, want, sizeof *want, VIEW_CALLS);
}
