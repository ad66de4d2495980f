#include <math.h>

#include "base/ascii.h"
#include "check/kind/kind.h"
#include "emulate/lang/js.h"
#include "emulate/metric/porter.h"
#include "emulate/metric/rouge.h"
#include "emulate/metric/treebank.h"
#include "emulate/metric/word_grams.h"
#include "text/unicode.h"
#include "text/utf16.h"

enum { ORDER_MAX = 4 }; /* the most words in a row that BLEU and GLEU count */

static const char *const names[] = {
	[METRIC_LEVENSHTEIN] = "levenshtein",
	[METRIC_ROUGE] = "rouge",
	[METRIC_ROUGE_STEMS] = "rouge-stems",
	[METRIC_BLEU] = "bleu",
	[METRIC_GLEU] = "gleu",
	[METRIC_METEOR] = "meteor",
};

static size_t
larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* ---- ROUGE-1 ---- */

static double
rouge(struct arena *a, struct str candidate, struct str reference)
{
	struct word_grams c = word_grams_of(
	    a, treebank_words(a, unicode_lower_js(a, candidate), js_is_space));
	struct word_grams r = word_grams_of(
	    a, treebank_words(a, unicode_lower_js(a, reference), js_is_space));
	size_t shared = word_grams_shared(a, c, r, 1);
	double small, large;

	if (shared == 0)
		return 0;
	if (c.n == r.n)
		return (double)shared / (double)c.n;
	small = (double)shared / (double)larger(c.n, r.n);
	large = (double)shared / (double)(c.n < r.n ? c.n : r.n);
	/* The harmonic mean of precision and recall. */
	return fmin(large, small * (2 / (1 + small / large)));
}

/* ---- ROUGE-1 of stems ---- */

/* Returns whether more than half of the letters are Latin ones. Signs and digits of
 * ASCII are no letters; any other character that is not Latin is taken for one. */
static bool
is_latin(struct str text)
{
	size_t latin = 0, others = 0, n;

	for (; text.n != 0; text = str_from(text, n)) {
		uint32_t c = unicode_decode(text, &n);

		if (((c | 32) >= 'a' && (c | 32) <= 'z') || c == 0xaa ||
		    c == 0xba || (c >= 0xc0 && c < 0x2b0) ||
		    (c >= 0x1e00 && c < 0x1f00))
			latin++;
		else if (c >= 0x370 && (c < 0x2000 || c >= 0x2e80))
			others++;
	}
	return latin > others || others == 0;
}

static double
rouge_stems(struct arena *a, struct str candidate, struct str reference)
{
	bool stems = is_latin(candidate) && is_latin(reference);

	return rouge_score(
	    a, candidate, reference, 1, stems ? porter_stem_nltk : NULL);
}

/* ---- BLEU ---- */

/* Returns the words of a text in lower case, without white space at both ends. */
static struct word_grams
plain_words(struct arena *a, struct str text)
{
	return word_grams_of(
	    a, js_split_space(a, js_trim(unicode_lower_js(a, text))));
}

/* Returns the number of words that is nearest to n; of two numbers, the smaller
 * one. */
static size_t
nearest_length(const struct word_grams *list, size_t count, size_t n)
{
	size_t best = list[0].n;

	for (size_t i = 1; i < count; i++) {
		size_t m = list[i].n;
		size_t far = m > n ? m - n : n - m;
		size_t before = best > n ? best - n : n - best;

		if (far < before || (far == before && m < best))
			best = m;
	}
	return best;
}

static double
bleu(struct arena *a, struct str candidate, struct str_list references)
{
	const double least = 1e-7; /* in place of a precision of 0 */
	struct word_grams c = plain_words(a, candidate);
	struct word_grams *list =
	    arena_new_n(a, struct word_grams, references.n);
	size_t orders = c.n < ORDER_MAX ? c.n : ORDER_MAX, length;
	double sum = 0;

	if (js_trim(candidate).n == 0)
		return 0;
	for (size_t i = 0; i < references.n; i++)
		list[i] = plain_words(a, references.list[i]);
	for (size_t n = 1; n <= orders; n++) {
		size_t most = 0;

		for (size_t i = 0; i < references.n; i++)
			most =
			    larger(most, word_grams_shared(a, c, list[i], n));
		sum += 1 / (double)orders *
		    log(most == 0
			    ? least
			    : (double)most / (double)word_grams_count(c, n));
	}
	length = nearest_length(list, references.n, c.n);
	if (c.n > length)
		return exp(sum);
	return exp(1 - (double)length / (double)c.n) * exp(sum);
}

/* ---- GLEU ---- */

/* Returns the words without full stops at their ends; none if nothing is left of
 * any word. */
static struct word_grams
stopless_words(struct arena *a, struct str text)
{
	struct str_list words =
	    js_split_space(a, js_trim(unicode_lower_js(a, text)));
	struct str *list = arena_new_n(a, struct str, words.n);
	size_t size = 0;

	for (size_t i = 0; i < words.n; i++) {
		list[i] = words.list[i];
		while (str_ends(list[i], "."))
			list[i].n--;
		size += list[i].n;
	}
	return word_grams_of(
	    a, (struct str_list){ list, size == 0 ? 0 : words.n });
}

