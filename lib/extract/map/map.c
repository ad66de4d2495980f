/* Compiles the rules of a map file. */
#include "extract/map/map.h"

#include "extract/map/rules.h"
#include "extract/map/signs.h"
#include "yaml/fields.h"

static const char *const run_keys[MAP_PATHS] = {
	[MAP_RUNS] = "runs",
	[MAP_GROUP] = "group",
	[MAP_TURNS] = "turns",
	[MAP_STEPS] = "steps",
	[MAP_TS] = "ts",
	[MAP_ID] = "id",
	[MAP_SCENARIO] = "scenario_id",
	[MAP_INDEX] = "run_index",
	[MAP_AGENT] = "agent",
	[MAP_PROVIDER] = "provider",
	[MAP_MODEL] = "model",
	[MAP_FIRST_PROMPT] = "prompt",
	[MAP_FINAL] = "final_text",
	[MAP_ERROR] = "error",
	[MAP_DURATION_MS] = "duration_ms",
	[MAP_DURATION_S] = "duration_s",
	[MAP_START] = "ts_start",
	[MAP_END] = "ts_end",
};

enum {
	IN_PROMPT = 1 << MAP_PROMPT,
	IN_TEXT = 1 << MAP_TEXT,
	IN_CALL = 1 << MAP_CALL,
	IN_RESULT = 1 << MAP_RESULT,
	OF_CALL = IN_CALL | IN_RESULT,
};

static const struct {
	const char *key;
	unsigned kinds;  /* the kinds of step that may have the key */
	unsigned needed; /* the kinds that must have it */
} step_keys[STEP_PATHS] = {
	[STEP_EACH] = { "each", IN_PROMPT | IN_TEXT | OF_CALL, 0 },
	[STEP_TEXT] = { "text", IN_PROMPT | IN_TEXT, IN_PROMPT | IN_TEXT },
	[STEP_ID] = { "id", OF_CALL, 0 },
	[STEP_TOOL] = { "tool", OF_CALL, IN_CALL },
	[STEP_SERVER] = { "server", OF_CALL, 0 },
	[STEP_NAME] = { "name", OF_CALL, 0 },
	[STEP_ARGS] = { "args", IN_CALL, 0 },
	[STEP_RESULT] = { "result", OF_CALL, IN_RESULT },
	[STEP_DURATION_MS] = { "duration_ms", OF_CALL, 0 },
	[STEP_DURATION_S] = { "duration_s", OF_CALL, 0 },
};

static const char *const kind_keys[MAP_KINDS] = {
	[MAP_PROMPT] = "prompt",
	[MAP_TEXT] = "text",
	[MAP_CALL] = "call",
	[MAP_RESULT] = "result",
};

/* ---- paths ---- */

/* Keeps a compiled path, so that map_close frees it. NULL is not kept. */
static const struct jsonpath *
note(struct map *m, struct arena *a, struct jsonpath *path)
{
	if (path != NULL)
		*arena_push(a, m->compiled, m->n) = path;
	return path;
}

static void
read_paths(struct map *m, struct fields *e, struct map_path *to,
    const struct json *v, const char *key)
{
	struct str text = json_text(v, e->arena);
	const struct jsonpath *path;
	struct jsonpath_error error;

	if (v == NULL)
		return;
	for (json_each(one, v))
		read_paths(m, e, to, one, key);
	if (v->type == JSON_ARRAY)
		return;
	if (!str_starts(text, "$")) {
		fields_mistake(e, v,
		    "%s: expected a path such as $.name, found %.*s", key,
		    STR_FMT(v->type == JSON_STRING
			    ? v->text
			    : str_of(json_type_name(v))));
		return;
	}
	path = note(m, e->arena,
	    jsonpath_compile(e->arena, text, JSONPATH_RFC9535, &error));
	if (path == NULL)
		fields_mistake(e, v, "%s: %.*s (at offset %zu)", key,
		    STR_FMT(error.why), error.offset);
	else
		*arena_push(e->arena, to->list, to->n) = path;
}

static void
read_key(struct map *m, struct fields *e, struct map_path *to, const char *key)
{
	read_paths(m, e, to, fields_get(e, key), key);
}

static const struct jsonpath *
condition(
    struct map *m, struct fields *e, const struct json *v, const char *key)
{
	struct jsonpath_error error;
	const struct jsonpath *path;

