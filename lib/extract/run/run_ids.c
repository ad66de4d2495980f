#include "extract/run/run_ids.h"

#include <assert.h>

/* A mark is a control character followed by the index of the request. With a
 * digit in place of the control character, the mark is a number and may also be
 * part of a string. */
#define OPENS '\x01'
#define HIDDEN '1'
#define FORMAT "\x01%015zu"
#define SHARED "\x01---------------"

enum { LENGTH = sizeof SHARED - 1 };

struct run_ids_asked {
	struct str key;
	bool count; /* asked by run_ids_count */
	struct str answer;
};

/* Counts a request for the key; returns the number of earlier requests. */
static size_t
times(struct run_ids *ids, struct str key)
{
	size_t *n;

	ids->seen.arena = ids->arena;
	n = hash_get(&ids->seen, key);
	if (n == NULL) {
		n = arena_new(ids->arena, size_t);
		*hash_put(&ids->seen, str_dup(ids->arena, key)) = n;
	}
	return (*n)++;
}

static struct str
answer(struct run_ids *ids, struct str key, bool count, struct arena *a)
{
	size_t n = times(ids, key);

	if (count)
		return str_printf(a, "%zu", n);
	return n == 0 ? STR("") : str_printf(a, "-%zu", n + 1);
}

static struct str
ask(struct run_ids *ids, struct str key, bool count, struct arena *a)
{
	if (!ids->part)
		return answer(ids, key, count, a);
	*arena_push(ids->arena, ids->asked, ids->n) =
	    (struct run_ids_asked){ .key = str_dup(ids->arena, key),
		    .count = count };
	return str_printf(a, FORMAT, ids->n - 1);
}

struct str
run_ids_repeat(struct run_ids *ids, struct str id, struct arena *a)
{
	return ask(ids, id, false, a);
}

struct str
run_ids_count(struct run_ids *ids, struct str group, struct arena *a)
{
	return ask(ids, group, true, a);
}

/* ---- runs with the same id ---- */

static void
note_written(struct run_ids *ids, const struct run_written *run)
{
	size_t n = ids->written_ids.n;

	ids->written_ids.arena = ids->arena;
	hash_set_add(&ids->written_ids, hash_add(HASH_START, run->id));
	if (ids->written_ids.n != n || ids->n_repeated++ != 0)
		return;
	ids->repeated = *run;
	ids->repeated.id = str_dup(ids->arena, run->id);
}

void
run_ids_written(struct run_ids *ids, struct str id, struct place at)
{
	struct run_written run = { id, at };

	if (!ids->part) {
		note_written(ids, &run);
		return;
	}
	run.id = str_dup(ids->arena, id);
	*arena_push(ids->arena, ids->written, ids->n_written) = run;
}

/* ---- messages that several runs have ---- */

bool
run_ids_counted(struct run_ids *ids, uint64_t message)
{
	struct hash_set *set =
	    ids->counted != NULL ? ids->counted : &ids->own_counted;
	size_t n = set->n;

	if (set == &ids->own_counted)
		set->arena = ids->arena;
	hash_set_add(set, message);
	if (ids->part && ids->counted == NULL && set->n != n)
		*arena_push(ids->arena, ids->new_counted, ids->n_new_counted) =
		    message;
	return set->n == n;
}

bool
run_ids_agrees(const struct run_ids *ids, const struct run_ids *part)
{
	for (size_t i = 0; i < part->n_new_counted; i++)
		if (hash_set_has(&ids->own_counted, part->new_counted[i]))
			return false;
	return true;
}

void
run_ids_join(struct run_ids *ids, struct run_ids *part)
{
	for (size_t i = 0; i < part->n_new_counted; i++)
		run_ids_counted(ids, part->new_counted[i]);
	part->n_new_counted = 0;
	part->counted = &ids->own_counted;
}

struct str
run_ids_shared(void)
{
	return STR(SHARED);
}

/* Returns the text that replaces the mark. */
static struct str
meant(const struct run_ids *part, struct str shared, struct str mark)
{
	size_t n = 0;

	if (str_is(mark, SHARED))
		return shared;
	for (size_t i = 1; i < LENGTH; i++)
		n = n * 10 + (size_t)(mark.s[i] - '0');
	assert(n < part->n);
	return part->asked[n].answer;
}

struct run_ids_hidden
run_ids_hide(char *text, size_t n, struct arena *a)
{
	struct run_ids_hidden hidden = { 0 };
	char *end = text + n;

	for (; (text = memchr(text, OPENS, (size_t)(end - text))) != NULL;
	     *text++ = HIDDEN)
		*arena_push(a, hidden.marks, hidden.n) = text;
	return hidden;
}

void
run_ids_show(struct run_ids_hidden hidden)
{
	for (size_t i = 0; i < hidden.n; i++)
		*hidden.marks[i] = OPENS;
}

void
run_ids_cut(struct run_ids *part, struct str text)
{
	part->n_cut = 0;
	while (text.n != 0) {
		size_t at = str_find_char(text, OPENS);

		*arena_push(part->arena, part->cut, part->n_cut) =
		    str_slice(text, 0, at);
		text = str_from(text, at);
		if (text.n == 0)
			break;
		*arena_push(part->arena, part->cut, part->n_cut) =
		    str_slice(text, 0, LENGTH);
		text = str_from(text, LENGTH);
	}
}

void
run_ids_fill(struct run_ids *ids, struct run_ids *part, struct str shared,
    struct out *to)
{
	for (; part->answered < part->n; part->answered++) {
		struct run_ids_asked *a = &part->asked[part->answered];

		a->answer = answer(ids, a->key, a->count, part->arena);
	}
	for (size_t i = 0; i < part->n_written; i++) {
		struct run_written *run = &part->written[i];

		if (str_find_char(run->id, OPENS) != run->id.n)
			run->id = str_replace(
			    part->arena, run->id, run_ids_shared(), shared);
		note_written(ids, run);
	}
	part->n_written = 0;
	for (size_t i = 1; i < part->n_cut; i += 2)
		part->cut[i] = meant(part, shared, part->cut[i]);
	out_strs(to, (struct str_list){ part->cut, part->n_cut });
	part->n_cut = 0;
}
