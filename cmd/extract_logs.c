#include "cmd/extract_logs.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/suggest.h"
#include "base/timestamp.h"
#include "extract/places/places.h"
#include "io/confine.h"
#include "text/humanize.h"
#include "text/layout.h"
#include "text/table.h"

enum {
	DATE = 10,        /* bytes of 2026-03-01 */
	GAP = 2,          /* between columns, and before what is folded */
	PLAIN_WIDTH = 80, /* of what is not written to a terminal */
};

/* Ends the program with status 2 unless all programs are known. */
static void
check_programs(const struct cli *cli, const char *programs)
{
	struct str all = str_of(programs);
	struct arena a = { 0 };
	const char **names = log_places_programs(&a);

	do {
		struct str one = str_trim(str_cut(&all, ','));
		struct suggest near = suggest_for(one);
		const char **name = names;

		for (; *name != NULL && !str_is(one, *name); name++)
			suggest_try(&near, str_of(*name));
		if (*name == NULL)
			cli_usage(cli,
			    "--mine: no program '%.*s' whose logs are looked "
			    "for%s",
			    STR_FMT(one), suggest_text(&near, &a));
	} while (all.s != NULL);
	arena_free(&a);
}

/* Returns the path with ~ in place of the home folder, and nothing that a terminal
 * would obey. */
static struct str
shown_path(struct arena *a, const char *path)
{
	struct str home = str_of(getenv("HOME")), all = str_of(path);

	if (home.n > 1 && str_starts(all, home) &&
	    (all.n == home.n || all.s[home.n] == '/'))
		all = str_cat(a, STR("~"), str_from(all, home.n));
	return layout_clean(a, all, false);
}

static struct str
day(struct arena *a, int64_t ms)
{
	char buf[TIMESTAMP_SIZE];

	return str_dup(a, str_slice(timestamp_print(ms, buf), 0, DATE));
}

/* ---- the table ---- */

static struct table
table_of(struct arena *a, const struct log_places *places)
{
	struct table t = { .arena = a };

	table_column(&t, (struct table_column){ .title = "program" });
	table_column(
	    &t, (struct table_column){ .title = "sessions", .right = true });
	table_column(&t, (struct table_column){ .title = "since" });
	table_column(&t, (struct table_column){ .title = "until" });
	table_column(
	    &t, (struct table_column){ .title = "size", .right = true });
	for (const struct log_place *p = places->list;
	     p < places->list + places->n; p++) {
		table_cell(&t, str_of(p->program), TONE_PLAIN);
		table_cell(&t, str_printf(a, "%zu", p->sessions), TONE_PLAIN);
		table_cell(&t, day(a, p->since), TONE_PLAIN);
		table_cell(&t, day(a, p->until), TONE_PLAIN);
		table_cell(
		    &t, humanize_tokens(a, (double)p->bytes), TONE_PLAIN);
	}
	return t;
}

/* Returns the lines of the table. */
static struct str *
lines_of(struct arena *a, const struct table *t)
{
	struct str *lines = NULL, text;
	size_t n = 0;
	struct out memory;

	out_open_memory(&memory);
	table_write(&memory, t, SIZE_MAX, false);
	text = out_keep(&memory, a);
	while (text.n != 0)
		*arena_push(a, lines, n) = str_cut(&text, '\n');
	return lines;
}

/* Returns the cells of the longest folder. */
static size_t
widest_folder(struct arena *a, const struct log_places *places)
{
	size_t most = 0;

	for (size_t i = 0; i < places->n; i++)
		for (size_t k = 0; k < places->list[i].n_folders; k++) {
			size_t w = layout_width(
			    shown_path(a, places->list[i].folders[k]));

			most = w > most ? w : most;
		}
	return most;
}

/* Writes the table. The folders of a program are behind the other columns if all of
 * these lines fit, else below them. */
static void
put_table(struct arena *a, struct out *out, const struct log_places *places,
    size_t width)
{
	struct table t = table_of(a, places);
	struct str *lines = lines_of(a, &t);
	size_t own = layout_width(lines[0]) + GAP;
	bool behind = width >= own && widest_folder(a, places) <= width - own;

	out_str(out, lines[0]);
	out_text(out, behind ? "  folder" : "");
	out_line(out);
	for (size_t i = 0; i < places->n; i++) {
		const struct log_place *p = &places->list[i];

		out_str(out, lines[i + 1]);
		if (!behind)
			out_line(out);
		for (size_t k = 0; k < p->n_folders; k++) {
			layout_space(out, behind && k != 0 ? own : GAP);
			out_str(out, shown_path(a, p->folders[k]));
			out_line(out);
		}
	}
}

/* ---- other output ---- */

static void
put_member(struct out *out, const char *name, const char *text)
{
	out_plain_key(out, str_of(name));
	out_json_str(out, str_of(text));
}

static void
put_json(struct out *out, const struct log_place *p)
{
	char buf[TIMESTAMP_SIZE];

	out_begin(out, '{');
	put_member(out, "program", p->program);
	out_member_int(out, "sessions", (int64_t)p->sessions);
	out_member_int(out, "files", (int64_t)p->n);
	out_member_int(out, "bytes", p->bytes);
	put_member(out, "since", timestamp_print(p->since, buf).s);
	put_member(out, "until", timestamp_print(p->until, buf).s);
	out_plain_key(out, STR("folders"));
	out_begin(out, '[');
	for (size_t i = 0; i < p->n_folders; i++)
		out_json_str(out, str_of(p->folders[i]));
	out_end(out, ']');
	out_end(out, '}');
	out_line(out);
}

