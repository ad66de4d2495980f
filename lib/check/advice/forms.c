#include "check/advice/forms.h"

#include <string.h>

#include "base/ascii.h"
#include "check/rule/parse.h"

/*
 * In a text, $T is the tool, $L a list of tools, $A the shared arguments, $P the
 * path of an argument, $V its value, $E a pattern for its text, $N a number, $X a
 * text, $W a pattern for the text in any case. In rules $t, $l and $a are a tool, a chain
 * of tools and conditions, $X a text. ' stands for the quotes of JSON.
 */
/* NOLINTBEGIN(bugprone-suspicious-missing-comma): most texts take two lines */
static const char *const forms[STYLES][FORMS] = {
	[STYLE_KINDS] = {
		[FORM_TOOL] =
		    "{'kind': 'tool_was_called', 'tool_name': $T, "
		    "'min_times': 1}",
		[FORM_ARGUMENTS] =
		    "{'kind': 'tool_called_with', 'tool_name': $T, "
		    "'arguments': $A}",
		[FORM_ORDER] =
		    "{'kind': 'tool_sequence', 'sequence': $L, "
		    "'allow_other_calls': true}",
		[FORM_LIMIT] =
		    "{'kind': 'max_iterations', 'max_iterations': $N}",
		[FORM_TIME] = "{'kind': 'response_time_under', 'ms': $N}",
		[FORM_LACKS] =
		    "{'kind': 'not_contains', 'text': 'error', "
		    "'case_sensitive': false}",
		[FORM_CONTAINS] =
		    "{'kind': 'response_contains', 'text': $X, "
		    "'case_sensitive': false}",
		[FORM_OUTPUT] =
		    "{'kind': 'tool_output_matches', 'tool_name': $T, "
		    "'expected_output': $X, 'match_type': 'contains'}",
		[FORM_JUDGE] =
		    "{'kind': 'llm_judge', 'rubric': $X, 'min_score': 0.8}",
	},
	[STYLE_EVALUATORS] = {
		[FORM_TOOL] =
		    "{'ToolWasCalled': {'tool_name': $T, 'min_times': 1}}",
		[FORM_ARGUMENTS] =
		    "{'ToolCalledWith': {'tool_name': $T, 'expected_args': "
		    "$A}}",
		[FORM_ORDER] =
		    "{'ToolSequence': {'expected_sequence': $L, "
		    "'allow_other_calls': true}}",
		[FORM_LIMIT] = "{'MaxIterations': {'max_iterations': $N}}",
		[FORM_TIME] = "{'ResponseTimeCheck': {'max_ms': $N}}",
		[FORM_LACKS] =
		    "{'NotContains': {'text': 'error', 'case_sensitive': "
		    "false}}",
		[FORM_CONTAINS] =
		    "{'ResponseContains': {'text': $X, 'case_sensitive': "
		    "false}}",
		[FORM_OUTPUT] =
		    "{'ToolOutputMatches': {'tool_name': $T, "
		    "'expected_output': $X, 'match_type': 'contains'}}",
		[FORM_JUDGE] = "{'LLMJudge': {'rubric': $X, 'min_score': 0.8}}",
		[FORM_LOOSE] = "{'EqualsExpected': {'exact_match': false}}",
	},
	[STYLE_MCPLAB] = {
		[FORM_TOOL] = "$T",
		[FORM_ARGUMENT] =
		    "{'type': 'jsonpath', 'tool': $T, 'path': $P, 'equals': "
		    "$V}",
		[FORM_ORDER] = "$L",
		[FORM_LACKS] = "{'type': 'not_contains', 'value': 'error'}",
		[FORM_CONTAINS] = "{'type': 'contains', 'value': $X}",
	},
	[STYLE_PROMPTKIT] = {
		[FORM_TOOL] =
		    "{'type': 'tools_called', 'params': {'tool_names': [$T]}, "
		    "'message': 'calls the tool that it needs'}",
		[FORM_ARGUMENTS] =
		    "{'type': 'tool_calls_with_args', 'params': {'tool_name': "
		    "$T, 'required_args': $A}, 'message': 'passes the right "
		    "arguments'}",
		[FORM_ORDER] =
		    "{'type': 'tool_call_sequence', 'params': {'sequence': "
		    "$L}, 'message': 'calls the tools in this order'}",
		[FORM_LIMIT] =
		    "{'type': 'tool_call_count', 'params': {'max': $N}, "
		    "'message': 'does not go round in circles'}",
		[FORM_LACKS] =
		    "{'type': 'content_not_includes', 'params': {'patterns': "
		    "['error']}, 'message': 'reports no error'}",
		[FORM_CONTAINS] =
		    "{'type': 'content_includes_any', 'params': {'patterns': "
		    "[$X]}, 'message': 'contains the text, in any case'}",
		[FORM_OUTPUT] =
		    "{'type': 'tool_result_includes', 'params': {'tool': $T, "
		    "'patterns': [$X]}, 'message': 'the tool returns what it "
		    "should'}",
	},
	[STYLE_EVOLVE] = {
		[FORM_TOOL] = "{'type': 'tool_call', 'tool': $R}",
		[FORM_ARGUMENT] =
		    "{'type': 'tool_call', 'tool': $R, 'pattern': $E}",
		[FORM_LACKS] =
		    "{'type': 'not_regex', 'pattern': '(?i)\\\\berror\\\\b'}",
		[FORM_CONTAINS] = "{'type': 'regex', 'pattern': $W}",
	},
	[STYLE_PROMPTFOO] = {
		[FORM_TOOL] = "{'type': 'trajectory:tool-used', 'value': $T}",
		[FORM_ARGUMENTS] =
		    "{'type': 'trajectory:tool-args-match', 'value': {'name': "
		    "$T, 'args': $A, 'mode': 'partial'}}",
		[FORM_ORDER] =
		    "{'type': 'trajectory:tool-sequence', 'value': {'steps': "
		    "$L, 'mode': 'in_order'}}",
		[FORM_LIMIT] =
		    "{'type': 'trajectory:step-count', 'value': {'type': "
		    "'tool', 'max': $N}}",
		[FORM_TIME] = "{'type': 'latency', 'threshold': $N}",
		[FORM_LACKS] = "{'type': 'not-icontains', 'value': 'error'}",
		[FORM_CONTAINS] = "{'type': 'icontains', 'value': $X}",
	},
	[STYLE_RULES] = {
		[FORM_TOOL] = "$t",
		[FORM_ARGUMENTS] = "$t($a)",
		[FORM_ORDER] = "$l",
		[FORM_LIMIT] = "calls <= $N",
		[FORM_TIME] = "time <= $N",
		[FORM_LACKS] = "answer lacks 'error'",
		[FORM_CONTAINS] = "answer has $X",
	},
};
/* NOLINTEND(bugprone-suspicious-missing-comma) */

