#include "extract/map/find.h"

#include <math.h>

/* ---- what a path finds ---- */

/* Returns what the path selects; nothing, if that is only null. */
static struct jsonpath_list
select_in(const struct map_find *f, const struct jsonpath *path,
    const struct json *in)
{
	struct jsonpath_list found = jsonpath_select(path, in, f->arena);

	if (found.cut)
		diag_error(f->at, "a path of the map takes too much work");
	for (size_t n = 0; n < found.n && !found.cut; n++)
		if (found.values[n]->type != JSON_NULL)
			return found;
	return (struct jsonpath_list){ 0 };
}

struct jsonpath_list
map_find_list(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	struct jsonpath_list found = { 0 };

	for (size_t i = 0; i < path->n && found.n == 0; i++)
		found = select_in(f, path->list[i], in);
	return found;
}

struct jsonpath_list
map_find_each(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	const struct json **self;

	if (path->n != 0)
		return map_find_list(f, path, in);
	self = arena_new(f->arena, const struct json *);
	*self = in;
	return (struct jsonpath_list){ self, 1, false };
}

const struct json *
map_find_first(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	for (size_t i = 0; i < path->n; i++) {
		struct jsonpath_list all = { 0 };
		const struct json *v = NULL;

		if (jsonpath_is_single(path->list[i]))
			v = jsonpath_single(path->list[i], in, f->arena);
		else
			all = select_in(f, path->list[i], in);
		for (size_t n = 0;
		     n < all.n && (v == NULL || v->type == JSON_NULL); n++)
			v = all.values[n];
		if (v != NULL && v->type != JSON_NULL)
			return v;
	}
	return NULL;
}

const struct json *
map_find_number(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	const struct json *v = map_find_first(f, path, in);
	const struct json *inner;

	if (!json_is(v, JSON_STRING))
		return v;
	inner = field_decode(f->arena, v);
	return json_is(inner, JSON_NUMBER) ? inner : v;
}

const struct json *
map_find_name(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	const struct json *v = map_find_first(f, path, in);

	return json_is(v, JSON_NUMBER) ? copy_string(f->arena, v->text) : v;
}

/* ---- text ---- */

static struct str
body_of(const struct map_find *f, const struct json *v)
{
	const struct json *text = json_get(v, "text");

	if (json_is(v, JSON_STRING))
		return json_raw(v);
	if (json_is(text, JSON_STRING))
		return json_raw(text);
	return copy_escaped(f->arena, copy_value(f->arena, v));
}

static struct str
joined(const struct map_find *f, const struct map_path *path,
    const struct json *in, struct str between)
{
	struct jsonpath_list found = map_find_list(f, path, in);
	struct str *bodies = NULL;
	size_t n = 0;

	for (size_t i = 0; i < found.n; i++) {
		const struct json *v = found.values[i];

		for (json_each(block, v))
			if (json_is(block, JSON_STRING) ||
			    json_get(block, "text") != NULL)
				*arena_push(f->arena, bodies, n) =
				    body_of(f, block);
		if (v->type != JSON_ARRAY && v->type != JSON_NULL)
			*arena_push(f->arena, bodies, n) = body_of(f, v);
	}
	if (n == 0)
		return (struct str){ 0 };
	return str_join(f->arena, bodies, n, between);
}

struct str
map_find_text(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	return joined(f, path, in, STR("\\n"));
}

struct str
map_find_key(const struct map_find *f, const struct map_path *path,
    const struct json *in)
{
	return joined(f, path, in, STR("/"));
}

/* ---- numbers ---- */

struct usage
map_find_usage(const struct map_find *f, const struct map_usage *usage,
    const struct json *in)
{
	struct usage u = { 0 };

	for (int i = 0; i < USAGE_COUNT; i++)
		usage_read(&u, (enum usage_kind)i,
		    map_find_number(f, &usage->kinds[i], in));
	return u;
}

const struct json *
map_find_duration(const struct map_find *f, const struct map_path *ms,
    const struct map_path *s, const struct json *in)
{
	const struct json *found = map_find_number(f, ms, in);
	double ms_of_s = json_double(map_find_number(f, s, in)) * 1000;
	struct out source;

	if (json_is(found, JSON_NUMBER))
		return found;
	if (!isfinite(ms_of_s))
		return NULL;
	out_open_memory(&source);
	out_json_double(&source, ms_of_s);
	return copy_count(f->arena, out_keep(&source, f->arena));
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
map_find_flag(const struct map_find *f, const struct map_flag *flag,
    const struct json *in)
{
	const struct json *v = map_find_first(f, &flag->path, in);

	if (flag->condition != NULL)
		return builder_bool(
		    jsonpath_holds(flag->condition, in, f->arena));
	return v == NULL ? NULL : builder_bool(is_true(v));
}
