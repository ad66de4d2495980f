/*
 * The dialect `claude-settings`: the permissions in Claude Code's settings files. The
 * levels of files and what each key says are those of the page "Configure permissions"
 * (code.claude.com/docs/en/permissions).
 */
#include <stdlib.h>

#include "check/dialect/dialect.h"
#include "check/dialect/permissions.h"
#include "check/permission/claude.h"

/* The levels of settings files; the mode of the highest level counts. */
enum level {
	LEVEL_USER,
	LEVEL_PROJECT,
	LEVEL_LOCAL,
	LEVEL_FLAG, /* a file of another name, for --settings */
	LEVEL_MANAGED,
};

/* Settings of the files of a set, beside the lines. */
struct all_settings {
	struct claude_settings settings; /* the set's `of` */
	enum claude_mode mode;           /* of the highest level so far */
	enum level level;                /* ... if `moded` */
	bool moded, no_bypass, no_auto;
};

struct reader {
	struct scenarios *scenarios;
	struct permission_set *set;
	struct permission_source *source;
	struct fields fields; /* of `permissions` */
};

/* ---- files ---- */

static struct str
cut_name(struct str *path)
{
	struct str name = str_file_name(*path);
	size_t end = path->n - name.n;

	path->n = end > 1 ? end - 1 : end;
	return name;
}

/* Returns whether the folder is a user's home, as far as its name tells. */
static bool
is_home(struct str folder)
{
	const char *home = getenv("HOME");
	struct str above = folder;

	cut_name(&above);
	return (home != NULL && folder.n != 0 && str_is(folder, home)) ||
	    str_is(folder, "/root") || str_is(above, "/home") ||
	    str_is(above, "/Users");
}

/* Returns the level of the file of this path, and sets *folder as permission_source
 * has it. */
static enum level
level_of(struct str path, struct str *folder)
{
	struct str name = cut_name(&path), above = path;
	bool ours = str_is(cut_name(&above), ".claude");

	*folder = (struct str){ 0 };
	if (str_is(name, "settings.json") && ours && is_home(above)) {
		*folder = STR("~/.claude");
		return LEVEL_USER;
	}
	if (str_ends(name, "settings.local.json"))
		return LEVEL_LOCAL;
	if (str_ends(name, "settings.json") &&
	    !str_starts(name, "managed-settings"))
		return LEVEL_PROJECT;
	if (path.n != 0 && *path.s == '/')
		*folder = path;
	return str_starts(name, "managed-settings") ? LEVEL_MANAGED
						    : LEVEL_FLAG;
}

/* ---- JSON ---- */

/* Returns the place behind a string that begins at `at`. */
static size_t
behind_string(struct str text, size_t at)
{
	for (at++; at < text.n && text.s[at] != '"'; at++)
		at += text.s[at] == '\\';
	return at + 1;
}

/* Returns what JSON lacks and begins at `at`; NULL: nothing does. */
static const char *
extra_at(struct str text, size_t at)
{
	struct str rest = str_trim(str_from(text, at + 1));

	if (text.s[at] == '#' || (text.s[at] == '/' && at + 1 < text.n))
		return "a comment";
	if (text.s[at] == ',' &&
	    (str_starts(rest, "]") || str_starts(rest, "}")))
		return "a comma behind the last element";
	return NULL;
}

/* Warns of the first thing that is no JSON: Claude Code then says "Files with errors are
 * skipped entirely". */
static void
check_json(const struct document *doc)
{
	struct str text = document_text(doc);
	struct place at = { .file = doc->file, .line = 1, .column = 1 };
	const char *extra = NULL;
	size_t i = 0;

	while (i < text.n && (extra = extra_at(text, i)) == NULL)
		i = text.s[i] == '"' ? behind_string(text, i) : i + 1;
	if (extra == NULL)
		return;
	for (size_t k = 0; k < i; k++) {
		at.column = text.s[k] == '\n' ? 1 : at.column + 1;
		at.line += text.s[k] == '\n';
	}
	policy_report(doc->policy, MISTAKE_REMARK, at,
	    "not JSON, so that Claude Code skips the whole file: %s", extra);
}

/* ---- entries ---- */

static void
add_entry(struct reader *r, const struct json *item, enum permission decision)
{
	const struct document *doc = r->scenarios->doc;
	struct arena *a = r->scenarios->arena;
	struct claude_entry *entry = arena_new(a, struct claude_entry);
	struct permission_line line = { .decision = decision,
		.written = json_is(item, JSON_STRING) ? json_text(item, a)
						      : item->text,
		.place = document_place(doc, item),
		.source = r->source,
		.of = entry };

	*entry = claude_entry_read(item, decision, a);
	line.skipped =
	    entry->form == CLAUDE_IGNORED && entry->parameter.s == NULL;
	permission_add(r->set, line);
	if (entry->warning.s != NULL)
		policy_report(doc->policy, MISTAKE_REMARK, line.place,
		    "%s '%.*s': %.*s", permission_name(decision),
		    STR_FMT(str_ellipsize(a, line.written, 120)),
		    STR_FMT(entry->warning));
}

