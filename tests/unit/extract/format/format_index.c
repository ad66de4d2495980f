/*
 * Holds the index of formats against asking all formats. For each record of the logs
 * in testdata and in the shared corpus, and for each record changed at random, the index
 * has all formats that give the record a score; without the signs of a format, the record
 * has no score of that format. Then each format is asked for records made of all names
 * and words in its source that are not its signs.
 */
#include "extract/format/format_index.h"

#include "base/hash.h"
#include "extract/map/formats.h"
#include "io/list_files.h"
#include "io/out.h"
#include "io/slurp.h"
#include "tests/unit/shared.h"
#include "tests/unit/unit.h"
#include "json/stream.h"

enum {
	RECORDS = 60,   /* of a file */
	CHANGES = 16,   /* of a record */
	LARGE = 200000, /* bytes of a record that is not changed */
	VALUES = 2000,
	VALUE_BYTES = 3000, /* of a format's logs */
};

static struct map_formats formats;
static size_t records, claims;
static uint64_t random_state = 1;
static struct str other = STR_CONST("{}"); /* a record that was read before */

static size_t
below(size_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + 1;
	return n == 0 ? 0 : (size_t)(random_state >> 33) % n;
}

/* Reports a format that the index lacks. */
static void
missed(const char *name, struct str record, const char *path, const char *why)
{
	unit_failures++;
	fprintf(stderr, "%s: %s: %s: %.*s\n", path, name, why,
	    STR_FMT(str_slice(record, 0, 300)));
}

static void
check(const struct json *record, const char *path)
{
	struct log_format_set found = format_index_find(&formats.index, record);
	bool asked[LOG_FORMAT_MAX] = { false };
	size_t i;

	records++;
	while (log_format_set_take(&found, &i))
		asked[i] = true;
	for (i = 0; i < formats.n; i++) {
		if (log_format_score(formats.table[i], record) == 0)
			continue;
		claims++;
		if (!asked[i])
			missed(formats.table[i]->name, record->text, path,
			    "not in the index");
	}
}

/* ---- changed records ---- */

/* Returns whether the value (a JSON text) is that of a sign; absent: any value. A
 * value with the name of an inner sign counts, whatever the value of that. */
static bool
is_value(struct str text, struct str value)
{
	bool quoted = str_starts(text, "\"");
	struct str raw = quoted ? str_slice(text, 1, text.n - 1) : text;
	struct arena a = { 0 };
	struct str name;
	bool found;

	if (value.s == NULL)
		return true;
	if (str_starts(value, "/")) {
		value = str_from(value, 1);
		name = str_cut(&value, '=');
		found = str_contains(
		    text, str_printf(&a, "\"%.*s\"", STR_FMT(name)));
		arena_free(&a);
		return found;
	}
	if (str_is(value, "["))
		return str_starts(text, "[");
	return quoted &&
	    (str_eq(raw, value) ||
		(str_ends(value, "*") &&
		    str_starts(raw, str_slice(value, 0, value.n - 1))));
}

/* Returns whether a member with this name and value (JSON texts without the name's
 * quotes) is a sign of the format. */
static bool
has_sign(const struct log_format *f, struct str key, struct str text)
{
	struct str rest = str_of(f->signs);

	while (rest.s != NULL) {
		struct str value = str_cut(&rest, ' ');
		struct str name = str_cut(&value, '=');

		if (str_eq(key, name) && is_value(text, value))
			return true;
	}
	return false;
}

static bool
is_sign(const struct log_format *f, const struct json *key)
{
	return has_sign(f, json_raw(key), json_value(key)->text);
}

static void
write_members(struct out *out, const struct json *record,
    const struct log_format *without, size_t omitted)
{
	size_t n = 0;
	bool any = false;

	for (json_members(key, record)) {
		if (n++ == omitted ||
		    (without != NULL && is_sign(without, key)))
			continue;
		out_str(out, any ? STR(",") : STR(""));
		out_str(out, key->text);
		out_str(out, STR(":"));
		out_str(out, json_value(key)->text);
		any = true;
	}
}

/* Writes the record without the members that are signs of the format. */
static void
write_without(
    struct out *out, const struct json *record, const struct log_format *f)
{
	if (json_is(record, JSON_OBJECT)) {
		out_str(out, STR("{"));
		write_members(out, record, f, SIZE_MAX);
		out_str(out, STR("}"));
		return;
	}
	if (!json_is(record, JSON_ARRAY)) {
		out_str(out, record->text);
		return;
	}
	out_str(out, STR("["));
	for (json_each(v, record)) {
		if (v == json_first(record)) {
			write_without(out, v, f);
			continue;
		}
		out_str(out, STR(","));
		out_str(out, v->text);
	}
	out_str(out, STR("]"));
}

