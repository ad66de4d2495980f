#include "extract/find_logs.h"

#include <fnmatch.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "extract/format/databases.h"
#include "extract/notation/notation.h"
#include "io/list_files.h"
#include "io/slurp.h"
#include "json/json.h"

enum {
	EXAMINED_BYTES = 64 * 1024, /* of a file whose name says nothing */
	EXAMINED_FILES = 10000,     /* of a hidden folder */
	NAMED_FOLDERS = 5,          /* in a message */
	NOTATION_BYTES = 4096,
	BLANK_BYTES = 64, /* of a file that counts as empty */
	BOM_BYTES = 3,    /* at the begin of a text, at most */
};

/* Removes one of the endings from the name; returns whether it had one. */
static bool
strip(struct str *name, const char *const *ends)
{
	for (; *ends != NULL; ends++) {
		struct str end = str_of(*ends);

		if (name->n > end.n && str_ends(*name, end)) {
			name->n -= end.n;
			return true;
		}
	}
	return false;
}

/* Returns whether the text has a line that begins with an object, or with a list
 * of objects. Zero bytes are passed over, since the text may be in UTF-16. */
static bool
has_records(struct str text)
{
	char opened = '\n'; /* the bracket at the begin of the line, if any */

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (opened == '{' && c == '"')
			return true;
		if (opened == '[' && c == '{')
			return true;
		if (c == '\0' || (opened != '\0' && json_is_space(c)) ||
		    (i < BOM_BYTES && (unsigned char)c >= 0x80))
			continue;
		if (c == '\n')
			opened = '\n';
		else if (opened == '\n' && (c == '{' || c == '['))
			opened = c;
		else
			opened = '\0';
	}
	return false;
}

static bool
holds_records(const char *path)
{
	struct arena a = { 0 };
	struct str text;
	bool holds = slurp_file(&a, path, EXAMINED_BYTES, &text) &&
	    (decompress_is_database(text)
		    ? database_is_known(path, log_databases)
		    : has_records(text) ||
			converter_owns(log_notations, text) == CONVERTER_OWNS);

	arena_free(&a);
	return holds;
}

/* Returns whether the file's folder has a name that begins like this. */
static bool
is_in(const char *path, struct str name, struct str begin)
{
	struct str folder = { path, (size_t)(name.s - path) - 1 };
	size_t from = folder.n;

	while (from != 0 && path[from - 1] != '/')
		from--;
	return str_starts(str_from(folder, from), begin);
}

/* Returns whether the file is the raw form of AgentV's transcript.json beside it. */
static bool
is_raw_transcript(const char *path, struct str name)
{
	struct arena a = { 0 };
	struct str folder = { path, (size_t)(name.s - path) };
	bool is = str_is(name, "transcript-raw.jsonl") &&
	    access(str_c(&a, str_cat(&a, folder, STR("transcript.json"))),
		R_OK) == 0;

	arena_free(&a);
	return is;
}

/* Returns whether a program keeps this file beside its logs. Claude Code keeps
 * long results of tools in files of their own, which are no logs even if a tool
 * printed one, and what it knows of a sub-agent; Strands keeps what it knows of
 * a session and of its agents. */
static bool
is_beside(const char *path, struct str name)
{
	return strstr(path, "/tool-results/") != NULL ||
	    (str_starts(name, "agent-") && str_ends(name, ".meta.json")) ||
	    (str_is(name, "session.json") &&
		is_in(path, name, STR("session_"))) ||
	    (str_is(name, "agent.json") && is_in(path, name, STR("agent_"))) ||
	    (str_is(name, "multi_agent.json") &&
		is_in(path, name, STR("multi_agent_"))) ||
	    is_raw_transcript(path, name) || opencode_storage_is_part(path);
}

/* Returns whether the file has a notation of logs (notation/notation.h). */
static bool
has_notation(const char *path)
{
	struct arena a = { 0 };
	struct str text;
	bool has = slurp_file(&a, path, NOTATION_BYTES, &text) &&
	    converter_owns(log_notations, text) == CONVERTER_OWNS;

	arena_free(&a);
	return has;
}

/* The kinds of files by their names. JSON may be a log or anything else; what is
 * perhaps of a notation of logs is one if its text begins so. */
enum by_name { NO_LOG, JSON, LOG, UNKNOWN, NOTATION };

