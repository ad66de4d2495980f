#include "check/kind/kind.h"
#include "check/kind/order.h"

#include "emulate/lang/go.h"

/* Returns a finding that is more than YES: a violation, or missing evidence. */
static struct finding
finding(enum found found, const char *why)
{
	struct finding f = { .found = found };

	if (why != NULL)
		f.why = str_of(why);
	return f;
}

/* ---- one call ---- */

static struct finding
match(const struct regex *re, struct str text, struct arena *a)
{
	switch (regex_search(re, text, NULL, a)) {
	case REGEX_YES:
		return finding(FOUND_YES, NULL);
	case REGEX_NO:
		return finding(FOUND_NO, NULL);
	default:
		return finding(FOUND_ERROR, "no verdict within the step limit");
	}
}

/* Returns whether the result includes all texts; if not, sets *lacking. */
static bool
includes(const struct call_rule *rule, struct str text, struct arena *a,
    struct str *lacking)
{
	struct str lower = view_fold(a, text, VIEW_LOWER_GO);

	for (size_t i = 0; i < rule->includes.n; i++) {
		*lacking = rule->includes.list[i];
		if (!str_contains(lower, view_fold(a, *lacking, VIEW_LOWER_GO)))
			return false;
	}
	return true;
}

struct finding
call_rule_result(const struct call_rule *rule, const struct trace_call *call,
    struct arena *a, const char **what)
{
	struct finding f = finding(FOUND_YES, NULL);
	struct str text;

	*what = "tool_error";
	if (rule->succeeds && json_is(call->is_error, JSON_TRUE))
		return finding(FOUND_NO, NULL);
	if (rule->includes.n == 0 && rule->matches == NULL)
		return f;
	if (call->result == NULL)
		return finding(
		    FOUND_CANNOT, "not recorded: the result of a call");
	text = tool_answer_text(call->result, a);
	*what = "result_missing_pattern";
	if (!includes(rule, text, a, &f.why)) {
		f.found = FOUND_NO;
		return f;
	}
	*what = "result_pattern_mismatch";
	if (rule->matches != NULL)
		f = match(rule->matches, text, a);
	if (f.found == FOUND_NO)
		f.why = rule->pattern;
	if (f.found != FOUND_YES)
		f.open = trace_step_cut(call->step, STR("result"));
	return f;
}

enum argument_fit
argument_fit(const struct argument *wanted, const struct json *actual,
    const struct document *doc, bool texts, struct arena *a)
{
	if (actual == NULL)
		return ARGUMENT_MISSING;
	if (wanted->regex != NULL)
		switch (regex_search(
		    wanted->regex, go_text(a, actual, NULL), NULL, a)) {
		case REGEX_YES:
			return ARGUMENT_FITS;
		case REGEX_NO:
			return ARGUMENT_DIFFERS;
		case REGEX_LIMIT:
			return ARGUMENT_UNDECIDED;
		}
	if (wanted->value == NULL ||
	    (texts ? str_eq(go_text(a, wanted->value, doc),
			 go_text(a, actual, NULL))
		   : go_equal(a, doc, wanted->value, actual)))
		return ARGUMENT_FITS;
	return ARGUMENT_DIFFERS;
}

static struct finding
arguments(const struct call_rules_want *w, const struct call_rule *rule,
    const struct trace_call *call, struct arena *a)
{
	if (rule->nargs != 0 && call->args == NULL)
		return finding(
		    FOUND_CANNOT, "not recorded: the arguments of a call");
	for (size_t i = 0; i < rule->nargs; i++) {
		const struct argument *wanted = &rule->args[i];

		switch (argument_fit(wanted, json_get(call->args, wanted->name),
		    w->doc, w->texts, a)) {
		case ARGUMENT_FITS:
			break;
		case ARGUMENT_MISSING:
		case ARGUMENT_DIFFERS:
			return (struct finding){ .why = wanted->name };
		case ARGUMENT_UNDECIDED:
			return finding(
			    FOUND_ERROR, "no verdict within the step limit");
		}
	}
	return finding(FOUND_YES, NULL);
}

static struct finding
keeps(const struct call_rules_want *w, const struct call_rule *rule,
    const struct trace_call *call, struct arena *a)
{
	const char *what;
	struct finding f = call_rule_result(rule, call, a, &what);

	return f.found == FOUND_YES ? arguments(w, rule, call, a) : f;
}

static bool
is_meant(const struct call_rule *rule, const struct trace_call *call)
{
	return rule->tool.n == 0 || trace_call_is(call, rule->tool);
}

/* ---- all calls ---- */

/* Makes what is not known a SKIP. */
static struct finding
skipped(struct finding unknown)
{
	if (unknown.found == FOUND_CANNOT)
		unknown.found = FOUND_SKIP;
	return unknown;
}

static struct finding
find_some(
    const struct call_rules_want *w, struct trace_calls calls, struct arena *a)
{
	struct finding unknown = { .found = FOUND_NO }, f;
	int64_t n = 0;

	for (size_t i = 0; i < calls.n && n < w->times; i++) {
		if (!is_meant(w->rules, &calls.list[i]))
			continue;
		f = keeps(w, w->rules, &calls.list[i], a);
		n += f.found == FOUND_YES;
		if (f.found > FOUND_YES || f.open)
			unknown = f;
	}
	if (n >= w->times)
		return finding(FOUND_YES, NULL);
	if (unknown.found != FOUND_NO || unknown.open)
		return skipped(unknown);
	return (struct finding){ .found = FOUND_NO, .why = str_int(a, n) };
}

