#include "json/stream.h"

#include <stdint.h>

#include "json/lenient.h"
#include "json/line_prefix.h"

enum {
	PART = 1024 * 1024, /* a longer value may be read in parts; */
	PART_GROWTH = 8,    /* if it is not, that is tried after more bytes */
};

void
json_stream_open(struct json_stream *v, struct in *in, bool strict)
{
	*v = (struct json_stream){ .in = in, .strict = strict, .part = PART };
}

void
json_stream_begin(struct json_stream *v, struct in *in, bool strict)
{
	struct json_reader reader = v->reader;
	struct arena repaired = v->repaired;
	struct json_parts parts = v->parts;

	json_stream_open(v, in, strict);
	v->reader = reader;
	v->repaired = repaired;
	v->parts = parts;
	v->parts.open = false;
}

void
json_stream_close(struct json_stream *v)
{
	json_reader_free(&v->reader);
	arena_free(&v->repaired);
	json_parts_free(&v->parts);
}

static bool
is_container(const struct json *value)
{
	return json_is(value, JSON_OBJECT) || json_is(value, JSON_ARRAY);
}

static struct json_fault
fault_of(const struct json_stream *v, struct json_error error)
{
	return (struct json_fault){ in_place(v->in, error.offset), error.why,
		error.cut };
}

static size_t
indentation(struct str line)
{
	size_t n = 0;

	while (n < line.n && json_is_space(line.s[n]))
		n++;
	return n;
}

static bool
opens_container(struct str line)
{
	size_t n = indentation(line);

	return n < line.n && (line.s[n] == '{' || line.s[n] == '[');
}

void
json_stream_warn_utf8(struct place at)
{
	diag_error(at, "invalid UTF-8; read as U+FFFD");
}

/* ---- torn values ---- */

/* Returns whether the text begins as the values of a log do: with a container
 * that is not followed by what no value has, as in "[INFO] up". */
static bool
begins_value(struct str text)
{
	struct str inner = str_trim(str_from(text, indentation(text)));

	if (!opens_container(text))
		return false;
	inner = str_trim(str_from(inner, 1));
	return inner.n == 0 || inner.s[0] == '"' || inner.s[0] == '{';
}

/* Returns whether the text has a name, and closes more than it opens: a value
 * whose beginning is lost. */
static bool
ends_value(struct str text)
{
	return str_contains(text, STR("\":")) &&
	    str_count_char(text, '}') + str_count_char(text, ']') >
	    str_count_char(text, '{') + str_count_char(text, '[');
}

/* Takes note of a text that is passed over: a value may have been lost. */
static void
note_torn(struct json_stream *v, struct str text, size_t line)
{
	if (begins_value(text) || ends_value(text))
		v->torn = line;
}

/* Takes note of a line that was too long. */
static void
note_skipped(struct json_stream *v)
{
	if (v->in->skipped != 0)
		v->torn = v->in->skipped;
	v->in->skipped = 0;
}

/* Returns the offset of a value's first bytes near the place of an error, but
 * not before `least`; or 0. The error is at these bytes, or just behind them if
 * they end a string that was cut off, or before them if a word was. */
static size_t
value_near(struct str text, size_t error, size_t least)
{
	size_t from = error < least + 2 ? least : error - 2;
	struct str near =
	    str_slice(text, from, from + 8 < text.n ? from + 8 : text.n);
	size_t i = from < text.n ? str_find(near, "{\"") : near.n;

	return i == near.n ? 0 : from + i;
}

/* Returns the offset of the value that follows in a line whose first value was
 * cut off and breaks at `error`, and that is the rest of the line; or 0. */
static size_t
find_glued(struct json_stream *v, size_t error)
{
	struct json_error again = { 0 };
	size_t at = value_near(v->text, error, 1);

	while (at != 0 &&
	    json_read(&v->reader, str_from(v->text, at), NULL, &again) ==
		NULL &&
	    !json_is_bad_utf8(&again))
		at = again.cut ? 0
			       : value_near(v->text, at + again.offset, at + 1);
	return at;
}

void
json_stream_warn(const struct json_fault *fault, size_t from, size_t to)
{
	const char *what = fault->cut ? "cut off" : "not JSON";

	if (from == to)
		diag_error(fault->at, "%s: %s", what, fault->why);
	else
		diag_error(fault->at, "%s: %s; lines %zu to %zu passed over",
		    what, fault->why, from, to);
}

