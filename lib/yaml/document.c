#include "yaml/document.h"

#include "base/date.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "io/out.h"
#include "io/slurp.h"
#include "yaml/values.h"
#include "json/decimal.h"
#include "json/keys.h"
#include "json/lenient.h"

struct document_marks {
	struct arena *arena;
	struct str text;   /* as read, without byte order mark */
	struct str all;    /* as read */
	struct str json;   /* the text that JSON values are slices of */
	struct yaml *yaml; /* NULL for JSON */
	size_t *lines;     /* offset of each line */
	size_t n_lines;
};

/* ---- places ---- */

static void
find_lines(struct document_marks *m)
{
	*arena_push(m->arena, m->lines, m->n_lines) = 0;
	for (size_t i = 0; i < m->text.n; i++)
		if (m->text.s[i] == '\n')
			*arena_push(m->arena, m->lines, m->n_lines) = i + 1;
}

static struct place
place_at(const struct document *d, size_t offset)
{
	const struct document_marks *m = d->marks;
	size_t low = 0, high = m->n_lines;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (m->lines[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return (struct place){ d->file, low + 1, offset - m->lines[low] + 1 };
}

/* Stores the value's source; returns false if the value is not the
 * document's. */
static bool
locate(const struct document *d, const struct json *v, struct str *source)
{
	const struct document_marks *m = d->marks;
	const struct yaml *y = m->yaml;

	if (v == NULL)
		return false;
	if (y != NULL) {
		if (v < y->values || v >= y->values + y->n)
			return false;
		*source = y->nodes[v - y->values].source;
		return true;
	}
	if (v->text.s < m->json.s || v->text.s >= m->json.s + m->json.n)
		return false;
	*source = str_slice(m->text, (size_t)(v->text.s - m->json.s),
	    (size_t)(v->text.s - m->json.s) + v->text.n);
	return true;
}

struct place
document_place(const struct document *d, const struct json *v)
{
	struct str source;

	if (!locate(d, v, &source))
		return (struct place){ .file = d->file };
	return place_at(d, (size_t)(source.s - d->marks->text.s));
}

void
document_report(const struct document *d, enum mistake kind,
    const struct json *v, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	policy_vreport(d->policy, kind, document_place(d, v), format, args);
	va_end(args);
}

struct str
document_source(const struct document *d, const struct json *v)
{
	struct str source;

	return locate(d, v, &source) ? source : (struct str){ 0 };
}

bool
document_is_plain(const struct document *d, const struct json *v)
{
	const struct yaml *y = d->marks->yaml;
	struct str source;

	return y != NULL && locate(d, v, &source) &&
	    y->nodes[v - y->values].plain;
}

/* ---- duplicate keys ---- */

/* Reports a duplicate key: an error in YAML, a warning in JSON, where readers
 * use the last value. */
static void
warn_duplicate(const struct document *d, const struct json_repeat *repeat)
{
	struct place at = document_place(d, repeat->key);
	struct str name = document_source(d, repeat->key);
	size_t line = document_place(d, repeat->first).line;

	if (d->yaml)
		policy_report(d->policy, MISTAKE_REFUSES, at,
		    "duplicate key %.*s, first in line %zu", STR_FMT(name),
		    line);
	else
		policy_report(d->policy, MISTAKE_REMARK, at,
		    "duplicate key %.*s, first in line %zu: the last one "
		    "counts",
		    STR_FMT(name), line);
}

/* Returns whether a mapping repeats a single key with texts. Such a file is a
 * list of values, each with its name (`pattern: ...` lines, as documentation
 * shows them). */
static bool
is_list_of_one_key(const struct json *root)
{
	const struct json *first = json_first(root);

	if (!json_is(root, JSON_OBJECT))
		return false;
	for (json_members(key, root))
		if (!str_eq(key->text, first->text) ||
		    !json_is(json_value(key), JSON_STRING))
			return false;
	return true;
}

static void
check_duplicates(const struct document *d)
{
	const struct yaml *y = d->marks->yaml;
	struct arena scratch = { 0 };

	for (size_t i = 0; i < d->n; i++) {
		const struct json *end = d->roots[i] + d->roots[i]->span;

		for (const struct json *v = d->roots[i]; v < end; v++) {
			struct json_repeat *list;
			size_t n;

			if ((y != NULL && y->nodes[v - y->values].copy) ||
			    (v == d->roots[i] && is_list_of_one_key(v)))
				continue;
			list = json_keys_repeated(v, &scratch, &n);
			for (size_t k = 0; k < n; k++)
				warn_duplicate(d, &list[k]);
			arena_reset(&scratch);
		}
	}
	arena_free(&scratch);
}

/* ---- YAML's types ---- */

static void
render(struct document *d, const struct str *typed)
{
	struct document_marks *m = d->marks;
	struct yaml *y = m->yaml;

	yaml_render(y, typed);
	d->roots = NULL;
	d->n = 0;
	for (size_t i = 0; i < y->n; i += y->values[i].span)
		*arena_push(m->arena, d->roots, d->n) = &y->values[i];
}

/* Returns whether the scalar has the type that its tag names. */
static bool
fits_tag(const struct typed_scalar *s, struct str tag)
{
	if (str_is(tag, "null"))
		return s->type == JSON_NULL;
	if (str_is(tag, "bool"))
		return s->type == JSON_TRUE || s->type == JSON_FALSE;
	return s->type == JSON_NUMBER &&
	    (str_is(tag, "float") || decimal_is_plain(s->json));
}

/* Returns the JSON text of a value that is tagged as base64. */
static struct str
decode(struct document *d, enum scalar_types schema, size_t i)
{
	struct json *v = &d->marks->yaml->values[i];
	const struct yaml_node *node = &d->marks->yaml->nodes[i];
	struct str bytes = { 0 };

	v->flags &= (uint8_t)~JSON_PLAIN;
	if (!scalar_types_decodes(schema)) {
		if (!node->copy)
			document_report(d, MISTAKE_REMARK, v,
			    "tag tag:yaml.org,2002:binary is unknown: "
			    "the value is read as text");
		return (struct str){ 0 };
	}
	if (!base64_read(d->marks->arena, node->scalar, &bytes) && !node->copy)
		document_report(d, MISTAKE_REFUSES, v,
		    "%.*s: expected base64, as the tag requires",
		    STR_FMT(node->source));
	return out_quote(d->marks->arena, bytes);
}

static struct str
resolve_scalar(struct document *d, enum scalar_types schema, size_t i)
{
	struct arena *a = d->marks->arena;
	struct json *v = &d->marks->yaml->values[i];
	const struct yaml_node *node = &d->marks->yaml->nodes[i];
	struct typed_scalar scalar = { .type = JSON_STRING };

	if (str_is(node->tag, "binary") && !node->key)
		return decode(d, schema, i);
	if (node->key)
		scalar.mistake = scalar_types_key(a, schema, node->scalar);
	else
		scalar = scalar_types_read(a, schema, node->scalar);
	if (node->tag.s != NULL && !node->key && !fits_tag(&scalar, node->tag))
		scalar.mistake = "the value does not have the type of its tag";
	if (scalar.mistake != NULL && !node->copy)
		document_report(d, MISTAKE_REFUSES, v, "%.*s: %s",
		    STR_FMT(node->source), scalar.mistake);
	v->type = (uint8_t)scalar.type;
	v->flags &= (uint8_t)~JSON_PLAIN;
	return scalar.json;
}

/* Returns whether the source is a block scalar that keeps its last newline. */
static bool
keeps_newline(struct str source)
{
	struct str header = str_cut(&source, '\n');
	struct str indicators = str_cut(&header, '#');

	return (str_starts(indicators, "|") || str_starts(indicators, ">")) &&
	    str_find_char(indicators, '-') == indicators.n;
}

/* Returns the JSON text of a block scalar at the end of a file without a last
 * newline: for npm's yaml, the scalar ends with a newline all the same. Absent
 * if the last value is no such scalar. */
static struct str
end_block(const struct document *d)
{
	const struct yaml *y = d->marks->yaml;
	const struct yaml_node *last = &y->nodes[y->n - 1];

	if (str_ends(d->marks->text, "\n") || last->copy ||
	    last->scalar.n == 0 || str_ends(last->scalar, "\n") ||
	    !keeps_newline(last->source))
		return (struct str){ 0 };
	return out_quote(
	    d->marks->arena, str_cat(d->marks->arena, last->scalar, STR("\n")));
}

void
document_resolve(struct document *d, enum scalar_types schema)
{
	struct yaml *y = d->marks->yaml;
	struct yaml_notice error;
	struct str *typed;

	if (y == NULL)
		return;
	if (scalar_types_merges(schema) && !yaml_merge(y, &error))
		policy_report(d->policy, MISTAKE_REFUSES,
		    place_at(d, error.offset), "%.*s", STR_FMT(error.what));
	typed = arena_new_n(d->marks->arena, struct str, y->n);
	for (size_t i = 0; i < y->n; i++)
		if (y->values[i].flags & JSON_PLAIN)
			typed[i] = resolve_scalar(d, schema, i);
	if (schema == TYPES_CORE && y->n > 0 && typed[y->n - 1].s == NULL)
		typed[y->n - 1] = end_block(d);
	render(d, typed);
}

/* ---- reading ---- */

static bool
is_json_name(const char *name)
{
	return str_ends(str_of(name), ".json") ||
	    str_ends(str_of(name), ".jsonc");
}

static bool
looks_like_json(const struct document *d)
{
	struct str text = jsonc_skip(d->marks->text);

	return is_json_name(d->file) ||
	    (text.n > 0 && strchr("{[\"", *text.s) != NULL);
}

/* Reads values one after another, with only blanks between them. */
static bool
read_json(struct document *d, struct json_error *error)
{
	struct document_marks *m = d->marks;
	struct json_reader reader = { 0 };
	struct str rest = m->json = jsonc_blank(m->arena, m->text);
	const struct json *v;
	size_t end;

	*error = (struct json_error){ 0 };
	while (str_trim(rest).n > 0 && error->why == NULL) {
		v = json_read(&reader, rest, &end, error);
		if (v == NULL) {
			error->offset += (size_t)(rest.s - m->json.s);
			break;
		}
		*arena_push(m->arena, d->roots, d->n) = json_keep(m->arena, v);
		rest = str_from(rest, end);
	}
	json_reader_free(&reader);
	return error->why == NULL;
}

static bool
read_yaml(struct document *d, struct yaml_notice *error)
{
	struct document_marks *m = d->marks;
	struct yaml *y = yaml_read(m->arena, m->text, error);

	if (y == NULL)
		return false;
	d->yaml = true;
	m->yaml = y;
	for (size_t i = 0; i < y->n_warnings; i++)
		policy_report(d->policy, MISTAKE_REMARK,
		    place_at(d, y->warnings[i].offset), "%.*s",
		    STR_FMT(y->warnings[i].what));
	render(d, NULL);
	return true;
}

/* Reports a text that is neither JSON nor YAML as a mistake in the syntax that
 * was meant. */
static void
warn_unread(const struct document *d, const struct json_error *json,
    const struct yaml_notice *yaml)
{
	struct str name = str_of(d->file);

	if (looks_like_json(d) && !str_ends(name, ".yaml") &&
	    !str_ends(name, ".yml"))
		diag_error(
		    place_at(d, json->offset), "not JSON: %s", json->why);
	else
		diag_error(place_at(d, yaml->offset), "not YAML: %.*s",
		    STR_FMT(yaml->what));
}

struct document *
document_of_text(
    struct arena *a, const char *name, struct str text, struct policy *policy)
{
	struct document *d = arena_new(a, struct document);

	d->file = name;
	d->policy = policy;
	d->marks = arena_new(a, struct document_marks);
	d->marks->arena = a;
	d->marks->all = text.n == 0 ? STR("") : text;
	if (str_starts(text, "\xef\xbb\xbf"))
		text = str_from(text, 3);
	d->marks->text = text.n == 0 ? STR("") : text;
	find_lines(d->marks);
	return d;
}

struct str
document_text(const struct document *d)
{
	return d->marks->all;
}

struct document *
document_read_text(
    struct arena *a, const char *name, struct str text, struct policy *policy)
{
	struct document *d = document_of_text(a, name, text, policy);
	struct json_error json_error = { 0 };
	struct yaml_notice yaml_error;

	if (!looks_like_json(d) || !read_json(d, &json_error)) {
		if (!read_yaml(d, &yaml_error)) {
			warn_unread(d, &json_error, &yaml_error);
			return NULL;
		}
		if (is_json_name(name))
			policy_report(policy, MISTAKE_REMARK,
			    place_at(d, json_error.offset),
			    "not JSON (%s), read as YAML instead",
			    json_error.why);
	}
	check_duplicates(d);
	return d;
}

static struct document *
read_file(struct arena *a, const char *path, enum slurp_kind kind,
    struct policy *policy)
{
	struct str text;
	const char *why =
	    slurp_whole(a, path, kind, policy_most(policy), &text);

	if (why != NULL) {
		diag_system_error("%s: cannot read: %s", path, why);
		return NULL;
	}
	return document_read_text(a,
	    kind == SLURP_NAMED && strcmp(path, "-") == 0 ? "<stdin>" : path,
	    text, policy);
}

struct document *
document_read(struct arena *a, const char *path, struct policy *policy)
{
	return read_file(a, path, SLURP_NAMED, policy);
}

struct document *
document_read_regular(struct arena *a, const char *path, struct policy *policy)
{
	return read_file(a, path, SLURP_REGULAR, policy);
}

bool
document_is_time(const struct document *d, const struct json *v)
{
	struct date t;

	return json_is(v, JSON_STRING) && document_is_plain(d, v) &&
	    date_read(&t, document_source(d, v));
}