static struct str
random_name(void)
{
	struct str rest, sign = { 0 };
	size_t n;

	do
		rest = str_of(formats.table[below(formats.n)]->signs);
	while (rest.n == 0);
	for (n = below(str_count_char(rest, ' ') + 1) + 1; n != 0; n--)
		sign = str_cut(&rest, ' ');
	return str_cut(&sign, '=');
}

/* Writes the record with a change at random. */
static void
write_changed(struct out *out, struct arena *a, const struct json *record)
{
	size_t n = json_count(record);
	struct str rest = str_slice(other, 1, other.n);
	struct str name = str_printf(a, "\"%.*s\":", STR_FMT(random_name()));
	size_t way = json_is(record, JSON_OBJECT) ? below(5) : 5 + below(2);

	out_str(out, way == 5 ? STR("[") : STR("{"));
	if (way == 0) {
		write_members(out, record, NULL, below(n));
	} else if (way < 4) {
		/* Another member, or the value of another record's. */
		out_str(out, name);
		out_str(out,
		    way == 1       ? STR("[{\"role\":\"user\"}]")
			: way == 2 ? STR("\"2.0\"")
				   : other);
		out_str(out, n == 0 ? STR("") : STR(","));
		write_members(out, record, NULL, SIZE_MAX);
	} else if (way == 4) {
		write_members(out, record, NULL, SIZE_MAX);
		out_str(out, n == 0 || rest.n < 3 ? STR("") : STR(","));
		out_str(out, str_slice(rest, 0, rest.n - 1));
	} else {
		out_str(out, way == 6 ? name : STR(""));
		out_str(out, record->text);
	}
	out_str(out, way == 5 ? STR("]") : STR("}"));
}

static const struct json *
read_again(struct json_reader *reader, struct out *out, struct arena *a)
{
	struct json_error error;
	const struct json *v =
	    json_read(reader, out_keep(out, a), NULL, &error);

	CHECK(v != NULL);
	return v;
}

/* Checks that a record without the signs of a format that claims it is claimed by
 * that format no longer. */
static void
check_signs(struct json_reader *reader, struct arena *a,
    const struct json *record, const char *path)
{
	for (size_t i = 0; i < formats.n; i++) {
		const struct log_format *f = formats.table[i];
		const struct json *less;
		struct out out;

		if (f->signs == NULL || log_format_score(f, record) == 0 ||
		    (json_is(record, JSON_ARRAY) &&
			(str_starts(str_of(f->signs), "[") ||
			    str_contains(str_of(f->signs), " ["))))
			continue;
		out_open_memory(&out);
		write_without(&out, record, f);
		less = read_again(reader, &out, a);
		if (log_format_score(f, less) != 0)
			missed(
			    f->name, less->text, path, "claimed without signs");
		check(less, path);
	}
}

static void
check_changed(struct json_reader *reader, struct arena *a,
    const struct json *record, const char *path)
{
	for (int i = 0; i < CHANGES; i++) {
		struct out out;

		out_open_memory(&out);
		write_changed(&out, a, record);
		check(read_again(reader, &out, a), path);
	}
}

/* ---- records made of the words of a format's source ---- */

struct words {
	struct str *list;
	size_t n;
};

/* Records that a format finds in its own logs, and the words of its source. */
struct vocabulary {
	struct str values[VALUES]; /* JSON texts */
	uint64_t shapes[VALUES];
	size_t n_values;
	struct words names, words;
};

static struct vocabulary vocabularies[LOG_FORMAT_MAX];
static struct arena lasting;

/* Adds the names in a value to its shape: what else has them, is for a format much the
 * same. */
static uint64_t
shape_of(const struct json *v, int depth)
{
	uint64_t shape = v == NULL ? 0 : v->type;

	for (json_members(key, v)) {
		shape = hash_add(shape, key->text);
		if (depth != 0)
			shape =
			    shape * 5 + shape_of(json_value(key), depth - 1);
	}
	return json_is(v, JSON_ARRAY)
	    ? shape * 3 + shape_of(json_first(v), depth)
	    : shape;
}

/* Adds a text to what the format finds in its logs, unless there is a shorter one of the
 * same shape. */
