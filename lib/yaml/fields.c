#include "yaml/fields.h"

#include "base/suggest.h"
#include "json/decimal.h"

static void
watch(
    const struct fields *e, const char *key, enum fields_kind kind, bool needed)
{
	const struct fields_watcher *w = e->doc->watcher;

	if (w != NULL)
		w->ask(w->arg, e->object, key, kind, needed);
}

static void
note(const struct document *doc, const struct json *object, const char *key,
    unsigned kinds, bool needed)
{
	const struct fields e = { .doc = doc, .object = object };

	for (int i = 0; i <= FIELDS_REFERENCE; i++)
		if (kinds & 1U << i)
			watch(&e, key, (enum fields_kind)i, needed);
}

void
fields_note(const struct document *doc, const struct json *object,
    const char *keys, unsigned kinds)
{
	struct str rest = str_of(keys);
	struct arena a = { 0 };

	if (keys == NULL)
		note(doc, object, NULL, kinds, false);
	while (doc->watcher != NULL && rest.s != NULL)
		note(doc, object, str_c(&a, str_cut(&rest, ' ')), kinds, false);
	arena_free(&a);
}

void
fields_note_needed(const struct document *doc, const struct json *object,
    const char *key, unsigned kinds)
{
	note(doc, object, key, kinds, true);
}

void
fields_note_alike(
    const struct document *doc, const struct json *value, const char *name)
{
	const struct fields_watcher *w = doc->watcher;

	if (w != NULL)
		w->alike(w->arg, value, name);
}

struct fields
fields_open(struct arena *a, const struct document *doc,
    const struct json *object, struct str where)
{
	struct fields e = {
		.arena = a, .doc = doc, .object = object, .where = where
	};

	if (doc->watcher != NULL)
		doc->watcher->open(doc->watcher->arg, object);
	if (!json_is(object, JSON_OBJECT))
		fields_mistake(&e, object, "expected a mapping, found %s",
		    json_type_name(object));
	return e;
}

/* Records a mistake, unless there was one before. */
static void
keep(
    struct fields *e, enum mistake kind, const struct json *at, struct str text)
{
	if (e->wrong.s != NULL)
		return;
	e->place = document_place(e->doc, at != NULL ? at : e->object);
	e->wrong = text;
	e->kind = kind;
}

void
fields_mistake(struct fields *e, const struct json *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep(e, MISTAKE_REFUSES, at, str_vprintf(e->arena, format, args));
	va_end(args);
}

void
fields_spoil(struct fields *e, const struct json *at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	keep(e, MISTAKE_SPOILS, at, str_vprintf(e->arena, format, args));
	va_end(args);
}

void
fields_remark(struct fields *e, const struct json *at, const char *format, ...)
{
	struct str text;
	va_list args;

	va_start(args, format);
	text = str_vprintf(e->arena, format, args);
	va_end(args);
	policy_report(e->doc->policy, MISTAKE_REMARK,
	    document_place(e->doc, at != NULL ? at : e->object), "%.*s: %.*s",
	    STR_FMT(e->where), STR_FMT(text));
}

/* ---- getters ---- */

const struct json *
fields_get(struct fields *e, const char *key)
{
	const struct json *value = json_get(e->object, str_of(key));

	*arena_push(e->arena, e->asked, e->nasked) = str_of(key);
	watch(e, key, FIELDS_ANY, false);
	return json_is(value, JSON_NULL) ? NULL : value;
}

const struct json *
fields_need(struct fields *e, const char *key)
{
	const struct json *value = json_get(e->object, str_of(key));

	*arena_push(e->arena, e->asked, e->nasked) = str_of(key);
	watch(e, key, FIELDS_ANY, true);
	if (value == NULL && e->wrong.s == NULL) {
		fields_mistake(e, NULL, "missing key '%s'", key);
		e->missing = str_of(key);
		if (e->is_assertion && !e->strict)
			e->kind = MISTAKE_SPOILS;
	}
	return value;
}

/* Reports a value of a wrong type; if text was expected, the message shows how
 * to write the value as text. */
