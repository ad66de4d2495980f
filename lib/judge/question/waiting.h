/*
 * Lists and heaps of questions that wait. A question is in one of them at a
 * time, and each operation takes constant time, or time that grows with the
 * logarithm of the number of questions.
 */
#pragma once

#include "judge/question/question.h"

/* A list from which the question that was put first is taken first. A zeroed
 * list is empty. */
struct waiting_list {
	struct question *first, *last;
	size_t n;
};

void waiting_put(struct waiting_list *, struct question *);

/* Returns the first question of the list, which loses it; NULL if the list is
 * empty. */
struct question *waiting_take(struct waiting_list *);

/* A heap whose first question has the least `not_before`. A zeroed heap is
 * empty. */
struct waiting_heap {
	struct question *first;
	size_t n;
};

void waiting_heap_put(struct waiting_heap *, struct question *);

/* Like waiting_take. */
struct question *waiting_heap_take(struct waiting_heap *);
