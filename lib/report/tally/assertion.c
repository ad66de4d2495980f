#include "report/tally/assertion.h"

#include "base/hash.h"
#include "report/tally/failures.h"
#include "text/layout.h"

static uint64_t
hash_of(const struct assertion *it, struct arena *a)
{
	const struct result_check check = {
		.dialect = it->dialect, .type = it->type, .label = it->label
	};

	return result_check_hash(result_check_names(&check, a),
	    result_check_scenario(it->scenario, a), it->ordinal);
}

static struct assertion *
put(struct bounded_map *map, struct str key, struct arena *a)
{
	struct str texts[RESULT_CHECK_KEY_TEXTS];
	struct assertion *to;
	bool fresh;

	to = bounded_map_put(map, key, sizeof *to, a, &fresh);
	if (to == NULL || !fresh)
		return to;
	hash_key_split(to->item.key.text, texts, RESULT_CHECK_KEY_TEXTS);
	to->scenario = texts[0];
	to->dialect = texts[1];
	to->type = texts[2];
	to->label = texts[3];
	to->ordinal = 0;
	for (size_t i = 0; i < texts[4].n; i++)
		to->ordinal = 10 * to->ordinal + (size_t)(texts[4].s[i] - '0');
	to->at.text = to->expected.text = (struct str){ 0 };
	for (int i = 0; i < STATUS_COUNT; i++)
		to->status[i] = 0;
	to->expectation = false;
	to->hash = hash_of(to, a);
	return to;
}

/* Keeps the first of all places. The expected lists differ only when the
 * assertion's file does; the first by bytes is kept. */
static void
keep_first(
    struct assertion *to, struct str at, struct str expected, struct arena *a)
{
	if (at.s != NULL &&
	    (to->at.text.s == NULL ||
		(!str_eq(at, to->at.text) &&
		    failure_place_compare(at, to->at.text) < 0)))
		bounded_map_copy(&to->at, at, a);
	if (expected.s != NULL &&
	    (to->expected.text.s == NULL ||
		str_cmp(expected, to->expected.text) < 0))
		bounded_map_copy(&to->expected, expected, a);
}

/* Returns the lists of which a run's calls have to be one, or an absent
 * text. */
static struct str
allowed_lists(const struct result_check *c)
{
	const struct json *lists;

	if (c->metadata == NULL || !str_is(c->type, "tool_sequence"))
		return (struct str){ 0 };
	lists = json_get(c->metadata, "expected");
	if (!json_is(json_at(lists, 0), JSON_ARRAY) ||
	    lists->text.n > ASSERTION_EXPECTED_MAX)
		return (struct str){ 0 };
	return lists->text;
}

void
assertion_add(struct bounded_map *map, struct assertion **recent,
    const struct result *r, struct arena *a, struct arena *moment)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];
		struct assertion **place =
		    &recent[c->hash & (ASSERTION_RECENT - 1)];
		struct assertion *to = *place;

		if (c->of_run || c->permission)
			continue;
		if (to == NULL || to->hash != c->hash)
			to = put(map, result_check_key(c, moment), a);
		if (to == NULL)
			continue;
		*place = to;
		to->status[c->status]++;
		to->expectation |= c->expectation;
		keep_first(to, layout_cut(moment, c->at, RESULT_CHECK_TEXT_MAX),
		    allowed_lists(c), a);
	}
}

void
assertion_merge(struct bounded_map *to, const struct assertion *from,
    struct arena *a, struct arena *moment)
{
	const struct str texts[RESULT_CHECK_KEY_TEXTS] = { from->scenario,
		from->dialect, from->type, from->label,
		str_int(moment, (int64_t)from->ordinal) };
	struct assertion *sum =
	    put(to, hash_key(moment, texts, RESULT_CHECK_KEY_TEXTS), a);

	if (sum == NULL)
		return;
	for (int i = 0; i < STATUS_COUNT; i++)
		sum->status[i] += from->status[i];
	sum->expectation |= from->expectation;
	keep_first(sum, from->at.text, from->expected.text, a);
}
