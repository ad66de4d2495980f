#include "check/kind/kind.h"
#include "check/kind/order.h"

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
		if (!call_match_is_of(w->rules, &calls.list[i]))
			continue;
		f = call_match_fit(w->rules, &calls.list[i], a);
		n += f.found == FOUND_YES;
		if (f.found > FOUND_YES || f.open)
			unknown = f;
	}
	if (n >= w->times)
		return finding_of(true);
	if (unknown.found != FOUND_NO || unknown.open)
		return skipped(unknown);
	return finding_why(FOUND_NO, str_int(a, n));
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
	const struct call_match *rule = &c->want->rules[wanted];
	const struct trace_call *call = &c->calls.list[made];

	if (!trace_call_is(call, rule->tool))
		return ORDER_OTHER;
	c->last = call_match_fit(rule, call, c->arena);
	return c->last.found == FOUND_YES ? ORDER_FITS : ORDER_BREAKS;
}

static struct finding
find_chain(
    const struct call_rules_want *w, struct trace_calls calls, struct arena *a)
{
	struct chain c = { w, calls, a, finding_of(true) };
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
    const struct call_match *rule, struct trace_calls calls, struct str field)
{
	bool seen = false;

	for (size_t i = 0; i < calls.n; i++) {
		if (!call_match_is_of(rule, &calls.list[i]))
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
	struct str_list lost = { 0 };

	for (size_t i = 0; i < calls.n; i++)
		if (call_match_is_of(w->rules, &calls.list[i]) &&
		    calls.list[i].args == NULL)
			return finding_skip(
			    "not recorded: the arguments of a call");
	for (size_t i = 0; i < w->fields.n; i++)
		if (!is_kept(w->rules, calls, w->fields.list[i]))
			str_list_add(a, &lost, w->fields.list[i]);
	if (lost.n == 0)
		f.found = FOUND_YES;
	f.share = w->fields.n == 0
	    ? 0
	    : (double)(w->fields.n - lost.n) / (double)w->fields.n;
	f.why = str_list_text(a, lost);
	return f;
}

static struct finding
call_rules_find(const void *want, struct view *v)
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
show_rule(const struct call_match *rule, struct out *o)
{
	out_begin(o, '{');
	out_member_str(o, "tool", rule->tool);
	if (rule->n != 0)
		out_member_begin(o, "arguments", '[');
	for (size_t i = 0; i < rule->n; i++)
		out_json_str(o, rule->list[i].name);
	if (rule->n != 0)
		out_end(o, ']');
	if (rule->includes.n != 0)
		out_member_strs(o, "includes", rule->includes);
	out_member_str(o, "pattern", rule->pattern);
	if (rule->succeeds)
		out_member_bool(o, "succeeds", true);
	out_end(o, '}');
}

static void
call_rules_show(const void *want, struct out *o)
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
	if (w->how == RULES_KEPT)
		out_member_strs(o, "fields", w->fields);
}

static void
patterns(const void *want, check_pattern *each, void *arg)
{
	const struct call_rules_want *w = want;

	for (size_t i = 0; i < w->n; i++)
		call_match_patterns(&w->rules[i], each, arg);
}

struct check
call_rules_check(struct arena *a, const struct call_rules_want *want)
{
	static const struct check_kind kind = {
		.name = "rules",
		.find = call_rules_find,
		.show = call_rules_show,
		.patterns = patterns,
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_CALLS);
}
