#include "extract/places/places.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "extract/notation/notation.h"
#include "extract/places/times.h"
#include "io/list_files.h"
#include "io/slurp.h"
#include "yaml/document.h"

extern const unsigned char places_yaml[];
extern const size_t places_yaml_size;

enum { LISTED_MAX = 1 << 20 }; /* bytes of a list of projects */

/* The rows of a program follow one another. */
struct row {
	const char *program;
	const struct json *folders, *listed;
	const char *files, *parts;
	bool otherwise;
};

/* Hidden folders and files in which programs keep logs. */
static const char hidden[] = LOG_HIDDEN_FILES " .system_generated";

struct places {
	struct log_search *walk;
	struct fileset seen;
	const struct json *variables;
	struct row *rows;
	size_t n;
	struct log_places found;
	bool measured;
};

/* ---- the rows ---- */

/* Returns the text of the row's member; empty if there is none. */
static const char *
text_of(struct arena *a, const struct json *row, const char *key)
{
	const struct json *v = json_get(row, key);

	return v == NULL ? "" : str_c(a, json_text(v, a));
}

static void
read_rows(struct places *p, struct arena *a)
{
	const struct document *d = document_read_text(a, "places.yaml",
	    (struct str){ (const char *)places_yaml, places_yaml_size }, NULL);

	if (d == NULL || d->n != 1)
		diag_die("%s: the embedded map is wrong", "places.yaml");
	p->variables = json_get(d->roots[0], "variables");
	for (json_each(r, json_get(d->roots[0], "places")))
		*arena_push(a, p->rows, p->n) = (struct row){
			text_of(a, r, "program"),
			json_get(r, "folders"),
			json_get(r, "listed"),
			text_of(a, r, "files"),
			text_of(a, r, "parts"),
			json_has(r, "otherwise"),
		};
}

static bool
is_last(const struct places *p, size_t i)
{
	return i + 1 == p->n ||
	    strcmp(p->rows[i].program, p->rows[i + 1].program) != 0;
}

const char **
log_places_programs(struct arena *a)
{
	struct places p = { 0 };
	const char **names = NULL;
	size_t n = 0;

	read_rows(&p, a);
	for (size_t i = 0; i < p.n; i++)
		if (is_last(&p, i))
			*arena_push(a, names, n) = p.rows[i].program;
	*arena_push(a, names, n) = NULL;
	return names;
}

/* ---- folders ---- */

/* Returns the value of an environment's variable; empty if it is not set. */
static struct str
value_of(struct arena *a, struct str name)
{
	const char *value = NULL;

	if (name.n != 0 && *name.s >= 'A' && *name.s <= 'Z')
		value = getenv(str_c(a, name));
	return str_trim(str_of(value == NULL ? "" : value));
}

/* Adds the path to the list unless the path is empty. */
static void
add_path(struct arena *a, struct folder *to, struct str begin, struct str rest)
{
	while (begin.n > 1 && begin.s[begin.n - 1] == '/')
		begin.n--;
	if (begin.n != 0)
		*arena_push(a, to->paths, to->n) =
		    str_c(a, str_cat(a, begin, rest));
}

/* Adds the folders that one of the paths and the rest stand for. */
static void
add_paths(const struct places *p, struct folder *to, const struct json *paths,
    struct str rest)
{
	struct arena *a = p->walk->arena;

	for (json_each(path, paths)) {
		struct str one = json_text(path, a), value;
		size_t end = str_find_char(one, '/');
		struct str tail = str_cat(a, str_from(one, end), rest);
		struct str name = str_slice(one, 0, end);

		if (str_is(name, "~")) {
			add_path(a, to, value_of(a, STR("HOME")), tail);
		} else if (!str_starts(name, "$")) {
			add_path(a, to, name, tail);
		} else {
			name = str_from(name, 1);
			value = value_of(a, name);
			if (value.n != 0)
				add_path(a, to, value, tail);
			else
				add_paths(p, to,
				    json_get(p->variables, str_c(a, name)),
				    tail);
		}
	}
}

