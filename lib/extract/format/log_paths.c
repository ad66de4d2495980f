#include "extract/format/log_paths.h"

#include <assert.h>
#include <math.h>

void
log_compiled_free(struct log_compiled *compiled)
{
	for (size_t i = 0; i < compiled->n; i++)
		jsonpath_free(compiled->list[i]);
	compiled->n = 0;
}

const struct jsonpath *
log_expression_of(struct log_compiled *compiled, const char *text)
{
	struct jsonpath_error error;

	if (text == NULL)
		return NULL;
	return *arena_push(compiled->arena, compiled->list, compiled->n) =
		   jsonpath_condition(compiled->arena, str_of(text), &error);
}

/* ---- paths ---- */

/* Returns a path of names separated by dots. */
static struct log_path
path_of(struct str text)
{
	struct log_path p = { 0 };

	while (text.s != NULL && text.n != 0 && p.n < LOG_PATH_NAMES) {
		struct str name = str_cut(&text, '.');

		p.any = p.any || str_is(name, "*");
		p.names[p.n++] = name;
	}
	assert(text.n == 0);
	return p;
}

/* Returns the JSONPath, as names if possible. */
static struct log_path
jsonpath_of(struct log_compiled *compiled, struct str text)
{
	struct jsonpath_error error;
	struct log_path p = { 0 };
	struct jsonpath *path =
	    jsonpath_compile(compiled->arena, text, JSONPATH_RFC9535, &error);

	if (!jsonpath_names(path, p.names, LOG_PATH_NAMES, &p.n))
		p.search = *arena_push(
		    compiled->arena, compiled->list, compiled->n) = path;
	return p;
}

const struct log_paths *
log_paths_of(struct log_compiled *compiled, const char *text)
{
	struct str rest = str_of(text);
	struct log_paths *p;

	if (text == NULL)
		return NULL;
	p = arena_new(compiled->arena, struct log_paths);
	p->self = *text == '\0';
	p->jsonpath = *text == '$';
	while (!p->self && rest.s != NULL) {
		struct str one = str_cut(&rest, p->jsonpath ? '\n' : ' ');

		*arena_push(compiled->arena, p->list, p->n) =
		    p->jsonpath ? jsonpath_of(compiled, one) : path_of(one);
	}
	if (p->n == 1 && p->list->n == 1 && !str_is(p->list->names[0], "0"))
		p->name = p->list->names[0];
	return p;
}

static inline const struct json *
step(const struct json *v, struct str name)
{
	if (!str_is(name, "0"))
		return json_get(v, name);
	return json_is(v, JSON_ARRAY) ? json_first(v) : NULL;
}

const struct json *
log_path_value(const struct log_path *p, const struct json *v)
{
	for (size_t i = 0; i < p->n && v != NULL; i++)
		v = step(v, p->names[i]);
	return v;
}

/* Like log_path_any, for the names from the i-th on. */
static bool
any_from(const struct log_path *p, size_t i, const struct json *v,
    bool (*holds)(const void *, const struct json *), const void *context)
{
	for (; i < p->n && v != NULL && !str_is(p->names[i], "*"); i++)
		v = step(v, p->names[i]);
	if (v == NULL || i == p->n)
		return v != NULL && holds(context, v);
	for (json_each(one, v))
		if (any_from(p, i + 1, one, holds, context))
			return true;
	return false;
}

bool
log_path_any(const struct log_path *p, const struct json *v,
    bool (*holds)(const void *, const struct json *), const void *context)
{
	return any_from(p, 0, v, holds, context);
}

/* Returns the value at the path of names, or NULL; null counts as none. */
static const struct json *
at_path(const struct log_path *p, const struct json *v)
{
	v = log_path_value(p, v);
	return json_is(v, JSON_NULL) ? NULL : v;
}

/* Returns what the JSONPath selects; nothing, if that is only null. */
static struct jsonpath_list
select_in(
    const struct jsonpath *path, const struct json *in, const struct log *log)
{
	struct jsonpath_list found = jsonpath_select(path, in, log->scratch);

	if (found.cut)
		diag_error(log->at, "a path of the map takes too much work");
	for (size_t n = 0; n < found.n && !found.cut; n++)
		if (found.values[n]->type != JSON_NULL)
			return found;
	return (struct jsonpath_list){ 0 };
}

static const struct json *
first_of(
    const struct jsonpath *path, const struct json *in, const struct log *log)
{
	struct jsonpath_list found = select_in(path, in, log);

	for (size_t n = 0; n < found.n; n++)
		if (found.values[n]->type != JSON_NULL)
			return found.values[n];
	return NULL;
}

