/* Finds where a value of a call comes from. */
#include "check/rule/sources.h"

#include "base/ascii.h"
#include "text/caseless.h"
#include "text/unicode.h"

/* ---- collecting ---- */

/* A result that is there once the calls of its message are made. */
struct waiting {
	struct waiting *next;
	const struct json *result; /* NULL: not recorded */
	bool cut;
	size_t done; /* the place behind which the result is known */
};

struct collector {
	struct rule_run *run;
	struct waiting *waiting; /* by place */
	struct rule_seen *seen;
	size_t call; /* the next one */
};

static void
add(struct collector *c, const struct json *value, bool result, bool cut)
{
	struct rule_source *s =
	    arena_push(c->run->arena, c->seen->list, c->seen->n);

	s->value = value;
	s->adds = result;
	s->cut = cut;
	c->seen->lacking |= cut;
}

static void
add_result(struct collector *c, const struct json *result, bool cut)
{
	if (result != NULL)
		add(c, result, true, cut);
	c->seen->lacking |= result == NULL;
}

/* Adds the results that are there when an event at this place starts. */
static void
add_waiting(struct collector *c, size_t place)
{
	for (; c->waiting != NULL && c->waiting->done < place;
	     c->waiting = c->waiting->next)
		add_result(c, c->waiting->result, c->waiting->cut);
}

/* Adds the result of a call, or lets the result wait for other calls of the message. */
static void
add_later(struct collector *c, size_t call, const struct json *result, bool cut)
{
	size_t done = rule_moment_of(c->run, call).done;
	struct waiting **link = &c->waiting, *w;

	if (rule_moments(c->run) == NULL) {
		add_result(c, result, cut);
		return;
	}
	while (*link != NULL && (*link)->done <= done)
		link = &(*link)->next;
	w = arena_new(c->run->arena, struct waiting);
	*w = (struct waiting){ *link, result, cut, done };
	*link = w;
}

/* Collects the results of steps. A result comes after the calls of the sub-agent
 * that made it. */
static void
collect(struct collector *c, const struct json *steps)
{
	for (json_each(step, steps)) {
		const struct json *result = json_get(step, "result");
		const struct trace_calls *calls = &c->run->calls;
		size_t number = c->call;
		bool call =
		    number < calls->n && calls->list[number].step == step;
		bool cut = trace_step_cut(step, STR("result")) ||
		    c->run->view->unmarked;

		if (call) {
			add_waiting(c, rule_moment_of(c->run, number).start);
			c->seen->before[number] = c->seen->n;
			c->seen->lacks[number] = c->seen->lacking;
			c->call++;
		}
		collect(c, json_get(step, "steps"));
		if (call)
			add_later(c, number, result, cut);
		else if (result != NULL)
			add(c, result, true, cut);
	}
}

/* A turn without a prompt lacks one, but for the first: the record may have its
 * prompt. */
static void
collect_all(struct collector *c)
{
	const struct trace *t = c->run->view->trace;
	const struct json *turns = t->member[TRACE_TURNS];
	const struct json *first = t->member[TRACE_PROMPT];
	bool cut = trace_cut(t, STR("prompt"));

	c->seen->lacking = c->run->holes || c->run->cut;
	if (t->member[TRACE_SYSTEM] != NULL)
		add(c, t->member[TRACE_SYSTEM], false,
		    trace_cut(t, STR("system")));
	for (json_each(turn, turns)) {
		const struct json *prompt = json_get(turn, "prompt");

		if (prompt == NULL && turn == json_first(turns))
			prompt = first;
		if (prompt != NULL)
			add(c, prompt, false, cut);
		c->seen->lacking |= prompt == NULL;
		collect(c, json_get(turn, "steps"));
	}
	add_waiting(c, SIZE_MAX);
	if (turns == NULL && first != NULL)
		add(c, first, false, cut);
	c->seen->lacking |= turns == NULL || c->run->cut;
	for (; c->call < c->run->calls.n; c->call++) {
		c->seen->before[c->call] = c->seen->n;
		c->seen->lacks[c->call] = true;
	}
}

