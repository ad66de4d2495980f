#include "extract/run/trace_step.h"

#include <string.h>

#include "base/utf8.h"
#include "extract/run/put_member.h"

enum { NESTING_MAX = 100 }; /* sub-agents of sub-agents; JSON has its limit */

/* Whether an escape of one of these surrogates stands there: \uD and a digit. */
static bool
is_surrogate(struct str body, const char *digits)
{
	return body.n >= 6 && body.s[0] == '\\' && body.s[1] == 'u' &&
	    (body.s[2] == 'd' || body.s[2] == 'D') &&
	    strchr(digits, body.s[3]) != NULL;
}

/* The length of the escape that the text begins with; a pair of surrogates is
 * one character. */
static size_t
escape_length(struct str body)
{
	if (body.s[1] != 'u')
		return 2;
	return is_surrogate(body, "89abAB") &&
		is_surrogate(str_from(body, 6), "cdefCDEF")
	    ? 12
	    : 6;
}

/* How much of a string's source fits in so many bytes: no escape and no
 * character is cut in two. */
static size_t
whole_prefix(struct str body, size_t bytes)
{
	size_t n = 0, unit = 0;

	while (n + unit <= bytes && n + unit < body.n) {
		n += unit;
		if (body.s[n] == '\\') {
			unit = escape_length(str_from(body, n));
			continue;
		}
		for (unit = 1;
		     n + unit < body.n && utf8_is_within(body.s[n + unit]);)
			unit++;
	}
	return n + unit <= bytes ? n + unit : n;
}

/* A string's quotes do not count. */
static bool
is_shortened(const struct step *s, size_t limit)
{
	size_t quotes = s->result.n != 0 && s->result.s[0] == '"' ? 2 : 0;

	return limit != 0 && s->result.n - quotes > limit;
}

/* Whether what is written of the step's text or result is not all of it. */
static bool
is_cut(const struct step *s, size_t limit)
{
	if (!s->is_call)
		return s->cut;
	return is_shortened(s, limit) || (s->cut && limit != 0);
}

static void
put_result(struct out *o, const struct step *s, size_t limit)
{
	struct str body = str_slice(s->result, 1, s->result.n - 1);

	if (limit == 0)
		return;
	if (!is_shortened(s, limit)) {
		put_value(o, "result", s->result);
		return;
	}
	out_key(o, "result");
	if (s->result.s[0] == '"')
		out_body(o, str_slice(body, 0, whole_prefix(body, limit)));
	else /* a list or an object does not stay one */
		out_json_str(o, str_whole(s->result, limit));
}

static void
put_duration(struct out *o, const struct step *s)
{
	bool wall = s->duration.s == NULL && s->ts.text.s != NULL &&
	    s->end.text.s != NULL && s->end.ms > s->ts.ms;

	put_value(o, "duration_ms", s->duration);
	if (wall)
		put_span(o, "duration_ms", &s->ts, &s->end);
	put_true(o, "wall", wall);
}

static void
put_started(struct out *o, const struct step *s, size_t limit, unsigned depth)
{
	if (s->started == NULL || depth == NESTING_MAX)
		return;
	out_member_begin(o, "steps", '[');
	for (const struct thread *t = s->started; t != NULL; t = t->sibling)
		for (const struct turn *n = t->turns; n != NULL; n = n->next)
			trace_steps(o, n, limit, depth + 1);
	out_end(o, ']');
}

static void
put_cut(struct out *o, const char *what)
{
	out_member_begin(o, "cut", '[');
	out_json_str(o, str_of(what));
	out_end(o, ']');
}

static void
put_call(struct out *o, const struct step *s, size_t limit, unsigned depth)
{
	put_body(o, "tool", s->tool);
	put_body(o, "id", s->id);
	put_body(o, "server", s->server);
	put_body(o, "name", s->name);
	put_value(o, "args", s->args);
	put_result(o, s, limit);
	if (s->is_error != NULL)
		put_value(o, "is_error", str_of(s->is_error));
	put_duration(o, s);
	put_body(o, "ts", s->ts.text);
	if (is_cut(s, limit))
		put_cut(o, "result");
	put_started(o, s, limit, depth);
}

void
trace_steps(
    struct out *o, const struct turn *turn, size_t limit, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		out_begin(o, '{');
		if (s->is_call) {
			put_call(o, s, limit, depth);
		} else {
			put_text(o, "text", &s->text);
			if (s->cut)
				put_cut(o, "text");
		}
		out_end(o, '}');
	}
}

/* ---- walks over a turn and the sub-agents that were started in it ---- */

void
trace_tools(struct out *o, const struct turn *turn, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (s->is_call && s->tool.s != NULL)
			out_body(o, s->tool);
		if (depth == NESTING_MAX)
			continue;
		for (struct thread *t = s->started; t != NULL; t = t->sibling)
			for (struct turn *n = t->turns; n != NULL; n = n->next)
				trace_tools(o, n, depth + 1);
	}
}

bool
trace_is_cut(const struct turn *turn, size_t limit, unsigned depth)
{
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (is_cut(s, limit))
			return true;
		if (depth == NESTING_MAX)
			continue;
		for (struct thread *t = s->started; t != NULL; t = t->sibling)
			for (struct turn *n = t->turns; n != NULL; n = n->next)
				if (trace_is_cut(n, limit, depth + 1))
					return true;
	}
	return false;
}

void
trace_sum(struct trace_sums *sums, const struct turn *turn, unsigned depth)
{
	for (struct turn_usage *u = turn->usages; u != NULL; u = u->next) {
		usage_add(&sums->usage, &u->usage);
		sums->partial |= u->partial;
	}
	for (const struct step *s = turn->steps; s != NULL; s = s->next) {
		if (depth == NESTING_MAX)
			continue;
		for (struct thread *t = s->started; t != NULL; t = t->sibling)
			for (struct turn *n = t->turns; n != NULL; n = n->next)
				trace_sum(sums, n, depth + 1);
	}
}
