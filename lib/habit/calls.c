/* Finds the habits of a run: tools, counts and orders. */
#include "habit/habit.h"

#include "base/hash.h"
#include "habit/internal.h"

enum { COUNT_MAX = 10 };

void
habit_add(struct habit_run *r, struct habit habit)
{
	*arena_push(r->arena, r->found->list, r->found->n) = habit;
}

void
habit_add_value(struct habit_run *r, struct habit habit)
{
	void **place;

	if (r->found->valueless)
		return;
	place = hash_put(r->seen, habit_key(&habit, r->arena));
	if (*place != NULL)
		return;
	*place = r;
	habit_add(r, habit);
	r->found->valueless = ++r->n_values > HABIT_VALUES_MAX;
}

/* ---- one tool ---- */

/* Adds a habit of the form for each number from `least` to the count. */
static void
add_counts(
    struct habit_run *r, enum habit_form form, struct str tool, int64_t count)
{
	for (int64_t n = 2; n <= count && n <= COUNT_MAX; n++)
		habit_add(
		    r, (struct habit){ .form = form, .tool = tool, .n = n });
}

/* Adds how often the tool was called, in the run and in its fullest turn, and how
 * often identically in a row. */
static void
add_tool(struct habit_run *r, size_t tool)
{
	struct str name = r->tools[tool];
	int64_t count = 0, in_turn = 0, row = 0, most_in_turn = 0, longest = 0;
	size_t turn = SIZE_MAX;
	bool failed = false;

	for (size_t i = 0; i < r->n; i++) {
		const struct habit_call *c = &r->calls[i];

		if (c->tool != tool)
			continue;
		in_turn = c->call->turn == turn ? in_turn + 1 : 1;
		turn = c->call->turn;
		row = c->again ? row + 1 : 1;
		count++;
		most_in_turn = in_turn > most_in_turn ? in_turn : most_in_turn;
		longest = row > longest ? row : longest;
		failed = failed || json_is(c->call->is_error, JSON_TRUE);
	}
	habit_add(r, (struct habit){ .form = HABIT_CALLED, .tool = name });
	if (failed)
		habit_add(
		    r, (struct habit){ .form = HABIT_ERROR, .tool = name });
	add_counts(r, HABIT_COUNT, name, count);
	add_counts(r, HABIT_IN_A_ROW, name, longest);
	add_counts(r, HABIT_TURN_COUNT, name, most_in_turn);
}

/* ---- two tools ---- */

/* The calls of two tools, as they come. */
struct order {
	bool seen, seen_in_turn; /* a call of `tool` */
	bool then;               /* `other` came after `tool` */
	bool without;            /* `other` came without an earlier `tool` */
	bool without_in_turn;    /* the same, in one turn */
	bool waits;              /* a `tool` has no later `other` yet */
};

static struct order
order_of(const struct habit_run *r, size_t tool, size_t other)
{
	struct order o = { 0 };
	size_t turn = SIZE_MAX;

	for (size_t i = 0; i < r->n; i++) {
		const struct habit_call *c = &r->calls[i];

		o.seen_in_turn = o.seen_in_turn && c->call->turn == turn;
		turn = c->call->turn;
		if (c->tool == tool) {
			o.seen = o.seen_in_turn = o.waits = true;
		} else if (c->tool == other) {
			o.then = o.then || o.seen;
			o.without = o.without || !o.seen;
			o.without_in_turn =
			    o.without_in_turn || !o.seen_in_turn;
			o.waits = false;
		}
	}
	return o;
}

static void
add_pair(struct habit_run *r, enum habit_form form, struct str tool,
    struct str other)
{
	habit_add(
	    r, (struct habit){ .form = form, .tool = tool, .other = other });
}

