#include "extract/draft/write.h"

#include "extract/draft/call.h"
#include "extract/draft/split.h"
#include "extract/value/copy.h"
#include "io/out.h"

enum {
	MATCHED = 4, /* members that `match` demands */
};

struct writer {
	struct arena *arena;
	struct out *out;
	const struct json *const *records;
	size_t n_records;
	struct shape *record;
	struct draft_places at;
	struct split steps, blocks;
	struct shape *base; /* what `$` is */
	const char *indent;
	size_t rules; /* for texts and calls, so far */
};

/* ---- lines ---- */

static void
put_key(struct writer *w, const char *key, struct str value)
{
	out_printf(w->out, "%s%s: ", w->indent, key);
	/* Quotes where YAML needs them: `: ` and ` #`. */
	if (str_contains(value, ": ") || str_contains(value, " #") ||
	    str_ends(value, ":")) {
		value = str_replace(w->arena, value, STR("'"), STR("''"));
		out_printf(w->out, "'%.*s'", STR_FMT(value));
	} else {
		out_str(w->out, value);
	}
}

/* Writes a key and its value as a line. */
static void
put_line(struct writer *w, const char *key, struct str value)
{
	put_key(w, key, value);
	out_line(w->out);
}

static struct str
path_of(const struct writer *w, const struct shape *s)
{
	return shape_path(w->arena, s, w->base);
}

/* Writes a path, and where the name of the member says little, some values. */
static void
put(struct writer *w, const char *key, struct draft_found f)
{
	if (f.at == NULL)
		return;
	f.at->used = true;
	put_key(w, key, path_of(w, f.at));
	if (f.sure == DRAFT_WEAK) {
		out_str(w->out, STR(" # a guess"));
		for (size_t i = 0; i < f.at->n_values && i < 3; i++)
			out_printf(w->out, "%s %.*s", i == 0 ? ":" : ",",
			    STR_FMT(copy_escaped(w->arena, f.at->values[i])));
	}
	out_line(w->out);
}

static bool
put_role(
    struct writer *w, const char *key, struct shape *of, enum draft_role role)
{
	struct draft_found f = draft_find(of, role);

	put(w, key, f);
	return f.at != NULL;
}

/* ---- the rules for steps ---- */

/* Writes when a call failed. */
static void
put_error(struct writer *w, const struct draft_call *c)
{
	const struct shape *status = c->status.at;

	if (c->ok.at != NULL) {
		put_line(w, "is_error",
		    str_cat(w->arena, path_of(w, c->ok.at), STR(" == false")));
		return;
	}
	for (size_t i = 0; status != NULL && i < status->n_values; i++) {
		if (!draft_is_ok(status->values[i]))
			continue;
		put_line(w, "is_error",
		    str_printf(w->arena, "%.*s != %.*s",
			STR_FMT(path_of(w, status)),
			STR_FMT(shape_quoted(w->arena, status->values[i]))));
		return;
	}
	put(w, "is_error", c->failed);
	if (c->failed.at == NULL && c->result.at != NULL &&
	    c->result.at->failures != 0)
		put_line(w, "is_error",
		    str_printf(w->arena, "search(%.*s, '%s')",
			STR_FMT(path_of(w, c->result.at)),
			shape_failure_of(c->result.at)));
}

/* Writes where the result is. A call that failed may have an error in place of a
 * result; or else, the result is at the path `otherwise`, unless NULL. */
static void
put_result(struct writer *w, const struct draft_call *c, const char *otherwise)
{
	const struct shape *failed = c->failed.at, *result = c->result.at;
	struct str all = { 0 };

	if (result == NULL && otherwise != NULL)
		put_line(w, "result", str_of(otherwise));
	if (result == NULL || failed == NULL ||
	    result->parent != failed->parent ||
	    failed->types[JSON_STRING] + failed->types[JSON_OBJECT] == 0 ||
	    result->n - result->types[JSON_NULL] >= result->parent->n) {
		put(w, "result", c->result);
		return;
	}
	all = str_printf(w->arena, "[%.*s, %.*s%s%s]",
	    STR_FMT(path_of(w, result)), STR_FMT(path_of(w, failed)),
	    otherwise == NULL ? "" : ", ", otherwise == NULL ? "" : otherwise);
	put_line(w, "result", all);
}

