#include "recall.h"

#include <string.h>

#include "hash.h"

struct recall_place {
	struct str source;
	struct result_check check;
	size_t last_run; /* that needed it */
	char *room;      /* what all its texts lie in */
	size_t size;
};

void
recall_begin(struct recall *r)
{
	if (r->places == NULL)
		r->places = arena_new_n(
		    &r->arena, struct recall_place *, RECALL_PLACES);
	r->run++;
}

static struct recall_place **
place_of(const struct recall *r, struct str source)
{
	return &r->places[hash_quick(source) & (RECALL_PLACES - 1)];
}

const struct result_check *
recall_get(struct recall *r, struct str source)
{
	struct recall_place *p = *place_of(r, source);

	if (p == NULL || !str_eq(p->source, source))
		return NULL;
	p->last_run = r->run;
	return &p->check;
}

/* Makes room in the place for so many bytes. False: there is no more. */
static bool
make_room(struct recall *r, struct recall_place *p, size_t size)
{
	if (size <= p->size)
		return true;
	if (size > RECALL_ROOM - r->used)
		return false;
	p->room = arena_room(&r->arena, size);
	p->size = size;
	r->used += size;
	return true;
}

/* Moves the text to *room, and *room behind it. */
static void
move(struct str *text, char **room)
{
	if (text->s == NULL)
		return;
	text->s = memcpy(*room, text->s, text->n);
	*room += text->n;
}

void
recall_keep(struct recall *r, struct str source, const struct result_check *c)
{
	struct result_check check = *c;
	struct str *const texts[] = { &source, &check.type, &check.label,
		&check.dialect, &check.scenario, &check.at, &check.reason,
		&check.key };
	enum { TEXTS = sizeof texts / sizeof texts[0] };
	struct recall_place **place = place_of(r, source);
	size_t size = 0;
	char *room;

	if (source.n > RECALL_SOURCE_MAX ||
	    (*place != NULL && (*place)->last_run == r->run))
		return;
	if (*place == NULL)
		*place = arena_new(&r->arena, struct recall_place);
	for (size_t i = 0; i < TEXTS; i++)
		size += texts[i]->n;
	if (!make_room(r, *place, size))
		return;
	room = (*place)->room;
	for (size_t i = 0; i < TEXTS; i++)
		move(texts[i], &room);
	(*place)->source = source;
	(*place)->check = check;
	(*place)->last_run = r->run;
}

void
recall_free(struct recall *r)
{
	arena_free(&r->arena);
	*r = (struct recall){ 0 };
}
