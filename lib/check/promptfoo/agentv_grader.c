/* Programs that grade the runs of an AgentV test. */
#include "check/promptfoo/promptfoo.h"

#include "check/kind/kind.h"
#include "io/out.h"

/* Returns the command as the shell takes it: a text itself, a list of words quoted. */
static struct str
command_of(struct fields *e)
{
	const struct json *v = fields_get(e, "command");
	struct str_list words;
	struct str run = STR("exec");

	if (v == NULL)
		v = fields_get(e, "script");
	if (json_is(v, JSON_STRING))
		return str_trim(json_text(v, e->arena));
	if (v == NULL)
		fields_spoil(e, NULL, "missing key 'command'");
	else if (!json_is(v, JSON_ARRAY))
		fields_spoil(e, v,
		    "command: expected a command or a list of its words, found "
		    "%s",
		    json_type_name(v));
	words = fields_strs(e, json_is(v, JSON_ARRAY) ? v : NULL, "command");
	for (size_t i = 0; i < words.n; i++)
		run = str_printf(e->arena, "%.*s '%.*s'", STR_FMT(run),
		    STR_FMT(str_replace(
			e->arena, words.list[i], STR("'"), STR("'\\''"))));
	return words.n == 0 ? STR("") : run;
}

/* Returns what AgentV gives the program as its configuration: the keys that it does not
 * know itself, and those of `config`; NULL if there are none. */
static const struct json *
config_of(struct fields *e)
{
	static const char known[] =
	    "name metric type command script cwd weight target provider config "
	    "preprocessors required min_score negate transform postprocess";
	const struct json *more = fields_object_if(e, "config");
	size_t n = json_count(more);
	struct str text;
	struct out o;

	out_open_json(&o, '{');
	for (json_members(key, e->object)) {
		if (str_is_one_of(json_text(key, e->arena), known) ||
		    json_get(more, json_raw(key)) != NULL)
			continue;
		promptfoo_put_member(&o, key, e->arena);
		n++;
	}
	for (json_members(key, more))
		promptfoo_put_member(&o, key, e->arena);
	text = out_keep_json(&o, '}', e->arena);
	return n == 0 ? NULL : promptfoo_yaml(text, e->arena);
}

struct check
promptfoo_grader(struct fields *e)
{
	const struct promptfoo_test *t = promptfoo_test_of(e);
	const struct promptfoo_var *expected =
	    promptfoo_var(&t->vars, STR("expected_output"));
	struct str cwd = promptfoo_path(
	    t->config, t->config->folder, fields_str_if(e, "cwd"));
	struct code_grader_want want = { .run = command_of(e),
		.folder = cwd.n == 0 ? STR(".") : cwd,
		.criteria = t->criteria,
		.input = t->input,
		.expected = expected == NULL ? NULL : expected->value,
		.metadata = t->metadata,
		.config = config_of(e),
		.checks = scenarios_form(e)->how };
	struct check c = code_grader_check(e->arena, &want);

	e->any_key = true;
	if (want.run.n == 0)
		fields_spoil(
		    e, NULL, "command: expected a command, found nothing");
	if (str_contains(want.run, "{{") ||
	    (t->input != NULL && str_contains(t->input->text, "{{")))
		promptfoo_undecided(e,
		    "templates in a program's command or input are not "
		    "rendered");
	if (fields_get(e, "target") != NULL ||
	    fields_get(e, "provider") != NULL)
		promptfoo_undecided(
		    e, "the program asks a model, which is not there");
	c = promptfoo_finish(e, c, fields_str_if(e, "name"));
	c.detail = str_printf(e->arena, "%.*s: expected a score %s",
	    STR_FMT(e->where), c.negate ? "below 0.8" : "of at least 0.8");
	return c;
}