/*
 * Returns whether the text, whose first line ends at `line`, is one value that
 * the end of the file cuts off. It is not if only the first line was cut off,
 * and records of one line each follow.
 */
static bool
is_torn(const struct json_stream *v, size_t line)
{
	struct str rest = v->text, first = str_trim(str_cut(&rest, '\n'));

	return opens_container(v->text) &&
	    (line == v->text.n || first.n == 1 || !str_starts(rest, "{"));
}

/* Reads the whole members and elements of a text that is cut off, and that may be in
 * the arena. */
static const struct json *
read_repaired(struct json_stream *v, struct str text)
{
	struct json_error error;

	return json_read(
	    &v->reader, json_repair(&v->repaired, text), NULL, &error);
}

const struct json *
json_stream_repair(struct json_stream *v, const struct json_fault *fault)
{
	json_stream_warn(fault, 0, 0);
	v->cut = true;
	arena_reset(&v->repaired);
	return read_repaired(v, json_mend_utf8(&v->repaired, v->text));
}

/* Returns the error in a joined text whose first line ends at `line`. If the
 * next value began before this one was complete, that is the error of its first
 * line. */
static struct json_fault
fault_of_joined(struct json_stream *v, struct json_error error, size_t line,
    const struct json_fault *first)
{
	if (error.offset <= line ||
	    (error.cut && in_end(v->in) == IN_VALUE_BEGINS))
		return *first;
	return fault_of(v, error);
}

/* Returns the first part of a long value, or NULL; then v->part is how long the
 * value is to be for the next try, or 0. */
static const struct json *
begin_parts(struct json_stream *v)
{
	bool opens = opens_container(v->text);
	const struct json *part = opens ? json_parts_begin(v) : NULL;

	v->part = part != NULL || v->part > v->in->max_line || !opens
	    ? 0
	    : v->part * PART_GROWTH;
	return part;
}

/* Joins the next line, and as many lines that are read already as double the
 * text. */
static bool
join(struct json_stream *v)
{
	if (!in_join(v->in, &v->text, 2 * v->text.n))
		return false;
	v->one_line = false;
	v->reader.around = in_around(v->in);
	return true;
}

/* Reads the value at the start of v->text, joined with as many lines as it takes,
 * or the first part of the value. Each time only the new lines are parsed. */
static const struct json *
read_joined(struct json_stream *v, size_t *end, struct json_error *error)
{
	const struct json *value = NULL;
	bool joined = true;

	while (value == NULL && error->cut && joined) {
		bool again =
		    v->splits != NULL && v->part != 0 && v->text.n >= v->part;

		if (again && (value = begin_parts(v)) != NULL)
			return value;
		joined = join(v);
		if (!joined && v->in->partly) {
			if ((value = begin_parts(v)) != NULL)
				return value;
			v->in->part = 0;
			again = true;
			joined = join(v);
		}
		if (joined)
			value = again
			    ? json_read(&v->reader, v->text, end, error)
			    : json_read_on(&v->reader, v->text, end, error);
	}
	return value;
}

/* Returns the text up to the end of the line with the error at `offset`. */
static struct str
through_line(struct str text, size_t offset)
{
	size_t behind = offset < text.n ? offset + 1 : text.n;

	return str_slice(
	    text, 0, behind + str_find_char(str_from(text, behind), '\n'));
}

size_t
json_stream_skip_blank(struct str text, size_t i)
{
	while (i < text.n && json_is_space(text.s[i]))
		if (text.s[i++] == '\n')
			break;
	return i;
}

/* Joins more lines to a text that is read again from its start: if it is long, as
 * many as double the text. */
static bool
join_again(struct json_stream *v)
{
	size_t enough = v->text.n < PART ? v->text.n + 1 : 2 * v->text.n;
	bool joined = false;

	while (v->text.n < enough && join(v))
		joined = true;
	return joined;
}

/* Reads the value at the start of v->text, in which a byte is no UTF-8, as a whole. The
 * offsets are those in v->text. */
static const struct json *
read_mended(struct json_stream *v, size_t *end, struct json_error *error,
    struct json_fault *first)
{
	struct place bad = in_place(v->in, error->offset);
	const struct json *value;

	v->in->part = 0;
	do {
		arena_reset(&v->repaired);
		value = json_read(&v->reader,
		    json_mend_utf8(&v->repaired, v->text), end, error);
		error->offset = json_mended_from(v->text, error->offset);
		if (value == NULL && v->one_line)
			*first = fault_of(v, *error);
	} while (value == NULL && error->cut && join_again(v));
	if (value == NULL)
		return NULL;
	*end = json_mended_from(v->text, *end);
	json_stream_warn_utf8(bad);
	return value;
}

