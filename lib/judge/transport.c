#include "judge/transport.h"

#include <math.h>

/* The longest wait in seconds for one carrier while another one has exchanges
 * under way, too. */
static const double glance = 0.005;

struct transport {
	const struct carrier *carrier;
	void *self;
	size_t n_asked; /* exchanges that are under way */
	bool begun;     /* an exchange was started */
	struct transport *next;
};

struct transport *
transport_open(struct transport **list, struct arena *a,
    const struct carrier *carrier, size_t most)
{
	struct transport **at = list;

	while (*at != NULL && (*at)->carrier != carrier)
		at = &(*at)->next;
	if (*at == NULL) {
		*at = arena_new(a, struct transport);
		(*at)->carrier = carrier;
		(*at)->self = carrier->open(a, most);
	}
	return *at;
}

void
transport_start(struct transport *t, struct exchange *x)
{
	t->n_asked++;
	t->begun = true;
	t->carrier->start(t->self, x);
}

struct exchange *
transport_next(struct transport *list, double seconds, int fd)
{
	struct exchange *x = NULL;
	size_t all = 0;

	for (struct transport *t = list; t != NULL; t = t->next)
		all += t->n_asked;
	/* A carrier with nothing under way is only waited for if all are so. */
	for (struct transport *t = list; x == NULL && t != NULL; t = t->next) {
		if (t->n_asked == 0 && (all != 0 || !t->begun))
			continue;
		x = t->carrier->next(t->self,
		    t->n_asked == all ? seconds : fmin(seconds, glance), fd);
		t->n_asked -= x != NULL;
	}
	return x;
}

void
transport_stop(struct transport *list)
{
	for (struct transport *t = list; t != NULL; t = t->next) {
		t->carrier->stop(t->self);
		t->n_asked = 0;
	}
}

void
transport_close(struct transport *list)
{
	for (struct transport *t = list; t != NULL; t = t->next)
		t->carrier->close(t->self);
}
