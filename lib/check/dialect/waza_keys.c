/* Makes checks of the keys of graders of waza's and Vally's, which waza_forms.c has. */
#include "check/dialect/waza.h"

#include <stdlib.h>
#include <string.h>

#include "check/dialect/rubric.h"
#include "check/kind/kind.h"

/* Returns the text at a value; absent after a mistake. */
static struct str
text_at(struct fields *e, const struct param *p, const struct json *v)
{
	if (json_is(v, JSON_STRING))
		return json_text(v, e->arena);
	fields_mistake(
	    e, v, "%s: expected text, found %s", p->key, json_type_name(v));
	return (struct str){ 0 };
}

/* ---- patterns ---- */

/* Takes the flags (?ims) from the front of a pattern of JavaScript. */
static unsigned
take_flags(struct str *pattern)
{
	static const char letters[] = "ims";
	static const unsigned flags[] = { REGEX_CASELESS, REGEX_MULTILINE,
		REGEX_DOTALL };
	size_t end = str_find_char(*pattern, ')');
	unsigned all = 0;

	if (!str_starts(*pattern, "(?") || end < 3 || end == pattern->n)
		return 0;
	for (size_t i = 2; i < end; i++) {
		size_t k = str_find_char(str_of(letters), pattern->s[i]);

		if (k == 3)
			return 0;
		all |= flags[k];
	}
	*pattern = str_from(*pattern, end + 1);
	return all;
}

static struct regex *
compile(struct fields *e, const char *key, const struct json *v,
    enum waza_flavour flavour)
{
	struct str pattern = json_text(v, e->arena);
	struct regex_error error;
	struct regex *re;
	unsigned flags = 0;

	if (pattern.s == NULL) {
		fields_spoil(e, v, "%s: expected a pattern, found %s", key,
		    json_type_name(v));
		return NULL;
	}
	if (flavour == WAZA_GO_CASELESS)
		pattern = str_cat(e->arena, STR("(?i)"), pattern);
	if (flavour == WAZA_JS || flavour == WAZA_NET)
		flags = take_flags(&pattern);
	if (flavour == WAZA_NET)
		flags |= REGEX_CASELESS;
	re = regex_compile(e->arena,
	    flavour == WAZA_JS || flavour == WAZA_NET ? REGEX_JS : REGEX_RE2,
	    pattern, flags, &error);
	if (re == NULL)
		fields_spoil(e, v, "%s: %.*s", key,
		    STR_FMT(regex_error_text(e->arena, &error)));
	return re;
}

/* Returns the check of a pattern, in the text that the check is given. */
static struct check
pattern_at(struct fields *e, const struct param *p, const struct json *v,
    enum waza_flavour flavour)
{
	struct str written = text_at(e, p, v);

	return pattern_check(
	    e->arena, compile(e, p->key, v, flavour), written, 0);
}

void
waza_add_pattern(struct fields *e, const struct param *p, const struct json *v)
{
	waza_emit(e, p, v, pattern_at(e, p, v, (enum waza_flavour)p->how));
}

void
waza_add_text(struct fields *e, const struct param *p, const struct json *v)
{
	bool cased = fields_bool_if(e, "case_sensitive");

	waza_emit(e, p, v,
	    text_check(e->arena, TEXT_CONTAINS,
		cased ? VIEW_AS_WRITTEN : (enum view_fold)p->how,
		text_at(e, p, v)));
}

/* ---- files ---- */

/* Adds a check of a file (inner NULL: of its existence). */
static void
emit_file(struct fields *e, const struct param *p, const struct json *v,
    struct str path, const struct check *inner)
{
	bool glob = false;

	for (size_t i = 0; i < path.n && !str_is(e->where, "file"); i++)
		glob |= strchr("*?[{", path.s[i]) != NULL;
	waza_emit(e, p, v,
	    glob                ? file_glob_check(e->arena, path, inner)
		: inner == NULL ? file_check(e->arena, path)
				: file_content_check(e->arena, path, inner));
}