/*
 * Reads the value at the start of v->text, joined with as many lines as it
 * takes. Returns NULL on errors: *first is the error in the first line, *last
 * the error in the joined text.
 */
static const struct json *
read_value(
    struct json_stream *v, struct json_fault *first, struct json_fault *last)
{
	size_t line = v->text.n, end;
	struct json_error error;
	const struct json *value;

	v->reader.around = in_around(v->in);
	value = json_read(&v->reader, v->text, &end, &error);
	if (value == NULL)
		*first = fault_of(v, error);
	if (value == NULL && error.cut)
		value = read_joined(v, &end, &error);
	if (v->parts.open)
		return value;
	if (value == NULL && !v->strict && json_is_bad_utf8(&error))
		value = read_mended(v, &end, &error, first);
	if (value == NULL && !error.cut)
		v->text = through_line(v->text, error.offset);
	if (value == NULL && !error.cut && v->one_line)
		v->glued = find_glued(v, error.offset);
	if (value == NULL) {
		if (error.cut && in_end(v->in) == IN_TOO_LONG) {
			error = (struct json_error){ 0,
				"value longer than --max-line allows", false };
			*first = fault_of(v, error);
		}
		*last = fault_of_joined(v, error, line, first);
		if ((v->repair_cut || v->growing) && error.cut &&
		    in_end(v->in) == IN_FILE_ENDS && is_torn(v, line)) {
			v->ended = v->growing;
			return v->growing ? NULL : json_stream_repair(v, last);
		}
		if (!v->one_line)
			in_unread(v->in, line);
		return NULL;
	}
	end = json_stream_skip_blank(v->text, end);
	if (end == v->text.n)
		return value;
	if (is_container(value)) {
		in_unread(v->in, end);
		return value;
	}
	/* "2025-11-21 starting" is not a number with more text after it; a string may
	 * be one that was cut off. */
	if (v->one_line && json_is(value, JSON_STRING))
		v->glued = find_glued(v, end);
	error = (struct json_error){ end, "more text after the value", false };
	*first = *last = fault_of(v, error);
	return NULL;
}

/*
 * Moves to the next line that may begin a value, and returns the number of the
 * last line that was skipped. A line that is indented deeper than the broken
 * container is one of the container's inner lines, so it begins no value. A
 * line with a prefix may begin one.
 */
static size_t
find_opening(struct json_stream *v, size_t deepest)
{
	size_t passed = v->in->line;

	while (!v->taken && !in_value_begins(v->in) &&
	    in_line_here(v->in, &v->text)) {
		v->taken = (opens_container(v->text) &&
			       indentation(v->text) <= deepest) ||
		    (v->prefixes && line_prefix_length(v->text) != 0);
		if (!v->taken) {
			passed = v->in->line;
			note_torn(v, v->text, passed);
			if (v->in->partly)
				v->in->part = 0; /* the whole line follows */
		}
	}
	return passed;
}

/*
 * After a crash of the machine, a file may have NUL bytes in place of data that
 * was not written, directly followed by the next value. Returns true if the
 * text begins with NUL bytes; then the next line begins after them.
 */
static bool
pass_padding(struct json_stream *v)
{
	size_t n = 0;

	while (n < v->text.n && v->text.s[n] == '\0')
		n++;
	if (n == 0)
		return false;
	diag_error(in_place(v->in, 0), "NUL bytes passed over: %zu", n);
	in_unread(v->in, n);
	v->torn = v->at.line;
	return true;
}

/* Reports an error, and continues after it. If that is before the place of the error in
 * the joined text, the first line was cut off, and its error is reported. */
static void
pass_over(struct json_stream *v, const struct json_fault *first,
    const struct json_fault *last)
{
	size_t from = v->in->line, to, deepest = SIZE_MAX;
	size_t next = str_find_char(v->text, '\0');

	if (v->glued != 0 && v->glued < next)
		next = v->glued;
	v->ended = v->strict;
	note_torn(v, v->text, v->at.line);
	if (next < v->text.n) {
		v->torn = v->at.line;
		json_stream_warn(first, from, from);
		in_unread(v->in, next);
		return;
	}
	if (opens_container(v->text))
		deepest = v->at.column - 1 + indentation(v->text);
	to = find_opening(v, deepest);
	json_stream_warn(last->at.line > to ? first : last, from, to);
}