/* Adds the orders of two tools that the run called. */
static void
add_order(struct habit_run *r, size_t tool, size_t other)
{
	struct order o = order_of(r, tool, other);
	struct str first = r->tools[tool], second = r->tools[other];

	if (o.then)
		add_pair(r, HABIT_THEN, first, second);
	if (!o.waits)
		add_pair(r, HABIT_AFTER, first, second);
	if (!o.without)
		add_pair(r, HABIT_BEFORE, second, first);
	if (!o.without_in_turn)
		add_pair(r, HABIT_TURN_BEFORE, second, first);
}

/* ---- the run ---- */

static void
add_amounts(struct habit_run *r, struct str name, size_t amount)
{
	static const int64_t steps[] = { 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20,
		25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000 };

	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
		if ((size_t)steps[i] <= amount)
			habit_add(r,
			    (struct habit){ .form = HABIT_AMOUNT,
				.other = name,
				.n = steps[i] });
}

/* Returns the place of the tool among the run's; HABIT_TOOLS_MAX if there are too
 * many, or the call has no name. */
static size_t
tool_at(struct habit_run *r, struct str tool)
{
	for (size_t i = 0; i < r->n_tools; i++)
		if (str_eq(r->tools[i], tool))
			return i;
	r->over = r->over || (r->n_tools == HABIT_TOOLS_MAX && tool.n != 0);
	if (r->n_tools == HABIT_TOOLS_MAX || tool.n == 0)
		return HABIT_TOOLS_MAX;
	r->tools[r->n_tools] = tool;
	return r->n_tools++;
}

static bool
is_again(const struct trace_call *before, const struct trace_call *call)
{
	return str_eq(before->tool, call->tool) && before->args != NULL &&
	    call->args != NULL && json_equal(before->args, call->args);
}

static size_t
take_calls(struct habit_run *r, struct trace_calls calls)
{
	size_t errors = 0;

	r->calls = arena_new_n(r->arena, struct habit_call, calls.n);
	r->n = calls.n;
	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *c = &calls.list[i];

		r->calls[i] = (struct habit_call){ .call = c,
			.tool = tool_at(r, c->tool),
			.again = i > 0 && is_again(c - 1, c) };
		errors += json_is(c->is_error, JSON_TRUE);
	}
	return errors;
}

/* Adds that the call at the place, if there is one, is the first or the last. */
static void
add_end(struct habit_run *r, enum habit_form form, size_t at)
{
	if (at < r->n && r->calls[at].call->tool.n != 0)
		habit_add(r,
		    (struct habit){
			.form = form, .tool = r->calls[at].call->tool });
}

/* Adds what is known of all calls, or nothing. */
static void
add_values(struct habit_run *r)
{
	size_t before = r->found->n;

	for (size_t i = 0; i < r->n; i++)
		if (r->calls[i].tool < r->n_tools)
			habit_add_values(r, &r->calls[i]);
	if (r->found->valueless)
		r->found->n = before;
}

bool
habits_of(const struct trace *t, struct arena *a, struct habit_list *found)
{
	struct hash_table seen = { .arena = a };
	struct habit_run r = { .arena = a, .found = found, .seen = &seen };
	size_t n_turns = json_count(t->member[TRACE_TURNS]), errors;

	*found = (struct habit_list){ .valueless = trace_cut_unmarked(t) };
	if (t->member[TRACE_TOOL_SEQUENCE] == NULL)
		return false;
	errors = take_calls(&r, trace_calls(t, a));
	if (r.over)
		return false;
	add_amounts(&r, STR("calls"), r.n);
	add_amounts(&r, STR("errors"), errors);
	if (t->member[TRACE_TURNS] != NULL)
		add_amounts(&r, STR("turns"), n_turns);
	for (size_t i = 0; i < r.n_tools; i++) {
		add_tool(&r, i);
		for (size_t k = 0; k < r.n_tools; k++)
			if (i != k)
				add_order(&r, i, k);
	}
	add_end(&r, HABIT_FIRST, 0);
	add_end(&r, HABIT_LAST, r.n - 1);
	add_values(&r);
	return true;
}
