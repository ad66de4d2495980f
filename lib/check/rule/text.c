/* Claims about the answer and the prompts. */
#include "check/rule/run.h"

#include "text/unicode.h"

/* ---- one text ---- */

/* A text, and the view in which searches share what they find out; or NULL. */
struct text {
	struct str text;
	bool cut;
	struct view *view;
};

static const char *
cut_text(const struct rule_claim *c)
{
	return c->of_prompt ? "cut short in the log: prompt"
			    : "cut short in the log: final_text";
}

/* Decides whether the text has the claim's text; the rest of a text that is cut
 * may have it. */
static struct rule_outcome
has(struct rule_run *run, const struct rule_claim *c, const struct text *t)
{
	bool there = t->view != NULL
	    ? view_contains(t->view, VIEW_LOWER_JS, c->folded)
	    : str_contains(unicode_lower_js(run->arena, t->text), c->folded);

	if (!there && t->cut)
		return rule_unknown(cut_text(c));
	return rule_known(there);
}

static struct rule_outcome
matches(struct rule_run *run, const struct rule_claim *c, const struct text *t)
{
	enum regex_found found = t->view != NULL
	    ? view_search(t->view, c->regex, NULL)
	    : regex_search(c->regex, t->text, NULL, run->arena);

	if (found == REGEX_LIMIT)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	if (t->cut && !(found == REGEX_YES && c->stays))
		return rule_unknown(cut_text(c));
	return rule_known(found == REGEX_YES);
}

static struct rule_outcome
is_equal(struct rule_run *run, const struct rule_claim *c, const struct text *t)
{
	(void)run;
	if (t->cut && str_starts(c->text, t->text))
		return rule_unknown(cut_text(c));
	return rule_known(!t->cut && str_eq(t->text, c->text));
}

static struct rule_outcome
selects(struct rule_run *run, const struct rule_claim *c, const struct text *t)
{
	const struct json *root;
	struct jsonpath_list list;
	bool holds = false;

	if (t->cut)
		return rule_unknown(cut_text(c));
	root = t->view != NULL ? view_json(t->view)
			       : json_parse(run->arena, t->text);
	if (root == NULL)
		return rule_known(false);
	list = jsonpath_select(c->path, root, run->arena);
	if (list.cut)
		return (struct rule_outcome){ .truth = RULE_LIMIT };
	for (size_t i = 0; i < list.n && !holds; i++)
		holds = c->value == NULL ||
		    rule_compare(c->op, list.values[i], c->value, run->arena);
	return rule_known(holds);
}

/* Decides the positive form of the claim for one text. */
static struct rule_outcome
decide(struct rule_run *run, const struct rule_claim *c, const struct text *t)
{
	static struct rule_outcome (*const deciders[])(struct rule_run *,
	    const struct rule_claim *, const struct text *) = {
		[RULE_HAS] = has,
		[RULE_LACKS] = has,
		[RULE_MATCHES] = matches,
		[RULE_IS] = is_equal,
		[RULE_PATH] = selects,
	};

	return deciders[c->form](run, c, t);
}

/* ---- all texts ---- */

static struct rule_outcome
of_answer(struct rule_run *run, const struct rule_claim *c)
{
	struct view *v = run->spoken;
	struct text t = { .view = v };

	if (v == NULL)
		return rule_unknown("not recorded: the answer of a part");
	t.cut = v->cut & VIEW_TEXT;
	if (!(v->have & VIEW_TEXT))
		return rule_unknown("not recorded: final_text");
	t.text = view_text(v, VIEW_AS_WRITTEN);
	return decide(run, c, &t);
}

/* Keeps the outcome that counts more: a prompt for which the claim holds. */
static void
keep(struct rule_outcome *all, struct rule_outcome one)
{
	static const int weights[] = { [RULE_FALSE] = 0,
		[RULE_UNKNOWN] = 1,
		[RULE_LIMIT] = 2,
		[RULE_TRUE] = 3,
		[RULE_PENDING] = 0 };

	if (weights[one.truth] > weights[all->truth])
		*all = one;
}

/* Decides the claim for an input of the user; NULL: it is not recorded. */
static void
add_prompt(struct rule_run *run, const struct rule_claim *c,
    struct rule_outcome *all, const struct json *prompt)
{
	struct text text = { .text = json_text(prompt, run->arena),
		.cut = trace_cut(run->view->trace, STR("prompt")) };

	keep(all,
	    text.text.s == NULL ? rule_unknown("not recorded: a prompt")
				: decide(run, c, &text));
}

/* Decides whether the claim holds for any of the user's inputs. The record may
 * have that of the first turn; a record without turns has no other. */
static struct rule_outcome
of_prompts(struct rule_run *run, const struct rule_claim *c)
{
	const struct trace *t = run->view->trace;
	const struct json *turns = t->member[TRACE_TURNS];
	const struct json *first = t->member[TRACE_PROMPT];
	struct rule_outcome all = rule_known(false);

	if (run->spoken == NULL)
		return rule_unknown("not recorded: the inputs of a part");
	if (json_first(turns) == NULL)
		add_prompt(run, c, &all, first);
	for (json_each(turn, turns)) {
		const struct json *prompt = json_get(turn, "prompt");

		if (run->turn != NULL && run->turn != turn)
			continue;
		if (prompt == NULL && turn == json_first(turns))
			prompt = first;
		add_prompt(run, c, &all, prompt);
	}
	if (turns == NULL)
		keep(&all, rule_unknown("not recorded: turns"));
	if (run->cut)
		keep(&all, rule_unknown("cut short in the log: turns"));
	return all;
}

struct rule_outcome
rule_decide_text(struct rule_run *run, const struct rule_claim *c)
{
	struct rule_outcome o;

	if (c->form == RULE_GROUNDED)
		return run->whole != NULL
		    ? rule_unknown("not decided: whether a part is grounded")
		    : rule_decide_grounded(run);
	o = c->of_prompt ? of_prompts(run, c) : of_answer(run, c);
	return c->form == RULE_LACKS ? rule_negated(o) : o;
}

/* ---- what was there ---- */

enum { SHOWN = 120 };

/* Returns the text's beginning in quotes. */
static struct str
quoted(struct rule_run *run, const char *what, struct str text)
{
	return str_printf(run->arena, "%s %.*s", what,
	    STR_FMT(
		out_quote(run->arena, view_ellipsize(run->view, text, SHOWN))));
}

struct str
rule_got_text(struct rule_run *run, const struct rule_claim *c, bool holds)
{
	const struct trace *t = run->view->trace;

	if (c->form == RULE_GROUNDED)
		return holds ? STR("every number, id and URL of the answer "
				   "occurs before it")
			     : rule_got_ungrounded(run);
	if (c->of_prompt)
		return quoted(run, "prompt",
		    json_text(run->turn != NULL ? json_get(run->turn, "prompt")
						: t->member[TRACE_PROMPT],
			run->arena));
	return quoted(run, "answer", view_text(run->spoken, VIEW_AS_WRITTEN));
}