/* Says what to type next. */
static void
put_commands(struct arena *a, struct out *out, const struct log_places *places)
{
	size_t sessions = 0;

	for (size_t i = 0; i < places->n; i++)
		sessions += places->list[i].sessions;
	out_printf(out,
	    "\n%.*s of %.*s; to report them, type for example:\n"
	    "  mcpl-extract --mine | mcpl-report\n"
	    "  mcpl-extract --mine --since 7d | mcpl-report --details\n"
	    "  mcpl-extract --mine=%s > runs\n"
	    "mcpl-extract --help shows more.\n",
	    STR_FMT(humanize_of(a, sessions, "session")),
	    STR_FMT(humanize_of(a, places->n, "program")),
	    places->list[0].program);
}

/* Says where no logs are. */
static void
put_searched(struct arena *a, struct out *out, const struct log_places *places,
    size_t width)
{
	struct layout l = { .width = width < PLAIN_WIDTH ? width : PLAIN_WIDTH,
		.most = SIZE_MAX };
	struct str *shown = NULL, all = STR("no folder: HOME is not set");
	size_t n = 0;

	for (size_t i = 0; i < places->n_searched; i++)
		*arena_push(a, shown, n) = shown_path(a, places->searched[i]);
	if (n != 0)
		all = str_join(a, shown, n, STR(", "));
	if (places->n_more != 0)
		all = str_cat(a, all,
		    str_printf(a, " and %zu more places: mcpl-extract(1)",
			places->n_more));
	layout_wrap(
	    out, str_cat(a, STR("no logs of agents found in "), all), &l);
}

/* Prints the logs. Returns whether there are any. */
static bool
put_logs(const struct cli *cli, const struct log_places *places, bool json,
    bool screen)
{
	struct arena a = { 0 };
	struct out out;
	size_t width;

	out_open(&out, cli->output, false);
	width = cli_width(out.file.fd);
	for (size_t i = 0; json && i < places->n; i++)
		put_json(&out, &places->list[i]);
	if (!json && places->n != 0)
		put_table(&a, &out, places, width);
	else if (!json)
		put_searched(&a, &out, places, width);
	if (screen && places->n != 0)
		put_commands(&a, &out, places);
	arena_free(&a);
	if (!out_close(&out))
		exit(2);
	return places->n != 0;
}

/* ---- the options ---- */

void
extract_logs_set(struct extract_logs *l, const struct cli *cli, bool mine,
    const char *argument)
{
	if (mine) {
		if (argument != NULL)
			check_programs(cli, argument);
		l->programs = argument;
		l->mine = true;
		return;
	}
	if (argument != NULL && strcmp(argument, "json") != 0)
		cli_usage(cli, "--logs: expected json, found '%s'", argument);
	l->list = true;
	l->json = argument != NULL;
}

void
extract_logs_check(const struct extract_logs *l, const struct cli *cli,
    char **files, int64_t since)
{
	struct arena a = { 0 };
	struct log_search walk = { .arena = &a, .since = since };
	struct log_places places;

	if ((l->list || l->mine) && *files != NULL)
		cli_usage(cli,
		    "%s: expected no FILE, found '%s' (a value follows a '=')",
		    l->list ? "--logs" : "--mine", *files);
	if (!l->list)
		return;
	confine(&cli->output, 1);
	places = log_places_find(&walk, l->programs, true);
	put_logs(cli, &places, l->json, false);
	arena_free(&a);
	exit(diag_status(0));
}

void
extract_logs_screen(const struct cli *cli)
{
	struct arena a = { 0 };
	struct log_search walk = { .arena = &a, .since = INT64_MIN };
	struct log_places places;
	bool any;

	confine(&cli->output, 1);
	places = log_places_find(&walk, NULL, true);
	any = put_logs(cli, &places, false, true);
	arena_free(&a);
	if (any)
		exit(diag_status(0));
}

char **
extract_logs_mine(const struct extract_logs *l, struct log_search *walk)
{
	struct log_places places = log_places_find(walk, l->programs, false);
	char **files = NULL;
	size_t n = 0;

	for (size_t i = 0; i < places.n; i++)
		for (size_t k = 0; k < places.list[i].n; k++)
			*arena_push(walk->arena, files, n) =
			    places.list[i].files[k];
	if (n == 0 && walk->n_older == 0)
		diag_error((struct place){ 0 },
		    "--mine: no logs of agents found (--logs says where they "
		    "were looked for)");
	*arena_push(walk->arena, files, n) = NULL;
	return files;
}

void
extract_logs_warn_none(const struct extract_logs *logs,
    const struct log_search *walk, const char *file)
{
	if (diag_errors() != 0)
		return;
	if (walk->n_older == 0)
		find_logs_warn_none(walk, file);
	else if (logs->mine)
		diag_warn((struct place){ 0 },
		    "no log on this machine was changed since --since; older "
		    "logs: %zu",
		    walk->n_older);
	else
		diag_warn((struct place){ .file = file },
		    "no log in this folder was changed since --since; older "
		    "logs: %zu",
		    walk->n_older);
}
