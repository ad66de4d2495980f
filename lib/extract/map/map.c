/* Compiles the rules of a map file. */
#include "extract/map/map.h"

#include "extract/map/rules.h"
#include "extract/map/signs.h"
#include "yaml/fields.h"

enum kind {
	IN_PROMPT = 1,
	IN_TEXT = 2,
	IN_CALL = 4,
	IN_RESULT = 8,
	OF_CALL = IN_CALL | IN_RESULT,
};

struct table {
	struct log_row *rows;
	size_t n;
};

/* A map while it is read. */
struct reader {
	struct map *map;
	struct fields fields;
	struct table steps; /* what a step may be */
	struct table run;   /* of a run, or a piece of a run */
};

static struct log_row *
add(struct arena *a, struct table *to, struct log_row row)
{
	struct log_row *r = arena_push(a, to->rows, to->n);

	*r = row;
	r->jsonpath = true;
	return r;
}

/* ---- paths ---- */

/* Adds the path, or those of the list, to the text: a line for each. */
static void
add_paths(
    struct fields *e, struct str *to, const struct json *v, const char *key)
{
	struct str text = json_text(v, e->arena);
	struct jsonpath *path;
	struct jsonpath_error error;
	char *line;

	for (json_each(one, v))
		add_paths(e, to, one, key);
	if (v == NULL || v->type == JSON_ARRAY)
		return;
	if (!str_starts(text, "$")) {
		fields_mistake(e, v,
		    "%s: expected a path such as $.name, found %.*s", key,
		    STR_FMT(v->type == JSON_STRING
			    ? v->text
			    : str_of(json_type_name(v))));
		return;
	}
	path = jsonpath_compile(e->arena, text, JSONPATH_RFC9535, &error);
	if (path == NULL) {
		fields_mistake(e, v, "%s: %.*s (at offset %zu)", key,
		    STR_FMT(error.why), error.offset);
		return;
	}
	jsonpath_free(path);
	line = str_c(e->arena, text);
	for (size_t i = 0; i < text.n; i++)
		if (line[i] == '\n')
			line[i] = ' '; /* no text in quotes has one */
	*to = str_printf(
	    e->arena, "%.*s%s%s", STR_FMT(*to), to->n == 0 ? "" : "\n", line);
}

/* Returns the paths as a row has them; NULL if there are none. */
static const char *
paths_in(struct fields *e, const struct json *v, const char *key)
{
	struct str text = { 0 };

	add_paths(e, &text, v, key);
	return text.n == 0 ? NULL : str_c(e->arena, text);
}

static const char *
paths(struct fields *e, const char *key)
{
	return paths_in(e, fields_get(e, key), key);
}

static const char *
needed(struct fields *e, const char *key)
{
	return paths_in(e, fields_need(e, key), key);
}

static const char *
condition(struct fields *e, const char *key)
{
	const struct json *v = fields_get(e, key);
	struct jsonpath_error error;
	struct jsonpath *path;

	if (!json_is(v, JSON_STRING)) {
		if (v != NULL)
			fields_mistake(e, v,
			    "%s: expected a condition such as "
			    "$.type == 'call', found %s",
			    key, json_type_name(v));
		return NULL;
	}
	path = jsonpath_condition(e->arena, json_text(v, e->arena), &error);
	if (path == NULL) {
		fields_mistake(e, v, "%s: %.*s (at offset %zu)", key,
		    STR_FMT(error.why), error.offset);
		return NULL;
	}
	jsonpath_free(path);
	return str_c(e->arena, json_text(v, e->arena));
}

static bool
is_path(struct arena *a, const struct json *v)
{
	struct jsonpath_error error;
	struct jsonpath *path;

	if (json_is(v, JSON_ARRAY))
		return true;
	path = jsonpath_compile(a, json_text(v, a), JSONPATH_RFC9535, &error);
	if (path == NULL)
		return false;
	jsonpath_free(path);
	return true;
}

/* ---- steps ---- */

/* Returns the paths to usage; NULL if there are none. */
static const char *const *
counts_in(struct fields *of)
{
	const struct json *v = fields_object_if(of, "usage");
	const char **counts;
	struct fields e;

	if (v == NULL)
		return NULL;
	e = fields_open(of->arena, of->doc, v, STR("usage"));
	counts = arena_new_n(of->arena, const char *, USAGE_COUNT);
	for (int i = 0; i < USAGE_COUNT; i++)
		counts[i] = paths(&e, usage_names[i].s);
	fields_close(&e, NULL);
	return counts;
}

