#include "extract/map/formats.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract/map/map.h"
#include "io/list_files.h"

enum { PATH_MOST = 4096 };

const struct log_format *
map_formats_named(const struct map_formats *f, const char *name)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->table[i]->name, name) == 0)
			return f->table[i];
	return NULL;
}

/* Returns whether MCPL_WITHOUT_FORMATS, names separated by commas, has the name:
 * tests switch formats off. */
static bool
is_switched_off(const char *name)
{
	struct str list = str_of(getenv("MCPL_WITHOUT_FORMATS"));

	while (list.s != NULL)
		if (str_is(str_cut(&list, ','), name))
			return true;
	return false;
}

/* Adds the format unless a map in a folder has its name. */
static void
add(struct map_formats *f, const struct log_format *format)
{
	if (is_switched_off(format->name))
		return;
	for (size_t i = 0; i < f->n_maps; i++)
		if (strcmp(f->table[i]->name, format->name) == 0)
			return;
	*arena_push(&f->arena, f->table, f->n) = format;
}

/* ---- maps in folders ---- */

/* Reads a map. Several mistakes become one message. */
static struct map *
read_map(struct map_formats *f, const char *path, const char *name)
{
	struct diag_log messages = { 0 };
	struct map *m;

	diag_keep(&messages);
	m = map_read_named(&f->arena, path, name);
	diag_keep(NULL);
	if (messages.errors == 0 && m != NULL) {
		diag_print(&messages);
		return m;
	}
	map_close(m);
	if (messages.errors == 1) {
		diag_print(&messages);
		return NULL;
	}
	diag_error((struct place){ .file = path },
	    "%zu mistakes in this map (--map FILE lists them)",
	    messages.errors);
	diag_forget(&messages);
	return NULL;
}

static void
read_file(struct map_formats *f, const char *path)
{
	static const char *const ends[] = { ".yaml", ".yml", ".json" };
	struct str name = str_of(strrchr(path, '/') + 1);
	size_t all = name.n;
	struct map *m;
	char *own;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (str_ends(name, ends[i]))
			name.n -= strlen(ends[i]);
	own = str_c(&f->arena, name);
	if (name.n == all || name.n == 0 || map_formats_named(f, own) != NULL)
		return;
	m = read_map(f, path, own);
	if (m == NULL)
		return;
	/* There must be room for all other formats. */
	if (f->n_maps < LOG_FORMAT_MAX / 2) {
		*arena_push(&f->arena, f->table, f->n) = map_format(m);
		*arena_push(&f->arena, f->maps, f->n_maps) = m;
		return;
	}
	map_close(m);
	diag_error((struct place){ .file = path },
	    "this map is not used: there are more than %d maps",
	    LOG_FORMAT_MAX / 2);
}

static void
read_folder(struct map_formats *f, struct folder found)
{
	for (size_t i = 0; i < found.n; i++)
		read_file(f, found.paths[i]);
}

/* Reads a folder that nobody named: what the user may not read is as good as
 * absent, as another user's home in a container is. */
static void
read_usual_folder(struct map_formats *f, struct str path)
{
	read_folder(f,
	    list_readable_files(&f->arena, str_c(&f->arena, path), SIZE_MAX));
}

/* Reads the folders of MCPL_MAPS, which are separated by colons. */
static void
read_folders(struct map_formats *f, struct str list)
{
	while (list.s != NULL) {
		char *path = str_c(&f->arena, str_cut(&list, ':'));
		struct stat st;

		if (*path == '\0')
			continue;
		if (stat(path, &st) != 0)
			diag_error((struct place){ .file = path },
			    "cannot read the folder of MCPL_MAPS:");
		else
			read_folder(f, list_files(&f->arena, path));
	}
}

/* Reads the user's folder. */
static void
read_own_folder(struct map_formats *f)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");
	struct str path = { 0 };

	if (config != NULL && *config == '/')
		path = str_printf(&f->arena, "%s/mcpl/maps", config);
	else if (home != NULL && *home != '\0')
		path = str_printf(&f->arena, "%s/.config/mcpl/maps", home);
	if (path.s != NULL)
		read_usual_folder(f, path);
}

/* Puts the program's path into path[PATH_MOST]. Returns its length, or -1 where the
 * system does not say it. */
static ssize_t
program_path(char *path)
{
#ifdef __APPLE__
	int _NSGetExecutablePath(char *, uint32_t *); /* of mach-o/dyld.h */
	char found[PATH_MOST];
	uint32_t size = sizeof found;

	return _NSGetExecutablePath(found, &size) == 0 &&
		realpath(found, path) != NULL
	    ? (ssize_t)strlen(path)
	    : -1;
#else
	return readlink("/proc/self/exe", path, PATH_MOST - 1);
#endif
}

/* Reads the installation's folders: share/mcpl/maps beside the folder of the program,
 * and below make's PREFIX, for a program that uses the library and for systems that do
 * not say where the program is. */
static void
read_installed_folders(struct map_formats *f)
{
	char path[PATH_MOST];
	ssize_t n = program_path(path);
	char *slash;

	for (int up = 0; up < 2 && n > 0; up++) {
		path[n] = '\0';
		slash = strrchr(path, '/');
		n = slash == NULL ? 0 : slash - path;
	}
	path[n > 0 ? n : 0] = '\0';
	if (n > 0)
		read_usual_folder(
		    f, str_printf(&f->arena, "%s/share/mcpl/maps", path));
#ifdef INSTALL_PREFIX
	if (strcmp(path, INSTALL_PREFIX) != 0)
		read_usual_folder(f, STR(INSTALL_PREFIX "/share/mcpl/maps"));
#endif
}

/* ---- all formats ---- */

void
map_formats_open(struct map_formats *f)
{
	const char *folders = getenv("MCPL_MAPS");

	*f = (struct map_formats){ 0 };
	if (folders != NULL) {
		read_folders(f, str_of(folders));
	} else {
		read_own_folder(f);
		read_installed_folders(f);
	}
	for (size_t i = 0; log_format_table[i] != NULL; i++)
		add(f, log_format_table[i]);
	for (size_t i = 0;; i++) {
		struct map_embedded *e =
		    arena_new(&f->arena, struct map_embedded);

		if (!map_embedded_open(e, i))
			break;
		*arena_push(&f->arena, f->embedded, f->n_embedded) = e;
		add(f, &e->format);
	}
	*arena_push(&f->arena, f->table, f->n) = NULL;
	f->n--;
	f->index = format_index_of(&f->arena, f->table);
}

void
map_formats_close(struct map_formats *f)
{
	for (size_t i = 0; i < f->n_maps; i++)
		map_close(f->maps[i]);
	for (size_t i = 0; i < f->n_embedded; i++)
		map_embedded_close(f->embedded[i]);
	arena_free(&f->arena);
}
