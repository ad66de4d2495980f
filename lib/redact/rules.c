#include "redact/rules.h"

#include <assert.h>
#include <string.h>

#include "base/diag.h"
#include "io/out.h"
#include "yaml/fields.h"

struct redact *
redact_new(struct arena *a)
{
	struct redact *r = arena_new(a, struct redact);

	r->arena = a;
	r->members.arena = a;
	return r;
}

/* ---- one rule ---- */

struct redact_class *
redact_class(const struct redact *r, struct str name)
{
	struct redact_class *c = r->classes;

	while (c != NULL && !str_eq(c->name, name))
		c = c->next;
	return c;
}

static struct redact_class *
put_class(struct redact *r, struct str name)
{
	struct redact_class **at = &r->classes;

	while (*at != NULL && !str_eq((*at)->name, name))
		at = &(*at)->next;
	if (*at == NULL) {
		*at = arena_new(r->arena, struct redact_class);
		(*at)->name = name;
	}
	return *at;
}

static struct redact_rule *
put_rule(struct redact *r, struct str class)
{
	struct redact_rule **at = &r->rules;

	while (*at != NULL)
		at = &(*at)->next;
	*at = arena_new(r->arena, struct redact_rule);
	(*at)->class = put_class(r, class);
	return *at;
}

/* Returns the letters and digits of the name in lower case, so that api_key,
 * Api-Key and apiKey are the same. */
static struct str
fold(struct arena *a, struct str name)
{
	char *folded = arena_room(a, name.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (c >= 'A' && c <= 'Z')
			c |= 0x20;
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
		    (c & 0x80))
			folded[n++] = c;
	}
	return (struct str){ folded, n };
}

static void
add_member(struct redact *r, struct str class, struct str name)
{
	*hash_put(&r->members, fold(r->arena, name)) = put_class(r, class);
}

struct redact_class *
redact_member(const struct redact *r, struct arena *a, struct str name)
{
	return r->members.n == 0 ? NULL : hash_get(&r->members, fold(a, name));
}

/* ---- the built-in set, and a text ---- */

/* Compiles a pattern of this program, which cannot fail. */
static struct regex *
compile(struct arena *a, const char *pattern)
{
	struct regex_error error;
	struct regex *regex =
	    regex_compile(a, REGEX_RE2, str_of(pattern), 0, &error);

	assert(regex != NULL);
	return regex;
}

void
redact_add_default(struct redact *r)
{
	for (const struct redact_pattern *p = redact_patterns; p->class; p++) {
		struct redact_rule *rule = put_rule(r, str_of(p->class));

		if (p->pattern != NULL)
			rule->regex = compile(r->arena, p->pattern);
		rule->accepts = p->accepts;
		rule->find = p->find;
	}
	for (const char *const *m = redact_members; *m != NULL; m++)
		add_member(r, STR("secret"), str_of(*m));
}

void
redact_add_text(struct redact *r, const char *class, struct str text)
{
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < text.n; i++)
		out_printf(&o, "\\x%02x", (unsigned char)text.s[i]);
	put_rule(r, str_of(class))->regex =
	    compile(r->arena, str_c(r->arena, out_memory(&o)));
	out_close(&o);
}

/* ---- a file ---- */

struct reading {
	struct redact *redact;
	const struct document *doc;
	struct str class;
	bool good;
};

static void
report_wrong(struct reading *r, const struct json *at, struct str why)
{
	diag_error(document_place(r->doc, at), "%.*s: %.*s", STR_FMT(r->class),
	    STR_FMT(why));
	r->good = false;
}

static void
read_pattern(struct reading *r, const struct json *v)
{
	struct arena *a = r->redact->arena;
	struct regex_error error;
	struct regex *regex =
	    regex_compile(a, REGEX_RE2, json_text(v, a), 0, &error);

	if (regex == NULL) {
		report_wrong(r, v, regex_error_text(a, &error));
		return;
	}
	if (regex_search(regex, STR(""), NULL, NULL) == REGEX_YES)
		report_wrong(r, v, STR("the pattern matches the empty text"));
	put_rule(r->redact, r->class)->regex = regex;
}