void
waza_add_file(struct fields *e, const struct param *p, const struct json *v)
{
	emit_file(e, p, v, text_at(e, p, v), NULL);
}

/* Adds a check of what the file at `path` of the same grader holds. */
void
waza_add_content(struct fields *e, const struct param *p, const struct json *v)
{
	struct check *inner = arena_new(e->arena, struct check);

	*inner = p->how == WAZA_JS ? pattern_at(e, p, v, WAZA_JS)
				   : text_check(e->arena, TEXT_CONTAINS,
					 VIEW_AS_WRITTEN, text_at(e, p, v));
	emit_file(e, p, v, fields_str(e, "path"), inner);
}

/* Adds the checks of an object that names a file of waza's and patterns in it. */
void
waza_add_content_patterns(
    struct fields *e, const struct param *p, const struct json *v)
{
	static const struct param keys[] = {
		{ .key = "must_match", .how = WAZA_GO },
		{ .key = "must_not_match", .how = WAZA_GO, .negate = true },
	};
	struct fields one = fields_open(e->arena, e->doc, v, str_of(p->key));
	struct str path = fields_str(&one, "path"), why;

	emit_file(e, p, v, path, NULL);
	for (size_t i = 0; i < 2; i++)
		for (json_each(item, fields_list_if(&one, keys[i].key))) {
			struct check *inner = arena_new(e->arena, struct check);

			*inner = pattern_at(e, &keys[i], item, WAZA_GO);
			emit_file(e, &keys[i], item, path, inner);
		}
	if (!fields_close(&one, &why))
		fields_spoil(e, v, "%.*s", STR_FMT(why));
}

/* ---- limits ---- */

/* Returns the seconds of a text such as 30s, 1500ms, 2m or 1h; negative: it is no
 * such text. */
static double
seconds_of(struct str text, struct arena *a)
{
	const char *start = str_c(a, text);
	char *unit;
	double number = strtod(start, &unit);

	if (unit == start)
		return -1;
	return strcmp(unit, "ms") == 0 ? number / 1000
	    : strcmp(unit, "s") == 0   ? number
	    : strcmp(unit, "m") == 0   ? number * 60
	    : strcmp(unit, "h") == 0   ? number * 3600
				       : -1;
}

void
waza_add_limit(struct fields *e, const struct param *p, const struct json *v)
{
	struct arena *a = e->arena;
	struct str any = { 0 };
	double most = p->how == WAZA_DURATION ? seconds_of(json_text(v, a), a)
	    : json_is(v, JSON_NUMBER)         ? json_double(v)
					      : -1;
	int64_t calls = most < 1e15 ? (int64_t)most : INT64_MAX / 2;

	if (!(most >= 0))
		fields_spoil(e, v, "%s: expected %s, found %.*s", p->key,
		    p->how == WAZA_DURATION ? "a time such as 30s" : "a number",
		    STR_FMT(v->text));
	else if (most == 0 && str_is(e->where, "behavior"))
		fields_remark(e, v, "%s: 0 is no limit", p->key);
	else if (json_has(e->object, "tools"))
		waza_emit_undecided(
		    e, p, v, "calls of single tools are not counted");
	else if (p->how == WAZA_CALLS || p->how == WAZA_LEAST_CALLS)
		waza_emit(e, p, v,
		    called_at_most(
			a, any, calls - (p->how == WAZA_LEAST_CALLS)));
	else if (p->how == WAZA_TOKENS || p->how == WAZA_TURNS)
		waza_emit(e, p, v,
		    limits_check(a,
			p->how == WAZA_TOKENS ? LIMIT_TOKENS : LIMIT_LLM_CALLS,
			most));
	else
		waza_emit(e, p, v,
		    limits_check(a, LIMIT_SECONDS,
			p->how == WAZA_DURATION ? most : most / 1000));
}

/* ---- tools and skills ---- */

void
waza_add_tool(struct fields *e, const struct param *p, const struct json *v)
{
	waza_emit(e, p, v, called_check(e->arena, text_at(e, p, v)));
}

