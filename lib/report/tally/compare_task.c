#include "report/tally/compare_task.h"

enum { NAMES = 2 }; /* of a task's names, those before the model */

/* Returns the sum of the tally's tasks of these names, which come next; NULL if there
 * is none. */
static const struct tally_group *
take(
    const struct tally *t, size_t *at, const struct str *names, struct arena *a)
{
	const struct tally_group *first = NULL;
	struct tally_group *sum = NULL;

	for (; *at < t->n_tasks; ++*at) {
		const struct tally_group *g = t->tasks[*at];

		if (!tally_names_equal(g->names.list, names, NAMES))
			break;
		if (first != NULL && sum == NULL) {
			sum = tally_group_new(a, 0);
			tally_group_merge(sum, first, a);
		}
		if (first == NULL)
			first = g;
		else
			tally_group_merge(sum, g, a);
	}
	return sum == NULL ? first : sum;
}

/* Returns the names that come next on either side; NULL: none. */
static const struct str *
next_names(const struct tally *const side[2], const size_t at[2])
{
	const struct str *least = NULL;

	for (int i = 0; i < 2; i++) {
		const struct str *names = at[i] < side[i]->n_tasks
		    ? side[i]->tasks[at[i]]->names.list
		    : NULL;

		if (least == NULL ||
		    (names != NULL &&
			tally_names_compare(names, least, NAMES) < 0))
			least = names;
	}
	return least;
}

struct compare_tasks
compare_tasks(const struct tally *was, const struct tally *now, struct arena *a)
{
	const struct tally *const side[2] = {
		[COMPARE_WAS] = was, [COMPARE_NOW] = now
	};
	struct compare_tasks tasks = { 0 };
	const struct str *names;
	size_t at[2] = { 0 };

	tasks.list =
	    arena_room(a, (was->n_tasks + now->n_tasks) * sizeof tasks.list[0]);
	while ((names = next_names(side, at)) != NULL) {
		struct compare_task *task = &tasks.list[tasks.n++];

		task->scenario = names[0];
		task->agent = names[1];
		for (int i = 0; i < 2; i++)
			task->side[i] = take(side[i], &at[i], names, a);
	}
	return tasks;
}