static void
note_value(struct vocabulary *v, struct str text, uint64_t shape)
{
	size_t i = 0;

	if (text.n > VALUE_BYTES)
		return;
	while (i < v->n_values && v->shapes[i] != shape)
		i++;
	if (i == VALUES || (i < v->n_values && v->values[i].n <= text.n))
		return;
	v->n_values += i == v->n_values;
	v->values[i] = str_dup(&lasting, text);
	v->shapes[i] = shape;
}

/* Notes the value, the list of the value alone, and the values in it. */
static void
note_values(struct vocabulary *v, const struct json *value, int depth)
{
	struct arena a = { 0 };
	uint64_t shape = shape_of(value, 1);

	if (json_first(value) != NULL)
		note_value(v, value->text, shape);
	if (json_is(value, JSON_OBJECT))
		note_value(v, str_printf(&a, "[%.*s]", STR_FMT(value->text)),
		    shape * 3 + JSON_ARRAY);
	arena_free(&a);
	if (depth == 0)
		return;
	for (json_members(key, value))
		note_values(v, json_value(key), depth - 1);
	for (json_each(element, value))
		note_values(v, element, depth - 1);
}

static void
note_record(const struct json *record)
{
	for (size_t i = 0; i < formats.n; i++)
		if (log_format_score(formats.table[i], record) > 0)
			note_values(&vocabularies[i], record, 3);
}

static void
add_word(struct words *list, struct str word)
{
	for (size_t i = 0; i < list->n; i++)
		if (str_eq(list->list[i], word))
			return;
	*arena_push(&lasting, list->list, list->n) = word;
}

/* Adds the words of a string literal: each may be a value; the first name of a path may be
 * a member's name. */
static void
add_words(struct vocabulary *v, struct str literal)
{
	while (literal.s != NULL) {
		struct str word = str_cut(&literal, ' ');
		struct str name = str_slice(word, 0, str_find_char(word, '.'));

		for (size_t i = 0; i < word.n; i++)
			if (word.s[i] <= ' ' ||
			    strchr("\\\"%", word.s[i]) != NULL)
				word.n = 0;
		if (word.n == 0)
			continue;
		add_word(&v->words, word);
		if (name.n != 0)
			add_word(&v->names, name);
	}
}

/* Reads the words of a source, and of the sources whose headers it includes from the
 * folders of this one and of the APIs. */
static void
read_source(struct vocabulary *v, struct str path, int depth)
{
	struct str source, rest;

	if (!slurp_file(&lasting, str_c(&lasting, path), SIZE_MAX, &source))
		return;
	rest = source;
	while (rest.s != NULL) {
		struct str line = str_cut(&rest, '\n');
		bool include = str_starts(line, "#include \"");
		struct str literal, file;

		(void)str_cut(&line, '"');
		literal = str_cut(&line, '"');
		file = str_slice(literal, 0, str_find(literal, ".h"));
		if (include && depth != 0 && str_starts(file, "extract/"))
			read_source(v,
			    str_printf(&lasting, "lib/%.*s.c", STR_FMT(file)),
			    depth - 1);
		for (; !include && literal.s != NULL && line.s != NULL;
		     (void)str_cut(&line, '"'), literal = str_cut(&line, '"'))
			add_words(v, literal);
	}
}

/* Writes an object with a part of the names, which all have the value, without the
 * format's signs. */
static void
write_named(struct out *out, const struct log_format *f,
    const struct vocabulary *v, struct str value, size_t part)
{
	bool any = false;

	out_str(out, STR("{"));
	for (size_t i = 0; i < v->names.n; i++) {
		struct str name = v->names.list[i];

		if (below(part) != 0 || has_sign(f, name, value))
			continue;
		out_str(out, any ? STR(",\"") : STR("\""));
		out_str(out, name);
		out_str(out, STR("\":"));
		out_str(out, value);
		any = true;
	}
	out_str(out, STR("}"));
}

/* Checks that no part of the names has a score of the format. */
static void
check_named(
    const struct log_format *f, const struct vocabulary *v, struct str value)
{
	for (size_t part = 1; part <= 4; part++) {
		struct json_reader reader = { 0 };
		struct arena a = { 0 };
		const struct json *record;
		struct out out;

		out_open_memory(&out);
		write_named(&out, f, v, value, part);
		record = read_again(&reader, &out, &a);
		if (log_format_score(f, record) != 0)
			missed(f->name, value, "words",
			    "a name that is no sign has a score");
		records++;
		json_reader_free(&reader);
		arena_free(&a);
	}
}