void
waza_add_skill(struct fields *e, const struct param *p, const struct json *v)
{
	struct trigger_want want = { .skill = text_at(e, p, v) };

	waza_emit(e, p, v, trigger_check(e->arena, &want));
}

/* Reads the patterns of arguments into the list. Returns their number. */
static size_t
read_args(struct fields *e, struct argument *list, enum waza_flavour flavour)
{
	static const char *const waza[][2] = { { "command_pattern", "command" },
		{ "path_pattern", "path" }, { "skill_pattern", "skill" } };
	static const char *const vally[][2] = { { "command", "command" },
		{ "path", "path" }, { "", "" } };
	const char *const(*keys)[2] = flavour == WAZA_JS ? vally : waza;
	const struct json *args = fields_object_if(e, "args");
	size_t n = 0;

	for (size_t i = 0; i < 3; i++) {
		struct str pattern = fields_str_if(e, keys[i][0]);

		if (pattern.n != 0)
			list[n++] = (struct argument){
				.name = str_of(keys[i][1]),
				.regex = compile(e, keys[i][0],
				    json_get(e->object, keys[i][0]), flavour),
				.pattern = pattern,
			};
	}
	for (json_members(key, flavour == WAZA_JS ? args : NULL))
		list[n++] = (struct argument){
			.name = json_text(key, e->arena),
			.regex = compile(e, "args", json_value(key), flavour),
			.pattern = json_text(json_value(key), e->arena),
		};
	return n;
}

/* Adds the check of a call by patterns: of its tool, and maybe of arguments. */
void
waza_add_call(struct fields *e, const struct param *p, const struct json *v)
{
	enum waza_flavour flavour = (enum waza_flavour)p->how;
	const char *key = flavour == WAZA_JS ? "name" : "tool";
	struct call_matches_want want = { .part = true };
	struct argument *list = arena_new_n(
	    e->arena, struct argument, 3 + json_count(json_get(v, "args")));
	struct fields one;
	struct str why;

	if (!json_is(v, JSON_OBJECT)) {
		want.tool_pattern = text_at(e, p, v);
		want.tool = compile(e, p->key, v, flavour);
		waza_emit(e, p, v, call_matches_check(e->arena, &want));
		return;
	}
	one = fields_open(e->arena, e->doc, v, str_of(p->key));
	one.is_assertion = true;
	want.tool_pattern = str_trim(fields_str(&one, key));
	want.tool = compile(&one, key, json_get(v, key), flavour);
	want.list = list;
	want.n = read_args(&one, list, flavour);
	if (fields_ok(&one) && want.tool_pattern.n == 0)
		fields_spoil(&one, v, "%s is empty", key);
	if (!fields_close(&one, &why))
		fields_spoil(e, v, "%.*s", STR_FMT(why));
	if (flavour != WAZA_JS && json_has(v, "args"))
		waza_emit_undecided(
		    e, p, v, "matchers of arguments are not decided");
	else
		waza_emit(e, p, v, call_matches_check(e->arena, &want));
}

/* Adds the check that no tools are called but those of a list. */
void
waza_add_allowed(struct fields *e, const struct param *p, const struct json *v)
{
	struct expected_calls_want want = { .mode = EXPECTED_NO_OTHERS };
	struct call_match *list =
	    arena_new_n(e->arena, struct call_match, json_count(v));
	const struct json *tool;

	for (json_each(item, v)) {
		tool =
		    json_is(item, JSON_OBJECT) ? json_get(item, "tool") : item;
		if (tool != item && json_count(item) > 1) {
			waza_emit_undecided(e, p, v,
			    "allowed calls by arguments are not decided");
			return;
		}
		list[want.n++].tool = text_at(e, p, tool != NULL ? tool : item);
	}
	want.list = list;
	waza_emit(e, p, v, expected_calls_check(e->arena, &want));
}

void
waza_add_order(struct fields *e, const struct param *p, const struct json *v)
{
	waza_emit_undecided(
	    e, p, v, "an order of calls by patterns is not decided");
}

