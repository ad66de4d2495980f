/*
 * Holds the index of formats against asking all formats. For each record of the logs
 * in testdata and in the shared corpus, without each of its members, and changed at
 * random, the index has all formats that give the record a score; and for records made
 * of the names and words in a format's source.
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
missed(const char *name, struct str record, const char *path)
{
	unit_failures++;
	fprintf(stderr, "%s: %s: not in the index: %.*s\n", path, name,
	    STR_FMT(str_slice(record, 0, 300)));
}

/* Checks the formats from one place in the table to another, which is excluded. */
static void
check_formats(
    const struct json *record, const char *path, size_t from, size_t to)
{
	struct log_format_set found = format_index_find(&formats.index, record);
	bool asked[LOG_FORMAT_MAX] = { false };
	size_t i;

	records++;
	while (log_format_set_take(&found, &i))
		asked[i] = true;
	for (i = from; i < to; i++) {
		if (format_index_score(&formats.index, i, record) == 0)
			continue;
		claims++;
		if (!asked[i])
			missed(formats.table[i]->name, record->text, path);
	}
}

static void
check(const struct json *record, const char *path)
{
	check_formats(record, path, 0, formats.n);
}

/* ---- changed records ---- */

static void
write_members(struct out *out, const struct json *record, size_t omitted)
{
	size_t n = 0;
	bool any = false;

	for (json_members(key, record)) {
		if (n++ == omitted)
			continue;
		out_str(out, any ? STR(",") : STR(""));
		out_str(out, key->text);
		out_str(out, STR(":"));
		out_str(out, json_value(key)->text);
		any = true;
	}
}

/* Returns a name with which a condition of a format begins, at random. */
static struct str
random_name(void)
{
	const struct log_format *f;
	struct str rest;
	size_t n;

	do {
		f = formats.table[below(formats.n)];
		rest = str_of(f->sure != NULL ? f->sure : f->asked);
	} while (rest.n == 0);
	for (n = below(str_count_char(rest, ',') + 1); n != 0; n--)
		(void)str_cut(&rest, ',');
	rest = str_trim(rest);
	for (n = 0; n < rest.n && strchr(" ,.=|", rest.s[n]) == NULL;)
		n++;
	return str_slice(rest, 0, n);
}

/* Writes the record with a change at random. */
static void
write_changed(struct out *out, struct arena *a, const struct json *record)
{
	size_t n = json_count(record);
	struct str rest = str_slice(other, 1, other.n);
	struct str begins = random_name();
	struct str name = str_printf(a, "\"%.*s\":", STR_FMT(begins));
	size_t way = json_is(record, JSON_OBJECT) ? below(5) : 5 + below(2);

	out_str(out, way == 5 ? STR("[") : STR("{"));
	if (way == 0) {
		write_members(out, record, below(n));
	} else if (way < 4) {
		/* Another member, or the value of another record's. */
		out_str(out, name);
		out_str(out,
		    way == 1       ? STR("[{\"role\":\"user\"}]")
			: way == 2 ? STR("\"2.0\"")
				   : other);
		out_str(out, n == 0 ? STR("") : STR(","));
		write_members(out, record, SIZE_MAX);
	} else if (way == 4) {
		write_members(out, record, SIZE_MAX);
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
	for (size_t i = json_is(record, JSON_OBJECT) ? json_count(record) : 0;
	     i != 0; i--) {
		struct out out;

		out_open_memory(&out);
		out_str(&out, STR("{"));
		write_members(&out, record, i - 1);
		out_str(&out, STR("}"));
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
		if (format_index_score(&formats.index, i, record) > 0)
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

static bool
is_word(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (word.s[i] <= ' ' || strchr("\\\"%", word.s[i]) != NULL)
			return false;
	return word.n != 0;
}

/* Adds the words of a string literal, which may be conditions: paths of names, and
 * words that a value may be. */
static void
add_words(struct vocabulary *v, struct str literal)
{
	literal = str_replace(&lasting, literal, STR(","), STR(" "));
	literal = str_replace(&lasting, literal, STR("|"), STR(" "));
	literal = str_replace(&lasting, literal, STR("="), STR(" "));
	literal = str_replace(&lasting, literal, STR("*"), STR("x"));
	while (literal.s != NULL) {
		struct str word = str_cut(&literal, ' ');

		if (is_word(word))
			add_word(&v->words, word);
		while (is_word(word))
			add_word(&v->names, str_cut(&word, '.'));
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

/* Writes an object with a part of the names, which all have the value. */
static void
write_named(
    struct out *out, const struct vocabulary *v, struct str value, size_t part)
{
	bool any = false;

	out_str(out, STR("{"));
	for (size_t i = 0; i < v->names.n; i++) {
		struct str name = v->names.list[i];

		if (below(part) != 0)
			continue;
		out_str(out, any ? STR(",\"") : STR("\""));
		out_str(out, name);
		out_str(out, STR("\":"));
		out_str(out, value);
		any = true;
	}
	out_str(out, STR("}"));
}

/* Checks objects that have parts of the names, with the value. */
static void
check_named(size_t i, struct str value, const char *path)
{
	const struct vocabulary *v = &vocabularies[i];

	for (size_t part = 1; part <= 4; part++) {
		struct json_reader reader = { 0 };
		struct arena a = { 0 };
		struct out out;

		out_open_memory(&out);
		write_named(&out, v, value, part);
		check_formats(read_again(&reader, &out, &a), path, i, i + 1);
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
	for (size_t j = 0; j < v->n_values; j++)
		check_named(i, v->values[j], path.s);
	for (size_t j = 0; j < v->words.n; j++)
		check_named(i,
		    str_printf(&lasting, "\"%.*s\"", STR_FMT(v->words.list[j])),
		    path.s);
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
