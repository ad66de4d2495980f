/* The vars of a test, and the tests that lists of values make of it. */
#include "check/promptfoo/promptfoo.h"

#include <glob.h>

#include "check/promptfoo/program.h"
#include "io/out.h"

/* Sets the variable to the `output` that a program returns for the variable's name,
 * the prompt and the vars as written; unknown if the program says something else. */
static void
set_from_program(struct promptfoo_config *c, struct promptfoo_var *var,
    struct str file, const struct promptfoo_vars *written)
{
	struct program_call call = { .folder = c->folder,
		.file = file,
		.language = (enum program_language)program_language_of(file) };
	struct program_answer answer;
	const struct json *output;
	struct out o;

	if (call.language == PROGRAM_PYTHON)
		call.otherwise = "get_var";
	out_open_json(&o, '[');
	out_json_str(&o, var->name);
	out_json_str(&o, c->nprompts == 0 ? STR("") : c->prompts[0].raw);
	out_begin(&o, '{');
	promptfoo_put_vars(&o, written);
	out_end(&o, '}');
	call.args = out_keep_json(&o, ']', c->arena);
	answer = program_ask(c->scenarios->programs, &call, c->arena);
	output = json_get(answer.value, "output");
	if (answer.error.s == NULL)
		answer.error =
		    json_text(json_get(answer.value, "error"), c->arena);
	if (answer.error.s == NULL && json_is(output, JSON_STRING))
		var->value = call.language == PROGRAM_PYTHON
		    ? promptfoo_quoted(
			  str_trim(json_text(output, c->arena)), c->arena)
		    : output;
	else
		var->unknown = str_printf(c->arena,
		    "the program of the var '%.*s' fails: %.*s",
		    STR_FMT(var->name),
		    STR_FMT(answer.error.s != NULL
			    ? answer.error
			    : STR("expected an object with a text 'output'")));
}

/* Sets the variables that programs make, where programs may run. With several prompts
 * such a variable may have a value for each, and stays unknown. */
static void
set_from_programs(struct promptfoo_config *c, struct promptfoo_vars *vars,
    const struct promptfoo_vars *written)
{
	if (c->scenarios->programs == NULL || c->nprompts > 1)
		return;
	for (size_t i = 0; i < vars->n; i++) {
		struct promptfoo_var *var = &vars->list[i];
		struct str text = json_text(
		    promptfoo_var(written, var->name)->value, c->arena);

		if (var->value == NULL && str_starts(text, "file://") &&
		    program_language_of(text) >= 0)
			set_from_program(c, var, str_from(text, 7), written);
	}
}

/* Sets the variable to the content of a file. */
static void
set_from_file(struct promptfoo_config *c, struct promptfoo_vars *vars,
    struct str name, struct str path)
{
	struct promptfoo_var var = { .name = name };
	const struct document *doc = NULL;
	bool yaml = str_ends(path, ".yaml") || str_ends(path, ".yml");
	struct str text = { 0 };

	if (promptfoo_is_program(path))
		var.unknown = str_printf(c->arena,
		    "the var '%.*s' comes from a program, which is not run",
		    STR_FMT(name));
	else if (yaml) {
		doc = promptfoo_read(c, path);
		if (doc != NULL && doc->n != 0)
			text = doc->roots[0]->text;
	} else
		text = promptfoo_read_text(c, path);
	if (text.s != NULL)
		var.value = promptfoo_quoted(text, c->arena);
	else if (var.unknown.s == NULL)
		var.unknown = str_printf(c->arena,
		    "the file of the var '%.*s' cannot be read: %.*s",
		    STR_FMT(name), STR_FMT(path));
	promptfoo_set_var(vars, var, c->arena);
}

static void
add_choice(struct promptfoo_choices *ch, const struct json *v,
    struct promptfoo_config *c)
{
	glob_t found = { 0 };
	struct str text = json_text(v, c->arena);

	if (!str_starts(text, "file://") ||
	    str_find_char(text, '*') == text.n ||
	    glob(str_c(c->arena, promptfoo_path(c, c->folder, text)), 0, NULL,
		&found) != 0)
		*arena_push(c->arena, ch->values, ch->n) = v;
	for (size_t i = 0; i < found.gl_pathc; i++)
		*arena_push(c->arena, ch->values, ch->n) =
		    promptfoo_quoted(str_cat(c->arena, STR("file://"),
					 str_of(found.gl_pathv[i])),
			c->arena);
	globfree(&found);
}