/* The list that a form belongs to, where the style has one for all forms. */
static const char *const lists[STYLES] = {
	[STYLE_KINDS] = "assertions",
	[STYLE_EVALUATORS] = "evaluators",
	[STYLE_PROMPTKIT] = "conversation_assertions",
	[STYLE_EVOLVE] = "assertions",
	[STYLE_PROMPTFOO] = "assert",
	[STYLE_RULES] = "",
};

static const char *const mcplab_lists[FORMS] = {
	[FORM_TOOL] = "eval.tool_constraints.required_tools",
	[FORM_ARGUMENT] = "eval.tool_input_assertions",
	[FORM_ORDER] = "eval.tool_sequence",
	[FORM_LACKS] = "eval.response_assertions",
	[FORM_CONTAINS] = "eval.response_assertions",
};

static const char *
list_of(enum advice_style style, enum advice_form form)
{
	return style == STYLE_MCPLAB ? mcplab_lists[form] : lists[style];
}

/* ---- values ---- */

/* Returns a name as rules write it. */
static struct str
rule_name(struct arena *a, struct str name)
{
	bool plain = name.n != 0 && !rules_is_reserved(name);

	for (size_t i = 0; i < name.n; i++)
		plain &= rules_is_of_name(name.s[i]);
	return plain ? name : out_quote(a, name);
}