static void
put_call(struct writer *w, const struct draft_call *c)
{
	put(w, "id", c->id);
	put(w, "tool", c->tool);
	put(w, "server", c->server);
	put(w, "args", c->args);
	put_result(w, c, NULL);
	put_error(w, c);
	put(w, "duration_ms", c->ms);
	if (c->ms.at == NULL)
		put(w, "duration_s", c->seconds);
}

static void
put_usage(struct writer *w, struct shape *of)
{
	struct draft_found in = draft_take(of, DRAFT_INPUT_TOKENS);
	struct draft_found out = draft_take(of, DRAFT_OUTPUT_TOKENS);
	const char *indent = w->indent;

	if (in.at == NULL && out.at == NULL)
		return;
	out_printf(w->out, "%susage:\n", indent);
	w->indent = *indent == '\0' ? "  " : "    ";
	put(w, "input_tokens", in);
	put(w, "output_tokens", out);
	w->indent = indent;
}

static void
begin(struct writer *w, const char *key, struct shape *base)
{
	w->base = base;
	w->indent = "  ";
	w->rules++;
	out_printf(w->out, "%s:\n", key);
}

static void
end(struct writer *w)
{
	w->base = w->at.runs;
	w->indent = "";
}

static void
put_when(struct writer *w, enum draft_class c)
{
	put_line(w, "when", split_condition(w->arena, &w->steps, c, '$'));
}

/* Writes the condition that the member, which may be empty, has a value. */
static void
put_if_filled(struct writer *w, const struct shape *s)
{
	if (s->empty == 0)
		return;
	put_line(w, "when", str_cat(w->arena, path_of(w, s), STR(" != ''")));
}

/* Writes where the text of a step is: a member, or the texts among the blocks of a
 * list. */
static void
put_text(struct writer *w, struct shape *s)
{
	struct draft_found text = draft_find(s, DRAFT_TEXT);
	struct draft_found in = { 0 };
	struct str path = path_of(w, text.at);
	struct shape *blocks = &w->blocks.classes[DRAFT_IS_TEXT];

	if (text.at->items != NULL && split_has(&w->blocks, DRAFT_IS_TEXT) &&
	    w->blocks.at->parent != NULL &&
	    str_eq(w->blocks.at->parent->name, text.at->name)) {
		split_use_kind(&w->blocks, blocks);
		in = draft_find(blocks, DRAFT_TEXT);
		if (in.at == NULL)
			in = draft_find(blocks, DRAFT_ARGS);
	}
	if (in.at == NULL || str_is(in.at->name, "text")) {
		put(w, "text", text);
		return;
	}
	put_line(w, "text",
	    str_printf(w->arena, "%.*s[?%.*s]%.*s", STR_FMT(path),
		STR_FMT(
		    split_condition(w->arena, &w->blocks, DRAFT_IS_TEXT, '@')),
		STR_FMT(str_from(shape_path(w->arena, in.at, blocks), 1))));
}

/* Returns the condition that a step of the class is a user's, or an agent's, if a
 * member of its own says so. */
static struct str
condition_of(struct writer *w, enum draft_class c, bool user)
{
	struct str all = split_condition(w->arena, &w->steps, c, '$');

	for (size_t i = 0; w->at.role != NULL && i < w->at.role->n_values; i++)
		if (draft_class_of(w->at.role->values[i]) == DRAFT_IS_PROMPT)
			all = str_printf(w->arena, "%s%.*s%s && %.*s %s %.*s",
			    str_contains(all, " || ") ? "(" : "", STR_FMT(all),
			    str_contains(all, " || ") ? ")" : "",
			    STR_FMT(path_of(w, w->at.role)), user ? "==" : "!=",
			    STR_FMT(
				shape_quoted(w->arena, w->at.role->values[i])));
	return all;
}

