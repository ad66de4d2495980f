/*
 * The author's own prompt for the judge, rubricPrompt: a text, a chat, or a file of
 * either. promptfoo renders the prompt with the vars of the test, the rubric and the
 * answer (src/matchers/rubric.ts, loadRubricPrompt and renderLlmRubricPrompt, of
 * promptfoo 0.123). Here the prompt becomes the question, in which the answer is
 * named and not quoted.
 */
#include "check/placeholders.h"
#include "check/promptfoo/promptfoo.h"

static const char heading[] =
    "The author of this check gives the following instructions to the judge. "
    "Judge as they say, but answer in the form that was asked for above, not "
    "in a form that they ask for.\n\n";

/* ---- parts of the record ---- */

/* The vars of a prompt, and where in the record its other parts are. */
struct filling {
	struct arena *arena;
	struct promptfoo_vars vars;
	struct {
		const char *name, *member;
	} parts[3];
	size_t nparts;
	struct str why; /* why a text could not be filled in */
};

/* Adds a part, unless a var of the test has the name. */
static void
add_part(struct filling *f, const char *name, const char *member)
{
	struct promptfoo_var var = { 0 };

	if (name == NULL || promptfoo_var(&f->vars, str_of(name)) != NULL)
		return;
	var.name = str_of(name);
	var.unknown = str_printf(f->arena, "an expression with '%s'", name);
	promptfoo_set_var(&f->vars, var, f->arena);
	f->parts[f->nparts].name = name;
	f->parts[f->nparts++].member = member;
}

/* Returns the words for the member of the record that an expression names; absent: the
 * expression is no name of a part. */
static struct str
part_named(struct str expression, void *arg)
{
	const struct filling *f = arg;

	if (str_starts(expression, "-"))
		expression = str_from(expression, 1);
	if (str_ends(expression, "-"))
		expression.n--;
	for (size_t i = 0; i < f->nparts; i++)
		if (str_is(str_trim(expression), f->parts[i].name))
			return str_printf(f->arena,
			    "(here stands %s of the record)",
			    f->parts[i].member);
	return (struct str){ 0 };
}

static struct str
fill(struct filling *f, struct str text)
{
	text = placeholders_fill(f->arena, text, part_named, f);
	if (f->why.s == NULL)
		text = promptfoo_render(text, &f->vars, f->arena, &f->why);
	return text;
}

/* ---- the prompt ---- */

/* Returns the messages with their roles, one behind the other. */
static struct str
fill_chat(struct filling *f, const struct json *chat)
{
	struct str all = { 0 };

	for (json_each(v, chat)) {
		struct str role = json_text(json_get(v, "role"), f->arena),
			   text = promptfoo_message_text(v, f->arena);

		if (text.s == NULL || role.s == NULL) {
			f->why = STR("expected messages with text");
			return all;
		}
		all = str_printf(f->arena, "%.*s%s%.*s:\n%.*s", STR_FMT(all),
		    all.s == NULL ? "" : "\n\n", STR_FMT(role),
		    STR_FMT(fill(f, text)));
	}
	return all;
}

/* Returns the prompt, filled in; absent, with f->why, if it cannot be. */
static struct str
fill_prompt(struct fields *e, struct filling *f, const struct json *v)
{
	struct promptfoo_config *c = promptfoo_test_of(e)->config;
	struct str text;
	const struct json *chat;

	v = promptfoo_resolve(c, (struct promptfoo_part){ v, e->doc }).v;
	text = json_text(v, e->arena);
	if (promptfoo_is_program(text)) {
		f->why = STR("a program of the author is not run");
		return (struct str){ 0 };
	}
	if (str_starts(text, "file://"))
		text =
		    promptfoo_read_text(c, promptfoo_path(c, c->folder, text));
	chat = text.s == NULL ? v : promptfoo_as_chat(text, e->arena);
	if (json_is(chat, JSON_ARRAY))
		return fill_chat(f, chat);
	if (text.s == NULL)
		f->why = STR("expected text, a list of messages, or a file of "
			     "either");
	return text.s == NULL ? text : fill(f, text);
}

struct str
promptfoo_question(
    struct fields *e, const struct promptfoo_names *names, struct str rubric)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	const struct json *own = fields_get(e, "rubricPrompt"),
			  *v = own != NULL ? own : t->rubric_prompt;
	struct filling f = { .arena = e->arena, .vars = t->vars };
	struct promptfoo_var var = { .value =
					 promptfoo_quoted(rubric, e->arena) };
	struct str text = { 0 };

	if (v == NULL || json_is(v, JSON_NULL))
		return rubric;
	if (names == NULL)
		f.why = STR("the judge is asked in the words of this type");
	else {
		add_part(&f, names->answer,
		    names->transcript == NULL
			? "\"answer\""
			: "the last text in \"transcript\"");
		add_part(&f, names->input, "\"prompt\"");
		add_part(&f, names->transcript, "\"transcript\"");
		var.name = str_of(names->rubric);
		if (promptfoo_var(&f.vars, var.name) == NULL)
			promptfoo_set_var(&f.vars, var, e->arena);
		text = fill_prompt(e, &f, v);
	}
	if (f.why.s == NULL && str_trim(text).n != 0)
		return str_cat(e->arena, str_of(heading), text);
	fields_remark(e, own != NULL ? own : e->object,
	    "rubricPrompt has no effect: %.*s", STR_FMT(f.why));
	return rubric;
}