static bool
is_identifier(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum(name.s[i]) && name.s[i] != '_')
			return false;
	return name.n != 0 && !ascii_is_digit(name.s[0]);
}

/* Returns a pattern that matches the text alone. */
static struct str
escaped(struct arena *a, struct str text)
{
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < text.n; i++) {
		if (ascii_is_among(text.s[i], "\\^$.|?*+()[]{}"))
			out_char(&o, '\\');
		out_char(&o, text.s[i]);
	}
	return out_keep(&o, a);
}

static void
put_list(struct out *o, struct str_list tools, struct arena *a)
{
	for (size_t i = 0; i < tools.n; i++)
		out_printf(o, "%s%.*s", i == 0 ? "[" : ", ",
		    STR_FMT(out_quote(a, tools.list[i])));
	out_char(o, ']');
}

static void
put_chain(struct out *o, struct str_list tools, struct arena *a)
{
	for (size_t i = 0; i < tools.n; i++)
		out_printf(o, "%s%.*s", i == 0 ? "" : " then ",
		    STR_FMT(rule_name(a, tools.list[i])));
}

/* Writes the shared arguments: as an object, or as the conditions of a rule. */
static void
put_arguments(
    struct out *o, const struct advice_tool *t, bool rule, struct arena *a)
{
	const char *before = rule ? "" : "{";
	size_t i = 0;

	for (json_members(key, t->args)) {
		if (!advice_is_shared(t, i++) ||
		    (rule && !is_identifier(json_text(key, a))))
			continue;
		out_text(o, before);
		out_str(o, rule ? json_text(key, a) : key->text);
		out_text(o, rule ? " = " : ": ");
		out_str(o, json_value(key)->text);
		before = ", ";
	}
	out_text(o, rule ? "" : "}");
}

/* Writes a pattern for the text of an argument in a call's arguments. */
static struct str
pattern_of(struct arena *a, const struct advice_values *v)
{
	return str_cat(a, escaped(a, v->key->text),
	    str_cat(a, STR(": ?"), escaped(a, v->value->text)));
}

static void
put_value(
    struct out *o, char name, const struct advice_values *v, struct arena *a)
{
	switch (name) {
	case 'T':
		out_str(o, out_quote(a, v->tool));
		break;
	case 't':
		out_str(o, rule_name(a, v->tool));
		break;
	case 'R':
		out_str(o,
		    out_quote(a,
			str_printf(a, "^%.*s$", STR_FMT(escaped(a, v->tool)))));
		break;
	case 'L':
		put_list(o, v->tools, a);
		break;
	case 'l':
		put_chain(o, v->tools, a);
		break;
	case 'A':
	case 'a':
		put_arguments(o, v->arguments, name == 'a', a);
		break;
	case 'P':
		out_str(o,
		    out_quote(a, str_cat(a, STR("$."), json_text(v->key, a))));
		break;
	case 'V':
		out_str(o, v->value->text);
		break;
	case 'E':
		out_str(o, out_quote(a, pattern_of(a, v)));
		break;
	case 'X':
		out_str(o, out_quote(a, v->text));
		break;
	case 'W':
		out_str(o,
		    out_quote(a, str_cat(a, STR("(?i)"), escaped(a, v->text))));
		break;
	default:
		out_printf(o, "%.15g", v->n);
	}
}

/* ---- forms ---- */

/* Returns the length of the text in quotes at the start, with the quotes, if it is
 * a key or a word that YAML reads as text without them; else 0. */