struct rule_seen *
rule_seen_of(struct rule_run *run)
{
	struct rule_seen *seen = run->seen;
	struct collector c = { .run = run };

	if (seen != NULL)
		return seen;
	run->seen = c.seen = seen = arena_new(run->arena, struct rule_seen);
	seen->before = arena_new_n(run->arena, size_t, run->calls.n);
	seen->lacks = arena_new_n(run->arena, bool, run->calls.n);
	seen->values.arena = seen->numbers.arena = run->arena;
	collect_all(&c);
	return seen;
}

/* ---- texts ---- */

struct str
rule_source_text(struct rule_run *run, struct rule_source *s)
{
	if (s->text.s == NULL) {
		s->text = rule_result_text(s->value, run->arena);
		if (s->text.s == s->value->text.s)
			s->text = rule_text_of(s->value, true, run->arena);
	}
	return s->text;
}

bool
rule_source_has(struct rule_run *run, struct rule_source *s, struct str lower)
{
	struct str text = rule_source_text(run, s);

	run->work += 1 + text.n / 64;
	switch (caseless_find(text, lower)) {
	case CASELESS_YES:
		return true;
	case CASELESS_NO:
		return false;
	case CASELESS_UNSURE:
		break;
	}
	if (s->lower.s == NULL)
		s->lower = unicode_lower_js(run->arena, text);
	return str_contains(s->lower, lower);
}

/* ---- numbers ---- */

/* Returns the number without zeros that do not count; absent unless it is
 * digits, with thousands (groups of three behind `comma`) and decimals (behind
 * `point`) or without. */
static struct str
reading(struct str run, char comma, char point, struct arena *a)
{
	size_t dot = str_find_char(run, point), group = 0, zeros = 0;
	struct str whole = str_slice(run, 0, dot),
		   part = str_from(run, dot + 1);
	struct out o;

	if (str_find_char(part, comma) < part.n ||
	    str_find_char(part, point) < part.n)
		return (struct str){ 0 };
	out_open_memory(&o);
	for (size_t i = 0; i < whole.n; i++) {
		if (whole.s[i] != comma) {
			out_char(&o, whole.s[i]);
			group++;
			continue;
		}
		if (group > 3 || (group != 3 && o.n != group) ||
		    whole.n - i < 4) {
			out_close(&o);
			return (struct str){ 0 };
		}
		group = 0;
	}
	if (str_find_char(whole, comma) < whole.n && group != 3) {
		out_close(&o);
		return (struct str){ 0 };
	}
	while (part.n != 0 && part.s[part.n - 1] == '0')
		part.n--;
	if (part.n != 0)
		out_printf(&o, ".%.*s", STR_FMT(part));
	run = out_keep(&o, a);
	while (zeros + 1 < run.n && run.s[zeros] == '0' &&
	    ascii_is_digit(run.s[zeros + 1]))
		zeros++;
	return str_from(run, zeros);
}

bool
rule_digits_next(
    struct str text, size_t *at, struct rule_digits *d, struct arena *a)
{
	size_t from = *at, to;

	while (from < text.n && !ascii_is_digit(text.s[from]))
		from++;
	if (from == text.n)
		return false;
	for (to = from; to < text.n; to++)
		if (!ascii_is_digit(text.s[to]) &&
		    !((text.s[to] == '.' || text.s[to] == ',') &&
			to + 1 < text.n && ascii_is_digit(text.s[to + 1])))
			break;
	*at = to;
	d->run = str_slice(text, from, to);
	d->readings[0] = reading(d->run, ',', '.', a);
	d->readings[1] = (struct str){ 0 };
	if (str_find_char(d->run, '.') < d->run.n ||
	    str_find_char(d->run, ',') < d->run.n)
		d->readings[1] = reading(d->run, '.', ',', a);
	return true;
}

static void
note_number(struct rule_run *run, struct str number, size_t source)
{
	void **slot;

	if (number.s == NULL)
		return;
	slot = hash_put(&run->seen->numbers, number);
	if (*slot != NULL)
		return;
	*slot = arena_new(run->arena, size_t);
	*(size_t *)*slot = source;
}

