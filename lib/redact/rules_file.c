#include "redact/rules_file.h"

#include <string.h>

#include "yaml/fields.h"

struct reading {
	struct redact *redact;
	const struct document *doc;
	struct str class;
	bool good;
};

static void
wrong(struct reading *r, const struct json *at, struct str why)
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
		wrong(r, v,
		    str_printf(a, "%.*s (at offset %zu)", STR_FMT(error.why),
			error.offset));
		return;
	}
	if (regex_search(regex, STR(""), NULL, NULL) == REGEX_YES)
		wrong(r, v, STR("the pattern matches where nothing is"));
	redact_add_regex(r->redact, r->class, regex);
}

static void
read_member(struct reading *r, const struct json *v)
{
	struct arena *a = r->redact->arena;
	struct fields e = fields_open(a, r->doc, v, r->class);
	const struct json *names = fields_need(&e, "member");

	if (json_is(names, JSON_STRING))
		redact_add_member(r->redact, r->class, json_text(names, a));
	else if (json_is(names, JSON_ARRAY))
		for (json_each(name, names)) {
			if (!json_is(name, JSON_STRING))
				fields_wrong(&e, name,
				    "member: expected a name, found %s",
				    json_type_name(name));
			redact_add_member(
			    r->redact, r->class, json_text(name, a));
		}
	else if (names != NULL)
		fields_wrong(&e, names,
		    "member: expected a name or a list of names, found %s",
		    json_type_name(names));
	r->good &= fields_close(&e, NULL);
}

/* A pattern, a member, or a list of these. */
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
		wrong(r, v,
		    str_printf(r->redact->arena,
			"expected a pattern in quotes or {member: NAME}%s, "
			"found %s",
			listed ? "" : ", or a list of these",
			json_type_name(v)));
}

/* It stands in marks, from which it must be told apart. */
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
	doc = document_read(a, path);
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
			wrong(&r, key,
			    str_printf(a,
				"expected a class: up to %d letters, digits, "
				"'_' and '-'",
				REDACT_CLASS_MAX));
		read_rules(&r, json_value(key), false);
	}
	return r.good;
}
