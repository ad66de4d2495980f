#include "extract/file_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"
#include "extract/id_search.h"
#include "io/slurp.h"
#include "json/lenient.h"

enum {
	EXAMINED = 64 * 1024, /* bytes of a file whose format is examined */
	RECORDS = 50,         /* of that file, at most */
	TIME = 19,            /* bytes of 2026-03-01T09:00:00 */
};

/* A file among all files. */
struct member {
	char *path;
	size_t leader; /* an earlier file of the same group, or itself */
	bool regular, examined;
	const char *owner; /* the file of a companion's session, or NULL */
	const struct log_format *format; /* NULL: joins no group */
	uint64_t session; /* hash of the id that its first records have, or 0 */
	struct str time;  /* of its first records */
};

struct group {
	struct member **files; /* in the order in which they are read */
	size_t n;
};

struct pass {
	struct arena *arena;
	const struct extract_job *job;
	struct member *files;
	size_t n;
};

/* ---- a file that has an id in common with another ---- */

/* Returns the first time of ISO 8601 in the text; empty if there is none. */
static struct str
first_time(struct arena *a, struct str text)
{
	for (size_t i = 0; i + TIME < text.n; i++)
		if (text.s[i] == '"' && text.s[i + 5] == '-' &&
		    text.s[i + 8] == '-' && text.s[i + 14] == ':' &&
		    ascii_is_digit((unsigned char)text.s[i + 1]))
			return str_dup(a, str_slice(text, i + 1, i + 1 + TIME));
	return STR("");
}

/* Takes the next value from a text whose end may be cut off; returns NULL if there
 * is none. What comes before the value in its line is passed over. */
static const struct json *
next_value(struct json_reader *reader, struct arena *a, struct str *text)
{
	while (text->n != 0) {
		struct json_error error = { 0 };
		const struct json *v;
		size_t end = 0;

		while (text->n != 0 && *text->s != '{' && *text->s != '[')
			*text = str_from(*text, 1);
		v = json_read(reader, *text, &end, &error);
		if (v != NULL) {
			*text = str_from(*text, end);
			return v;
		}
		if (error.cut) {
			v = json_read(
			    reader, json_repair(a, *text), NULL, &error);
			*text = STR("");
			return v;
		}
		str_cut(text, '\n');
	}
	return NULL;
}

/* Returns the format of a file that begins with this text, or NULL. */
static const struct log_format *
format_of(struct pass *p, struct json_reader *reader, struct arena *a,
    struct str text)
{
	struct log_format_guess guess = { .index = p->job->formats };
	const struct log_format *format = p->job->format;
	const struct json *v;

	while (format == NULL && guess.records < RECORDS &&
	    (v = next_value(reader, a, &text)) != NULL) {
		format = log_format_guess(&guess, v);
		if (json_is(v, JSON_ARRAY) && json_first(v) != NULL &&
		    log_format_likeliest(&guess) == NULL)
			format = log_format_guess(&guess, json_first(v));
	}
	return format != NULL ? format : log_format_likeliest(&guess);
}

/* Takes the session's id from one of the file's first records. Returns false if the
 * next records need not be examined. */
static bool
take_session(struct member *m, struct log *log, const struct json *record)
{
	const struct log_format *f = m->format;
	const char *owner = f->owner == NULL ? NULL : f->owner(log, record);
	struct str id = { 0 };

	if (f->shared_session != NULL)
		id = json_raw(field_find(record, f->shared_session));
	/* A companion joins its owner. */
	if (owner != NULL)
		m->owner = owner;
	if (owner != NULL ||
	    (id.n != 0 && m->session != 0 && m->session != id_search_hash(id)))
		m->format = NULL;
	if (id.n != 0)
		m->session = id_search_hash(id);
	return m->format != NULL && (id.n == 0 || f->shared_by_all);
}

/* Finds out the file's format, and the id of its first records. */
static void
examine(struct pass *p, struct member *m)
{
	struct arena a = { 0 };
	struct log log = { .arena = p->arena, .scratch = &a, .path = m->path };
	struct json_reader reader = { 0 };
	struct str text = { 0 };
	const struct json *v;

	m->examined = true;
	if (slurp_file(&a, m->path, EXAMINED, &text))
		m->format = format_of(p, &reader, &a, text);
	if (m->format != NULL && m->format->shared_session != NULL)
		m->time = first_time(p->arena, text);
	for (size_t i = 0; i < RECORDS && m->format != NULL; i++) {
		v = next_value(&reader, &a, &text);
		if (v == NULL || !take_session(m, &log, v))
			break;
	}
	json_reader_free(&reader);
	arena_free(&a);
}

/* ---- joining files ---- */

static size_t
leader_of(struct pass *p, size_t i)
{
	struct member *f = p->files;

	while (f[i].leader != i)
		i = f[i].leader = f[f[i].leader].leader;
	return i;
}

static void
unite(struct pass *p, size_t i, size_t k)
{
	i = leader_of(p, i);
	k = leader_of(p, k);
	if (i < k)
		p->files[k].leader = i;
	else
		p->files[i].leader = k;
}

/* Returns whether other files of the format that have this id join the file. */
static bool
is_id_of(struct pass *p, const struct file_id *id)
{
	struct member *m = &p->files[id->file];

	if (!m->examined)
		examine(p, m);
	return m->format != NULL &&
	    (str_is_one_of(id->name->name, m->format->shared_keys) ||
		(m->format->shared_session != NULL && m->session == id->hash));
}