/* Writes the rule for the texts of a user or an agent. */
static void
write_talk(struct writer *w, const char *key, enum draft_class c)
{
	bool user = c == DRAFT_IS_PROMPT;
	struct shape *s;

	if (user && w->at.role != NULL)
		c = DRAFT_IS_TEXT;
	s = &w->steps.classes[c];
	if (!split_has(&w->steps, c))
		return;
	if (w->at.role != NULL)
		shape_reset(s); /* the user's steps are of the class, too */
	split_use_kind(&w->steps, s);
	if (draft_find(s, DRAFT_TEXT).at == NULL) {
		out_printf(w->out, "# %s: no text was found where %.*s\n", key,
		    STR_FMT(split_condition(w->arena, &w->steps, c, '$')));
		return;
	}
	begin(w, key, s);
	w->base = w->at.steps;
	put_line(w, "when", condition_of(w, c, user));
	w->base = s;
	put_text(w, s);
	if (!user)
		put_usage(w, s);
	end(w);
}

/* Writes where the calls or results in a step are. */
static void
put_each(struct writer *w, enum draft_class c)
{
	struct str path = shape_path(w->arena, w->at.calls, w->at.steps);

	if (split_has(&w->blocks, c))
		path = str_printf(w->arena, "%.*s[?%.*s]",
		    STR_FMT(str_slice(path, 0, path.n - 3)),
		    STR_FMT(split_condition(w->arena, &w->blocks, c, '@')));
	put_line(w, "each", path);
}

/* Writes the rule for calls or results, which are steps, or lists in a step. */
static void
write_call(struct writer *w, const char *key, enum draft_class c, bool blocks)
{
	struct split *of = blocks ? &w->blocks : &w->steps;
	struct shape *s = of->kind == NULL ? w->at.calls : &of->classes[c];
	struct draft_call call;

	if (blocks ? of->kind == NULL && c != DRAFT_IS_CALL : !split_has(of, c))
		return;
	call = draft_call_find(s, c == DRAFT_IS_RESULT);
	if (c == DRAFT_IS_CALL ? call.tool.at == NULL : call.result.at == NULL)
		return;
	begin(w, key, s);
	if (blocks)
		put_each(w, c);
	else
		put_when(w, c);
	put_call(w, &call);
	end(w);
}

/* Returns the object for results in the elements of the calls' list, or NULL. */
static struct shape *
result_among_calls(const struct writer *w)
{
	for (struct shape *m = w->at.calls->first;
	     w->blocks.kind == NULL && m != NULL; m = m->next)
		if (draft_class_of(m->name) == DRAFT_IS_RESULT && !m->used &&
		    m->first != NULL)
			return m;
	return NULL;
}

/* Writes the rule for the results in a list of their own in a step, or in objects of
 * their own in the list of calls. */
static void
write_results(struct writer *w)
{
	bool own = w->at.results != NULL;
	struct shape *s = own ? w->at.results : result_among_calls(w);
	struct draft_call call;

	if (s == NULL)
		return;
	call = draft_call_find(s, true);
	begin(w, "result", own ? s : w->at.calls);
	put_line(w, "each", shape_path(w->arena, w->base, w->at.steps));
	put(w, "id", call.id);
	put(w, "tool", call.tool);
	put_result(w, &call, own ? "$" : str_c(w->arena, path_of(w, s)));
	put_error(w, &call);
	end(w);
}

/* Writes the rules for steps that have no kind. */
static void
write_plain(struct writer *w, const struct draft_call *call)
{
	struct shape *s = w->at.steps;
	struct draft_found said = draft_find(s, DRAFT_THOUGHT);

	if (call->tool.at != NULL) {
		begin(w, "call", s);
		put_if_filled(w, call->tool.at);
		put_call(w, call);
		end(w);
	}
	if (said.at == NULL)
		return;
	begin(w, "text", s);
	put_if_filled(w, said.at);
	put(w, "text", said);
	put_usage(w, s);
	end(w);
}

