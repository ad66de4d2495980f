#include "check/kind/order.h"

size_t
order_within(const struct order *o)
{
	size_t next = 0;

	for (size_t i = 0; i < o->made && next < o->wanted; i++)
		switch (o->fit(o->arg, next, i)) {
		case ORDER_OTHER:
			break;
		case ORDER_FITS:
			next++;
			break;
		case ORDER_BREAKS:
			return next;
		}
	return next;
}

size_t
order_exactly(const struct order *o)
{
	size_t n = 0;

	while (
	    n < o->wanted && n < o->made && o->fit(o->arg, n, n) == ORDER_FITS)
		n++;
	return n;
}

struct named {
	struct trace_calls calls;
	struct str_list tools;
};

static enum order_fit
fit_name(void *arg, size_t wanted, size_t made)
{
	const struct named *n = arg;

	return trace_call_is(&n->calls.list[made], n->tools.list[wanted])
	    ? ORDER_FITS
	    : ORDER_OTHER;
}

size_t
order_calls(struct trace_calls calls, struct str_list tools, bool exactly)
{
	struct named n = { calls, tools };
	struct order o = { tools.n, calls.n, fit_name, &n };

	return exactly ? order_exactly(&o) : order_within(&o);
}

size_t
order_each(const struct order *o, struct arena *a)
{
	bool *taken = arena_new_n(a, bool, o->made + 1);

	for (size_t i = 0; i < o->wanted; i++) {
		size_t k = 0;

		while (k < o->made &&
		    (taken[k] || o->fit(o->arg, i, k) != ORDER_FITS))
			k++;
		if (k == o->made)
			return i;
		taken[k] = true;
	}
	return o->wanted;
}

size_t
order_among(const struct order *o)
{
	for (size_t k = 0; k < o->made; k++) {
		size_t i = 0;

		while (i < o->wanted && o->fit(o->arg, i, k) != ORDER_FITS)
			i++;
		if (i == o->wanted)
			return k;
	}
	return o->made;
}