static int
compare_ids(const void *one, const void *other)
{
	const struct file_id *a = one, *b = other;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	return (a->file > b->file) - (a->file < b->file);
}

static void
join(struct pass *p, struct file_id *ids, size_t n)
{
	const struct file_id *before = NULL, *end;

	if (n == 0)
		return;
	qsort(ids, n, sizeof *ids, compare_ids);
	end = ids + n;
	for (const struct file_id *id = ids; id < end; id++) {
		const struct file_id *next = id + 1;

		if (before != NULL && before->hash != id->hash)
			before = NULL;
		while (next < end && next->hash == id->hash &&
		    next->file == id->file)
			next++;
		if (before == NULL && (next == end || next->hash != id->hash))
			continue; /* no other file has the id */
		if (!is_id_of(p, id))
			continue;
		if (before != NULL &&
		    p->files[before->file].format == p->files[id->file].format)
			unite(p, before->file, id->file);
		before = id;
	}
}

/* ---- groups ---- */

/* Adds the file to the group. Spans have times of their own; the records of a
 * session are read in their order: a file comes before those that begin later. */
static void
add_file(struct pass *p, struct group *g, struct member *m)
{
	size_t i;

	*arena_push(p->arena, g->files, g->n) = m;
	for (i = g->n - 1;
	     i > 0 && m->format != NULL && m->format->shared_session != NULL;
	     i--) {
		if (str_cmp(g->files[i - 1]->time, m->time) <= 0)
			break;
		g->files[i] = g->files[i - 1];
	}
	g->files[i] = m;
}

/* Returns the paths of the group, NULL-terminated. */
static char **
paths_of(struct arena *a, const struct group *g)
{
	char **paths = arena_new_n(a, char *, g->n + 1);

	for (size_t i = 0; i < g->n; i++)
		paths[i] = g->files[i]->path;
	paths[g->n] = NULL;
	return paths;
}

static char ***
groups_of(struct pass *p)
{
	char ***all = arena_new_n(p->arena, char **, p->n + 1);
	struct group *groups = arena_new_n(p->arena, struct group, p->n);
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++)
		add_file(p, &groups[leader_of(p, i)], &p->files[i]);
	for (size_t i = 0; i < p->n; i++)
		if (groups[i].n != 0)
			all[n++] = paths_of(p->arena, &groups[i]);
	all[n] = NULL;
	return all;
}

/* Adds the file to the list, unless the list has it under another name. */
static void
list_file(struct pass *p, char *path, struct fileset *given)
{
	struct stat st;
	bool exists = strcmp(path, "-") != 0 && stat(path, &st) == 0;
	bool regular = exists && S_ISREG(st.st_mode);

	if (exists && !fileset_enter(given, &st) && regular)
		return;
	if (regular)
		fileset_note(given, path, &st);
	p->files[p->n] =
	    (struct member){ .path = path, .leader = p->n, .regular = regular };
	p->n++;
}

/* Joins the files that have an id in common. */
static void
search_files(struct pass *p)
{
	struct arena a = { 0 };
	struct id_search *search = arena_new(&a, struct id_search);

	search->arena = &a;
	if (p->job->format != NULL)
		id_search_add(search, p->job->format);
	for (const struct log_format *const *f = p->job->formats->table;
	     p->job->format == NULL && *f != NULL; f++)
		id_search_add(search, *f);
	for (size_t i = 0; i < p->n; i++)
		if (p->files[i].regular)
			id_search_file(search, i, p->files[i].path);
	join(p, search->ids, search->n);
	arena_free(&a);
}

/* Lists the files and joins those that record the same runs. */
static struct pass
grouped(struct arena *a, const struct extract_job *job, char **files,
    struct fileset *given)
{
	struct pass p = { .arena = a, .job = job };
	size_t n = 0;

	while (files[n] != NULL)
		n++;
	p.files = arena_new_n(a, struct member, n + 1);
	for (; *files != NULL; files++)
		list_file(&p, *files, given);
	if (p.n > 1)
		search_files(&p);
	return p;
}

char ***
file_groups(struct arena *a, const struct extract_job *job, char **files,
    struct fileset *given)
{
	struct pass p = grouped(a, job, files, given);

	return groups_of(&p);
}

/* Returns the path with one slash in place of several. */
static struct str
with_single_slashes(struct arena *a, const char *path)
{
	char *copy = str_c(a, str_of(path)), *to = copy;

	for (const char *from = copy; *from != '\0'; from++)
		if (*from != '/' || to == copy || to[-1] != '/')
			*to++ = *from;
	return (struct str){ copy, (size_t)(to - copy) };
}

/* Joins the files of sub-agents to the files that they belong to. */
static void
join_companions(struct pass *p)
{
	struct hash_table paths = { .arena = p->arena };

	for (size_t i = 0; i < p->n; i++)
		*hash_put(
		    &paths, with_single_slashes(p->arena, p->files[i].path)) =
		    &p->files[i];
	for (size_t i = 0; i < p->n; i++) {
		struct member *m = &p->files[i], *owner = NULL;

		if (m->regular && !m->examined)
			examine(p, m);
		if (m->owner != NULL)
			owner = hash_get(
			    &paths, with_single_slashes(p->arena, m->owner));
		if (owner != NULL)
			unite(p, (size_t)(owner - p->files), i);
	}
}

char ***
file_tasks(struct arena *a, const struct extract_job *job, char **files)
{
	struct fileset given = { .arena = a };
	struct pass p = grouped(a, job, files, &given);

	join_companions(&p);
	return groups_of(&p);
}
