/*
 * JSONPath against the public compliance suite of RFC 9535, and against what
 * jsonpath-plus 10 gives, apart from where deviation L3 holds.
 */
#include <stdlib.h>

#include "emulate/jsonpath/jsonpath.h"

#include "tests/unit/shared.h"
#include "tests/unit/unit.h"

/* ---- RFC 9535 ---- */

static bool
equals_list(const struct jsonpath_list *got, const struct json *want)
{
	size_t i = 0;

	for (json_each(v, want))
		if (i >= got->n || !json_equal(got->values[i++], v))
			return false;
	return i == got->n && !got->cut;
}

/* Objects have no order: a case may give several results. */
static bool
is_one_of(const struct jsonpath_list *got, const struct json *test)
{
	const struct json *results = json_get(test, "results");

	if (results == NULL)
		return equals_list(got, json_get(test, "result"));
	for (json_each(result, results))
		if (equals_list(got, result))
			return true;
	return false;
}

static bool
check_standard(const struct json *test, struct arena *a)
{
	struct str path = json_text(json_get(test, "selector"), a);
	bool invalid = json_is(json_get(test, "invalid_selector"), JSON_TRUE);
	struct jsonpath_error error = { 0 };
	struct jsonpath_list got;
	struct jsonpath *compiled =
	    jsonpath_compile(a, path, JSONPATH_RFC9535, &error);
	bool well;

	if (compiled == NULL)
		return invalid && error.why.n > 0 && error.offset <= path.n;
	got = jsonpath_select(compiled, json_get(test, "document"), a);
	well = !invalid && is_one_of(&got, test);
	jsonpath_free(compiled);
	return well;
}

static bool
check_standard_suite(struct arena *a)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	struct str text;
	const struct json *suite;
	size_t n = 0, passed = 0;

	if (!shared_read(a, "data/jsonpath-cts.json", &text))
		return false;
	suite = json_read(&reader, text, NULL, &error);
	for (json_each(test, json_get(suite, "tests"))) {
		bool well = check_standard(test, a);

		n++;
		passed += well;
		if (!well)
			fprintf(stderr, "jsonpath-cts: %.*s: %.*s\n",
			    STR_FMT(json_raw(json_get(test, "name"))),
			    STR_FMT(json_raw(json_get(test, "selector"))));
	}
	CHECK(n > 0 && passed == n);
	printf("jsonpath-cts: %zu agreed, %zu disagreed\n", passed, n - passed);
	json_reader_free(&reader);
	return true;
}

/* ---- jsonpath-plus ---- */

/*
 * Where we differ from jsonpath-plus 10.3.0, and by which part of L3. Rows
 * where it throws, or where it gives no list because the document is falsy,
 * need no entry: there is nothing to agree with.
 */
static const struct {
	const char *class, *doc, *path;
} deviations[] = {
	{ "negative index", "store", "$..book[-1]" },
	{ "negative index", "arr", "$[0,-1]" },
	{ "bounds of a slice", "arr", "$[0:0]" },
	{ "bounds of a slice", "arr", "$[:0]" },
	{ "bounds of a slice", "arr", "$[::0]" },
	{ "bounds of a slice", "arr", "$[0:3:0]" },
	{ "bounds of a slice", "arr", "$[::-1]" },
	{ "bounds of a slice", "summary", "$.items[2:0:-1]" },
	{ "union of names", "store", "$..book[0][\"category\",\"author\"]" },
	{ "union of names", "store", "$..book[0]['category','author']" },
	{ "union of names", "summary", "$.summary['count','ok']" },
	{ "union of names", "weird", "$['a,b']" },
	{ "union of names", "weird", "$['a.b','a b']" },
	{ "union of names", "weird", "$[\"a.b\",\"a b\"]" },
	{ "union of names", "weird", "$[\"é\",\"日本\"]" },
	{ "bare ?expr", "store", "$..book[?@.isbn]" },
	{ "bare ?expr", "store", "$..book[?@.price<10].title" },
};

enum {
	DEVIATIONS = sizeof deviations / sizeof deviations[0],
};

/* The deviation's place in the table, or DEVIATIONS. */
static size_t
find_deviation(struct str doc, struct str path)
{
	size_t i = 0;

	while (i < DEVIATIONS &&
	    !(str_is(doc, deviations[i].doc) &&
		str_is(path, deviations[i].path)))
		i++;
	return i;
}

static bool
agrees(const struct json *row, const struct json *doc, struct str path,
    struct arena *a)
{
	struct jsonpath_error error = { 0 };
	struct jsonpath_list got;
	struct jsonpath *compiled =
	    jsonpath_compile(a, path, JSONPATH_PLUS, &error);
	bool same;

	if (compiled == NULL)
		return false;
	got = jsonpath_select(compiled, doc, a);
	same = equals_list(&got, json_get(row, "result"));
	jsonpath_free(compiled);
	return same;
}

struct counts {
	size_t agreed, excused, nothing, wrong;
	bool seen[DEVIATIONS];
};

static void
check_plus(const struct json *row, const struct json *docs,
    struct counts *counts, struct arena *a)
{
	struct str name = json_text(json_get(row, "doc"), a);
	struct str path = json_text(json_get(row, "path"), a);
	size_t deviation = find_deviation(name, path);

	if (agrees(row, json_get(docs, name), path, a) &&
	    deviation == DEVIATIONS) {
		counts->agreed++;
	} else if (!json_is(json_get(row, "result"), JSON_ARRAY)) {
		counts->nothing++;
	} else if (deviation < DEVIATIONS) {
		counts->excused++;
		counts->seen[deviation] = true;
	} else {
		counts->wrong++;
		fprintf(stderr, "jsonpath-plus: %.*s: %.*s\n", STR_FMT(name),
		    STR_FMT(path));
	}
}

static bool
check_plus_suite(struct arena *a)
{
	struct json_reader docs = { 0 }, reader = { 0 };
	struct json_error error;
	struct counts counts = { 0 };
	const struct json *documents;
	struct str rest;

	if (!shared_read(a, "cases/jsonpath-plus.ndjson", &rest))
		return false;
	documents = json_get(
	    json_read(&docs, str_cut(&rest, '\n'), NULL, &error), "docs");
	while (rest.n > 0)
		check_plus(
		    json_read(&reader, str_cut(&rest, '\n'), NULL, &error),
		    documents, &counts, a);
	for (size_t i = 0; i < DEVIATIONS; i++)
		CHECK(counts.seen[i]);
	CHECK(counts.agreed > 400 && counts.wrong == 0);
	printf("jsonpath-plus: %zu agreed, %zu by class of L3, %zu where it "
	       "throws or gives no list, %zu disagreed\n",
	    counts.agreed, counts.excused, counts.nothing, counts.wrong);
	json_reader_free(&docs);
	json_reader_free(&reader);
	return true;
}

int
main(void)
{
	struct arena a = { 0 };
	bool standard = check_standard_suite(&a);
	bool plus = check_plus_suite(&a);

	arena_free(&a);
	return standard && plus ? unit_status() : 77;
}
