#include "judge/labels.h"

#include <stdlib.h>

#include "io/out.h"
#include "io/slurp.h"
#include "text/csv.h"
#include "yaml/document.h"

/* ---- a label ---- */

static const char *const passing[] = { "pass", "passed", "true", "yes", "1",
	NULL };
static const char *const failing[] = { "fail", "failed", "false", "no", "0",
	NULL };

static bool
is_among(struct str word, const char *const *words)
{
	for (; *words != NULL; words++)
		if (str_eq_ascii_nocase(word, str_of(*words)))
			return true;
	return false;
}

/* Returns the text of a string, and the source of a number or truth value; absent
 * for anything else. */
static struct str
word_of(const struct json *v, struct arena *a)
{
	if (json_is(v, JSON_NUMBER) || json_is(v, JSON_TRUE) ||
	    json_is(v, JSON_FALSE))
		return v->text;
	return json_text(v, a);
}

static bool
read_verdict(struct label *l, const struct document *doc,
    const struct json *verdict, struct arena *a)
{
	struct str word = word_of(verdict, a);

	l->pass = is_among(word, passing);
	if (l->pass || is_among(word, failing))
		return true;
	diag_error(verdict == NULL || l->place.column == 0
		? l->place
		: document_place(doc, verdict),
	    "verdict: expected \"pass\" or \"fail\", found %.*s",
	    STR_FMT(verdict == NULL ? STR("none") : verdict->text));
	return false;
}

void
label_of_check(
    struct label *l, struct arena *a, struct str id, const struct json *result)
{
	l->id = id;
	l->label = word_of(json_get(result, "label"), a);
	l->at = word_of(json_get(result, "at"), a);
	l->turn = word_of(json_get(result, "turn"), a);
}

static bool
read_label(struct labels *ls, const struct document *doc, bool csv,
    const struct json *v)
{
	const struct json *verdict = json_get(v, "verdict");
	struct label l = { .place = document_place(doc, v) };

	if (csv)
		l.place.column = 0;
	label_of_check(&l, ls->arena, word_of(json_get(v, "id"), ls->arena), v);
	l.uncertain = json_str_is(json_get(v, "sample"), "uncertain");
	l.replaces = json_is(json_get(v, "replaces"), JSON_TRUE);
	if ((verdict == NULL || verdict->type == JSON_NULL) && l.id.s != NULL &&
	    json_has(v, "comment"))
		return true;
	if (l.id.s == NULL || l.label.s == NULL) {
		diag_error(
		    l.place, "expected an object with id, label and verdict");
		return false;
	}
	if (!read_verdict(&l, doc, verdict, ls->arena))
		return false;
	*arena_push(ls->arena, ls->list, ls->n) = l;
	return true;
}

/* ---- order ---- */

int
label_compare(const struct label *a, const struct label *b)
{
	int c = str_cmp(a->id, b->id);

	if (c == 0)
		c = str_cmp(a->label, b->label);
	if (c == 0)
		c = str_cmp(a->at, b->at);
	return c != 0 ? c : str_cmp(a->turn, b->turn);
}

static int
compare(const void *one, const void *other)
{
	return label_compare(one, other);
}

/* Compares labels, and those of one check by their lines. */
static int
compare_lines(const void *one, const void *other)
{
	const struct label *a = one, *b = other;
	int c = label_compare(a, b);

	if (c != 0)
		return c;
	return (a->place.line > b->place.line) -
	    (a->place.line < b->place.line);
}

/* Makes one label of two of the same check, of which `now` has the later line.
 * Returns false after a message if they differ. */
static bool
merge(struct label *before, const struct label *now)
{
	bool good = before->pass == now->pass || now->replaces;

	if (!good)
		diag_error(now->place,
		    "%.*s: %.*s has another label in line %zu",
		    STR_FMT(now->id), STR_FMT(now->label), before->place.line);
	before->pass = now->pass;
	before->uncertain &= now->uncertain;
	before->place = now->place;
	return good;
}

/* Sorts the labels, and keeps one for each check. Returns false after a message
 * if two of one check differ. */
static bool
sort_labels(struct labels *ls)
{
	size_t kept = 0;
	bool good = true;

	if (ls->n != 0)
		qsort(ls->list, ls->n, sizeof *ls->list, compare_lines);
	for (size_t i = 0; i < ls->n; i++) {
		const struct label *l = &ls->list[i];

		if (kept != 0 && label_compare(&ls->list[kept - 1], l) == 0)
			good &= merge(&ls->list[kept - 1], l);
		else
			ls->list[kept++] = *l;
	}
	ls->n = kept;
	return good;
}