/* Adds the folders of the projects that a program lists in the file. */
static void
add_listed(const struct places *p, struct folder *to, const char *file)
{
	struct arena *a = p->walk->arena;
	struct json_reader reader = { 0 };
	struct json_error error = { 0 };
	struct str text = { 0 };
	const struct json *v = NULL;

	if (slurp_file(a, file, LISTED_MAX, &text))
		v = json_read(&reader, text, NULL, &error);
	for (json_each(project, json_get(v, "projects"))) {
		struct str path = json_text(json_get(project, "path"), a);
		struct str data = json_text(json_get(project, "data_dir"), a);

		if (data.n != 0 && !str_starts(data, "/"))
			data = str_printf(
			    a, "%.*s/%.*s", STR_FMT(path), STR_FMT(data));
		add_path(a, to, data, STR(""));
	}
	json_reader_free(&reader);
}

/* ---- logs ---- */

static void
add_log(struct places *p, struct log_place *to, const struct row *row,
    const char *folder, char *path)
{
	struct arena *a = p->walk->arena;
	struct log_times times;
	struct stat st;
	size_t n = strlen(folder);

	if (stat(path, &st) != 0 || !fileset_enter(&p->seen, &st))
		return;
	if (to->n_folders == 0 ||
	    strcmp(to->folders[to->n_folders - 1], folder) != 0)
		*arena_push(a, to->folders, to->n_folders) =
		    str_c(a, str_of(folder));
	*arena_push(a, to->files, to->n) = path;
	if (!p->measured)
		return;
	times = log_times(path, &st);
	if (to->n == 1 || times.since < to->since)
		to->since = times.since;
	if (to->n == 1 || times.until > to->until)
		to->until = times.until;
	to->bytes += st.st_size;
	if (path[n] == '\0' || !find_logs_matches(row->parts, path + n + 1))
		to->sessions += times.sessions;
}

/* Adds the folder to those that were searched: of all programs, only the first one of
 * each row is named, since users look for few of them. */
static void
note_searched(struct places *p, char *folder, bool named)
{
	struct log_places *to = &p->found;

	if (named)
		*arena_push(p->walk->arena, to->searched, to->n_searched) =
		    folder;
	else
		to->n_more++;
}

static void
add_row(struct places *p, struct log_place *to, const struct row *row, bool all)
{
	struct folder folders = { 0 }, listed = { 0 };

	add_paths(p, &folders, row->folders, STR(""));
	add_paths(p, &listed, row->listed, STR(""));
	for (size_t i = 0; i < listed.n; i++)
		add_listed(p, &folders, listed.paths[i]);
	for (size_t i = 0; i < folders.n; i++) {
		char *folder = folders.paths[i];
		char **logs = find_logs_in(p->walk, folder, row->files, hidden);

		if (!row->otherwise)
			note_searched(p, folder, i == 0 || !all);
		for (; *logs != NULL; logs++)
			add_log(p, to, row, folder, *logs);
	}
}

static bool
is_wanted(struct str programs, const char *program)
{
	while (programs.n != 0)
		if (str_is(str_trim(str_cut(&programs, ',')), program))
			return true;
	return false;
}

struct log_places
log_places_find(struct log_search *walk, const char *programs, bool measured)
{
	struct places p = {
		.walk = walk, .seen.arena = walk->arena, .measured = measured
	};
	struct log_place place = { 0 };

	read_rows(&p, walk->arena);
	for (size_t i = 0; i < p.n; i++) {
		const struct row *row = &p.rows[i];

		if (programs != NULL &&
		    !is_wanted(str_of(programs), row->program))
			continue;
		place.program = row->program;
		if (!row->otherwise || place.n == 0)
			add_row(&p, &place, row, programs == NULL);
		if (!is_last(&p, i))
			continue;
		if (place.n != 0)
			*arena_push(walk->arena, p.found.list, p.found.n) =
			    place;
		place = (struct log_place){ 0 };
	}
	return p.found;
}
