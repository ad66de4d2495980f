/* promptfoo's results: as a file of the tests that stand in them, and which test a
 * recorded result is of. */
#include "check/promptfoo/promptfoo.h"

#include <inttypes.h>

#include "base/hash.h"
#include "emulate/lang/js.h"

/* ---- tests ---- */

/* A test of the results, which are of one or more prompts. */
struct recorded {
	const struct json *test;
	double number;
	struct promptfoo_prompt *prompts;
	size_t nprompts;
};

struct recorded_tests {
	struct recorded **list;
	size_t n;
	struct hash_table by_key; /* number and content */
};

static const struct json *
rows_of(const struct json *root)
{
	const struct json *rows = json_path(root, "results.results");

	return rows != NULL ? rows : json_get(root, "results");
}

/* Returns whether the value is the result of a test. */
static bool
is_row(const struct json *v)
{
	return json_is(json_get(v, "testCase"), JSON_OBJECT) &&
	    json_has(v, "provider");
}

bool
promptfoo_is_results(const struct json *root)
{
	return is_row(root) || is_row(json_first(rows_of(root)));
}

/* Notes the test of a result, and its prompt. */
static void
add_row(struct promptfoo_config *c, struct recorded_tests *all,
    const struct json *row)
{
	const struct json *number = json_get(row, "testIdx"),
			  *test = json_get(row, "testCase");
	struct recorded *one;
	struct str key;
	void **slot;

	if (!is_row(row)) {
		document_report(c->root.doc, MISTAKE_REMARK, row,
		    "results: a result without 'testCase' says nothing of its "
		    "assertions");
		return;
	}
	key = str_printf(c->arena, "%016" PRIx64 " %.*s",
	    js_hash(HASH_START, test, c->arena), STR_FMT(json_raw(number)));
	slot = hash_put(&all->by_key, key);
	if (*slot == NULL) {
		one = *slot = arena_new(c->arena, struct recorded);
		one->test = test;
		one->number = json_double(number);
		if (!json_is(number, JSON_NUMBER) ||
		    !(one->number >= 0 && one->number < UINT32_MAX))
			one->number = (double)all->n;
		*arena_push(c->arena, all->list, all->n) = one;
	}
	one = *slot;
	*arena_push(c->arena, one->prompts, one->nprompts) =
	    (struct promptfoo_prompt){
		    .raw = json_text(json_path(row, "prompt.raw"), c->arena),
		    .unknown = STR("the result has no prompt"),
		    .rendered = true,
	    };
}

void
promptfoo_read_results(struct promptfoo_config *c)
{
	static const struct promptfoo_part none;
	struct recorded_tests all = { .by_key = { .arena = c->arena } };
	const struct document *doc = c->root.doc;

	c->recorded = true;
	for (size_t i = 0; i < doc->n; i++)
		if (json_is(rows_of(doc->roots[i]), JSON_ARRAY))
			for (json_each(row, rows_of(doc->roots[i])))
				add_row(c, &all, row);
		else
			add_row(c, &all, doc->roots[i]);
	for (size_t i = 0; i < all.n; i++) {
		c->ntests = c->nresults = (size_t)all.list[i]->number;
		c->prompts = all.list[i]->prompts;
		c->nprompts = all.list[i]->nprompts;
		promptfoo_read_tests(c,
		    (struct promptfoo_part){ all.list[i]->test, doc }, &none);
	}
}

/* ---- assertions ---- */

struct str
promptfoo_assert_hash(
    const struct promptfoo_part *lists, size_t n, struct arena *a)
{
	uint64_t hash = HASH_START;

	for (size_t i = 0; i < n; i++)
		for (json_each(assertion, lists[i].v))
			hash = js_hash(hash, assertion, a);
	return str_printf(a, "%016" PRIx64, hash);
}

/* ---- the test of a result ---- */

/* The parts of a result that say which test it is of. */
struct result {
	const struct json *vars;
	double number;          /* negative: not recorded */
	struct str assert_hash; /* absent: not recorded */
	struct arena *arena;
};

/* Some of the tests. */
struct tests {
	const struct scenario **list;
	size_t n;
};

/* Returns whether all vars of the test have their values in the result, which may
 * have others beside. */
static bool
agrees(const struct promptfoo_test *t, const struct result *r)
{
	struct promptfoo_vars same = { 0 };

	for (json_members(key, r->vars)) {
		struct promptfoo_var var = { .name = json_text(key, r->arena),
			.value = json_value(key) };

		if (promptfoo_var(&t->vars, var.name) != NULL)
			promptfoo_set_var(&same, var, r->arena);
	}
	return str_eq(promptfoo_key(&same, r->arena), t->vars.key);
}

static bool
has_assertions(const struct promptfoo_test *t, const struct result *r)
{
	return str_eq(t->assert_hash, r->assert_hash);
}

/* Returns whether the result's number is one of the test's, and neither the vars nor,
 * without vars, the assertions contradict that. */
static bool
has_number(const struct promptfoo_test *t, const struct result *r)
{
	double past = r->number - (double)t->number;
	double step = (double)t->step;

	return past >= 0 && past < step * (double)t->repeat &&
	    past / step == (double)(size_t)(past / step) &&
	    (t->vars.n == 0 ? has_assertions(t, r) : agrees(t, r));
}

/* Returns the tests of which the condition holds. */
static struct tests
those(struct tests of,
    bool (*holds)(const struct promptfoo_test *, const struct result *),
    const struct result *r)
{
	struct tests found = { 0 };

	for (size_t i = 0; i < of.n; i++)
		if (holds(of.list[i]->own, r))
			*arena_push(r->arena, found.list, found.n) = of.list[i];
	return found;
}

/* Returns whether no other one of the tests has more vars. */
static bool
has_most_vars(struct tests of, const struct promptfoo_test *t)
{
	for (size_t i = 0; i < of.n; i++) {
		const struct promptfoo_test *other = of.list[i]->own;

		if (other->vars.n > t->vars.n)
			return false;
	}
	return true;
}

const struct scenario *
promptfoo_pick(const struct scenario *const *list, size_t n, bool changed,
    const struct trace *t, struct arena *a)
{
	const struct json *meta = t->member[TRACE_META],
			  *number = json_get(meta, "test_index");
	struct result r = { .vars = json_get(meta, "vars"),
		.number =
		    json_is(number, JSON_NUMBER) ? json_double(number) : -1,
		.assert_hash = json_text(json_get(meta, "assert_hash"), a),
		.arena = a };
	struct tests all = { 0 }, same, numbered;

	for (size_t i = 0; i < n; i++)
		*arena_push(a, all.list, all.n) = list[i];
	if (changed)
		all = those(all, agrees, &r);
	same = those(all, has_assertions, &r);
	if (same.n == 1 && (!changed || all.n == 1))
		return same.list[0];
	numbered = those(same.n != 0 ? same : all, has_number, &r);
	return numbered.n == 1 &&
		(!changed || has_most_vars(all, numbered.list[0]->own))
	    ? numbered.list[0]
	    : NULL;
}