/* Returns the values of a member of `vars`: those of a list of texts, unless the
 * test does not want that. */
static struct promptfoo_choices
choices_of(struct promptfoo_config *c, const struct json *key, bool expand)
{
	const struct json *v = json_value(key);
	struct promptfoo_choices ch = { .name = json_text(key, c->arena) };

	if (expand && json_is(json_first(v), JSON_STRING) &&
	    json_is(v, JSON_ARRAY))
		for (json_each(item, v))
			add_choice(&ch, item, c);
	else
		add_choice(&ch, v, c);
	return ch;
}

void
promptfoo_set_choices(struct promptfoo_config *c,
    struct promptfoo_choice_list *all, const struct json *object, bool expand)
{
	for (json_members(key, object)) {
		struct promptfoo_choices one = choices_of(c, key, expand),
					 *old = NULL;

		for (size_t i = 0; i < all->n; i++)
			if (str_eq(all->list[i].name, one.name))
				old = &all->list[i];
		if (old == NULL)
			old = arena_push(c->arena, all->list, all->n);
		*old = one;
	}
}

/* Reads `vars` of a part: an object, or files of YAML that hold objects. */
void
promptfoo_read_vars(struct promptfoo_config *c,
    struct promptfoo_choice_list *all, struct promptfoo_part part, bool expand)
{
	const struct json *v = json_get(part.v, "vars");
	struct promptfoo_part one;

	fields_note(part.doc, part.v, "vars", IS(OBJECT) | IS(LIST) | IS(TEXT));
	if (v == NULL || json_is(v, JSON_NULL))
		return;
	if (json_is(v, JSON_OBJECT)) {
		one = promptfoo_resolve(
		    c, (struct promptfoo_part){ v, part.doc });
		promptfoo_set_choices(c, all, one.v, expand);
		return;
	}
	if (!json_is(v, JSON_ARRAY) && !json_is(v, JSON_STRING)) {
		document_report(part.doc, MISTAKE_REFUSES, v,
		    "vars: expected a mapping or files, found %s",
		    json_type_name(v));
		return;
	}
	for (const struct json *item = json_is(v, JSON_STRING) ? v
							       : json_first(v);
	     item != NULL; item = item == v ? NULL : json_next(v, item)) {
		const struct document *doc = promptfoo_read(c,
		    promptfoo_path(c, str_folder(str_of(part.doc->file)),
			json_text(item, c->arena)));

		if (doc != NULL && doc->n != 0)
			promptfoo_set_choices(c, all, doc->roots[0], expand);
	}
}

/* Returns the n-th combination of the values, and their number. */
struct promptfoo_vars
promptfoo_combination(struct promptfoo_config *c,
    const struct promptfoo_choice_list *all, size_t n)
{
	struct promptfoo_vars vars = { 0 }, written = { 0 };

	for (size_t i = all->n; i > 0; i--) {
		const struct promptfoo_choices *ch = &all->list[i - 1];
		const struct json *v = ch->values[n % ch->n];
		struct str text = json_text(v, c->arena);
		struct promptfoo_var var = { .name = ch->name, .value = v };

		n /= ch->n;
		promptfoo_set_var(&written, var, c->arena);
		if (str_starts(text, "file://"))
			set_from_file(c, &vars, ch->name,
			    promptfoo_path(c, c->folder, text));
		else
			promptfoo_set_var(&vars, var, c->arena);
	}
	set_from_programs(c, &vars, &written);
	promptfoo_resolve_vars(&vars, c->arena);
	vars.key = promptfoo_key(&written, c->arena);
	vars.prefixed = c->agentv;
	return vars;
}

size_t
promptfoo_count_combinations(const struct promptfoo_choice_list *all)
{
	size_t n = 1;

	for (size_t i = 0; i < all->n; i++) {
		if (all->list[i].n == 0)
			return 0;
		if (n <= PROMPTFOO_COMBINATIONS)
			n *= all->list[i].n;
	}
	return n;
}