static enum by_name
by_name(const char *path)
{
	static const char *const packed[] = { ".gz", ".zst", ".zstd", ".xz",
		".bz2", NULL };
	static const char *const logs[] = { ".jsonl", ".ndjson", ".eval",
		".traj", ".af", NULL };
	static const char *const json[] = { ".json", NULL };
	static const char *const texts[] = { ".txt", ".log", ".db", ".sqlite",
		".sqlite3", ".vscdb", NULL };
	static const char *const notations[] = { ".yaml", ".yml", ".md", NULL };
	struct str name = str_of(strrchr(path, '/') + 1);

	if (is_beside(path, name))
		return NO_LOG;
	if (str_find_char(name, '.') == name.n || strip(&name, texts))
		return UNKNOWN;
	if (strip(&name, notations))
		return NOTATION;
	strip(&name, packed);
	if (strip(&name, json))
		return JSON;
	return strip(&name, logs) ? LOG : NO_LOG;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
is_older(const struct log_search *w, const char *path)
{
	int64_t since = w->since / 1000 - 1;
	struct str wal = str_printf(w->arena, "%s-wal", path);
	struct stat st;

	return w->since != INT64_MIN && stat(path, &st) == 0 &&
	    (int64_t)st.st_mtime < since &&
	    (stat(str_c(w->arena, wal), &st) != 0 ||
		(int64_t)st.st_mtime < since);
}

struct list {
	char **paths;
	size_t n;
};

bool
find_logs_matches(const char *patterns, const char *path)
{
	struct arena a = { 0 };
	struct str all = str_of(patterns);
	const char *whole = str_c(&a, str_printf(&a, "/%s", path));
	bool matches = false;

	while (all.n != 0) {
		struct str one = str_cut(&all, ' ');
		bool not = str_starts(one, "!");
		const char *p = str_c(&a, str_from(one, not ));

		if (fnmatch(p, *p == '/' ? whole : strrchr(whole, '/') + 1,
			FNM_PATHNAME) == 0)
			matches = !not ;
	}
	arena_free(&a);
	return matches;
}

/* Adds the file, which has the name of a log, if it is one. */
static void
add_file(struct log_search *w, struct list *to, char *path, enum by_name kind)
{
	if (kind == NOTATION && !has_notation(path))
		return;
	if (is_older(w, path)) {
		w->n_older += kind != UNKNOWN;
		return;
	}
	if (kind == UNKNOWN && !holds_records(path))
		return;
	*arena_push(w->arena, to->paths, to->n) = path;
	fileset_add(&w->found, path);
	w->n++;
}

/* Adds the logs in the folder that have one of the patterns; NULL: all logs. */
static void
add_folder(struct log_search *w, struct list *to, const char *path,
    const char *patterns, const char *hidden)
{
	struct folder all = list_files_and(w->arena, path, hidden);

	for (size_t i = 0; i < all.n_hidden; i++)
		*arena_push(w->arena, w->hidden, w->n_hidden) = all.hidden[i];
	for (size_t i = 0; i < all.n; i++) {
		enum by_name kind = by_name(all.paths[i]);

		if (kind != NO_LOG &&
		    (patterns == NULL ||
			find_logs_matches(
			    patterns, all.paths[i] + strlen(path) + 1)))
			add_file(w, to, all.paths[i], kind);
	}
}

static void
add_existing(
    struct log_search *w, struct list *to, char *path, enum by_name kind)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
		add_file(w, to, path, kind);
}

char **
find_logs_in(struct log_search *w, const char *folder, const char *patterns,
    const char *hidden)
{
	struct arena *a = w->arena;
	struct list all = { 0 };
	char *only = str_c(a, str_printf(a, "%s%s", folder, patterns));

	w->found.arena = a;
	if (!is_folder(folder))
		add_existing(w, &all, str_c(a, str_of(folder)), LOG);
	else if (*patterns == '/' && strpbrk(patterns, "*!? ") == NULL)
		add_existing(w, &all, only, by_name(only));
	else
		add_folder(w, &all, folder, patterns, hidden);
	*arena_push(a, all.paths, all.n) = NULL;
	return all.paths;
}

char **
find_logs(struct log_search *w, char **files)
{
	struct list all = { 0 };
	bool any = false;

	w->found.arena = w->arena;
	for (char **f = files; *f != NULL; f++) {
		if (is_folder(*f)) {
			add_folder(w, &all, *f, NULL, LOG_HIDDEN_FILES);
			any = true;
		} else {
			*arena_push(w->arena, all.paths, all.n) = *f;
		}
	}
	*arena_push(w->arena, all.paths, all.n) = NULL;
	return any ? all.paths : files;
}

/* ---- no logs ---- */

/* Returns whether a file in the folder has the name of a log; JSON in a hidden
 * folder is seldom a log. */
static bool
has_log(struct arena *a, const char *folder)
{
	struct folder all = list_readable_files(a, folder, EXAMINED_FILES);

	for (size_t i = 0; i < all.n; i++)
		if (by_name(all.paths[i]) == LOG)
			return true;
	return false;
}

/* Returns the first paths of the list, each after a blank, and the number of the
 * other ones. */
static struct str
named(struct arena *a, const struct list *folders)
{
	struct str all = STR("");

	for (size_t i = 0; i < folders->n && i < NAMED_FOLDERS; i++)
		all = str_cat(a, all, str_printf(a, " %s", folders->paths[i]));
	if (folders->n > NAMED_FOLDERS)
		all = str_cat(a, all,
		    str_printf(a, " and %zu more", folders->n - NAMED_FOLDERS));
	return all;
}

void
find_logs_warn_hidden(const struct log_search *w)
{
	struct list logs = { 0 };

	for (size_t i = 0; i < w->n_hidden; i++)
		if (has_log(w->arena, w->hidden[i]))
			*arena_push(w->arena, logs.paths, logs.n) =
			    w->hidden[i];
	if (logs.n != 0)
		diag_warn((struct place){ 0 },
		    "logs in hidden folders are passed over unless the "
		    "folders are named: mcpl-extract%.*s",
		    STR_FMT(named(w->arena, &logs)));
}

void
find_logs_warn_none(const struct log_search *w, const char *folder)
{
	struct list hidden = { w->hidden, w->n_hidden };

	diag_warn((struct place){ .file = folder },
	    "no log in this folder (no file ends in .jsonl, .ndjson, .json, "
	    ".eval, .traj or .af, and no text has records%s%.*s)",
	    hidden.n == 0 ? "" : "; hidden folders passed over:",
	    STR_FMT(named(w->arena, &hidden)));
	find_logs_warn_hidden(w);
}

static bool
is_blank(const char *path)
{
	struct arena a = { 0 };
	struct stat st;
	struct str text = { 0 };
	bool blank = stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= BLANK_BYTES &&
	    slurp_file(&a, path, BLANK_BYTES, &text) && str_trim(text).n == 0;

	arena_free(&a);
	return blank;
}

void
find_logs_warn_empty(char *const *files)
{
	for (; *files != NULL; files++)
		if (strcmp(*files, "-") != 0 && is_blank(*files))
			diag_warn(
			    (struct place){ .file = *files }, "empty: no run");
}