/* Lists the kinds for which there is no rule. */
static void
write_others(struct writer *w, const struct split *s)
{
	size_t n = 0;

	for (size_t i = 0; s->kind != NULL && i < s->kind->n_values; i++) {
		if (s->class_of[i] != DRAFT_IS_UNKNOWN)
			continue;
		if (n++ == 0)
			out_printf(w->out, "# Not read: %.*s is",
			    STR_FMT(shape_path(w->arena, s->kind, s->at)));
		out_printf(w->out, "%s %.*s", n > 1 ? "," : "",
		    STR_FMT(copy_escaped(w->arena, s->kind->values[i])));
	}
	if (n != 0)
		out_line(w->out);
}

static void
write_steps(struct writer *w, const struct draft_call *call)
{
	if (w->steps.kind == NULL) {
		if (w->at.calls != w->at.steps) {
			write_call(w, "call", DRAFT_IS_CALL, true);
			write_results(w);
		}
		write_plain(w, call);
		return;
	}
	write_talk(w, "prompt", DRAFT_IS_PROMPT);
	write_talk(w, "text", DRAFT_IS_TEXT);
	if (w->at.calls != w->at.steps) {
		write_call(w, "call", DRAFT_IS_CALL, true);
		if (w->blocks.kind != NULL &&
		    w->blocks.classes[DRAFT_IS_RESULT].n != 0)
			write_call(w, "result", DRAFT_IS_RESULT, true);
		else if (split_has(&w->steps, DRAFT_IS_RESULT))
			write_call(w, "result", DRAFT_IS_RESULT, false);
		else
			write_results(w);
	} else {
		if (split_has(&w->steps, DRAFT_IS_CALL))
			write_call(w, "call", DRAFT_IS_CALL, false);
		else if (call->tool.sure == DRAFT_STRONG) {
			begin(w, "call", w->at.steps);
			put_call(w, call);
			end(w);
		}
		write_call(w, "result", DRAFT_IS_RESULT, false);
	}
	write_others(w, &w->steps);
	write_others(w, &w->blocks);
}

/* ---- the rules for runs ---- */

/* Writes which member, or members, name the run of a step. */
static void
write_group(struct writer *w)
{
	struct shape *s = w->at.steps;
	struct draft_found run = draft_find(s, DRAFT_SESSION);
	struct draft_found scenario = draft_find(s, DRAFT_SCENARIO);
	struct draft_found index = draft_find(s, DRAFT_INDEX);

	/* A member that few steps have does not say whose step each one is. */
	if (run.at != NULL && !str_is(run.at->name, "id") &&
	    run.at->n * 2 >= s->n) {
		put(w, "group", run);
		return;
	}
	if (scenario.at == NULL) {
		out_str(w->out,
		    STR("group: file # a guess: no member names the run\n"));
		return;
	}
	if (index.at != NULL && index.at->column && scenario.at->column) {
		put_line(w, "group",
		    str_printf(w->arena, "$[%zu, %zu]", scenario.at->index,
			index.at->index));
		return;
	}
	put_key(w, "group", path_of(w, scenario.at));
	out_str(w->out, STR(" # a guess\n"));
}

/* Returns the condition with the demand that the record has the member, if all
 * records have it; counts the demands in *n. */
static struct str
and_member(struct writer *w, struct str all, struct shape *m, size_t *n)
{
	struct str path = shape_top(w->arena, m, w->record);

	if (path.n == 0 || str_contains(all, path))
		return all;
	++*n;
	return all.n == 0
	    ? path
	    : str_printf(w->arena, "%.*s && %.*s", STR_FMT(all), STR_FMT(path));
}

