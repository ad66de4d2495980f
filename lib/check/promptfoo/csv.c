#include "check/promptfoo/promptfoo.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "io/out.h"
#include "text/csv.h"

/* ---- rows ---- */

/* A file of tests. */
struct tests {
	size_t rows; /* read so far */
	struct csv_row head;
	struct str_list types; /* of assertions */
	const char *file;
	struct policy *policy;
	struct arena *arena;
};

static void
refuse_row(void *arg, size_t line, const char *what)
{
	const struct tests *t = arg;

	policy_report(t->policy, MISTAKE_REFUSES,
	    (struct place){ .file = t->file, .line = line }, "%s", what);
}

/* ---- an expected value ---- */

bool
promptfoo_is_program(struct str path)
{
	static const char *const ends[] = { ".js", ".cjs", ".mjs", ".ts",
		".cts", ".mts", ".py", ".rb" };

	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		size_t at = str_find(path, ends[i]);

		/* A function's name may follow: x.py:get_assert */
		if (at < path.n &&
		    (at + strlen(ends[i]) == path.n ||
			path.s[at + strlen(ends[i])] == ':'))
			return true;
	}
	return false;
}

/* Returns the type that the text begins with, and that ends where the text ends
 * or with a colon or a threshold in parentheses. Absent: there is none. */
static struct str
type_of(struct str text, struct str_list types)
{
	struct str best = { 0 };

	for (size_t i = 0; i < types.n; i++) {
		struct str name = types.list[i];
		char next = '\0';

		if (!str_starts(text, name) || name.n < best.n)
			continue;
		if (text.n > name.n)
			next = text.s[name.n];
		if (next == '\0' || next == ':' || next == '(')
			best = name;
	}
	return best;
}

/* Takes "(0.5)" from the text. Returns false, and takes nothing, if there is no
 * number in parentheses. */
static bool
take_threshold(struct str *text, double *threshold, struct arena *a)
{
	size_t end = str_find_char(*text, ')');
	struct str digits;

	if (!str_starts(*text, "(") || end == text->n)
		return false;
	digits = str_slice(*text, 1, end);
	if (digits.n == 0 || !ascii_is_digit((unsigned char)*digits.s) ||
	    strspn(str_c(a, digits), "0123456789.") != digits.n)
		return false;
	*threshold = strtod(str_c(a, digits), NULL);
	*text = str_from(*text, end + 1);
	return true;
}

/* Returns whether a cell's assertion of the type has a threshold if none is
 * written. */
static bool
has_threshold(struct str type)
{
	if (str_starts(type, "not-"))
		type = str_from(type, 4);
	return str_is_one_of(type,
	    "answer-relevance classifier context-faithfulness context-recall "
	    "context-relevance cost latency levenshtein perplexity-score "
	    "perplexity rouge-n similar starts-with");
}

struct expected {
	struct str type, value; /* value absent: none is written */
	bool limited;
	double threshold;
};

/* Splits "type(threshold): value"; text that is no such thing is to be equalled. */
static struct expected
split(struct str cell, struct str_list types, struct arena *a)
{
	static const struct {
		const char *prefix, *type;
	} older[] = {
		{ "javascript:", "javascript" },
		{ "fn:", "javascript" },
		{ "eval:", "javascript" },
		{ "grade:", "llm-rubric" },
		{ "llm-rubric:", "llm-rubric" },
		{ "python:", "python" },
	};
	struct expected x = { .type = STR("equals"), .value = cell };
	struct str type, rest;

	for (size_t i = 0; i < sizeof older / sizeof older[0]; i++)
		if (str_starts(cell, older[i].prefix))
			return (struct expected){
				.type = str_of(older[i].type),
				.value =
				    str_from(cell, strlen(older[i].prefix)),
			};
	if (str_starts(cell, "file://") && promptfoo_is_program(cell)) {
		x.type = str_contains(cell, ".py") ? STR("python")
						   : STR("javascript");
		return x;
	}
	type = type_of(cell, types);
	rest = str_from(cell, type.n);
	if (type.n == 0)
		return x;
	x.threshold = str_is(type, "similar") ? 0.8 : 0.75;
	x.limited = has_threshold(type);
	(void)take_threshold(&rest, &x.threshold, a);
	if (rest.n != 0 && *rest.s != ':')
		return (
		    struct expected){ .type = STR("equals"), .value = cell };
	x.type = type;
	x.value = rest.n == 0 ? str_of(NULL) : str_from(rest, 1);
	if (!str_ends(type, "-json"))
		x.value = str_trim(x.value);
	return x;
}

/* Writes the assertion that a cell of the column __expected is, as an object. The
 * metric may be absent, the threshold NULL. */
static void
put_expected(struct out *o, const struct expected *x, struct str metric,
    const double *threshold)
{
	out_begin(o, '{');
	out_member_str(o, "type", x->type);
	out_member_str(o, "value", x->value);
	if (threshold != NULL)
		out_member_double(o, "threshold", *threshold);
	else if (x->limited)
		out_member_double(o, "threshold", x->threshold);
	out_member_str(o, "metric", metric);
	out_end(o, '}');
}

/* ---- columns ---- */

/* Returns the cell under the column; absent: there is no such column. */
static struct str
cell_of(
    const struct csv_row *head, const struct csv_row *row, const char *column)
{
	for (size_t i = 0; i < head->n && i < row->n; i++)
		if (str_is(str_trim(head->cells[i]), column))
			return row->cells[i];
	return (struct str){ 0 };
}

