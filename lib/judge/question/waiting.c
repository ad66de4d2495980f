#include "judge/question/waiting.h"

/* ---- lists ---- */

void
waiting_put(struct waiting_list *list, struct question *q)
{
	q->next = NULL;
	if (list->first == NULL)
		list->first = q;
	else
		list->last->next = q;
	list->last = q;
	list->n++;
}

struct question *
waiting_take(struct waiting_list *list)
{
	struct question *q = list->first;

	if (q == NULL)
		return NULL;
	list->first = q->next;
	list->n--;
	return q;
}

/* ---- heaps ---- */

/* Joins two pairing heaps (Fredman et al.): a question's children, linked by
 * `next`, are heaps of later questions. */
static struct question *
join(struct question *a, struct question *b)
{
	struct question *other = b;

	if (a == NULL || b == NULL)
		return a == NULL ? b : a;
	if (b->not_before < a->not_before) {
		other = a;
		a = b;
	}
	other->next = a->child;
	a->child = other;
	return a;
}

void
waiting_heap_put(struct waiting_heap *heap, struct question *q)
{
	q->next = q->child = NULL;
	heap->first = join(heap->first, q);
	heap->n++;
}

struct question *
waiting_heap_take(struct waiting_heap *heap)
{
	struct question *taken = heap->first, *pairs = NULL, *rest, *a, *b;

	if (taken == NULL)
		return NULL;
	for (a = taken->child; a != NULL; a = rest) {
		b = a->next;
		rest = b == NULL ? NULL : b->next;
		a = join(a, b);
		a->next = pairs;
		pairs = a;
	}
	heap->first = NULL;
	for (; pairs != NULL; pairs = rest) {
		rest = pairs->next;
		heap->first = join(heap->first, pairs);
	}
	heap->n--;
	return taken;
}