/* ---- values behind prefixes ---- */

#define SHORTENED STR("chars truncated]")

/* Some recorders leave out the middle of a long line, and write so there. */
static const struct json *
read_shortened(struct json_stream *v, struct str object)
{
	if (!v->shortened)
		return NULL;
	object = str_slice(object, 0, str_find(object, SHORTENED));
	while (object.n != 0 && object.s[object.n - 1] != '.')
		object.n--; /* skips "...[11759 " backwards */
	return read_repaired(v, object);
}

/* Returns whether the file ends with the line that was read last. */
static bool
is_last_line(struct json_stream *v)
{
	size_t line = v->text.n;

	if (in_join(v->in, &v->text, 0)) {
		in_unread(v->in, line);
		v->text.n = line;
		return false;
	}
	return in_end(v->in) == IN_FILE_ENDS;
}

/* Reads the object in a line with a prefix; text after the object is ignored. */
static const struct json *
read_prefixed(struct json_stream *v, size_t prefix)
{
	struct str object = str_from(v->text, prefix);
	struct json_error error;
	const struct json *value;
	size_t end;

	arena_reset(&v->repaired);
	v->prefixed = true;
	v->shortened = str_find(object, SHORTENED) != object.n;
	v->prefix = str_slice(v->text, 0, prefix);
	value = json_read(&v->reader, object, &end, &error);
	if (value == NULL && !v->strict && json_is_bad_utf8(&error)) {
		json_stream_warn_utf8(in_place(v->in, prefix + error.offset));
		object = json_mend_utf8(&v->repaired, object);
		value = json_read(&v->reader, object, &end, &error);
	}
	if (value == NULL)
		value = read_shortened(v, object);
	if (value != NULL) {
		v->at.column += prefix;
		return value;
	}
	json_stream_warn(
	    &(struct json_fault){
		in_place(v->in, prefix + error.offset), error.why, error.cut },
	    0, 0);
	if (error.cut && v->repair_cut && is_last_line(v)) {
		v->cut = true;
		v->prefix = str_slice(v->text, 0, prefix);
		value = read_repaired(v, str_from(v->text, prefix));
	}
	if (value == NULL)
		v->torn = v->at.line;
	return value;
}

/* Returns whether the line is one of a log with prefixes before JSON; then
 * *value is the object in the line, or NULL. */
static bool
take_prefixed(struct json_stream *v, const struct json **value)
{
	size_t prefix;

	v->prefix = (struct str){ 0 };
	v->shortened = false;
	if (!v->prefixes || v->text.n == 0 || v->text.s[0] == '{')
		return false;
	prefix = line_prefix_length(v->text);
	*value = prefix == 0 ? NULL : read_prefixed(v, prefix);
	return prefix != 0 ||
	    (line_prefix_is_frame(v->text) && !ends_value(v->text)) ||
	    (v->prefixed && !opens_container(v->text));
}

/* Reads the next line, or the beginning of a long one. */
static bool
next_line(struct json_stream *v)
{
	if (v->taken)
		return true;
	v->in->part = v->splits == NULL ? 0 : v->part;
	return !in_is_used_up(v->in) && in_line(v->in, &v->text);
}

static const struct json *
give(struct json_stream *v, const struct json *value)
{
	v->file_begins = v->fresh;
	v->fresh = false;
	return value;
}

const struct json *
json_stream_next(struct json_stream *v)
{
	struct json_fault first, last;
	const struct json *value;

	while (!v->ended && (v->parts.open || next_line(v))) {
		if (v->parts.open) {
			if ((value = json_parts_next(v)) != NULL)
				return give(v, value);
			continue;
		}
		v->taken = v->cut = false;
		v->glued = 0;
		note_skipped(v);
		v->one_line = true;
		v->at = in_place(v->in, 0);
		v->fresh = v->fresh || v->in->file_begins;
		v->prefixed = v->prefixed && !v->in->file_begins;
		if (v->in->partly) {
			if ((value = begin_parts(v)) == NULL)
				continue; /* with the whole line */
		} else {
			v->part = PART;
			if (pass_padding(v))
				continue;
			if (take_prefixed(v, &value)) {
				if (value != NULL)
					return give(v, value);
				continue;
			}
			value = read_value(v, &first, &last);
		}
		if (value != NULL) {
			v->at.column += indentation(v->text);
			return give(v, value);
		}
		if (!v->ended)
			pass_over(v, &first, &last);
	}
	note_skipped(v);
	return NULL;
}
