#include "check/advice/shown.h"

#include "base/ascii.h"
#include "check/advice/words.h"
#include "text/caseless.h"

/* ---- words ---- */

enum { WORD_LEAST = 4, WORD_MOST = 40, WORDS_MOST = 200 };

/* Words that nearly every text has, or that say nothing of what is in it. */
static const char plain_words[] =
    "this that these those with from have will would could should there their "
    "they them then than when what which where your yours here just been were "
    "into also only very more most some such about after before because error "
    "errors please sorry help okay thanks thank hello done good fine great "
    "result results data info information answer response true false null";

/* Returns whether a text may be known by the word: no number alone, which may be a time
 * or an id. */
static bool
is_telling(struct str word)
{
	bool letters = false, digits = false;

	for (size_t i = 0; i < word.n; i++) {
		letters |= ascii_is_letter(word.s[i]);
		digits |= ascii_is_digit(word.s[i]);
	}
	return letters && !(digits && word.n > 12) && word.n >= WORD_LEAST &&
	    word.n <= WORD_MOST && !caseless_is_one_of(word, plain_words) &&
	    !caseless_has(word, STR("error"));
}

/* Narrows the words down to those that the text has, too. */
static void
add_words(struct advice_words *w, struct str text, struct arena *a)
{
	size_t kept = 0;

	if (!w->begun) {
		struct str rest = text, word;

		w->begun = true;
		w->list = arena_new_n(a, struct str, WORDS_MOST);
		while (w->n < WORDS_MOST &&
		    (word = words_next(&rest, "_-")).n != 0)
			if (is_telling(word))
				w->list[w->n++] = str_dup(a, word);
		return;
	}
	for (size_t i = 0; i < w->n; i++)
		if (caseless_has(text, w->list[i]))
			w->list[kept++] = w->list[i];
	w->n = kept;
}

struct str
advice_marker(const struct advice_words *w)
{
	struct str best = { 0 };

	for (size_t i = 0; i < w->n; i++)
		if (w->list[i].n > best.n)
			best = w->list[i];
	return best;
}

/* ---- tools and arguments ---- */

static const struct trace_call *
first_call(struct trace_calls calls, struct str tool)
{
	for (size_t i = 0; i < calls.n; i++)
		if (str_eq(calls.list[i].tool, tool))
			return calls.list + i;
	return NULL;
}

static void
begin_tools(struct advice_shown *s, struct trace_calls calls, struct arena *a)
{
	s->tools = arena_new_n(a, struct advice_tool, calls.n);
	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *call = &calls.list[i];
		struct advice_tool *t = &s->tools[s->ntools];

		if (first_call(calls, call->tool) != call)
			continue;
		t->name = str_dup(a, call->tool);
		if (json_is(call->args, JSON_OBJECT))
			t->args = json_parse(a, str_dup(a, call->args->text));
		t->same = arena_new_n(a, bool, json_count(t->args));
		for (size_t k = 0; k < json_count(t->args); k++)
			t->same[k] = true;
		s->ntools++;
	}
}

static void
compare_args(struct advice_tool *t, const struct json *args)
{
	size_t i = 0;

	for (json_members(key, t->args)) {
		struct arena a = { 0 };
		const struct json *v = json_get(args, json_text(key, &a));

		t->same[i++] &= v != NULL && json_equal(v, json_value(key));
		arena_free(&a);
	}
}

static void
narrow_tool(
    struct advice_tool *t, const struct trace_call *call, struct arena *a)
{
	struct arena moment = { 0 };

	compare_args(t, call->args);
	add_words(&t->output,
	    json_is(call->result, JSON_STRING)
		? json_text(call->result, &moment)
		: call->result == NULL ? STR("")
				       : call->result->text,
	    a);
	arena_free(&moment);
}

bool
advice_shows(const struct advice_shown *s, struct str tool)
{
	for (size_t i = 0; i < s->ntools; i++)
		if (str_eq(s->tools[i].name, tool))
			return true;
	return false;
}

/* Removes the tools that the run does not call, and the arguments that not all of
 * its calls have. */
static void
narrow_tools(struct advice_shown *s, struct trace_calls calls, struct arena *a)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->ntools; i++) {
		struct advice_tool *t = &s->tools[i];

		if (first_call(calls, t->name) == NULL)
			continue;
		for (size_t k = 0; k < calls.n; k++)
			if (str_eq(calls.list[k].tool, t->name))
				narrow_tool(t, &calls.list[k], a);
		s->tools[kept++] = *t;
	}
	s->ntools = kept;
}

bool
advice_is_shared(const struct advice_tool *t, size_t member)
{
	const struct json *key = json_first(t->args), *v;

	for (size_t i = 0; i < member; i++)
		key = json_next(t->args, json_value(key));
	v = json_value(key);
	return t->same[member] && v->type < JSON_ARRAY &&
	    v->text.n <= ADVICE_ARGUMENT_MAX;
}

