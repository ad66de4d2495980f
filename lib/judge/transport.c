#include "judge/transport.h"

#include <math.h>
#include <poll.h>

/* The longest wait in seconds for one carrier while another one has exchanges
 * under way, too. */
static const double glance = 0.005;

struct transport {
	const struct carrier *carrier;
	void *self;
	size_t n_asked; /* exchanges that are under way */
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
	t->carrier->start(t->self, x);
}

struct exchange *
transport_next(struct transport *list, double seconds, int fd)
{
	struct pollfd one = { fd, POLLIN, 0 };
	struct exchange *x = NULL;
	size_t all = 0;

	for (struct transport *t = list; t != NULL; t = t->next)
		all += t->n_asked;
	if (all == 0)
		poll(&one, 1, (int)ceil(seconds * 1000));
	for (struct transport *t = list; x == NULL && t != NULL; t = t->next) {
		if (t->n_asked == 0)
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