static size_t
plain_word(const char *text)
{
	size_t n = 1;

	while (ascii_is_letter(text[n]) || text[n] == '_')
		n++;
	return *text == '\'' && n > 1 && text[n] == '\'' ? n + 1 : 0;
}

static struct str
fill(
    struct arena *a, const char *text, const struct advice_values *v, bool yaml)
{
	struct out o;

	out_open_memory(&o);
	for (; *text != '\0'; text++) {
		size_t n = yaml ? plain_word(text) : 0;

		if (n != 0) {
			out_str(&o, (struct str){ text + 1, n - 2 });
			text += n - 1;
		} else if (*text == '$') {
			put_value(&o, *++text, v, a);
		} else {
			out_char(&o, (char)(*text == '\'' ? '"' : *text));
		}
	}
	return out_keep(&o, a);
}

/* Returns whether promptfoo reads the text as something else: the name of a file or
 * package, or, in a tool's name, a template. */
static bool
is_reference(const struct advice_values *v)
{
	return str_starts(v->text, "file://") ||
	    str_starts(v->text, "package:") || str_starts(v->tool, "file://") ||
	    str_starts(v->tool, "package:") || str_contains(v->tool, "{");
}

bool
advice_write(struct arena *a, enum advice_style style, enum advice_form form,
    const struct advice_values *v, struct advice_written *written)
{
	const char *text = forms[style][form];

	if (text == NULL)
		return false;
	if (style == STYLE_MCPLAB && form == FORM_ARGUMENT &&
	    !is_identifier(json_text(v->key, a)))
		return false;
	if (style == STYLE_PROMPTFOO && is_reference(v))
		return false;
	written->where = list_of(style, form);
	written->value.json = fill(a, text, v, false);
	written->value.yaml = fill(a, text, v, style != STYLE_RULES);
	return true;
}

/* ---- styles ---- */

/* Returns whether the set is of the kind that mcp-eval's datasets have. */
static bool
has_evaluators(const struct scenario *s)
{
	if (json_has(s->object, "assertions"))
		return false;
	if (json_has(s->object, "evaluators") ||
	    json_has(s->object, "inputs") || json_has(s->object, "cases"))
		return true;
	return s->n != 0 && s->checks[0].type.n != 0 &&
	    *s->checks[0].type.s >= 'A' && *s->checks[0].type.s <= 'Z';
}

enum advice_style
advice_style_of(const char *dialect, const struct scenario *s)
{
	static const struct {
		const char *dialect;
		enum advice_style style;
	} styles[] = { { "rules", STYLE_RULES }, { "mcplab", STYLE_MCPLAB },
		{ "promptfoo", STYLE_PROMPTFOO }, { "evolve", STYLE_EVOLVE },
		{ "promptkit", STYLE_PROMPTKIT },
		{ "promptkit-2", STYLE_PROMPTKIT } };

	for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++)
		if (strcmp(dialect, styles[i].dialect) == 0)
			return styles[i].style;
	if (strcmp(dialect, "mcp-eval") != 0)
		return STYLES;
	return has_evaluators(s) ? STYLE_EVALUATORS : STYLE_KINDS;
}

struct str
advice_form_name(
    struct arena *a, enum advice_style style, enum advice_form form)
{
	struct str text, word;

	if (style == STYLES)
		return STR("");
	if (forms[style][form] == NULL && form == FORM_ARGUMENTS)
		form = FORM_ARGUMENT;
	if (forms[style][form] == NULL)
		return STR("");
	text = str_of(forms[style][form]);
	(void)str_cut(&text, '\'');
	word = str_cut(&text, '\'');
	if (style == STYLE_MCPLAB) {
		text = str_of(mcplab_lists[form]);
		while (text.s != NULL)
			word = str_cut(&text, '.');
	} else if (str_is_one_of(word, "kind type")) {
		(void)str_cut(&text, '\'');
		word = str_cut(&text, '\'');
	}
	return word.n == 0 ? word : str_printf(a, " (%.*s)", STR_FMT(word));
}
