/*
 * Records that are made from the conditions of the formats' rows, one for each
 * alternative of each row: the conditions can hold, no row before takes what is left
 * for a row with `else`, and the format reads the record. row_records FOLDER writes the
 * records to files there, as inputs of the fuzz target log_format.
 */
#include "extract/format/format.h"
#include "extract/format/log_condition.h"
#include "extract/format/log_keep.h"
#include "extract/format/log_rows.h"
#include "io/out.h"
#include "tests/unit/unit.h"

enum {
	DEPTH = 3,    /* of tables within tables */
	MEMBERS = 64, /* of a record */
};

/* A value of a record, and the place of the value. */
struct member {
	struct log_path at;
	struct str value; /* JSON */
};

/* A record to be. */
struct made {
	struct member members[MEMBERS];
	size_t n;
	struct made *around; /* the last member is the record; NULL: none */
	int depth;           /* in other records */
};

static struct arena arena;
static const char *folder; /* for the records; NULL: none */
static const struct log_format *format;
static size_t records;

/* ---- records ---- */

/* Returns a value that the first word of the term's words describes. */
static struct str
value_of(const struct log_term *t)
{
	struct str words = t->words, word = str_cut(&words, '|');

	if (str_is(word, "["))
		return STR("[{}]");
	if (str_is(word, "{"))
		return STR("{\"x\":1}");
	if (str_is(word, "#") || str_is(word, "true") || str_is(word, "false"))
		return str_is(word, "#") ? STR("1") : word;
	if (str_is(word, "?"))
		return STR("null");
	if (word.n == 0 || str_is(word, "\""))
		return STR("\"x\"");
	word = str_replace(&arena, word, STR("*"), STR(""));
	return str_printf(&arena, "\"%.*s\"", STR_FMT(word));
}

static void
add(struct made *m, const struct log_path *at, struct str value)
{
	CHECK(m->n < MEMBERS);
	if (m->n < MEMBERS)
		m->members[m->n++] = (struct member){ *at, value };
}

/* Adds what the alternative asks for. Returns whether it has `else`. */
static bool
add_alternative(struct made *m, const struct log_condition *c)
{
	bool other = false;

	for (size_t i = 0; i < c->n; i++) {
		const struct log_term *t = &c->terms[i];

		other |= t->other;
		if (!t->negate && !t->also && !t->other)
			add(m, &t->path, value_of(t));
	}
	return other;
}

static bool
is_element(struct str name)
{
	return str_is(name, "0") || str_is(name, "*");
}

/* Writes the value of the members whose paths begin with the names of m->members[of]
 * up to `depth`. */
static void
write_value(struct out *out, const struct made *m, size_t of, size_t depth)
{
	const struct log_path *at = &m->members[of].at;
	struct str before[MEMBERS];
	size_t n = 0, whole = of;
	bool list = false;

	for (size_t i = 0; i < m->n; i++) {
		const struct log_path *p = &m->members[i].at;
		bool same = p->n >= depth;

		for (size_t k = 0; k < depth && same; k++)
			same = str_eq(p->names[k], at->names[k]);
		for (size_t k = 0; k < n && same && p->n > depth; k++)
			same = !str_eq(before[k], p->names[depth]);
		if (same && p->n == depth)
			whole = i;
		if (!same || p->n == depth)
			continue;
		list = is_element(p->names[depth]);
		out_str(out, n > 0 ? STR(",") : list ? STR("[") : STR("{"));
		if (!list)
			out_str(out,
			    str_printf(
				&arena, "\"%.*s\":", STR_FMT(p->names[depth])));
		before[n++] = p->names[depth];
		write_value(out, m, i, depth + 1);
	}
	out_str(out,
	    n == 0     ? m->members[whole].value
		: list ? STR("]")
		       : STR("}"));
}

static struct str
text_of(const struct made *m)
{
	struct out out;

	if (m->n == 0)
		return STR("{}");
	out_open_memory(&out);
	write_value(&out, m, 0, 0);
	return out_keep(&out, &arena);
}

/* ---- reading ---- */