static void
expected(struct fields *e, const struct json *at, const char *where,
    const char *wanted)
{
	struct str source = document_source(e->doc, at);
	bool hint = at->type < JSON_STRING && source.s != NULL &&
	    source.n < 40 && str_is(STR("text"), wanted);

	if (hint)
		fields_mistake(e, at,
		    "%s: expected text, found %s (as text it needs quotes: "
		    "\"%.*s\")",
		    where, json_type_name(at), STR_FMT(source));
	else if (at->type == JSON_NUMBER)
		fields_mistake(e, at, "%s: expected %s, found %.*s", where,
		    wanted, STR_FMT(at->text));
	else
		fields_mistake(e, at, "%s: expected %s, found %s", where,
		    wanted, json_type_name(at));
}

static struct str
text(struct fields *e, const struct json *value, const char *where)
{
	if (value == NULL)
		return (struct str){ 0 };
	if (value->type != JSON_STRING)
		expected(e, value, where, "text");
	else if (e->times && document_is_time(e->doc, value))
		fields_mistake(e, value,
		    "%s: expected text, found an instant (as text it needs "
		    "quotes: \"%.*s\")",
		    where, STR_FMT(document_source(e->doc, value)));
	return json_text(value, e->arena);
}

struct str
fields_str(struct fields *e, const char *key)
{
	watch(e, key, FIELDS_TEXT, false);
	return text(e, fields_need(e, key), key);
}

struct str
fields_str_if(struct fields *e, const char *key)
{
	watch(e, key, FIELDS_TEXT, false);
	return text(e, fields_get(e, key), key);
}

static struct str
name(struct fields *e, const struct json *value, const char *where)
{
	if (json_is(value, JSON_NUMBER))
		return document_source(e->doc, value);
	return text(e, value, where);
}

struct str
fields_name(struct fields *e, const char *key)
{
	watch(e, key, FIELDS_NAME, false);
	return name(e, fields_need(e, key), key);
}

struct str
fields_name_if(struct fields *e, const char *key)
{
	watch(e, key, FIELDS_NAME, false);
	return name(e, fields_get(e, key), key);
}

bool
fields_bool_if(struct fields *e, const char *key)
{
	const struct json *value = fields_get(e, key);

	watch(e, key, FIELDS_BOOL, false);
	if (value != NULL && value->type != JSON_TRUE &&
	    value->type != JSON_FALSE)
		fields_mistake(e, value, "%s: expected true or false, found %s",
		    key, json_type_name(value));
	return json_is(value, JSON_TRUE);
}

static const struct json *
container(struct fields *e, const char *key, enum json_type type)
{
	const struct json *value = fields_get(e, key);

	watch(e, key, type == JSON_ARRAY ? FIELDS_LIST : FIELDS_OBJECT, false);
	if (value == NULL || value->type == type)
		return value;
	fields_mistake(e, value, "%s: expected %s, found %s", key,
	    type == JSON_ARRAY ? "a list" : "a mapping", json_type_name(value));
	return NULL;
}

double
fields_number_if(struct fields *e, const char *key)
{
	const struct json *value = fields_get(e, key);

	watch(e, key, FIELDS_NUMBER, false);
	if (value == NULL)
		return 0;
	if (value->type != JSON_NUMBER) {
		expected(e, value, key, "a number");
		return 0;
	}
	return json_double(value);
}

const double *
fields_number_given(struct fields *e, const char *key)
{
	double number = fields_number_if(e, key), *given = NULL;

	if (fields_get(e, key) != NULL) {
		given = arena_new(e->arena, double);
		*given = number;
	}
	return given;
}

int64_t
fields_int_if(struct fields *e, const char *key)
{
	const struct json *value = fields_get(e, key);
	int64_t number = 0;

	watch(e, key, FIELDS_INT, false);
	if (value == NULL)
		return 0;
	if (!json_is(value, JSON_NUMBER) || !json_int(value, &number) ||
	    !decimal_is_plain(value->text))
		expected(e, value, key, "a whole number");
	return number;
}

const struct json *
fields_list(struct fields *e, const char *key)
{
	(void)fields_need(e, key);
	return container(e, key, JSON_ARRAY);
}

