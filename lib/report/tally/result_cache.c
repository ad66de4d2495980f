#include "report/tally/result_cache.h"

#include <string.h>

#include "base/hash.h"

struct result_cache_place {
	struct str source;
	struct result_check check;
	size_t last_run; /* that used the entry */
	char *room;      /* memory of all its texts */
	size_t size;
	/* the entry that was found or added after this one */
	struct result_cache_place *next;
};

void
result_cache_begin(struct result_cache *r)
{
	if (r->places == NULL)
		r->places = arena_new_n(&r->arena, struct result_cache_place *,
		    RESULT_CACHE_PLACES);
	r->run++;
}

/* Returns the two places where the text may be. */
static struct result_cache_place **
places_of(const struct result_cache *r, struct str source)
{
	return &r->places[hash_quick(source) & (RESULT_CACHE_PLACES - 2)];
}

static bool
is_of(const struct result_cache_place *p, struct str source)
{
	return p != NULL && p->source.n == source.n &&
	    memcmp(p->source.s, source.s, source.n) == 0;
}

static struct result_cache_place *
find(const struct result_cache *r, struct str source)
{
	struct result_cache_place **places = places_of(r, source);

	if (is_of(places[0], source))
		return places[0];
	return is_of(places[1], source) ? places[1] : NULL;
}

/* Returns the place for a new text: a free place, or the one that has not been
 * used for more runs. */
static struct result_cache_place **
place_for(const struct result_cache *r, struct str source)
{
	struct result_cache_place **places = places_of(r, source);

	if (places[0] == NULL)
		return &places[0];
	if (places[1] == NULL || places[1]->last_run < places[0]->last_run)
		return &places[1];
	return &places[0];
}

/* Makes p the last entry, and the successor of the entry before. */
static void
go_on(struct result_cache *r, struct result_cache_place *p)
{
	if (r->last != NULL)
		r->last->next = p;
	r->last = p;
	p->last_run = r->run;
}

const struct result_check *
result_cache_get(struct result_cache *r, struct str source)
{
	struct result_cache_place *p = r->last == NULL ? NULL : r->last->next;

	if (source.n > RESULT_CACHE_SOURCE_MAX)
		return NULL;
	if (!is_of(p, source))
		p = find(r, source);
	if (p == NULL)
		return NULL;
	go_on(r, p);
	if (p->check.names == 0)
		p->check.names = result_check_names(&p->check, &r->arena);
	return &p->check;
}

/* Makes room in the entry for `size` bytes. Returns false if the cache may not
 * grow. */
static bool
make_room(struct result_cache *r, struct result_cache_place *p, size_t size)
{
	if (size <= p->size)
		return true;
	if (size > RESULT_CACHE_ROOM - r->used)
		return false;
	p->room = arena_room(&r->arena, size);
	p->size = size;
	r->used += size;
	return true;
}

/* Returns whether the text needs no room of its own. */
static bool
is_within(struct str text, struct str source)
{
	return text.s == NULL ||
	    (text.s >= source.s && text.s + text.n <= source.s + source.n);
}

/* Moves a text that lies in the source to where the source was moved, and any
 * other text to *room, which is advanced. */
static void
move(struct str *text, struct str source, const char *moved, char **room)
{
	if (text->s == NULL)
		return;
	if (is_within(*text, source)) {
		text->s = moved + (text->s - source.s);
		return;
	}
	text->s = memcpy(*room, text->s, text->n);
	*room += text->n;
}

void
result_cache_keep(
    struct result_cache *r, struct str source, const struct result_check *c)
{
	struct result_check check = *c;
	struct str *const texts[] = { &check.type, &check.label, &check.dialect,
		&check.scenario, &check.at, &check.reason, &check.got };
	enum { TEXTS = sizeof texts / sizeof texts[0] };
	struct result_cache_place **place = place_for(r, source);
	size_t size = source.n;
	char *room;

	if (source.n > RESULT_CACHE_SOURCE_MAX ||
	    (*place != NULL && (*place)->last_run == r->run))
		return;
	if (*place == NULL)
		*place = arena_new(&r->arena, struct result_cache_place);
	for (size_t i = 0; i < TEXTS; i++)
		if (!is_within(*texts[i], source))
			size += texts[i]->n;
	if (!make_room(r, *place, size))
		return;
	room = (*place)->room;
	memcpy(room, source.s, source.n);
	room += source.n;
	for (size_t i = 0; i < TEXTS; i++)
		move(texts[i], source, (*place)->room, &room);
	(*place)->source = (struct str){ (*place)->room, source.n };
	(*place)->check = check;
	go_on(r, *place);
}

void
result_cache_free(struct result_cache *r)
{
	arena_free(&r->arena);
	*r = (struct result_cache){ 0 };
}
