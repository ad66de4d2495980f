/* Calls of the author's programs, and the changes that they make of an answer by the key
 * `transform` (promptfoo 0.123, src/util/transform.ts). */
#include "check/promptfoo/program.h"

#include "emulate/lang/js.h"
#include "io/out.h"

/* ---- calling ---- */

struct program_answer
promptfoo_call(
    const struct promptfoo_program *p, struct view *v, struct str output)
{
	struct program_call one = p->call;

	one.args =
	    (p->changes ? promptfoo_change_arguments : promptfoo_arguments)(
		v, output, p->constant, p->prompt);
	return program_ask(v->options.programs, &one, v->arena);
}

struct finding
promptfoo_not_run(void)
{
	return finding_skip("programs are not run without --allow-commands");
}

struct finding
promptfoo_failed(struct view *v, const char *before, struct str why)
{
	return finding_why(
	    FOUND_ERROR, view_shown(v, str_cat(v->arena, str_of(before), why)));
}

struct promptfoo_changes
promptfoo_lacking(const struct promptfoo_changes *c, const struct view *v)
{
	const struct json *source = v->trace->member[TRACE_SOURCE];
	struct promptfoo_changes rest = *c;

	if (json_str_is(json_get(source, "format"), "promptfoo"))
		rest.test = NULL;
	return rest;
}

/* Changes the output, which is JSON, by the program, which may be NULL. Returns
 * false, with *f, if the program fails. */
static bool
change(const struct promptfoo_program *p, struct view *v, struct str *output,
    struct finding *f)
{
	struct program_answer answer;
	struct out o;

	if (p == NULL)
		return true;
	answer = promptfoo_call(p, v, *output);
	if (answer.error.s == NULL &&
	    (answer.value == NULL || json_is(answer.value, JSON_NULL)))
		answer.error = STR("Transform function did not return a value");
	if (answer.error.s != NULL) {
		*f = promptfoo_failed(v, "Transform failed: ", answer.error);
		return false;
	}
	out_open_memory(&o);
	js_stringify(&o, answer.value, v->arena);
	*output = out_keep(&o, v->arena);
	return true;
}

struct str
promptfoo_recorded(struct view *v, struct finding *f)
{
	const struct json *answer = v->trace->member[TRACE_FINAL_TEXT];

	*f = (struct finding){ .open = (v->cut & VIEW_TEXT) != 0 };
	if (v->options.programs == NULL)
		*f = promptfoo_not_run();
	if (f->found != FOUND_NO || f->open)
		return (struct str){ 0 };
	return json_is(answer, JSON_STRING) || answer == NULL
	    ? out_quote(v->arena, view_text(v, VIEW_AS_WRITTEN))
	    : answer->text;
}

bool
promptfoo_change_answer(const struct promptfoo_changes *all, struct view *v,
    struct str *output, struct finding *f)
{
	struct promptfoo_changes c = promptfoo_lacking(all, v);

	*output = promptfoo_recorded(v, f);
	return output->s != NULL && change(c.test, v, output, f) &&
	    change(c.own, v, output, f);
}

/* ---- parameters ---- */

void
promptfoo_show_program(
    const struct promptfoo_program *p, const char *key, struct out *o)
{
	if (p == NULL)
		return;
	out_member_begin(o, key, '{');
	out_member_str(o, "language",
	    p->call.language == PROGRAM_PYTHON ? STR("python")
					       : STR("javascript"));
	out_member_str(o, "file", p->call.file);
	out_member_str(o, "function", p->call.function);
	out_member_str(o, "code", p->call.code);
	out_end(o, '}');
}

void
promptfoo_show_changes(const struct promptfoo_changes *c, struct out *o)
{
	promptfoo_show_program(c->test, "test_transform", o);
	promptfoo_show_program(c->own, "transform", o);
}

/* ---- reading ---- */

bool
promptfoo_find_program(struct str reference, struct program_call *call)
{
	int language;

	if (str_starts(reference, "file://"))
		reference = str_from(reference, 7);
	program_split(reference, &call->file, &call->function);
	language = program_language_of(call->file);
	call->language =
	    language == PROGRAM_PYTHON ? PROGRAM_PYTHON : PROGRAM_JAVASCRIPT;
	return language >= 0;
}

void
promptfoo_read_program(struct fields *e, struct str text, const char *otherwise,
    struct promptfoo_program *p)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	struct program_call *call = &p->call;

	call->folder = t->config->folder;
	if (str_starts(text, "file://")) {
		if (!promptfoo_find_program(text, call))
			promptfoo_undecided(e,
			    str_printf(e->arena, "the program is not run: %.*s",
				STR_FMT(text)));
	} else {
		call->code = text;
		call->expression = str_find_char(text, '\n') == text.n;
		call->parameters = call->language == PROGRAM_PYTHON
		    ? "output,context"
		    : "output,context,process";
	}
	if (call->language == PROGRAM_PYTHON)
		call->otherwise = otherwise;
	for (size_t i = 0; i < t->vars.n; i++)
		if (t->vars.list[i].value == NULL)
			promptfoo_undecided(e, t->vars.list[i].unknown);
	if (t->now->undecided.s == NULL)
		p->constant = p->changes
		    ? promptfoo_context_vars(t, e->arena)
		    : promptfoo_context(t, fields_get(e, "config"), e->arena);
	p->prompt = t->prompt;
}

const struct promptfoo_program *
promptfoo_read_change(struct fields *e, const struct json *v)
{
	struct promptfoo_program *p;

	if (v == NULL)
		return NULL;
	p = arena_new(e->arena, struct promptfoo_program);
	p->changes = true;
	promptfoo_read_program(e, json_text(v, e->arena), "get_transform", p);
	return p;
}

struct promptfoo_changes
promptfoo_read_changes(struct fields *e)
{
	return (struct promptfoo_changes){ promptfoo_read_change(e,
					       promptfoo_test_of(e)->transform),
		promptfoo_read_change(e, fields_get(e, "transform")) };
}