const struct json *
fields_list_if(struct fields *e, const char *key)
{
	return container(e, key, JSON_ARRAY);
}

const struct json *
fields_object_if(struct fields *e, const char *key)
{
	return container(e, key, JSON_OBJECT);
}

struct str_list
fields_strs(struct fields *e, const struct json *list, const char *where)
{
	struct str *texts = arena_new_n(e->arena, struct str, json_count(list));
	size_t n = 0;

	if (e->doc->watcher != NULL && list != NULL)
		e->doc->watcher->texts(e->doc->watcher->arg, list);
	for (json_each(item, list))
		texts[n++] = text(e, item, where);
	return (struct str_list){ texts, n };
}

/* Returns whether the value is of one of the kinds; else reports the value. */
static bool
is_one_of(
    struct fields *e, const struct json *v, const char *where, unsigned kinds)
{
	static const struct {
		unsigned kind, types;
		const char *name;
	} rows[] = {
		{ IS(TEXT), 1U << JSON_STRING, "text" },
		{ IS(BOOL), 1U << JSON_TRUE | 1U << JSON_FALSE,
		    "true or false" },
		{ IS(LIST), 1U << JSON_ARRAY, "a list" },
		{ IS(OBJECT), 1U << JSON_OBJECT, "a mapping" },
	};
	struct str wanted = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if ((kinds & rows[i].kind) == 0)
			continue;
		if (rows[i].types & 1U << v->type)
			return true;
		wanted = wanted.s == NULL ? str_of(rows[i].name)
					  : str_printf(e->arena, "%.*s or %s",
						STR_FMT(wanted), rows[i].name);
	}
	expected(e, v, where, str_c(e->arena, wanted));
	return false;
}

const struct json *
fields_within(struct fields *e, const struct json *object, const char *keys,
    unsigned kinds)
{
	struct str rest = str_of(keys);
	const struct json *found = NULL;

	fields_note(e->doc, object, keys, kinds);
	while (rest.s != NULL) {
		const char *key = str_c(e->arena, str_cut(&rest, ' '));
		const struct json *v = json_get(object, str_of(key));

		if (v != NULL && !json_is(v, JSON_NULL) &&
		    is_one_of(e, v, key, kinds) && found == NULL)
			found = v;
	}
	return found;
}

const struct json *
fields_objects(struct fields *e, const struct json *object, const char *keys)
{
	const struct json *list = fields_within(e, object, keys, IS(LIST));
	struct str names = str_of(keys);
	const char *first = str_c(e->arena, str_cut(&names, ' '));

	for (json_each(v, list)) {
		fields_note(e->doc, v, NULL, IS(OBJECT));
		(void)is_one_of(e, v, first, IS(OBJECT));
	}
	return list;
}

/* ---- the end ---- */

bool
fields_ok(const struct fields *e)
{
	return e->wrong.s == NULL;
}

void
fields_ignore(struct fields *e, const char *keys)
{
	struct str rest = str_of(keys);

	while (rest.s != NULL) {
		struct str key = str_cut(&rest, ' ');

		watch(e, str_c(e->arena, key), FIELDS_ANY, false);
		*arena_push(e->arena, e->asked, e->nasked) = key;
	}
}

static bool
was_asked(const struct fields *e, const struct json *key)
{
	for (size_t i = 0; i < e->nasked; i++)
		if (json_str_is(key, e->asked[i]))
			return true;
	return false;
}

/* Reports a mistake; *first becomes the text of the first one. */
static void
report(const struct fields *e, enum mistake kind, struct place at,
    struct str what, struct str *first)
{
	policy_report(e->doc->policy, kind, at, "%.*s: %.*s", STR_FMT(e->where),
	    STR_FMT(what));
	if (first->s == NULL)
		*first = what;
}

/* Returns the known keys that are missing. Each is looked up once, since an
 * object may have many unknown keys. */
static struct str_list
absent_keys(const struct fields *e)
{
	struct str *keys = arena_new_n(e->arena, struct str, e->nasked);
	size_t n = 0;

	for (size_t i = 0; i < e->nasked; i++)
		if (json_get(e->object, e->asked[i]) == NULL)
			keys[n++] = e->asked[i];
	return (struct str_list){ keys, n };
}

