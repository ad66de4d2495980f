/* The files that a configuration of promptfoo consists of. */
#include "check/promptfoo/promptfoo.h"

#include <string.h>
#include <sys/stat.h>

#include "base/suggest.h"
#include "io/out.h"
#include "io/slurp.h"

/* ---- paths ---- */

struct str
promptfoo_path(
    const struct promptfoo_config *c, struct str folder, struct str reference)
{
	if (str_starts(reference, "file://"))
		reference = str_from(reference, 7);
	if (str_starts(reference, "./"))
		reference = str_from(reference, 2);
	return str_starts(reference, "/")
	    ? reference
	    : str_cat(c->arena, folder, reference);
}

/* ---- reading ---- */

/* Returns whether the path is a file that ends: a device need not. */
static bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

const struct document *
promptfoo_read(struct promptfoo_config *c, struct str path)
{
	struct policy *policy = c->root.doc->policy;
	const char *name = str_c(c->arena, path);
	struct document *doc;
	struct str text;
	const char *why;

	if (!is_file(name)) {
		policy_report(policy, MISTAKE_REFUSES,
		    (struct place){ .file = name }, "no such file");
		return NULL;
	}
	if (!str_ends(path, ".csv")) {
		doc = document_read_regular(c->arena, name, policy);
	} else if ((why = slurp_whole(c->arena, name, SLURP_REGULAR,
			policy_most(policy), &text)) == NULL) {
		doc = document_read_text(c->arena, name,
		    promptfoo_csv(
			text, name, promptfoo_types(c), policy, c->arena),
		    policy);
	} else {
		diag_error(
		    (struct place){ .file = name }, "cannot read: %s", why);
		return NULL;
	}
	if (doc != NULL)
		document_resolve(doc, TYPES_JS);
	return doc;
}

const struct json *
promptfoo_yaml(struct str text, struct arena *a)
{
	struct diag_log unwanted = { 0 }, *before = diag_keep(&unwanted);
	struct document *doc = document_read_text(a, "", text, NULL);

	if (doc != NULL)
		document_resolve(doc, TYPES_JS);
	(void)diag_keep(before);
	diag_forget(&unwanted);
	return document_root(doc);
}

struct str
promptfoo_read_text(struct promptfoo_config *c, struct str path)
{
	struct str text;

	if (slurp_whole(c->arena, str_c(c->arena, path), SLURP_REGULAR,
		policy_most(c->root.doc->policy), &text) != NULL)
		return (struct str){ 0 };
	return str_trim(text);
}

/* ---- references ---- */

/* Follows the path behind "#/" of a reference. */
static const struct json *
follow(const struct json *v, struct str path, struct arena *a)
{
	while (path.s != NULL && v != NULL) {
		struct str name = str_cut(&path, '/');

		name = str_replace(a, name, STR("~1"), STR("/"));
		name = str_replace(a, name, STR("~0"), STR("~"));
		v = json_get(v, name);
	}
	return v;
}

/* Looks the path up in the file of the reference, and else in the other one. */
static struct promptfoo_part
lookup(struct promptfoo_part other, const struct document *own, struct str path,
    struct arena *a)
{
	struct promptfoo_part of = {
		own->n == 0 ? NULL : follow(own->roots[0], path, a), own
	};

	if (of.v == NULL)
		of = (struct promptfoo_part){ follow(other.v, path, a),
			other.doc };
	return of;
}

/* Reports a reference that leads nowhere, with the name that is near. */
static struct promptfoo_part
lost(struct promptfoo_config *c, struct promptfoo_part at, struct str ref)
{
	struct str name = str_file_name(ref), folder;
	struct suggest near;
	const struct json *in;

	folder = str_slice(ref, 2, ref.n - name.n - 1);
	in = follow(c->root.v, folder, c->arena);
	near = suggest_for(name);
	for (json_members(key, in))
		suggest_try(&near, json_text(key, c->arena));
	document_report(at.doc, MISTAKE_REFUSES, at.v,
	    "$ref: nothing is at '%.*s'%s", STR_FMT(ref),
	    suggest_text(&near, c->arena));
	return (struct promptfoo_part){ NULL, at.doc };
}

/* Returns the members of both objects; those of `own` have precedence, and its
 * $ref is left out. */
static const struct json *
merged(const struct json *of, const struct json *own, struct arena *a)
{
	struct out o;

	out_open_json(&o, '{');
	for (json_members(key, of))
		if (json_get(own, json_text(key, a)) == NULL)
			promptfoo_put_member(&o, key, a);
	for (json_members(key, own))
		if (!json_str_is(key, "$ref"))
			promptfoo_put_member(&o, key, a);
	return json_parse(a, out_keep_json(&o, '}', a));
}

static struct promptfoo_part
dereference(struct promptfoo_config *c, struct promptfoo_part at)
{
	struct str ref = json_text(json_get(at.v, "$ref"), c->arena);
	struct promptfoo_part of = c->root;
	const struct document *doc;
	size_t hash = str_find_char(ref, '#');

	if (hash != 0) {
		doc = promptfoo_read(
		    c, promptfoo_path(c, c->folder, str_slice(ref, 0, hash)));
		of = (struct promptfoo_part){ document_root(doc), doc };
		if (of.v == NULL)
			return (struct promptfoo_part){ NULL, at.doc };
	}
	ref = str_from(ref, hash);
	if (str_starts(ref, "#/"))
		of = lookup(of, hash == 0 ? at.doc : of.doc, str_from(ref, 2),
		    c->arena);
	if (of.v == NULL)
		return lost(c, at, ref);
	if (json_count(at.v) > 1)
		of = (struct promptfoo_part){ merged(of.v, at.v, c->arena),
			at.doc };
	return of;
}

struct promptfoo_part
promptfoo_resolve(struct promptfoo_config *c, struct promptfoo_part at)
{
	struct str text;
	const struct document *doc;
	size_t n = 0;

	fields_note(at.doc, at.v, NULL, IS(REFERENCE));
	while (json_is(json_get(at.v, "$ref"), JSON_STRING) &&
	    n++ < PROMPTFOO_DEEPEST)
		at = dereference(c, at);
	text = json_text(at.v, c->arena);
	if (!str_starts(text, "file://"))
		return at;
	text = promptfoo_path(c, c->folder, text);
	if (!str_ends_with_one_of(text, ".yaml .yml .json .jsonl"))
		return at;
	doc = promptfoo_read(c, text);
	return (struct promptfoo_part){ document_root(doc),
		doc == NULL ? at.doc : doc };
}