	if (!json_is(v, JSON_STRING)) {
		if (v != NULL)
			fields_mistake(e, v,
			    "%s: expected a condition such as "
			    "$.type == 'call', found %s",
			    key, json_type_name(v));
		return NULL;
	}
	path = note(m, e->arena,
	    jsonpath_condition(e->arena, json_text(v, e->arena), &error));
	if (path == NULL)
		fields_mistake(e, v, "%s: %.*s (at offset %zu)", key,
		    STR_FMT(error.why), error.offset);
	return path;
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

static void
read_flag(struct map *m, struct fields *e, struct map_flag *to, const char *key)
{
	const struct json *v = fields_get(e, key);

	if (is_path(e->arena, v))
		read_paths(m, e, &to->path, v, key);
	else
		to->condition = condition(m, e, v, key);
}

/* ---- members ---- */

static void
read_usage(struct map *m, struct fields *of, struct map_usage *to)
{
	const struct json *v = fields_object_if(of, "usage");
	struct fields e;

	if (v == NULL)
		return;
	e = fields_open(of->arena, of->doc, v, STR("usage"));
	for (int i = 0; i < USAGE_COUNT; i++)
		read_key(m, &e, &to->kinds[i], usage_names[i].s);
	to->given = true;
	fields_close(&e, NULL);
}

static void
read_meta(struct map *m, struct fields *of)
{
	const struct json *v = fields_object_if(of, "meta");
	struct fields e;

	if (v == NULL)
		return;
	e = fields_open(of->arena, of->doc, v, STR("meta"));
	for (json_members(key, v)) {
		char *name = str_c(e.arena, json_raw(key));
		struct map_meta *to = arena_push(e.arena, m->meta, m->nmeta);

		to->name = name;
		read_key(
		    m, &e, &to->path, str_c(e.arena, json_text(key, e.arena)));
	}
	fields_close(&e, NULL);
}

static void
read_step(struct map *m, const struct fields *of, enum map_kind kind,
    const struct json *v)
{
	struct map_step *to = &m->steps[kind];
	struct fields e =
	    fields_open(of->arena, of->doc, v, str_of(kind_keys[kind]));

	to->given = true;
	to->when = condition(m, &e, fields_get(&e, "when"), "when");
	for (int i = 0; i < STEP_PATHS; i++) {
		const char *key = step_keys[i].key;

		if (step_keys[i].needed & 1U << kind)
			read_paths(
			    m, &e, &to->paths[i], fields_need(&e, key), key);
		else if (step_keys[i].kinds & 1U << kind)
			read_key(m, &e, &to->paths[i], key);
	}
	if (OF_CALL & 1U << kind)
		read_flag(m, &e, &to->is_error, "is_error");
	if (kind != MAP_PROMPT && kind != MAP_RESULT)
		read_usage(m, &e, &to->usage);
	fields_close(&e, NULL);
}

/* Reads the rules for steps; returns whether there are any. `prompt` is either
 * a path in a run or turn, or a kind of step. */
static bool
read_steps(struct map *m, struct fields *e)
{
	bool any = false;

	for (int i = 0; i < MAP_KINDS; i++) {
		const struct json *v = fields_get(e, kind_keys[i]);

		if (v == NULL || (i == MAP_PROMPT && v->type != JSON_OBJECT))
			continue;
		read_step(m, e, (enum map_kind)i, v);
		any = true;
	}
	return any;
}

static void
read_run_path(struct map *m, struct fields *e, enum map_run_path i)
{
	const struct json *v = fields_get(e, run_keys[i]);

	if (i == MAP_GROUP && json_str_is(v, "file"))
		m->by_file = true;
	else if (i != MAP_FIRST_PROMPT || !json_is(v, JSON_OBJECT))
		read_paths(m, e, &m->paths[i], v, run_keys[i]);
}

/* Reads the keys that say which logs are the map's own. */
static void
read_match(struct map *m, struct fields *e)
{
	const struct json *what = fields_get(e, "what");
	const struct json *score = fields_get(e, "score");
	int64_t n = LOG_FORMAT_SURE;

	m->match = condition(m, e, fields_get(e, "match"), "match");
	if (m->match != NULL)
		m->format.signs = map_signs(e->arena, m->match);
	if (score != NULL &&
	    (!json_int(score, &n) || n < 1 || n > MAP_SCORE_MAX))
		fields_mistake(e, score,
		    "score: expected a number from 1 to %d, found %.*s",
		    MAP_SCORE_MAX, STR_FMT(score->text));
	m->score = (int)n;
	if (what != NULL)
		m->what = str_c(e->arena, json_text(what, e->arena));
}

static void
read_rules(struct map *m, struct fields *e)
{
	bool steps = read_steps(m, e);

	for (int i = 0; i < MAP_PATHS; i++)
		read_run_path(m, e, (enum map_run_path)i);
	read_match(m, e);
	m->when = condition(m, e, fields_get(e, "when"), "when");
	read_usage(m, e, &m->usage);
	read_meta(m, e);
	m->nothing = fields_strs(
	    e, fields_list_if(e, "carries_nothing"), "carries_nothing");
	if (m->paths[MAP_STEPS].n != 0 && !steps)
		fields_mistake(e, fields_get(e, "steps"),
		    "steps: expected at least one of prompt, text, call and "
		    "result");
	if (!steps && m->paths[MAP_FIRST_PROMPT].n == 0 &&
	    m->paths[MAP_FINAL].n == 0)
		fields_mistake(e, NULL,
		    "expected at least one of prompt, text, call, result and "
		    "final_text");
}

/* ---- the file ---- */

static struct map *
read_doc(struct arena *a, struct document *doc)
{
	struct map *m;
	struct fields e;

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
	e = fields_open(a, doc, doc->roots[0], STR("map"));
	read_rules(m, &e);
	if (fields_close(&e, NULL))
		return m;
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
	for (size_t i = 0; m != NULL && i < m->n; i++)
		jsonpath_free(m->compiled[i]);
}
