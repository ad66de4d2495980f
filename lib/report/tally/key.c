#include "report/tally/key.h"

#include <stdlib.h>

#include "base/timestamp.h"
#include "report/tally/counts.h"
#include "text/layout.h"

#define DAY INT64_C(86400000) /* ms */
#define QUARTER 900000        /* ms */

enum { THURSDAY = 3 }; /* 1970-01-01, counted from Monday */

/* ---- times ---- */

static struct str
first_of(struct arena *a, int64_t ms, size_t n)
{
	char text[TIMESTAMP_SIZE];

	return str_dup(a, str_slice(timestamp_print(ms, text), 0, n));
}

static struct str
day(struct arena *a, int64_t ms)
{
	return first_of(a, ms, 10);
}

/* Returns the day of the week's Monday. */
static struct str
week(struct arena *a, int64_t ms)
{
	int64_t days = ms / DAY - (ms % DAY < 0);

	return day(a, ms - ((days + THURSDAY) % 7 + 7) % 7 * DAY);
}

static struct str
month(struct arena *a, int64_t ms)
{
	return first_of(a, ms, 7);
}

/* ---- other members ---- */

/* Returns the folder in which the agent worked. */
static struct str
project(const struct trace *t, struct arena *a)
{
	struct str text = json_text(json_get(t->member[TRACE_META], "cwd"), a);

	if (str_starts(text, "file://"))
		text = str_from(text, 7);
	while (text.n > 1 && str_ends(text, "/"))
		text.n--;
	if (text.n == 0)
		return (struct str){ 0 };
	return text;
}

/* Returns the program that wrote the log: the name of the format, where a program
 * has several of these the one of its sessions. */
static struct str
program(const struct trace *t, struct arena *a)
{
	static const struct {
		const char *format, *program;
	} others[] = {
		{ "claude-stream", "claude-code" },
		{ "codex-exec", "codex" },
		{ "cursor-hooks", "cursor" },
		{ "cursor-ide", "cursor" },
		{ "gemini-stream", "gemini" },
		{ "mcplab-events", "mcplab" },
		{ "mcplab-results", "mcplab" },
		{ "opencode-events", "opencode" },
		{ "vscode-debug", "copilot-vscode" },
	};
	struct str format =
	    json_text(json_get(t->member[TRACE_SOURCE], "format"), a);

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (str_is(format, others[i].format))
			return str_of(others[i].program);
	return format;
}

/* ---- the keys ---- */

static const struct tally_key keys[] = {
	{ "day", "no time", .of_time = day },
	{ "week", "no time", .of_time = week },
	{ "month", "no time", .of_time = month },
	{ "project", "no project", .of_trace = project },
	{ "program", "no program", .of_trace = program },
};

const struct tally_key *
tally_key(struct str name)
{
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
		if (str_is(name, keys[i].name))
			return &keys[i];
	return NULL;
}

const struct tally_key *
tally_key_time(struct str name)
{
	const struct tally_key *key = tally_key(name);

	return key != NULL && key->of_time != NULL ? key : NULL;
}

bool
tally_has_key(struct str_list names)
{
	for (size_t i = 0; i < names.n; i++)
		if (tally_key(names.list[i]) != NULL)
			return true;
	return false;
}

struct str
tally_key_of_time(const struct tally_key *key, struct str time,
    const struct zone *zone, struct arena *a)
{
	int64_t ms;

	if (!timestamp_text(time, &ms))
		return (struct str){ 0 };
	if (zone == NULL)
		return str_printf(
		    a, "@%lld", (long long)(ms / QUARTER - (ms % QUARTER < 0)));
	return key->of_time(a, zone_clock(zone, ms));
}

struct str
tally_key_of_quarter(const struct tally_key *key, struct str text,
    const struct zone *zone, struct arena *a)
{
	char *end;
	long long n;

	if (zone == NULL || !str_starts(text, "@"))
		return text;
	n = strtoll(str_c(a, str_from(text, 1)), &end, 10);
	if (*end != '\0' || n < -100000000 || n > 100000000)
		return text;
	return key->of_time(a, zone_clock(zone, n * QUARTER));
}

/* ---- the text of a name ---- */

const struct json *
tally_own_member(const struct result *r, struct str name, struct arena *moment)
{
	const struct json *v = json_get(r->trace->record, name);

	return v != NULL ? v : json_path(r->trace->record, str_c(moment, name));
}

struct str
tally_name_text(struct str name, const struct result *r,
    const struct zone *zone, struct arena *moment)
{
	const struct json *v = tally_own_member(r, name, moment);
	const struct tally_key *key = v == NULL ? tally_key(name) : NULL;
	struct str text = json_text(v, moment);

	if (key != NULL && key->of_time != NULL)
		return tally_key_of_time(key, r->start, zone, moment);
	if (key != NULL)
		text = key->of_trace(r->trace, moment);
	else if (text.s == NULL && v != NULL && !json_is(v, JSON_NULL))
		text = v->text;
	return layout_cut(moment, text, TALLY_TEXT_MAX);
}