/* Adds the check of a list of tools, or of skills, in a mode. */
void
waza_add_sequence(struct fields *e, const struct param *p, const struct json *v)
{
	static const char *const words[] = { [EXPECTED_IN_ORDER] =
						 "in_order in_order_match",
		[EXPECTED_EXACTLY] = "exact_match",
		[EXPECTED_ALL] = "any_order any_order_match" };
	struct expected_calls_want want = { .skills = p->how,
		.n = json_count(v) };
	const char *key = want.skills ? "mode" : "matching_mode";
	struct str mode = fields_str(e, key);
	struct call_match *list =
	    arena_new_n(e->arena, struct call_match, want.n);
	size_t n = 0, m = 0;

	want.list = list;
	for (json_each(item, v))
		list[n++].tool = text_at(e, p, item);
	while (m < 3 && !str_is_one_of(mode, words[m]))
		m++;
	want.mode = (enum expected_mode)m;
	if (n == 0)
		fields_spoil(e, v, "%s is empty", p->key);
	else if (m == 3)
		fields_spoil(e, json_get(e->object, key),
		    "%s: expected exact_match or another mode, found '%.*s'",
		    key, STR_FMT(mode));
	(void)fields_get(e, "allow_extra"); /* changes waza's score alone */
	waza_emit(e, p, v, expected_calls_check(e->arena, &want));
}

/* ---- others ---- */

void
waza_add_schema(struct fields *e, const struct param *p, const struct json *v)
{
	struct json_text_want want = { .schema = v };
	struct jsonschema_error error;

	want.compiled = jsonschema_compile(e->arena, v, &error);
	if (want.compiled == NULL)
		fields_spoil(e, error.at, "%s: not a schema: %.*s", p->key,
		    STR_FMT(error.why));
	waza_emit(e, p, v, json_text_check(e->arena, &want));
}

enum { SHOWN = JUDGE_PROMPT | JUDGE_TOOL_SEQUENCE | JUDGE_TOOL_INPUTS };

static struct check
judged(struct scenarios *r, const struct json *v)
{
	struct judge_want want = { .rubric = json_text(v, r->arena),
		.context = SHOWN,
		.optional = SHOWN };
	struct check c;

	rubric_remark(r->doc, v, &want, NULL);
	c = judge_check(r->arena, &want);
	c.label = want.rubric;
	c.type = STR("rubric");
	return c;
}

void
waza_rubric(struct scenarios *r, const struct json *rubric)
{
	scenarios_add_check(r, judged(r, rubric), rubric);
}

void
waza_add_rubric(struct fields *e, const struct param *p, const struct json *v)
{
	(void)text_at(e, p, v);
	waza_emit(e, p, v, judged(waza_grader_of(e)->scenarios, v));
}

/* Returns the text as one word of a shell. */
static struct str
quoted(struct arena *a, struct str text)
{
	struct str word = STR("'");

	while (text.s != NULL) {
		word = str_cat(a, word, str_cut(&text, '\''));
		word =
		    str_cat(a, word, text.s != NULL ? STR("'\\''") : STR("'"));
	}
	return word;
}

/* Adds the check that a command ends with a status. */
void
waza_add_command(struct fields *e, const struct param *p, const struct json *v)
{
	struct str_list args = scenarios_texts(e, "args");
	const struct json *time = scenarios_value(e, "timeout");
	struct command_want want = { .run = text_at(e, p, v),
		.cwd = scenarios_text(e, "sub_path"),
		.exit = scenarios_int(e, "expected_exit_code") };

	if (time != NULL)
		want.seconds = seconds_of(json_text(time, e->arena), e->arena);
	for (size_t i = 0; i < args.n; i++)
		want.run = str_printf(e->arena, "%.*s %.*s", STR_FMT(want.run),
		    STR_FMT(quoted(e->arena, args.list[i])));
	for (json_members(key, e->object))
		if (str_starts(json_text(key, e->arena), "std")) {
			e->any_key = true;
			waza_emit_undecided(
			    e, p, v, "what a command prints is not decided");
			return;
		}
	waza_emit(e, p, v, command_check(e->arena, &want));
}