static void
read_list(struct reader *r, const char *key, enum permission decision)
{
	const struct json *list = fields_list_if(&r->fields, key);
	const struct fields_watcher *w = r->scenarios->doc->watcher;

	if (w != NULL && list != NULL)
		w->texts(w->arg, list);
	for (json_each(item, list))
		add_entry(r, item, decision);
}

/* ---- what stands beside them ---- */

/* Returns whether the key has the value "disable". */
static bool
is_disabled(struct reader *r, const char *key)
{
	return str_is(fields_str_if(&r->fields, key), "disable");
}

static void
read_mode(struct reader *r, struct all_settings *all)
{
	struct str name = fields_str_if(&r->fields, "defaultMode");
	enum level level = (enum level)r->source->level;
	enum claude_mode mode;

	all->no_bypass |= is_disabled(r, "disableBypassPermissionsMode");
	all->no_auto |= is_disabled(r, "disableAutoMode");
	if (name.s != NULL && !claude_mode_of(name, &mode))
		fields_remark(&r->fields,
		    json_get(r->fields.object, "defaultMode"),
		    "defaultMode: expected default, acceptEdits, plan, auto, "
		    "dontAsk or bypassPermissions, found '%.*s', so that "
		    "Claude Code skips the whole file",
		    STR_FMT(name));
	else if (name.s != NULL && (!all->moded || level >= all->level)) {
		all->moded = true;
		all->level = level;
		all->mode = mode;
	}
	all->settings.mode = all->mode;
	if ((all->mode == CLAUDE_BYPASS && all->no_bypass) ||
	    (all->mode == CLAUDE_AUTO && all->no_auto))
		all->settings.mode = CLAUDE_DEFAULT;
}

static void
read_folders(struct reader *r, struct all_settings *all)
{
	struct str_list more = fields_strs(&r->fields,
	    fields_list_if(&r->fields, "additionalDirectories"),
	    "additionalDirectories");
	struct str *list = arena_new_n(
	    r->set->arena, struct str, all->settings.folders.n + more.n);
	size_t n = 0;

	for (size_t i = 0; i < all->settings.folders.n; i++)
		list[n++] = all->settings.folders.list[i];
	for (size_t i = 0; i < more.n; i++)
		if (more.list[i].s != NULL)
			list[n++] = more.list[i];
	all->settings.folders = (struct str_list){ list, n };
}

static struct all_settings *
settings_of(struct permission_set *set)
{
	struct all_settings *all = set->of;

	if (all == NULL)
		set->of = all = arena_new(set->arena, struct all_settings);
	return all;
}

/* ---- the file ---- */

static void
read_permissions(struct scenarios *s, const struct json *permissions)
{
	struct reader r = { .scenarios = s };
	size_t first;

	r.set = permissions_begin(s, &permission_claude);
	r.source = arena_new(s->arena, struct permission_source);
	r.source->file = s->doc->file;
	r.source->level =
	    (int)level_of(str_of(s->doc->file), &r.source->folder);
	first = r.set->n;
	scenarios_set_object(s, permissions);
	r.fields = scenarios_open(s, permissions, "permissions");
	read_list(&r, "allow", PERMISSION_ALLOW);
	read_list(&r, "ask", PERMISSION_ASK);
	read_list(&r, "deny", PERMISSION_DENY);
	read_mode(&r, settings_of(r.set));
	read_folders(&r, settings_of(r.set));
	permissions_end(
	    s, r.set, first, json_get(permissions, "defaultMode") != NULL);
	scenarios_end_object(s, &r.fields);
}

static void
read_file(struct scenarios *s)
{
	const struct document *doc = s->doc;
	struct fields e =
	    fields_open(s->arena, doc, doc->roots[0], STR("settings"));
	const struct json *permissions;

	e.any_key = true;
	permissions = fields_object_if(&e, "permissions");
	if (!doc->yaml)
		check_json(doc);
	if (permissions != NULL)
		read_permissions(s, permissions);
	else
		document_report(doc, MISTAKE_REMARK, NULL,
		    "no permissions in these settings: nothing to check");
	fields_close(&e, NULL);
}

static bool
owns(const struct document *doc)
{
	static const char keys[] =
	    "allow ask deny defaultMode additionalDirectories "
	    "disableBypassPermissionsMode disableAutoMode";
	static const char beside[] =
	    "permissions hooks env enabledPlugins statusLine model "
	    "includeCoAuthoredBy attribution enableAllProjectMcpServers "
	    "enabledMcpjsonServers extraKnownMarketplaces outputStyle sandbox "
	    "cleanupPeriodDays apiKeyHelper";
	const struct json *root = doc->roots[0];
	struct str path = str_of(doc->file), name = cut_name(&path);

	if (json_is(json_get(root, "permissions"), JSON_OBJECT) &&
	    scenarios_any(json_get(root, "permissions"), keys) != NULL)
		return true;
	return json_is(root, JSON_OBJECT) && str_ends(name, ".json") &&
	    (str_starts(name, "settings") ||
		str_starts(name, "managed-settings")) &&
	    (str_is(cut_name(&path), ".claude") ||
		scenarios_any(root, beside) != NULL);
}

const struct dialect dialect_claude_settings = {
	.name = "claude-settings",
	.what = "the permissions in Claude Code's settings files",
	.schema = TYPES_CORE,
	.owns = owns,
	.read = read_file,
};