static void
read_by_format(struct str text)
{
	struct json_reader reader = { 0 };
	struct arena file = { 0 }, scratch = { 0 };
	struct text_store store = { 0 };
	struct builder builder;
	struct log log = { .builder = &builder,
		.arena = &file,
		.scratch = &scratch,
		.store = &store,
		.path = "log" };
	struct json_error error;
	const struct json *r = json_read(&reader, text, NULL, &error);
	struct out out;

	out_open_memory(&out);
	builder_init(&builder, &(struct builder_options){ .out = &out });
	log_open(&log, format);
	log.counted = r->text.s;
	log_read(&log, r);
	log_end(&log, NULL, NULL);
	builder_end(&builder);
	builder_close(&builder);
	out_close(&out);
	json_reader_free(&reader);
	text_store_free(&store);
	arena_free(&file);
	arena_free(&scratch);
}

static void
write_seed(struct str text)
{
	struct out out;

	if (folder == NULL)
		return;
	out_open(&out,
	    str_printf(&arena, "%s/row-%s-%zu", folder, format->name, records)
		.s,
	    false);
	out_str(&out, STR("@"));
	out_str(&out, str_of(format->name));
	out_str(&out, STR("\n"));
	out_str(&out, text);
	out_close(&out);
}

/* ---- rows ---- */

static void
complain(const struct log_row *row, struct str record, const char *what)
{
	unit_failures++;
	fprintf(stderr, "%s: row \"%s\": %s: %.*s\n", format->name, row->when,
	    what, STR_FMT(record));
}

/* Checks that the row is for the record, and, if the row is for what is left, that no
 * row before is. */
static void
check_row(const struct log_row *table, size_t i, struct str text, bool other)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *r = json_read(&reader, text, NULL, &error);

	CHECK(r != NULL);
	if (r == NULL)
		return;
	if (!log_rows_holds(table[i].when, r))
		complain(&table[i], text, "the conditions exclude each other");
	for (size_t k = 0; k < i && other; k++)
		if (!log_row_is_aside(table[k].what) && !table[k].aside &&
		    log_rows_holds(table[k].when, r))
			complain(&table[i], text, "a row before takes this");
	json_reader_free(&reader);
}

static void check_table(const struct log_row *table, struct made *around);

/* The element of a list that a row reads without a table. */
static const struct log_row element[] = {
	LOG_ROW("", LOG_NOTHING),
	LOG_LAST,
};

/* Checks the rows for the value that the row reads. */
static void
check_inner(const struct log_row *row, struct made *m)
{
	const struct log_paths *of =
	    log_paths_of(&(struct log_compiled){ .arena = &arena },
		row->each != NULL ? row->each : row->of);
	struct log_path at = { 0 };

	if (of != NULL && !of->self)
		at = of->list[0];
	if (row->what == LOG_EACH || row->each != NULL)
		at.names[at.n++] = STR("0");
	add(m, &at, (struct str){ 0 });
	check_table(row->rows != NULL ? row->rows : element, m);
}

/* Returns the text of the outermost record that has the text. */
static struct str
outermost(struct made *around, struct str text)
{
	for (; around != NULL; around = around->around) {
		around->members[around->n - 1].value = text;
		text = text_of(around);
	}
	return text;
}

static void
check_alternative(const struct log_row *table, size_t i, struct made *around,
    const struct log_condition *c)
{
	struct made m = { .around = around,
		.depth = around == NULL ? 0 : around->depth + 1 };
	bool other = add_alternative(&m, c);
	struct str text = text_of(&m);

	check_row(table, i, text, other);
	text = outermost(around, text);
	records++;
	write_seed(text);
	read_by_format(text);
	if ((table[i].rows != NULL || table[i].each != NULL) && m.depth < DEPTH)
		check_inner(&table[i], &m);
}

static void
check_table(const struct log_row *table, struct made *around)
{
	for (size_t i = 0; table[i].what != LOG_ROWS_END; i++) {
		struct log_condition c =
		    log_condition_of(&arena, table[i].when);
		size_t from = 0;

		for (size_t to = 1; to <= c.n; to++) {
			if (to < c.n && !c.terms[to].next)
				continue;
			check_alternative(table, i, around,
			    &(struct log_condition){
				.terms = c.terms + from, .n = to - from });
			from = to;
		}
		if (c.n == 0)
			check_alternative(table, i, around, &c);
	}
}

int
main(int argc, char **argv)
{
	diag_quiet();
	folder = argc > 1 ? argv[1] : NULL;
	for (size_t i = 0; log_format_table[i] != NULL; i++) {
		format = log_format_table[i];
		if (format->rows != NULL)
			check_table(format->rows, NULL);
		arena_reset(&arena);
	}
	CHECK(records > 500);
	printf("%zu records\n", records);
	arena_free(&arena);
	return unit_status();
}