/* Notes the readings of the numbers of a source, and the digits between points
 * and commas, each as a number. */
static void
note_numbers(struct rule_run *run, struct rule_seen *seen, size_t source)
{
	struct str text = rule_source_text(run, &seen->list[source]);
	struct rule_digits d;
	size_t at = 0;

	run->work += text.n / 8;
	while (rule_digits_next(text, &at, &d, run->arena)) {
		note_number(run, d.readings[0], source);
		note_number(run, d.readings[1], source);
		for (size_t i = 0; i < d.run.n;) {
			size_t end = i;

			while (end < d.run.n && ascii_is_digit(d.run.s[end]))
				end++;
			note_number(run,
			    reading(
				str_slice(d.run, i, end), ',', '.', run->arena),
			    source);
			i = end + 1;
		}
	}
}

size_t
rule_number_source(struct rule_run *run, struct str number)
{
	struct rule_seen *seen = rule_seen_of(run);
	const size_t *source;

	for (; seen->numbered < seen->n; seen->numbered++)
		note_numbers(run, seen, seen->numbered);
	source = number.s == NULL ? NULL : hash_get(&seen->numbers, number);
	return source == NULL ? SIZE_MAX : *source;
}

/* ---- values ---- */

/* The place where a text occurs first, as far as was searched. */
struct occurrence {
	struct str lower;
	size_t searched, found; /* sources; found SIZE_MAX: not yet */
};

/* Returns whether one of the first n sources has the text. */
static bool
has_text(struct rule_run *run, struct str text, size_t n)
{
	struct rule_seen *seen = rule_seen_of(run);
	void **slot = hash_put(&seen->values, text);
	struct occurrence *o = *slot;

	if (o == NULL) {
		*slot = o = arena_new(run->arena, struct occurrence);
		o->lower = unicode_lower_js(run->arena, text);
		o->found = SIZE_MAX;
	}
	for (; o->found == SIZE_MAX && o->searched < n; o->searched++)
		if (rule_source_has(run, &seen->list[o->searched], o->lower))
			o->found = o->searched;
	return o->found < n;
}

/* Returns whether one of the first n sources has the number that the text is,
 * however it is written there. */
static bool
has_number(struct rule_run *run, struct str text, size_t n)
{
	struct rule_digits d;
	size_t at = 0;

	if (text.n != 0 && text.s[0] == '-')
		text = str_from(text, 1);
	if (text.n == 0 || !ascii_is_digit(text.s[0]) ||
	    !rule_digits_next(text, &at, &d, run->arena) || at != text.n)
		return false;
	return rule_number_source(run, d.readings[0]) < n ||
	    rule_number_source(run, d.readings[1]) < n;
}

/* Returns whether every text and number in the value is in the first n sources.
 * true, false and null come from nowhere. */
static bool
is_seen(struct rule_run *run, const struct json *v, size_t n)
{
	struct str text;

	for (json_each(item, v))
		if (!is_seen(run, item, n))
			return false;
	for (json_members(key, v))
		if (!is_seen(run, json_value(key), n))
			return false;
	if (v->type == JSON_NUMBER)
		return has_number(run, v->text, n) ||
		    (str_find_char(v->text, 'e') < v->text.n &&
			has_text(run, v->text, n));
	if (v->type != JSON_STRING)
		return true;
	text = json_text(v, run->arena);
	return text.n == 0 || has_text(run, text, n) ||
	    has_number(run, text, n);
}

enum rule_fit
rule_is_unseen(struct rule_run *run, const struct json *value, size_t call,
    const char **lacking)
{
	struct rule_seen *seen;

	if (run->whole != NULL)
		return rule_is_unseen(
		    run->whole, value, run->numbers[call], lacking);
	seen = rule_seen_of(run);
	if (is_seen(run, value, seen->before[call]))
		return RULE_NO;
	if (!seen->lacks[call])
		return RULE_YES;
	*lacking = "not recorded in full: the prompts and results before a "
		   "call";
	return RULE_MAYBE;
}
