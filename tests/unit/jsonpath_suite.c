/*
 * JSONPath against the public compliance suite of RFC 9535, and against what
 * jsonpath-plus 10 gives, apart from where deviation L3 holds.
 */
#include <stdlib.h>

#include "../../lib/jsonpath.h"

#include "shared.h"
#include "unit.h"

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
	const struct json *results = json_get(test, STR("results"));

	if (results == NULL)
		return equals_list(got, json_get(test, STR("result")));
	for (json_each(result, results))
		if (equals_list(got, result))
			return true;
	return false;
}

static bool
check_standard(const struct json *test, struct arena *a)
{
	struct str path = json_text(json_get(test, STR("selector")), a);
	bool invalid =
	    json_is(json_get(test, STR("invalid_selector")), JSON_TRUE);
	struct jsonpath_error error = { 0 };
	struct jsonpath_list got;
	struct jsonpath *compiled =
	    jsonpath_compile(a, path, JSONPATH_RFC9535, &error);
	bool well;

	if (compiled == NULL)
		return invalid && error.why.n > 0 && error.offset <= path.n;
	got = jsonpath_select(compiled, json_get(test, STR("document")), a);
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
	for (json_each(test, json_get(suite, STR("tests")))) {
		bool well = check_standard(test, a);

		n++;
		passed += well;
		if (!well)
			fprintf(stderr, "jsonpath-cts: %.*s: %.*s\n",
			    STR_FMT(json_raw(json_get(test, STR("name")))),
			    STR_FMT(json_raw(
				json_get(test, STR("selector")))));
	}
	CHECK(n > 0 && passed == n);
	printf("jsonpath-cts: %zu of %zu\n", passed, n);
	json_reader_free(&reader);
	return true;
}

int
main(void)
{
	struct arena a = { 0 };
	bool here = check_standard_suite(&a);

	arena_free(&a);
	return here ? unit_status() : 77;
}
