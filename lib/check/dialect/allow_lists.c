/*
 * The dialects `cursor-permissions` and `gemini-settings`: the allow-lists in Cursor's
 * permissions.json, cli-config.json and cli.json, and in Gemini CLI's settings.json.
 */
#include "check/dialect/dialect.h"
#include "check/dialect/permissions.h"
#include "check/permission/allow_list.h"

/* A list of entries. */
struct list {
	const char *object, *key; /* object NULL: the key is at the top */
	enum permission decision; /* NONE: tools.core */
	enum {
		GEMINI,
		GEMINI_SERVERS,
		CURSOR,
		CURSOR_SERVERS,
		CURSOR_CLI
	} form;
};

static const struct list cursor_lists[] = {
	{ NULL, "terminalAllowlist", PERMISSION_ALLOW, CURSOR },
	{ NULL, "mcpAllowlist", PERMISSION_ALLOW, CURSOR_SERVERS },
	{ "permissions", "allow", PERMISSION_ALLOW, CURSOR_CLI },
	{ "permissions", "deny", PERMISSION_DENY, CURSOR_CLI },
	{ NULL, NULL, PERMISSION_NONE, CURSOR },
};

static const struct list gemini_lists[] = {
	{ "tools", "core", PERMISSION_NONE, GEMINI },
	{ "tools", "allowed", PERMISSION_ALLOW, GEMINI },
	{ "tools", "exclude", PERMISSION_DENY, GEMINI },
	{ NULL, "coreTools", PERMISSION_NONE, GEMINI },
	{ NULL, "allowedTools", PERMISSION_ALLOW, GEMINI },
	{ NULL, "excludeTools", PERMISSION_DENY, GEMINI },
	{ "mcp", "allowed", PERMISSION_ALLOW, GEMINI_SERVERS },
	{ "mcp", "excluded", PERMISSION_DENY, GEMINI_SERVERS },
	{ NULL, NULL, PERMISSION_NONE, GEMINI },
};

struct reader {
	struct scenarios *scenarios;
	struct permission_set *set;
	struct permission_source *source;
	struct allow_lists *lists; /* the set's `of` */
};

static struct allow_entry
read_entry(
    const struct list *l, struct str text, struct arena *a, const char **why)
{
	struct allow_entry e = {
		.kind = ALLOW_SERVER, .server = text, .name = STR("*")
	};

	*why = NULL;
	switch (l->form) {
	case GEMINI:
		return allow_read_gemini(text, a, why);
	case CURSOR_CLI:
		return allow_read_cursor_cli(text, a, why);
	case CURSOR:
	case CURSOR_SERVERS:
		return allow_read_cursor(
		    text, l->form == CURSOR_SERVERS, a, why);
	case GEMINI_SERVERS:
		break;
	}
	return e;
}

static void
add_entry(struct reader *r, const struct list *l, const struct json *item)
{
	const struct document *doc = r->scenarios->doc;
	struct arena *a = r->set->arena;
	struct place place = document_place(doc, item);
	struct str text = json_text(item, a);
	struct allow_entry *e = arena_new(a, struct allow_entry);
	const char *why = "expected a string: the entry never applies";

	if (text.s != NULL)
		*e = read_entry(l, text, a, &why);
	else
		text = item->text;
	if (why != NULL)
		policy_report(doc->policy, MISTAKE_REMARK, place,
		    "%s '%.*s': %s", l->key,
		    STR_FMT(str_ellipsize(a, text, 120)), why);
	if (l->decision == PERMISSION_NONE)
		*arena_push(a, r->lists->core, r->lists->ncore) = *e;
	else
		permission_add(r->set,
		    (struct permission_line){ .decision = l->decision,
			.written = text,
			.place = place,
			.source = r->source,
			.skipped = e->kind == ALLOW_NOTHING,
			.of = e });
}

static const struct json *
value_of(const struct document *doc, const struct list *l)
{
	const struct json *root = doc->roots[0];

	return json_get(
	    l->object == NULL ? root : json_get(root, l->object), l->key);
}

/* Returns the list; NULL: there is none, or it is refused for being no list. */
static const struct json *
list_of(const struct document *doc, const struct list *l)
{
	const struct json *list = value_of(doc, l);

	if (list == NULL || json_is(list, JSON_ARRAY))
		return list;
	document_report(doc, MISTAKE_REFUSES, list,
	    "%s: expected a list, found %s", l->key, json_type_name(list));
	return NULL;
}

static void
read_lists(struct scenarios *s, const struct permission_product *product,
    const struct list *l)
{
	struct reader r = { .scenarios = s };
	size_t first;

	r.set = permissions_begin(s, product);
	r.source = arena_new(s->arena, struct permission_source);
	r.source->file = s->doc->file;
	if (r.set->of == NULL)
		r.set->of = arena_new(r.set->arena, struct allow_lists);
	r.lists = r.set->of;
	first = r.set->n;
	for (; l->key != NULL; l++) {
		const struct json *list = list_of(s->doc, l);

		r.lists->has_core |=
		    list != NULL && l->decision == PERMISSION_NONE;
		r.lists->cli |= list != NULL && l->form == CURSOR_CLI;
		for (json_each(item, list))
			add_entry(&r, l, item);
	}
	r.lists->edits = product == &permission_cursor
	    ? !r.lists->cli
	    : json_str_is(
		  json_path(s->doc->roots[0], "general.defaultApprovalMode"),
		  "auto_edit");
	permissions_end(s, r.set, first, r.lists->has_core);
}

static void
read_cursor(struct scenarios *s)
{
	read_lists(s, &permission_cursor, cursor_lists);
}

static void
read_gemini(struct scenarios *s)
{
	read_lists(s, &permission_gemini, gemini_lists);
}

/* Returns whether the file has one of the lists; of Cursor's CLI, one with an entry that
 * only Cursor has. */
static bool
has_list(const struct document *doc, const struct list *l)
{
	struct str file = str_file_name(str_of(doc->file));

	for (; l->key != NULL; l++) {
		const struct json *list = value_of(doc, l);

		if (json_is(list, JSON_ARRAY) &&
		    (l->form != CURSOR_CLI ||
			str_is_one_of(file, "cli.json cli-config.json")))
			return true;
		for (json_each(item, list))
			if (str_starts(json_raw(item), "Shell(") ||
			    str_starts(json_raw(item), "Mcp("))
				return true;
	}
	return false;
}

static bool
owns_cursor(const struct document *doc)
{
	return has_list(doc, cursor_lists);
}

static bool
owns_gemini(const struct document *doc)
{
	return has_list(doc, gemini_lists);
}

const struct dialect dialect_cursor_permissions = {
	.name = "cursor-permissions",
	.what = "the allow-lists of Cursor and of its command line",
	.schema = TYPES_CORE,
	.owns = owns_cursor,
	.read = read_cursor,
};

const struct dialect dialect_gemini_settings = {
	.name = "gemini-settings",
	.what = "the lists of tools in Gemini CLI's settings",
	.schema = TYPES_CORE,
	.owns = owns_gemini,
	.read = read_gemini,
};
