/*
 * What the author's programs make while a configuration is read: tests, vars, and
 * prompts (promptfoo 0.123, src/util/testCaseReader.ts, src/evaluatorHelpers.ts and
 * src/prompts/processors). They run with --allow-commands only.
 */
#include "check/promptfoo/program.h"

#include "emulate/lang/js.h"
#include "io/out.h"

/* ---- calling ---- */

static bool
may_run(const struct promptfoo_config *c)
{
	return c->scenarios->programs != NULL;
}

/* Calls the function of a reference FILE or FILE:FUNCTION, by default `otherwise` of a
 * file in Python. */
static struct program_answer
ask(struct promptfoo_config *c, struct str reference, const char *otherwise,
    struct str args)
{
	struct program_call call = {
		.folder = c->folder, .data = true, .args = args
	};
	bool known = promptfoo_find_program(reference, &call);

	if (str_starts(call.file, c->folder))
		call.file = str_from(call.file, c->folder.n);
	if (!known)
		return (struct program_answer){
			.error = STR("neither JavaScript nor Python")
		};
	if (call.language == PROGRAM_PYTHON)
		call.otherwise = otherwise;
	return program_ask(c->scenarios->programs, &call, c->arena);
}

/* Returns why one of the vars is not known; absent: all are. */
static struct str
why_unknown(const struct promptfoo_vars *vars)
{
	for (size_t i = 0; i < vars->n; i++)
		if (vars->list[i].value == NULL)
			return vars->list[i].unknown;
	return (struct str){ 0 };
}

/* ---- tests ---- */

const struct document *
promptfoo_generate_tests(struct promptfoo_config *c, struct promptfoo_part at,
    struct str reference, const struct json *config)
{
	struct program_answer found;
	struct document *doc = NULL;
	struct out o;

	if (!may_run(c))
		return NULL;
	out_open_memory(&o);
	out_char(&o, '[');
	if (config != NULL)
		js_stringify(&o, config, c->arena);
	out_char(&o, ']');
	found = ask(c, reference, "generate_tests", out_keep(&o, c->arena));
	if (found.error.s == NULL && !json_is(found.value, JSON_ARRAY))
		found.error = STR("it returned no list of tests");
	if (found.error.s == NULL)
		doc = document_read_text(c->arena,
		    str_c(c->arena, promptfoo_path(c, c->folder, reference)),
		    found.value->text, at.doc->policy);
	else
		document_report(at.doc, MISTAKE_REFUSES, at.v,
		    "tests: %.*s: %.*s", STR_FMT(reference),
		    STR_FMT(found.error));
	if (doc != NULL)
		document_resolve(doc, TYPES_JS);
	return doc;
}

/* ---- vars ---- */

const struct json *
promptfoo_generate_vars(struct promptfoo_config *c, struct str program,
    const struct promptfoo_vars *vars)
{
	struct program_call call = { .language = PROGRAM_JAVASCRIPT,
		.folder = c->folder,
		.code = program,
		.parameters = "vars,context",
		.expression = str_find_char(program, '\n') == program.n };
	struct program_answer found;
	struct out o;

	if (!may_run(c) || why_unknown(vars).s != NULL)
		return NULL;
	out_open_json(&o, '[');
	out_begin(&o, '{');
	promptfoo_put_vars(&o, vars);
	out_end(&o, '}');
	out_json_raw(&o, STR("{\"prompt\":{}}"));
	call.args = out_keep_json(&o, ']', c->arena);
	found = str_starts(program, "file://")
	    ? ask(c, program, "get_transform", call.args)
	    : program_ask(c->scenarios->programs, &call, c->arena);
	return found.error.s == NULL && json_is(found.value, JSON_OBJECT)
	    ? found.value
	    : NULL;
}

/* ---- prompts ---- */

/* Returns the id of the configuration's first provider. */
static struct str
first_provider(const struct promptfoo_config *c)
{
	const struct json *v = json_get(c->root.v, "providers");

	if (v == NULL)
		v = json_get(c->root.v, "targets");
	if (json_is(v, JSON_ARRAY))
		v = json_first(v);
	if (json_is(v, JSON_OBJECT))
		v = json_get(v, "id");
	return json_text(v, c->arena);
}

struct str
promptfoo_generate_prompt(struct promptfoo_config *c, struct str program,
    const struct promptfoo_vars *vars, struct str *why)
{
	struct program_answer found;
	const struct json *v;
	struct out o;

	*why = why_unknown(vars);
	if (why->s != NULL)
		return (struct str){ 0 };
	out_open_json(&o, '[');
	out_begin(&o, '{');
	promptfoo_put_vars_in(&o, vars);
	out_member_begin(&o, "provider", '{');
	out_member_str(&o, "id", first_provider(c));
	out_end(&o, '}');
	out_member_begin(&o, "config", '{');
	out_end(&o, '}');
	out_end(&o, '}');
	found = ask(c, program, NULL, out_keep_json(&o, ']', c->arena));
	v = json_get(found.value, "prompt");
	if (v == NULL)
		v = found.value;
	if (found.error.s != NULL || v == NULL) {
		*why = str_printf(c->arena, "%.*s: %.*s", STR_FMT(program),
		    STR_FMT(found.error.s != NULL
			    ? found.error
			    : STR("it returned nothing")));
		return (struct str){ 0 };
	}
	if (json_is(v, JSON_STRING))
		return json_text(v, c->arena);
	out_open_memory(&o);
	js_stringify(&o, v, c->arena);
	return out_keep(&o, c->arena);
}

bool
promptfoo_generates(const struct promptfoo_config *c, struct str reference)
{
	struct program_call call = { 0 };

	return may_run(c) && promptfoo_find_program(reference, &call);
}