static void
read_member(struct reading *r, const struct json *v)
{
	struct arena *a = r->redact->arena;
	struct fields e = fields_open(a, r->doc, v, r->class);
	const struct json *names = fields_need(&e, "member");

	if (json_is(names, JSON_STRING))
		add_member(r->redact, r->class, json_text(names, a));
	else if (json_is(names, JSON_ARRAY))
		for (json_each(name, names)) {
			if (!json_is(name, JSON_STRING))
				fields_mistake(&e, name,
				    "member: expected a name, found %s",
				    json_type_name(name));
			add_member(r->redact, r->class, json_text(name, a));
		}
	else if (names != NULL)
		fields_mistake(&e, names,
		    "member: expected a name or a list of names, found %s",
		    json_type_name(names));
	r->good &= fields_close(&e, NULL);
}

/* Reads a pattern, a member, or a list of these. */
static void
read_rules(struct reading *r, const struct json *v, bool listed)
{
	if (json_is(v, JSON_STRING))
		read_pattern(r, v);
	else if (json_is(v, JSON_OBJECT))
		read_member(r, v);
	else if (json_is(v, JSON_ARRAY) && !listed)
		for (json_each(one, v))
			read_rules(r, one, true);
	else
		report_wrong(r, v,
		    str_printf(r->redact->arena,
			"expected a pattern in quotes or {member: NAME}%s, "
			"found %s",
			listed ? "" : ", or a list of these",
			json_type_name(v)));
}

/* Returns whether the name may be a class. Marks contain the name, so the end
 * of the name in a mark must be clear. */
static bool
is_class(struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (!((c | 0x20) >= 'a' && (c | 0x20) <= 'z') &&
		    !(c >= '0' && c <= '9') && c != '_' && c != '-')
			return false;
	}
	return name.n != 0 && name.n <= REDACT_CLASS_MAX;
}

bool
redact_file(struct redact **rules, struct arena *a, const char *path)
{
	struct reading r = { .good = true };
	struct document *doc;

	if (*rules == NULL)
		*rules = redact_new(a);
	if (strcmp(path, "default") == 0) {
		redact_add_default(*rules);
		return true;
	}
	doc = document_read(a, path, NULL);
	if (doc == NULL)
		return false;
	document_resolve(doc, TYPES_CORE);
	r.redact = *rules;
	r.doc = doc;
	if (doc->n != 1 || json_count(doc->roots[0]) == 0 ||
	    !json_is(doc->roots[0], JSON_OBJECT)) {
		diag_error((struct place){ .file = doc->file },
		    "expected an object such as {employee: 'E-[0-9]{6}'}");
		return false;
	}
	for (json_members(key, doc->roots[0])) {
		r.class = json_text(key, a);
		if (!is_class(r.class))
			report_wrong(&r, key,
			    str_printf(a,
				"expected a class: up to %d letters, digits, "
				"'_' and '-'",
				REDACT_CLASS_MAX));
		read_rules(&r, json_value(key), false);
	}
	return r.good;
}

/* ---- the end ---- */

void
redact_warn(const struct redact *r)
{
	struct out o;

	if (r == NULL)
		return;
	out_open_memory(&o);
	for (const struct redact_class *c = r->classes; c != NULL; c = c->next)
		if (c->n != 0)
			out_printf(&o, "%s%.*s %zu", o.n == 0 ? "" : ", ",
			    STR_FMT(c->name), c->n);
	if (o.n != 0)
		diag_warn((struct place){ 0 }, "redacted: %.*s",
		    STR_FMT(out_memory(&o)));
	out_close(&o);
}

void
redact_free(struct redact *r)
{
	struct redact_rule *rule = r == NULL ? NULL : r->rules;

	for (; rule != NULL; rule = rule->next)
		regex_free(rule->regex);
}