static double
gleu(struct arena *a, struct word_grams c, struct word_grams r)
{
	size_t shared = 0, of_c = 0, of_r = 0;

	if (c.n == r.n && word_grams_shared(a, c, r, c.n) == 1)
		return 1;
	for (size_t n = 1; n <= ORDER_MAX; n++) {
		shared += word_grams_shared(a, c, r, n);
		of_c += word_grams_count(c, n);
		of_r += word_grams_count(r, n);
	}
	if (of_c == 0 || of_r == 0)
		return 0;
	return (double)shared / (double)larger(of_c, of_r);
}

static double
best_gleu(struct arena *a, struct str candidate, struct str_list references)
{
	struct word_grams c = stopless_words(a, candidate);
	double best = 0;

	for (size_t i = 0; i < references.n && c.n != 0; i++)
		best = fmax(
		    best, gleu(a, c, stopless_words(a, references.list[i])));
	return best;
}

/* ---- the kind ---- */

static double
metric_value(const struct metric_want *w, struct str text, struct arena *a)
{
	switch (w->how) {
	case METRIC_ROUGE:
		return rouge(a, text, w->references.list[0]);
	case METRIC_ROUGE_STEMS:
		return rouge_stems(a, text, w->references.list[0]);
	case METRIC_BLEU:
		return bleu(a, text, w->references);
	default:
		return best_gleu(a, text, w->references);
	}
}

struct metric_range
metric_score(
    struct arena *a, enum metric how, struct str text, struct str reference)
{
	struct metric_want w = { .how = how,
		.references = check_one_tool(reference, a),
		.alpha = 0.9,
		.beta = 3,
		.gamma = 0.5 };
	double n;

	if (w.references.n == 0 || text.n == 0)
		return (struct metric_range){ 0 };
	if (how == METRIC_METEOR)
		return meteor_score(a, &w, unicode_lower_js(a, text));
	n = metric_value(&w, text, a);
	return (struct metric_range){ n, n };
}

/* The most steps of a search for a distance: the length of the shorter text times
 * the distance. */
enum { STEPS_MOST = 200000000 };

static struct finding
find_distance(const struct metric_want *w, struct str text, struct arena *a)
{
	const double beyond = 1e15; /* any distance is within */
	size_t most = w->limit < 0 ? 0
	    : w->limit < beyond    ? (size_t)w->limit
				   : (size_t)beyond;
	struct utf16 x = utf16_of(a, text);
	struct utf16 y = utf16_of(a, w->references.list[0]);
	size_t far = larger(x.n, y.n), near = x.n + y.n - far;
	size_t room = STEPS_MOST / (near + 1);
	size_t tried = most < room || far < room ? most : room, n;
	struct finding f = { .found = FOUND_YES };

	if (tried < most && most >= far) {
		/* No texts of these lengths have a larger distance. */
		f.why = str_printf(a, "at most %zu", far);
		return f;
	}
	n = utf16_distance(a, x, y, tried);
	f.found = n <= tried && w->limit >= 0 ? FOUND_YES : FOUND_NO;
	f.why = n <= tried ? str_int(a, (int64_t)n)
			   : str_printf(a, "more than %zu", tried);
	if (n > tried && tried < most && far - near <= most) {
		f.found = FOUND_SKIP;
		f.why = str_printf(a,
		    "the texts are long, and their distance, more than %zu, is "
		    "not searched for any further",
		    tried);
	}
	return f;
}

static struct finding
find_meteor(const struct metric_want *w, struct str text, struct arena *a)
{
	struct metric_range r;

	if (text.n == 0)
		return finding_why(FOUND_ERROR, "METEOR of an empty output");
	r = meteor_score(a, w, unicode_lower_js(a, text));
	if ((r.low >= w->limit) != (r.high >= w->limit))
		return finding_skip(str_printf(a,
		    "the score, %.4f to %.4f, depends on synonyms of "
		    "WordNet",
		    r.low, r.high));
	return (struct finding){
		.found = r.low >= w->limit ? FOUND_YES : FOUND_NO,
		.graded = r.low == r.high,
		.ungraded = r.low != r.high,
		.share = r.low,
		.why = r.low == r.high
		    ? str_printf(a, "%.4f", r.low)
		    : str_printf(a, "%.4f to %.4f", r.low, r.high),
	};
}

static struct finding
metric_find(const void *want, struct view *v)
{
	const struct metric_want *w = want;
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	struct finding f;

	if (w->how == METRIC_LEVENSHTEIN) {
		f = find_distance(w, text, v->arena);
	} else if (w->how == METRIC_METEOR) {
		f = find_meteor(w, text, v->arena);
	} else {
		f = (struct finding){ .graded = true,
			.share = metric_value(w, text, v->arena) };
		f.found = f.share >= w->limit ? FOUND_YES : FOUND_NO;
		f.why = str_printf(v->arena, "%.4f", f.share);
	}
	f.open = v->cut & VIEW_TEXT;
	return f;
}

static void
metric_show(const void *want, struct out *o)
{
	const struct metric_want *w = want;
	char room[JS_NUMBER_SIZE];

	out_member_str(o, "metric", str_of(names[w->how]));
	out_member_strs(o, "references", w->references);
	out_member_raw(o, w->how == METRIC_LEVENSHTEIN ? "most" : "least",
	    js_number(w->limit, room));
}

struct check
metric_check(struct arena *a, const struct metric_want *want)
{
	static const struct check_kind kind = {
		.name = "metric", .find = metric_find, .show = metric_show
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_TEXT);
}
