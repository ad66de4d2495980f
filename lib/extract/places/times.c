#include "extract/places/times.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/timestamp.h"
#include "extract/format/databases.h"
#include "io/slurp.h"

enum {
	EXAMINED = 16 * 1024, /* bytes at the begin, and at the end */
	DATE_TIME = 19,       /* bytes of 2026-03-01 10:15:00 */
};

static const int64_t earliest = INT64_C(1577836800000); /* 2020-01-01 */
static const int64_t latest = INT64_C(4102444800000);   /* 2100-01-01 */

/* The members that hold the time of a record or session. */
static const char names[] =
    "timestamp timestampMs time ts created created_at createdAt creationDate "
    "updated updated_at updatedAt lastUpdated last_updated startTime "
    "start_time "
    "endTime end_time session_start sentAt since until";

/* Returns whether the text before the closing quote at `end` is the name of such a
 * member. */
static bool
is_time(struct str text, size_t end)
{
	size_t from = end;

	while (from > 0 && text.s[from - 1] != '"')
		from--;
	return from > 0 && (from < 2 || text.s[from - 2] != '\\') &&
	    str_is_one_of(str_slice(text, from, end), names);
}

/* Reads the time that begins the text: a string, or a number. */
static bool
read_time(struct str text, int64_t *ms)
{
	struct arena a = { 0 };
	size_t n = 0;
	bool is;

	text = str_trim(str_slice(text, 0, text.n < 64 ? text.n : 64));
	if (str_starts(text, "\"")) {
		text = str_from(text, 1);
		is = timestamp_text(
		    str_slice(text, 0, str_find_char(text, '"')), ms);
	} else {
		while (n < text.n &&
		    (ascii_is_digit((unsigned char)text.s[n]) ||
			text.s[n] == '.'))
			n++;
		is = n > 0 && n < text.n &&
		    timestamp_number(
			strtod(str_c(&a, str_slice(text, 0, n)), NULL), ms);
	}
	arena_free(&a);
	return is && *ms >= earliest && *ms < latest;
}

static void
take_time(int64_t ms, struct log_times *t)
{
	t->since = ms < t->since ? ms : t->since;
	t->until = ms > t->until ? ms : t->until;
}

/* Extends the times by those in a text of Markdown, which is aider's. */
static void
take_begins(struct str text, struct log_times *t)
{
	static const struct str begin = { "# aider chat started at ", 24 };

	while (str_find(text, begin) < text.n) {
		int64_t ms;

		text = str_from(text, str_find(text, begin) + begin.n);
		if (timestamp_text(str_slice(text, 0, DATE_TIME), &ms))
			take_time(ms, t);
	}
}

/* Extends the times by those in the text. */
static void
take_times(struct str text, struct log_times *t)
{
	take_begins(text, t);
	for (size_t i = 0; i + 1 < text.n; i++) {
		int64_t ms;

		if (text.s[i] == '"' && text.s[i + 1] == ':' &&
		    is_time(text, i) && read_time(str_from(text, i + 2), &ms))
			take_time(ms, t);
	}
}

/* Takes the summary of a database. */
static void
take_summary(const char *path, struct log_times *t)
{
	static const struct str key = { "\"sessions\":", 11 };
	struct arena a = { 0 };
	struct decompress u = { 0 };
	struct str text = { 0 }, trouble = { 0 };
	int fd = database_summary(&u, path, log_databases);

	if (fd < 0)
		return;
	slurp(&a, fd, EXAMINED, &text);
	close(fd);
	decompress_wait(&u, &a, &trouble);
	take_times(text, t);
	if (str_find(text, key) < text.n)
		t->sessions = 0;
	while (str_find(text, key) < text.n) {
		text = str_from(text, str_find(text, key) + key.n);
		t->sessions += strtoul(str_c(&a, text), NULL, 10);
	}
	arena_free(&a);
}

struct log_times
log_times(const char *path, const struct stat *st)
{
	struct log_times t = { INT64_MAX, INT64_MIN, 1 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool database = fd >= 0 && database_is_open(fd);
	char buf[EXAMINED];
	ssize_t n;

	if (database)
		take_summary(path, &t);
	else if (fd >= 0 && (n = read(fd, buf, sizeof buf)) > 0)
		take_times((struct str){ buf, (size_t)n }, &t);
	if (!database && fd >= 0 && st->st_size > EXAMINED &&
	    (n = pread(fd, buf, sizeof buf, st->st_size - EXAMINED)) > 0)
		take_times((struct str){ buf, (size_t)n }, &t);
	if (fd >= 0)
		close(fd);
	if (t.until == INT64_MIN)
		t.since = t.until = (int64_t)st->st_mtime * 1000;
	return t;
}