struct chain {
	const struct call_rules_want *want;
	struct trace_calls calls;
	struct arena *arena;
	struct finding last;
};

static enum order_fit
fit(void *arg, size_t wanted, size_t made)
{
	struct chain *c = arg;
	const struct call_rule *rule = &c->want->rules[wanted];
	const struct trace_call *call = &c->calls.list[made];

	if (!trace_call_is(call, rule->tool))
		return ORDER_OTHER;
	c->last = keeps(c->want, rule, call, c->arena);
	return c->last.found == FOUND_YES ? ORDER_FITS : ORDER_BREAKS;
}

static struct finding
find_chain(
    const struct call_rules_want *w, struct trace_calls calls, struct arena *a)
{
	struct chain c = { w, calls, a, finding(FOUND_YES, NULL) };
	size_t n = order_within(&(struct order){ w->n, calls.n, fit, &c });
	struct finding f = c.last;

	if (f.found > FOUND_YES)
		return skipped(f);
	f.graded = true;
	f.share = w->n == 0 ? 1 : (double)n / (double)w->n;
	if (n == w->n)
		return f;
	f.why = str_printf(a, "step %zu, %.*s%s%.*s", n + 1,
	    STR_FMT(w->rules[n].tool), f.found == FOUND_NO ? ": " : "",
	    STR_FMT(f.found == FOUND_NO ? f.why : STR("")));
	f.found = FOUND_NO;
	return f;
}

/* Returns whether the field stays once it was there. */
static bool
is_kept(
    const struct call_rule *rule, struct trace_calls calls, struct str field)
{
	bool seen = false;

	for (size_t i = 0; i < calls.n; i++) {
		if (!is_meant(rule, &calls.list[i]))
			continue;
		if (json_get(calls.list[i].args, field) != NULL)
			seen = true;
		else if (seen)
			return false;
	}
	return true;
}

static struct finding
find_kept(
    const struct call_rules_want *w, struct trace_calls calls, struct arena *a)
{
	struct finding f = { .found = FOUND_NO, .graded = true };
	struct str *lost = arena_new_n(a, struct str, w->fields.n);
	size_t n = 0;

	for (size_t i = 0; i < calls.n; i++)
		if (is_meant(w->rules, &calls.list[i]) &&
		    calls.list[i].args == NULL)
			return finding(FOUND_SKIP,
			    "not recorded: the arguments of a call");
	for (size_t i = 0; i < w->fields.n; i++)
		if (!is_kept(w->rules, calls, w->fields.list[i]))
			lost[n++] = w->fields.list[i];
	if (n == 0)
		f.found = FOUND_YES;
	f.share = w->fields.n == 0
	    ? 0
	    : (double)(w->fields.n - n) / (double)w->fields.n;
	f.why = str_join(a, lost, n, STR(", "));
	return f;
}

static struct finding
find(const void *want, struct view *v)
{
	static struct finding (*const how[])(const struct call_rules_want *,
	    struct trace_calls, struct arena *) = {
		[RULES_SOME] = find_some,
		[RULES_CHAIN] = find_chain,
		[RULES_KEPT] = find_kept,
	};
	const struct call_rules_want *w = want;
	struct finding f = how[w->how](w, view_calls(v), v->arena);

	if ((f.found == FOUND_YES) == (w->how == RULES_KEPT) ||
	    (w->how == RULES_CHAIN && v->holes))
		f.open |= (v->cut & VIEW_CALLS) != 0;
	return f;
}

/* ---- showing ---- */

static void
show_rule(const struct call_rule *rule, struct out *o)
{
	out_begin(o, '{');
	out_member_str(o, "tool", rule->tool);
	if (rule->nargs != 0)
		out_member_begin(o, "arguments", '[');
	for (size_t i = 0; i < rule->nargs; i++)
		out_json_str(o, rule->args[i].name);
	if (rule->nargs != 0)
		out_end(o, ']');
	if (rule->includes.n != 0) {
		out_key(o, "includes");
		out_json_strs(o, rule->includes);
	}
	out_member_str(o, "pattern", rule->pattern);
	if (rule->succeeds)
		out_member_bool(o, "succeeds", true);
	out_end(o, '}');
}

static void
show(const void *want, struct out *o)
{
	static const char *const how[] = { "some", "chain", "kept" };
	const struct call_rules_want *w = want;

	out_member_str(o, "how", str_of(how[w->how]));
	out_member_begin(o, "rules", '[');
	for (size_t i = 0; i < w->n; i++)
		show_rule(&w->rules[i], o);
	out_end(o, ']');
	if (w->how == RULES_SOME)
		out_member_int(o, "times", w->times);
	if (w->how == RULES_KEPT) {
		out_key(o, "fields");
		out_json_strs(o, w->fields);
	}
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct call_rules_want *w = want;

	for (size_t i = 0; i < w->n; i++) {
		each(w->rules[i].matches, arg);
		for (size_t k = 0; k < w->rules[i].nargs; k++)
			each(w->rules[i].args[k].regex, arg);
	}
}

struct check
call_rules_check(struct arena *a, const struct call_rules_want *want)
{
	static const struct check_kind kind = {
		.name = "rules",
		.find = find,
		.show = show,
		.patterns = patterns,
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