static struct suggest
nearest_of(struct str word, const struct str *keys, size_t n)
{
	struct suggest s = suggest_for(word);

	for (size_t i = 0; i < n; i++)
		suggest_try(&s, keys[i]);
	return s;
}

/* Returns the most similar known key; keys that are missing come first. */
static struct suggest
nearest(const struct fields *e, struct str word, const struct str_list *absent)
{
	struct suggest s = nearest_of(word, absent->list, absent->n);

	return s.best.s != NULL ? s : nearest_of(word, e->asked, e->nasked);
}

/* Reports the unknown key as a misspelling of the most similar known key. One
 * of a required key that differs in more than a letter is only that missing
 * key. */
static void
report_misspelt(struct fields *e, const struct json *key,
    const struct suggest *s, struct str *first)
{
	bool is_missing = s->best.s != NULL && str_eq(s->best, e->missing);

	report(e, is_missing && s->distance > 1 ? e->kind : MISTAKE_REFUSES,
	    document_place(e->doc, key),
	    str_printf(e->arena, "unknown key '%.*s'%s", STR_FMT(s->word),
		suggest_text(s, e->arena)),
	    first);
	/* A misspelt key is not reported as missing, too. */
	if (is_missing)
		e->wrong = e->missing = (struct str){ 0 };
}

/* Returns whether the key is near enough to a missing key for a misspelling: to
 * the required one, or, with a difference of one letter, to any. */
static bool
is_misspelt(const struct fields *e, const struct suggest *s,
    const struct str_list *absent)
{
	if (nearest_of(s->word, &e->missing, e->missing.s != NULL).best.s !=
	    NULL)
		return true;
	return !e->any_key &&
	    nearest_of(s->word, absent->list, absent->n).distance <= 1;
}

static struct str
no_parameter(struct arena *a, struct str key)
{
	return str_printf(a,
	    "unknown key '%.*s' would turn or bound the verdict, but is no "
	    "parameter of this assertion",
	    STR_FMT(key));
}

static void
report_unknown(struct fields *e, const struct json *key,
    const struct str_list *absent, struct str *first)
{
	struct suggest s = nearest(e, json_text(key, e->arena), absent);
	struct policy *policy = e->doc->policy;
	struct place at = document_place(e->doc, key);
	const char *level = policy_level_of(policy, s.word);

	if (policy != NULL && policy_is_note(s.word))
		return;
	if (level != NULL && !(e->is_assertion && e->any_key))
		report(e, MISTAKE_REFUSES, at,
		    str_printf(e->arena, "unknown key '%.*s' belongs %s",
			STR_FMT(s.word), level),
		    first);
	else if (is_misspelt(e, &s, absent) || (policy == NULL && !e->any_key))
		report_misspelt(e, key, &s, first);
	else if (e->any_key)
		;
	else if (e->is_assertion && policy_turns_or_bounds(s.word))
		report(e, MISTAKE_SPOILS, at, no_parameter(e->arena, s.word),
		    first);
	else if (policy_report_unknown(policy, at, e->where, s.word) &&
	    first->s == NULL)
		*first =
		    str_printf(e->arena, "unknown key '%.*s'", STR_FMT(s.word));
}

void
fields_check_within(struct fields *e, const struct json *v, const char *known)
{
	for (json_members(key, v)) {
		struct str name = json_text(key, e->arena);

		if (!str_is_one_of(name, known) && policy_turns_or_bounds(name))
			fields_spoil(e, key, "%.*s",
			    STR_FMT(no_parameter(e->arena, name)));
	}
}

bool
fields_close(struct fields *e, struct str *why)
{
	struct str_list absent = absent_keys(e);
	struct str first = { 0 };

	for (json_members(key, e->object))
		if (!was_asked(e, key))
			report_unknown(e, key, &absent, &first);
	if (e->wrong.s != NULL)
		report(e, e->kind, e->place, e->wrong, &first);
	if (why != NULL)
		*why = first;
	return first.s == NULL;
}