/* Reads the keys of a call or a result. */
static void
read_call(struct fields *e, enum kind kind, struct log_row *row)
{
	bool call = kind == IN_CALL;

	row->what = call ? LOG_CALL : LOG_RESULT;
	row->decode = call;
	row->id = paths(e, "id");
	row->tool = call ? needed(e, "tool") : paths(e, "tool");
	row->server = paths(e, "server");
	row->tool_name = paths(e, "name");
	row->args = call ? paths(e, "args") : NULL;
	row->result = call ? paths(e, "result") : needed(e, "result");
	row->duration = paths(e, "duration_ms");
	row->seconds = paths(e, "duration_s");
	if (is_path(e->arena, fields_get(e, "is_error")))
		row->is_error = paths(e, "is_error");
	else
		row->failed = condition(e, "is_error");
}

static void
read_step(
    struct reader *r, enum kind kind, const char *key, const struct json *v)
{
	struct arena *a = r->fields.arena;
	struct fields e = fields_open(a, r->fields.doc, v, str_of(key));
	struct log_row row = { .when = condition(&e, "when"),
		.each = paths(&e, "each") };

	if (OF_CALL & kind) {
		read_call(&e, kind, &row);
	} else {
		row.what = kind == IN_PROMPT ? LOG_PROMPT : LOG_HOOK;
		row.read = kind == IN_PROMPT ? NULL : map_read_text;
		row.of = needed(&e, "text");
		row.as = LOG_AS_TEXT;
	}
	if (kind == IN_TEXT || kind == IN_CALL)
		row.counts = counts_in(&e);
	add(a, &r->steps, row);
	fields_close(&e, NULL);
}

/* Reads the rules for steps. `prompt` is either a path in a run or turn, or a kind of
 * step. */
static void
read_steps(struct reader *r)
{
	static const struct {
		const char *key;
		enum kind kind;
	} kinds[] = { { "prompt", IN_PROMPT }, { "text", IN_TEXT },
		{ "call", IN_CALL }, { "result", IN_RESULT } };

	r->map->no_calls = true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct json *v = fields_get(&r->fields, kinds[i].key);

		if (v == NULL ||
		    (kinds[i].kind == IN_PROMPT && v->type != JSON_OBJECT))
			continue;
		read_step(r, kinds[i].kind, kinds[i].key, v);
		r->map->no_calls &= (OF_CALL & kinds[i].kind) == 0;
	}
}

/* ---- runs ---- */

/* Adds the rows for a turn: of the keys of a turn, or of a run without turns. */
static void
add_turn(struct reader *r, struct table *to, bool own)
{
	struct fields *e = &r->fields;
	struct arena *a = e->arena;
	const struct json *prompt = fields_get(e, "prompt");
	struct log_row row = { .as = LOG_AS_TEXT, .what = LOG_HOOK };
	struct table steps = { 0 };
	const char *in = paths(e, "steps"), *ts = paths(e, "ts"),
		   *message = paths(e, "message");

	if (!json_is(prompt, JSON_OBJECT))
		row.of = paths_in(e, prompt, "prompt");
	row.what = own ? LOG_PROMPT : LOG_HOOK;
	row.read = map_read_prompt;
	if (row.of != NULL)
		add(a, to, row);
	if (r->steps.n != 0) {
		add(a, &steps,
		    (struct log_row){ .what = LOG_LOCATE,
			.of = ts,
			.as = LOG_AS_TIME,
			.aside = true });
		if (message != NULL)
			add(a, &steps,
			    (struct log_row){ .what = LOG_MESSAGE,
				.id = message,
				.aside = true });
		for (size_t i = 0; i < r->steps.n; i++)
			add(a, &steps, r->steps.rows[i]);
		add(a, &steps, (struct log_row){ 0 });
	}
	if (r->steps.n != 0 && in != NULL)
		add(a, to,
		    (struct log_row){ .what = LOG_EACH,
			.of = in,
			.rows = steps.rows,
			.aside = true });
	for (size_t i = 0; in == NULL && i + 1 < steps.n; i++)
		add(a, to, steps.rows[i]);
	row.what = LOG_HOOK;
	row.of = paths(e, "final_text");
	row.read = own ? map_read_answer : map_read_final;
	if (row.of != NULL)
		add(a, to, row);
}