static bool
to_number(struct str text, double *number, struct arena *a)
{
	char *copy = str_c(a, str_trim(text)), *end;

	if (*copy == '\0' || strspn(copy, "0123456789.+-eE") != strlen(copy))
		return false;
	*number = strtod(copy, &end);
	return *end == '\0';
}

/* Returns the threshold that a column __config gives the n-th assertion, or
 * NULL. */
static const double *
config_of(const struct csv_row *head, const struct csv_row *row, size_t n,
    struct arena *a)
{
	static const char *const first = "__config:__expected:threshold";
	struct str name = str_printf(a, "__config:__expected%zu:threshold", n);
	struct str cell = cell_of(head, row, str_c(a, name));
	double *number = arena_new(a, double);

	if (cell.s == NULL && n == 1)
		cell = cell_of(head, row, first);
	return cell.s != NULL && to_number(cell, number, a) ? number : NULL;
}

static void
put_assertions(struct out *o, const struct tests *c, const struct csv_row *row)
{
	const struct csv_row *head = &c->head;
	struct str metric = cell_of(head, row, "__metric");
	size_t n = 0;

	out_member_begin(o, "assert", '[');
	for (size_t i = 0; i < head->n && i < row->n; i++) {
		struct str cell = str_trim(row->cells[i]);
		struct expected x;

		if (!str_starts(str_trim(head->cells[i]), "__expected") ||
		    cell.n == 0)
			continue;
		n++;
		x = split(cell, c->types, c->arena);
		put_expected(o, &x, metric.n == 0 ? str_of(NULL) : metric,
		    config_of(head, row, n, c->arena));
	}
	out_end(o, ']');
}

static bool
is_var(struct str column)
{
	return !str_starts(column, "__expected") &&
	    !str_starts(column, "__config:") &&
	    !str_starts(column, "__metadata") &&
	    !str_is_one_of(column,
		"__prefix __suffix __description __providerOutput __metric "
		"__threshold");
}

/* Writes the cells of the columns that begin so, or of all vars. */
static void
put_columns(struct out *o, const struct csv_row *head,
    const struct csv_row *row, const char *prefix, const char *key)
{
	out_member_begin(o, key, '{');
	for (size_t i = 0; i < head->n && i < row->n; i++) {
		struct str name = str_trim(head->cells[i]);

		if (prefix != NULL ? !str_starts(name, prefix) : !is_var(name))
			continue;
		out_key_str(
		    o, prefix != NULL ? str_from(name, strlen(prefix)) : name);
		out_json_str(o, row->cells[i]);
	}
	out_end(o, '}');
}

static void
put_row(struct out *o, const struct tests *c, const struct csv_row *row)
{
	const struct csv_row *head = &c->head;
	struct str description = cell_of(head, row, "__description");
	struct str prefix = cell_of(head, row, "__prefix");
	struct str suffix = cell_of(head, row, "__suffix");
	double threshold;

	out_begin(o, '{');
	if (description.n == 0)
		description = str_printf(c->arena, "Row #%zu", c->rows);
	out_member_str(o, "description", description);
	put_columns(o, head, row, NULL, "vars");
	put_assertions(o, c, row);
	out_member_begin(o, "options", '{');
	out_member_str(o, "prefix", prefix);
	out_member_str(o, "suffix", suffix);
	out_end(o, '}');
	put_columns(o, head, row, "__metadata:", "metadata");
	if (to_number(cell_of(head, row, "__threshold"), &threshold, c->arena))
		out_member_double(o, "threshold", threshold);
	out_end(o, '}');
}

/* Warns of a column that seems to lack an underscore. */
static void
warn_columns(const struct tests *c, const struct csv_row *head)
{
	static const char *const special[] = { "_expected", "_prefix",
		"_suffix", "_description", "_providerOutput", "_metric",
		"_threshold", "_metadata", "_config" };

	for (size_t i = 0; i < head->n; i++)
		for (size_t j = 0; j < sizeof special / sizeof special[0]; j++)
			if (str_starts(head->cells[i], special[j]))
				policy_report(c->policy, MISTAKE_REMARK,
				    (struct place){
					.file = c->file, .line = 1 },
				    "the column '%.*s' is a var (did you mean "
				    "'_%.*s'?)",
				    STR_FMT(head->cells[i]),
				    STR_FMT(head->cells[i]));
}

struct str
promptfoo_csv(struct str text, const char *file, struct str_list types,
    struct policy *policy, struct arena *a)
{
	struct tests t = {
		.types = types, .file = file, .policy = policy, .arena = a
	};
	struct csv c = { .rest = text,
		.separator = ',',
		.line = 1,
		.arena = a,
		.mistake = refuse_row,
		.arg = &t };
	struct csv_row row;
	size_t written = 1;
	struct out o;

	if (str_starts(c.rest, "\xef\xbb\xbf"))
		c.rest = str_from(c.rest, 3);
	t.head = csv_row(&c);
	warn_columns(&t, &t.head);
	out_open_json(&o, '[');
	while (c.rest.n != 0) {
		row = csv_row(&c);
		if (row.n != t.head.n) {
			policy_report(policy, MISTAKE_REFUSES,
			    (struct place){ .file = file, .line = row.line },
			    "expected %zu cells, found %zu", t.head.n, row.n);
			continue;
		}
		for (; written < row.line; written++)
			out_char(&o, '\n');
		t.rows++;
		put_row(&o, &t, &row);
	}
	return out_keep_json(&o, ']', a);
}