const struct json *
log_paths_find(
    const struct log_paths *p, const struct json *v, const struct log *log)
{
	const struct json *found = NULL;

	if (p == NULL || p->self)
		return p == NULL ? NULL : v;
	if (p->name.s != NULL) {
		found = json_get(v, p->name);
		return json_is(found, JSON_NULL) ? NULL : found;
	}
	for (size_t i = 0; i < p->n && found == NULL; i++)
		found = p->list[i].search == NULL
		    ? at_path(&p->list[i], v)
		    : first_of(p->list[i].search, v, log);
	return found;
}

struct jsonpath_list
log_paths_list(
    const struct log_paths *p, const struct json *v, const struct log *log)
{
	struct jsonpath_list found = { 0 };
	const struct json **one;

	for (size_t i = 0; p != NULL && i < p->n && found.n == 0; i++) {
		if (p->list[i].search != NULL) {
			found = select_in(p->list[i].search, v, log);
			continue;
		}
		one = arena_new(log->scratch, const struct json *);
		*one = at_path(&p->list[i], v);
		found = (struct jsonpath_list){ one, *one != NULL, false };
	}
	if (p != NULL)
		return found;
	one = arena_new(log->scratch, const struct json *);
	*one = v;
	return (struct jsonpath_list){ one, 1, false };
}

/* ---- names and numbers ---- */

const struct json *
log_paths_name(
    const struct log_paths *p, const struct json *v, const struct log *log)
{
	v = log_paths_find(p, v, log);
	return json_is(v, JSON_NUMBER) && p->jsonpath
	    ? copy_string(log->scratch, v->text)
	    : v;
}

const struct json *
log_paths_number(
    const struct log_paths *p, const struct json *v, const struct log *log)
{
	const struct json *inner;

	v = log_paths_find(p, v, log);
	if (!json_is(v, JSON_STRING) || !p->jsonpath)
		return v;
	inner = field_decode(log->scratch, v);
	return json_is(inner, JSON_NUMBER) ? inner : v;
}

const struct json *
log_paths_ms(const struct log_paths *ms, const struct log_paths *s,
    const struct json *v, const struct log *log)
{
	const struct json *found = log_paths_number(ms, v, log);
	double ms_of_s;
	struct out source;

	if (json_is(found, JSON_NUMBER) || s == NULL)
		return found;
	ms_of_s = json_double(log_paths_number(s, v, log)) * 1000;
	if (!isfinite(ms_of_s))
		return NULL;
	out_open_memory(&source);
	out_json_double(&source, ms_of_s);
	return copy_count(log->scratch, out_keep(&source, log->scratch));
}

static bool
is_true(const struct json *v)
{
	switch ((enum json_type)v->type) {
	case JSON_STRING:
		return json_raw(v).n != 0 && !json_str_is(v, "false") &&
		    !json_str_is(v, "0");
	case JSON_NUMBER:
		return json_double(v) != 0;
	case JSON_ARRAY:
	case JSON_OBJECT:
		return json_first(v) != NULL;
	default:
		return v->type == JSON_TRUE;
	}
}

const struct json *
log_paths_flag(
    const struct log_paths *p, const struct json *v, const struct log *log)
{
	v = log_paths_find(p, v, log);
	return v == NULL || !p->jsonpath ? v : builder_bool(is_true(v));
}

/* ---- text ---- */

static struct str
body_of(struct arena *a, const struct json *v)
{
	const struct json *text = json_get(v, "text");

	if (json_is(v, JSON_STRING))
		return json_raw(v);
	if (json_is(text, JSON_STRING))
		return json_raw(text);
	return copy_escaped(a, copy_value(a, v));
}

const struct json *
log_paths_text(const struct log_paths *p, struct str between,
    const struct json *v, const struct log *log)
{
	struct arena *a = log->scratch;
	struct jsonpath_list found;
	struct str *bodies = NULL;
	size_t n = 0;

	if (p == NULL || !p->jsonpath)
		return log_paths_find(p, v, log);
	found = log_paths_list(p, v, log);
	if (found.n == 1 && json_is(found.values[0], JSON_STRING))
		return found.values[0];
	for (size_t i = 0; i < found.n; i++) {
		v = found.values[i];
		for (json_each(block, v))
			if (json_is(block, JSON_STRING) ||
			    json_get(block, "text") != NULL)
				*arena_push(a, bodies, n) = body_of(a, block);
		if (v->type != JSON_ARRAY && v->type != JSON_NULL)
			*arena_push(a, bodies, n) = body_of(a, v);
	}
	return n == 0 ? NULL : copy_string(a, str_join(a, bodies, n, between));
}