static void
add_turns(struct reader *r)
{
	struct arena *a = r->fields.arena;
	struct table turn = { 0 };
	const char *turns = paths(&r->fields, "turns");

	if (turns == NULL) {
		add_turn(r, &r->run, false);
		return;
	}
	add(a, &turn,
	    (struct log_row){
		.what = LOG_HOOK, .read = map_read_turn, .aside = true });
	add_turn(r, &turn, true);
	add(a, &turn, (struct log_row){ 0 });
	add(a, &r->run,
	    (struct log_row){ .what = LOG_EACH,
		.of = turns,
		.rows = turn.rows,
		.aside = true });
}

static void
add_meta(struct reader *r)
{
	const struct json *v = fields_object_if(&r->fields, "meta");
	struct fields e;

	if (v == NULL)
		return;
	e = fields_open(r->fields.arena, r->fields.doc, v, STR("meta"));
	for (json_members(key, v)) {
		struct log_row row = { .what = LOG_META,
			.name = str_c(e.arena, json_raw(key)),
			.of = paths(
			    &e, str_c(e.arena, json_text(key, e.arena))) };

		if (row.of != NULL)
			add(e.arena, &r->run, row);
	}
	fields_close(&e, NULL);
}

/* Adds the row of a key of a run, unless the run lacks the key. */
static void
add_key(struct reader *r, const char *key, struct log_row row)
{
	row.of = paths(&r->fields, key);
	if (row.of != NULL)
		add(r->fields.arena, &r->run, row);
}

/* Adds the rows for the members that each piece of a run may repeat. */
static void
add_members(struct reader *r)
{
	static const struct {
		const char *key;
		enum run_member member;
	} keys[] = {
		{ "id", RUN_ID },
		{ "scenario_id", RUN_SCENARIO },
		{ "agent", RUN_AGENT },
		{ "provider", RUN_PROVIDER },
		{ "run_index", RUN_INDEX },
	};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		add_key(r, keys[i].key,
		    (struct log_row){ .what = LOG_SET,
			.member = keys[i].member,
			.as = keys[i].member == RUN_INDEX ? LOG_AS_NUMBER
							  : LOG_AS_NAME,
			.aside = true });
	add_key(
	    r, "model", (struct log_row){ .what = LOG_MODEL, .aside = true });
}

/* Adds the rows for how the run went. */
static void
add_outcome(struct reader *r)
{
	struct log_row usage = { .what = LOG_USAGE, .use = map_read_usage };
	struct log_row ms = { .what = LOG_SET,
		.member = RUN_DURATION,
		.as = LOG_AS_MS,
		.of = paths(&r->fields, "duration_ms"),
		.seconds = paths(&r->fields, "duration_s") };

	add_key(r, "ts_start",
	    (struct log_row){ .what = LOG_BEGAN, .as = LOG_AS_TIME });
	add_key(r, "ts_end",
	    (struct log_row){ .what = LOG_ENDED, .as = LOG_AS_TIME });
	add_key(r, "error", (struct log_row){ .what = LOG_ERROR });
	if (ms.of != NULL || ms.seconds != NULL)
		add(r->fields.arena, &r->run, ms);
	usage.counts = counts_in(&r->fields);
	if (usage.counts != NULL)
		add(r->fields.arena, &r->run, usage);
}

/* Reads the keys that say which logs are the map's own. */
static void
read_match(struct map *m, struct fields *e)
{
	const struct json *what = fields_get(e, "what");
	const struct json *score = fields_get(e, "score");
	int64_t n = LOG_FORMAT_SURE;

	m->match = log_expression_of(&m->compiled, condition(e, "match"));
	if (m->match != NULL)
		m->format.asked = map_signs(e->arena, m->match);
	if (score != NULL &&
	    (!json_int(score, &n) || n < 1 || n > MAP_SCORE_MAX))
		fields_mistake(e, score,
		    "score: expected a number from 1 to %d, found %.*s",
		    MAP_SCORE_MAX, STR_FMT(score->text));
	m->score = (int)n;
	if (what != NULL)
		m->what = str_c(e->arena, json_text(what, e->arena));
}

/* Returns the list of which the path selects all elements, as struct log_format has
 * it; NULL if the path selects something else. */
static const char *
list_of(struct arena *a, const char *path)
{
	struct str text = str_of(path), names;

	if (!str_starts(text, "$") || !str_ends(text, "[*]"))
		return NULL;
	names = str_slice(text, 1, text.n - 3);
	for (size_t i = 0; i < names.n; i++)
		if (strchr("[]()*?@'\"\n ", names.s[i]) != NULL)
			return NULL;
	if (str_contains(names, STR("..")))
		return NULL;
	return names.n == 0 ? "." : str_c(a, str_from(names, 1));
}