static void
check_words(size_t i)
{
	const struct log_format *f = formats.table[i];
	struct vocabulary *v = &vocabularies[i];
	struct str path =
	    str_replace(&lasting, str_of(f->name), STR("-"), STR("_"));

	path = str_printf(&lasting, "lib/extract/format/%.*s.c", STR_FMT(path));
	read_source(v, path, 1);
	for (size_t j = 0; f->signs != NULL && j < v->n_values; j++)
		check_named(f, v, v->values[j]);
	for (size_t j = 0; f->signs != NULL && j < v->words.n; j++)
		check_named(f, v,
		    str_printf(
			&lasting, "\"%.*s\"", STR_FMT(v->words.list[j])));
}

/* ---- logs ---- */

static void
check_record(const struct json *record, const char *path)
{
	static struct arena kept;
	static int n;
	struct json_reader reader = { 0 };
	struct arena a = { 0 };

	check(record, path);
	note_record(record);
	if (record->text.n <= LARGE) {
		check_signs(&reader, &a, record, path);
		check_changed(&reader, &a, record, path);
	}
	if (json_is(record, JSON_OBJECT) && record->text.n < 4096 &&
	    n++ % 16 == 0) {
		arena_reset(&kept);
		other = str_dup(&kept, record->text);
	}
	json_reader_free(&reader);
	arena_free(&a);
}

static void
check_file(char *path)
{
	char *files[] = { path, NULL };
	const struct json *record;
	struct json_stream values;
	struct in in;

	in_open(&in, files);
	json_stream_open(&values, &in, false);
	values.repair_cut = values.prefixes = true;
	for (int i = 0;
	     i < RECORDS && (record = json_stream_next(&values)) != NULL; i++) {
		check_record(record, path);
		for (json_each(v, record)) {
			if (v != json_first(record) && below(4) != 0)
				continue;
			if (++i == RECORDS)
				break;
			check_record(v, path);
		}
	}
	json_stream_close(&values);
	in_close(&in);
}

static void
check_folder(const char *path)
{
	struct arena a = { 0 };
	struct folder found = list_files(&a, path);

	if (found.n == 0)
		printf("%s: missing, nothing checked\n", path);
	for (size_t i = 0; i < found.n; i++)
		check_file(found.paths[i]);
	arena_free(&a);
}

/* Checks how signs are written: what stands before * ends in the first byte of a string
 * that is no letter and no digit. */
static void
check_spelling(const struct log_format *f)
{
	struct str rest = str_of(f->signs);

	while (rest.s != NULL) {
		struct str value = str_cut(&rest, ' ');
		struct str name = str_cut(&value, '=');
		size_t n = 0;

		CHECK(name.n != 0);
		CHECK(value.s == NULL || value.n != 0);
		if (!str_ends(value, "*"))
			continue;
		while (n < value.n && ascii_is_alnum((unsigned char)value.s[n]))
			n++;
		CHECK(n + 2 == value.n);
	}
}

/* Names and values that are written with escapes. */
static void
escapes(void)
{
	static const char *const lines[] = {
		"{\"t\\u0079pe\":\"trace_meta\",\"trace_version\":3}",
		"{\"type\":\"trace\\u005fmeta\",\"trace_version\":3}",
		"{\"type\":\"mode\",\"type\":\"trace_meta\",\"v\":3}",
		"[[{\"jsonrpc\":\"2.0\"}]]",
		"[[]]",
		"[\"client.beta.sessions.x\"]",
	};
	struct json_reader reader = { 0 };
	struct json_error error;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		check(json_read(&reader, str_of(lines[i]), NULL, &error),
		    lines[i]);
	json_reader_free(&reader);
}

int
main(void)
{
	struct arena a = { 0 };

	diag_quiet();
	map_formats_open(&formats);
	for (size_t i = 0; i < formats.n; i++)
		check_spelling(formats.table[i]);
	escapes();
	check_folder("testdata/logs");
	check_folder(shared_path(&a, "corpus"));
	check_folder(shared_path(&a, "repro/logs"));
	for (size_t i = 0; i < formats.n; i++)
		check_words(i);
	printf("%zu records, %zu scores of them are in the index\n", records,
	    claims);
	map_formats_close(&formats);
	arena_free(&lasting);
	arena_free(&a);
	return unit_status();
}