/* Writes the condition on a log's records, which is for a map in a folder. */
static void
write_match(struct writer *w)
{
	struct shape *in = w->record->items != NULL && w->record->first == NULL
	    ? w->record->items
	    : w->record;
	struct shape *of[] = {
		draft_find(w->at.runs, DRAFT_SESSION).at,
		w->at.steps,
		w->at.kind,
	};
	struct str all = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		all = and_member(w, all, of[i], &n);
	for (struct shape *m = in->first; m != NULL && n < MATCHED; m = m->next)
		all = and_member(w, all, m, &n);
	if (all.n == 0)
		return;
	out_str(w->out,
	    STR("# Which logs are read if the map is in a folder for maps:\n"));
	put_line(w, "match", all);
}

static void
write_place(struct writer *w, const char *key, const struct shape *s)
{
	if (s == NULL || s == w->base)
		return;
	put_line(w, key, path_of(w, s));
}

/* Writes the members of a run. If each step is a piece of a run, the members of
 * steps are few. */
static void
write_run(struct writer *w, bool pieces)
{
	struct shape *s = w->at.runs;

	if (pieces)
		write_group(w);
	else
		put_role(w, "id", s, DRAFT_SESSION);
	put_role(w, "scenario_id", s, DRAFT_SCENARIO);
	put_role(w, "run_index", s, DRAFT_INDEX);
	put_role(w, "agent", s, DRAFT_AGENT);
	put_role(w, "model", s, DRAFT_MODEL);
	if (pieces)
		return;
	put_role(w, "ts_start", s, DRAFT_START);
	put_role(w, "ts_end", s, DRAFT_END);
	if (!put_role(w, "duration_ms", s, DRAFT_MS))
		put_role(w, "duration_s", s, DRAFT_SECONDS);
	put_role(w, "error", s, DRAFT_FAILED);
	put_usage(w, s);
}

/* Writes where the user's input and the answer are, if not in steps. */
static void
write_turn(struct writer *w, bool pieces)
{
	struct shape *s = w->at.turns != NULL ? w->at.turns : w->at.runs;
	struct shape *base = w->base;

	if (pieces && w->steps.kind != NULL)
		return;
	w->base = s;
	if (!split_has(&w->steps, DRAFT_IS_PROMPT) && w->at.role == NULL)
		w->rules += put_role(w, "prompt", s, DRAFT_PROMPT);
	w->rules += put_role(w, "final_text", s, DRAFT_FINAL);
	w->base = w->at.steps;
	put_role(w, "ts", w->at.steps, DRAFT_TIME);
	w->base = s;
	if (!pieces)
		write_place(w, "steps", w->at.steps);
	w->base = base;
}

/* ---- the map ---- */

static void
write_map(struct writer *w)
{
	bool pieces = w->at.runs == w->at.steps;
	struct draft_call call = { 0 };

	w->steps = (struct split){ .at = w->at.steps, .kind = w->at.kind };
	split_by_kind(&w->steps, w->arena, w->records, w->n_records);
	w->blocks =
	    (struct split){ .at = w->at.calls, .kind = w->at.calls_kind };
	split_by_kind(&w->blocks, w->arena, w->records, w->n_records);
	if (w->at.calls == w->at.steps && !split_has(&w->steps, DRAFT_IS_CALL))
		call = draft_call_find(w->at.steps, false);
	w->base = w->record;
	w->indent = "";
	write_match(w);
	write_place(w, "runs", w->at.runs);
	w->base = w->at.runs;
	write_run(w, pieces);
	write_place(w, "turns", w->at.turns);
	if (pieces && w->steps.kind != NULL)
		put_role(w, "ts", w->at.steps, DRAFT_TIME);
	write_turn(w, pieces);
	write_steps(w, &call);
}

struct str
draft_map(struct arena *a, const struct json *const *records, size_t n,
    struct shape *record, const struct draft_places *at)
{
	struct out text;
	struct writer w = { a, &text, records, n, .record = record, .at = *at };
	struct str map;

	shape_reset(record);
	if (at->last != NULL)
		at->last->only_last = true;
	out_open_memory(&text);
	write_map(&w);
	map = out_keep(&text, a);
	if (w.rules == 0)
		map = (struct str){ 0 };
	return map;
}