/* Reads the keys that say which values are the runs. */
static void
read_runs(struct map *m, struct fields *e)
{
	struct log_compiled *c = &m->compiled;
	const char *runs = paths(e, "runs");

	m->by_file = json_str_is(fields_get(e, "group"), "file");
	m->runs = log_paths_of(c, runs);
	m->format.lists = list_of(e->arena, runs);
	if (!m->by_file)
		m->group = log_paths_of(c, paths(e, "group"));
	m->ts = log_paths_of(c, paths(e, "ts"));
	m->when = log_expression_of(c, condition(e, "when"));
}

static void
read_nothing(struct map *m, struct fields *e)
{
	struct str_list kinds = fields_strs(
	    e, fields_list_if(e, "carries_nothing"), "carries_nothing");
	const char **list = NULL;
	size_t n = 0;

	for (size_t i = 0; i < kinds.n; i++)
		*arena_push(e->arena, list, n) = str_c(e->arena, kinds.list[i]);
	*arena_push(e->arena, list, n) = NULL;
	m->carries_nothing = list;
}

static void
read_rules(struct reader *r)
{
	struct fields *e = &r->fields;
	bool steps;

	read_steps(r);
	steps = r->steps.n != 0;
	read_runs(r->map, e);
	add_members(r);
	add_meta(r);
	add_turns(r);
	add_outcome(r);
	add(e->arena, &r->run, (struct log_row){ 0 });
	read_match(r->map, e);
	read_nothing(r->map, e);
	if (paths(e, "steps") != NULL && !steps)
		fields_mistake(e, fields_get(e, "steps"),
		    "steps: expected at least one of prompt, text, call and "
		    "result");
	if (!steps && !json_is(fields_get(e, "prompt"), JSON_STRING) &&
	    fields_get(e, "final_text") == NULL)
		fields_mistake(e, NULL,
		    "expected at least one of prompt, text, call, result and "
		    "final_text");
}

/* ---- the file ---- */

static struct map *
read_doc(struct arena *a, struct document *doc)
{
	struct map *m;
	struct reader r;

	if (doc == NULL)
		return NULL;
	document_resolve(doc, TYPES_CORE);
	if (doc->n != 1) {
		diag_error((struct place){ .file = doc->file },
		    "expected one mapping of rules, found %zu values", doc->n);
		return NULL;
	}
	m = arena_new(a, struct map);
	m->format = (struct log_format){
		.name = "map",
		.what = "what the rules of --map say",
		.context = m,
		.score_by = map_score,
		.read = map_read_record,
		.end = map_read_end,
		.unidentified = UNIDENTIFIED_IN_ORDER,
	};
	m->compiled.arena = a;
	r = (struct reader){ .map = m,
		.fields = fields_open(a, doc, doc->roots[0], STR("map")) };
	read_rules(&r);
	if (fields_close(&r.fields, NULL)) {
		m->rows = log_rows_compile(&m->compiled, r.run.rows);
		return m;
	}
	map_close(m);
	return NULL;
}

/* Returns the map, or NULL if an error was reported since `errors` was taken,
 * which includes errors in reading the file. */
static struct map *
unless_wrong(struct map *m, size_t errors)
{
	if (diag_errors() == errors)
		return m;
	map_close(m);
	return NULL;
}

struct map *
map_read_known(struct arena *a, const char *name, struct str text)
{
	return read_doc(a, document_read_text(a, name, text, NULL));
}

struct map *
map_read(struct arena *a, const char *path)
{
	size_t errors = diag_errors();

	return unless_wrong(read_doc(a, document_read(a, path, NULL)), errors);
}

int
map_score(const void *map, const struct json *record)
{
	const struct map *m = map;
	struct arena a = { 0 };
	int score = 0;

	if (m->match != NULL && jsonpath_holds(m->match, record, &a))
		score = m->score;
	arena_free(&a);
	return score;
}

struct map *
map_read_named(struct arena *a, const char *path, const char *name)
{
	struct map *m = read_doc(a, document_read(a, path, NULL));
	struct str what;

	if (m == NULL)
		return NULL;
	what = str_of(m->what == NULL ? "a map" : m->what);
	m->format.name = name;
	m->format.what =
	    str_c(a, str_printf(a, "%.*s (%s)", STR_FMT(what), path));
	return m;
}

const struct log_format *
map_format(const struct map *m)
{
	return &m->format;
}

void
map_close(struct map *m)
{
	if (m != NULL)
		log_compiled_free(&m->compiled);
}