struct label *
labels_find(const struct labels *ls, const struct label *check)
{
	struct label *found = NULL;

	for (unsigned i = 0; i < 4 && found == NULL && ls->n != 0; i++) {
		struct label key = *check;

		if (i & 1U)
			key.turn = (struct str){ 0 };
		if (i & 2U)
			key.at = (struct str){ 0 };
		found =
		    bsearch(&key, ls->list, ls->n, sizeof *ls->list, compare);
	}
	return found;
}

/* ---- files ---- */

struct rows {
	const char *file;
	bool wrong;
};

static void
refuse_row(void *arg, size_t line, const char *what)
{
	struct rows *r = arg;

	if (r == NULL)
		return; /* the separator is being looked for */
	r->wrong = true;
	diag_error((struct place){ r->file, line, 0 }, "%s", what);
}

/* Writes a row as an object in its line of the file. */
static void
put_row(struct out *o, const struct csv_row *head, const struct csv_row *row)
{
	out_begin(o, '{');
	for (size_t i = 0; i < head->n && i < row->n; i++) {
		if (row->cells[i].n == 0)
			continue;
		out_key_str(o, head->cells[i]);
		out_json_str(o, row->cells[i]);
	}
	out_end(o, '}');
}

/* Returns the separator of a file whose first line names the columns; 0: the
 * file is not CSV. */
static char
separator_of(struct str text, struct arena *a)
{
	static const char separators[] = { ',', ';', '\t' };
	struct str head = str_trim(str_cut(&text, '\n'));

	for (size_t i = 0; i < sizeof separators; i++) {
		struct csv c = { head, separators[i], 1, a, refuse_row, NULL };
		struct csv_row row = { 0 };
		bool id = false, verdict = false;

		if (str_count_char(head, separators[i]) != 0 &&
		    !str_starts(head, "{") && !str_starts(head, "["))
			row = csv_row(&c);
		for (size_t k = 0; k < row.n; k++) {
			id |= str_is(row.cells[k], "id");
			verdict |= str_is(row.cells[k], "verdict");
		}
		if (id && verdict)
			return separators[i];
	}
	return 0;
}

/* Returns the rows as JSON objects in the same lines. */
static struct str
objects_of(struct csv *c, struct rows *r)
{
	struct csv_row head = csv_row(c);
	size_t written = 1;
	struct out o;

	out_open_memory(&o);
	while (c->rest.n != 0) {
		struct csv_row row = csv_row(c);

		for (; written < row.line; written++)
			out_char(&o, '\n');
		if (row.n == 1 && row.cells[0].n == 0)
			continue;
		if (row.n != head.n) {
			r->wrong = true;
			diag_error((struct place){ r->file, row.line, 0 },
			    "expected %zu cells, found %zu", head.n, row.n);
			continue;
		}
		put_row(&o, &head, &row);
		o.comma = false;
	}
	return out_keep(&o, c->arena);
}

/* Reads the file as values. *csv says that they were rows. */
static struct document *
read_values(struct labels *ls, const char *path, bool *csv)
{
	struct rows rows = { .file = path };
	struct csv c = { .line = 1,
		.arena = ls->arena,
		.mistake = refuse_row,
		.arg = &rows };
	struct document *doc;

	if (slurp_whole(ls->arena, path, SLURP_NAMED, SIZE_MAX, &c.rest) !=
	    NULL)
		return document_read(ls->arena, path, NULL);
	if (str_starts(c.rest, "\xef\xbb\xbf"))
		c.rest = str_from(c.rest, 3);
	ls->text = c.rest;
	c.separator = separator_of(c.rest, ls->arena);
	*csv = c.separator != 0;
	if (*csv)
		c.rest = objects_of(&c, &rows);
	doc = document_read_text(ls->arena, path, c.rest, NULL);
	return rows.wrong ? NULL : doc;
}

bool
labels_read(struct labels *ls, const char *path)
{
	bool csv = false;
	struct document *doc = read_values(ls, path, &csv);
	bool good = doc != NULL;

	if (doc == NULL)
		return false;
	document_resolve(doc, TYPES_CORE);
	for (size_t i = 0; i < doc->n; i++) {
		if (!json_is(doc->roots[i], JSON_ARRAY)) {
			good &= read_label(ls, doc, csv, doc->roots[i]);
			continue;
		}
		for (json_each(v, doc->roots[i]))
			good &= read_label(ls, doc, csv, v);
	}
	return sort_labels(ls) && good;
}