bool
advice_has_shared(const struct advice_tool *t)
{
	for (size_t i = 0; i < json_count(t->args); i++)
		if (advice_is_shared(t, i))
			return true;
	return false;
}

/* ---- order ---- */

enum { ORDER_MAX = 200 }; /* different tools of a run that are looked at */

/* Returns the tools of the run, in the order of their first calls. */
static struct str_list
first_calls(struct trace_calls calls, struct arena *a)
{
	struct str *list = arena_new_n(a, struct str, ORDER_MAX);
	size_t n = 0;

	for (size_t i = 0; i < calls.n && n < ORDER_MAX; i++)
		if (first_call(calls, calls.list[i].tool) == &calls.list[i])
			list[n++] = str_dup(a, calls.list[i].tool);
	return (struct str_list){ list, n };
}

typedef unsigned char lengths[ORDER_MAX + 1][ORDER_MAX + 1];

static unsigned char
larger(unsigned char x, unsigned char y)
{
	return x > y ? x : y;
}

/* Returns the longest list whose order both lists have. */
static struct str_list
common(struct str_list x, struct str_list y, struct arena *a)
{
	struct arena moment = { 0 };
	lengths *best = arena_alloc(&moment, sizeof *best);
	struct str *list = arena_new_n(a, struct str, x.n);
	size_t n = 0;

	for (size_t i = x.n; i-- > 0;)
		for (size_t j = y.n; j-- > 0;)
			(*best)[i][j] = str_eq(x.list[i], y.list[j])
			    ? (unsigned char)((*best)[i + 1][j + 1] + 1)
			    : larger((*best)[i + 1][j], (*best)[i][j + 1]);
	for (size_t i = 0, j = 0; i < x.n && j < y.n;) {
		if (str_eq(x.list[i], y.list[j])) {
			list[n++] = x.list[i++];
			j++;
		} else if ((*best)[i + 1][j] >= (*best)[i][j + 1]) {
			i++;
		} else {
			j++;
		}
	}
	arena_free(&moment);
	return (struct str_list){ list, n };
}

/* ---- amounts ---- */

/* Raises the largest amount; an amount that is not recorded makes it unknown for
 * ever. */
static void
raise_to(double *most, double amount, bool first)
{
	if (first)
		*most = amount;
	else if (*most >= 0)
		*most = amount < 0 || amount > *most ? amount : *most;
}

static double
number(const struct json *v)
{
	return json_is(v, JSON_NUMBER) ? json_double(v) : -1;
}

/* Returns the time of all calls, in milliseconds; -1 if it is not recorded. */
static double
time_of(struct trace_calls calls)
{
	double sum = calls.n == 0 ? -1 : 0;

	for (size_t i = 0; i < calls.n; i++) {
		double ms = number(calls.list[i].duration_ms);

		if (ms < 0)
			return -1;
		sum += ms;
	}
	return sum;
}

static void
add_amounts(
    struct advice_shown *s, const struct trace *t, struct trace_calls calls)
{
	bool first = s->runs == 0,
	     counted = t->member[TRACE_TOOL_SEQUENCE] != NULL;
	double ms = number(t->member[TRACE_DURATION_MS]);

	raise_to(&s->llm_calls,
	    number(json_get(t->member[TRACE_USAGE], "llm_calls")), first);
	raise_to(&s->calls, counted ? (double)calls.n : -1, first);
	raise_to(&s->call_ms, time_of(calls), first);
	raise_to(&s->seconds, ms < 0 ? -1 : ms / 1000, first);
}

/* Returns whether a text of the agent has the word. */
static bool
says(const struct json *turns, struct str word)
{
	bool found = false;
	struct arena a = { 0 };

	for (uint32_t i = 0; turns != NULL && !found && i + 1 < turns->span;
	     i++)
		if (json_str_is(&turns[i], "text") &&
		    json_is(&turns[i + 1], JSON_STRING))
			found =
			    caseless_has(json_text(&turns[i + 1], &a), word);
	arena_free(&a);
	return found;
}

void
advice_shown_add(struct advice_shown *s, const struct trace *t, struct arena *a)
{
	struct arena moment = { 0 };
	struct trace_calls calls = trace_calls(t, &moment);
	struct str_list order = first_calls(calls, a);
	struct str answer = json_text(t->member[TRACE_FINAL_TEXT], &moment);

	add_amounts(s, t, calls);
	s->errors |= answer.s == NULL || caseless_has(answer, STR("error")) ||
	    says(t->member[TRACE_TURNS], STR("error"));
	if (s->runs == 0)
		begin_tools(s, calls, a);
	narrow_tools(s, calls, a);
	add_words(&s->answer, answer, a);
	s->order = s->runs == 0 ? order : common(s->order, order, a);
	s->runs++;
	arena_free(&moment);
}
