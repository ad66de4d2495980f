/* The habits of values and words: arguments, results. */
#include "base/ascii.h"
#include "base/hash.h"
#include "habit/internal.h"

enum { DEPTH_MAX = 3, PATH_MAX = 60, WORD_LEAST = 3, WORD_MAX = 24 };

/* The values of one call, below one argument or result. */
struct values {
	struct habit_run *run;
	struct str tool;
	enum habit_form form;
};

/* Returns whether the grammar of rules takes the name as a step of a path. */
static bool
is_path_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.s[i]) && name.s[i] != '_')
			return false;
	return name.n != 0 && !ascii_is_digit(name.s[0]);
}

/* Returns whether a rule can name the value: a short scalar. Numbers with exponents
 * are left out. */
static bool
is_short_scalar(const struct json *v)
{
	if (v->text.n > HABIT_VALUE_MAX || v->type == JSON_NULL)
		return false;
	return v->type != JSON_NUMBER ||
	    (str_find_char(v->text, 'e') == v->text.n &&
		str_find_char(v->text, 'E') == v->text.n);
}

static void
add_members(
    struct values *v, const struct json *object, struct str path, int depth)
{
	struct arena *a = v->run->arena;

	for (json_members(key, object)) {
		const struct json *value = json_value(key);
		struct str at = json_text(key, a);

		if (!is_path_name(at))
			continue;
		if (path.n != 0)
			at = str_printf(
			    a, "%.*s.%.*s", STR_FMT(path), STR_FMT(at));
		if (at.n > PATH_MAX)
			continue;
		if (json_is(value, JSON_OBJECT) && depth < DEPTH_MAX) {
			add_members(v, value, at, depth + 1);
		} else if (value->type < JSON_ARRAY && is_short_scalar(value)) {
			habit_add_value(v->run,
			    (struct habit){ .form = v->form,
				.tool = v->tool,
				.other = at,
				.value = value->text });
		}
	}
}

/* Returns whether the word is likely to be in several runs: ids have digits. */
static bool
is_common(struct str word)
{
	if (word.n < WORD_LEAST || word.n > WORD_MAX)
		return false;
	for (size_t i = 0; i < word.n; i++)
		if (ascii_is_digit(word.s[i]))
			return false;
	return true;
}

static void
add_words(struct habit_run *r, struct str tool, struct str text)
{
	size_t from = 0;

	for (size_t i = 0; i <= text.n; i++) {
		struct str word = str_slice(text, from, i);

		if (i < text.n &&
		    (ascii_is_alnum(text.s[i]) || text.s[i] == '_'))
			continue;
		from = i + 1;
		if (is_common(word))
			habit_add_value(r,
			    (struct habit){ .form = HABIT_WORD,
				.tool = tool,
				.other = word });
	}
}

/* A result that is an object has values; each text has words. A rule reads a list of
 * parts in its own way. */
static void
add_result(struct habit_run *r, struct str tool, const struct json *result)
{
	struct values values = { .run = r, .tool = tool, .form = HABIT_RESULT };
	struct str text = json_text(result, r->arena);
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v = result;

	if (json_is(v, JSON_ARRAY) || json_has(v, "content")) {
		r->found->valueless = true;
		return;
	}
	if (text.s != NULL)
		v = json_read(&reader, text, NULL, &error);
	add_members(&values, v, (struct str){ 0 }, 0);
	add_words(r, tool, text.s != NULL ? text : result->text);
	json_reader_free(&reader);
}

void
habit_add_values(struct habit_run *r, const struct habit_call *c)
{
	const struct trace_call *call = c->call;
	struct values values = {
		.run = r, .tool = r->tools[c->tool], .form = HABIT_ARGUMENT
	};

	if (trace_step_cut(call->step, STR("result")) ||
	    trace_step_cut(call->step, STR("args"))) {
		r->found->valueless = true;
		return;
	}
	add_members(&values, call->args, (struct str){ 0 }, 0);
	if (call->result != NULL)
		add_result(r, values.tool, call->result);
}
