#include "judge/question/prices.h"

#include "base/suggest.h"
#include "yaml/document.h"

static const double million = 1e6;

static const struct {
	const char *name;
	enum usage_kind kind;
	bool needed;
} members[] = {
	{ "input", USAGE_INPUT, true },
	{ "output", USAGE_OUTPUT, true },
	{ "cache_read", USAGE_CACHE_READ, false },
	{ "cache_write", USAGE_CACHE_WRITE, false },
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static const char batch[] = "batch";

struct price {
	struct str model;
	double usd[MEMBERS]; /* US dollars for a million tokens */
	double batch;        /* the factor for requests in a batch */
	struct price *next;
};

struct prices {
	struct price *first;
	struct arena *arena;
	struct str *lacking; /* the models whose price is reported missing */
	size_t n_lacking;
};

static bool
wrong_key(const struct document *doc, const struct json *key, struct arena *a)
{
	struct str name = json_text(key, a);
	struct suggest s = suggest_for(name);

	for (size_t i = 0; i < MEMBERS; i++)
		suggest_try(&s, str_of(members[i].name));
	suggest_try(&s, str_of(batch));
	diag_error(document_place(doc, key), "unknown key '%.*s'%s",
	    STR_FMT(name), suggest_text(&s, a));
	return false;
}

static bool
read_batch(
    const struct document *doc, const struct json *value, struct price *p)
{
	p->batch = json_double(value);
	if (json_is(value, JSON_NUMBER) && p->batch >= 0 && p->batch <= 1)
		return true;
	diag_error(document_place(doc, value),
	    "%s: expected the share of these prices that a batch costs, from 0 "
	    "to 1, found %.*s",
	    batch, STR_FMT(document_source(doc, value)));
	return false;
}

static bool
read_member(const struct document *doc, const struct json *key, struct price *p,
    struct arena *a)
{
	const struct json *value = json_value(key);
	size_t i = 0;

	while (i < MEMBERS && !json_str_is(key, str_of(members[i].name)))
		i++;
	if (json_str_is(key, str_of(batch)))
		return read_batch(doc, value, p);
	if (i == MEMBERS)
		return wrong_key(doc, key, a);
	p->usd[i] = json_double(value);
	if (json_is(value, JSON_NUMBER) && p->usd[i] >= 0)
		return true;
	diag_error(document_place(doc, value),
	    "%s: expected US dollars for a million tokens, found %.*s",
	    members[i].name, STR_FMT(document_source(doc, value)));
	return false;
}

static bool
read_price(const struct document *doc, const struct json *model,
    struct price *p, struct arena *a)
{
	const struct json *value = json_value(model);
	bool good = json_is(value, JSON_OBJECT);

	p->model = json_text(model, a);
	p->batch = 0.5;
	if (!good)
		diag_error(document_place(doc, value),
		    "%.*s: expected an object of prices, found %s",
		    STR_FMT(p->model), json_type_name(value));
	for (json_members(key, value))
		good &= read_member(doc, key, p, a);
	for (size_t i = 0; i < MEMBERS; i++) {
		if (json_get(value, str_of(members[i].name)) != NULL)
			continue;
		p->usd[i] = p->usd[0];
		if (members[i].needed && good) {
			diag_error(document_place(doc, model),
			    "%.*s: expected a price of %s", STR_FMT(p->model),
			    members[i].name);
			good = false;
		}
	}
	return good;
}

struct prices *
prices_read(struct arena *a, const char *path)
{
	struct document *doc = document_read(a, path, NULL);
	struct prices *all = arena_new(a, struct prices);
	bool good = true;

	if (doc == NULL)
		return NULL;
	all->arena = a;
	document_resolve(doc, TYPES_CORE);
	if (doc->n != 1 || !json_is(doc->roots[0], JSON_OBJECT)) {
		diag_error((struct place){ .file = path },
		    "expected an object with a member for each model");
		return NULL;
	}
	for (json_members(key, doc->roots[0])) {
		struct price *p = arena_new(a, struct price);

		good &= read_price(doc, key, p, a);
		p->next = all->first;
		all->first = p;
	}
	return good ? all : NULL;
}

static const struct price *
price_of(const struct prices *all, struct str model)
{
	const struct price *p = all->first;

	while (p != NULL && !str_eq(p->model, model))
		p = p->next;
	return p;
}

/* Returns the price of the endpoint's model, which may be given for MODEL or
 * PROVIDER/MODEL. */
static const struct price *
price_of_endpoint(const struct prices *all, const struct endpoint *endpoint)
{
	const struct price *p = price_of(all, str_of(endpoint->model));
	struct arena arena = { 0 };

	if (p == NULL)
		p = price_of(all,
		    str_printf(&arena, "%s/%s", endpoint->provider->name,
			endpoint->model == NULL ? "" : endpoint->model));
	arena_free(&arena);
	return p;
}

static void
warn_lacking(struct prices *all, struct str model)
{
	for (size_t i = 0; i < all->n_lacking; i++)
		if (str_eq(all->lacking[i], model))
			return;
	*arena_push(all->arena, all->lacking, all->n_lacking) =
	    str_dup(all->arena, model);
	if (model.n == 0)
		diag_warn((struct place){ 0 },
		    "--prices: no model is named (see --model)");
	else
		diag_warn((struct place){ 0 },
		    "--prices: no price of the model '%.*s' is given",
		    STR_FMT(model));
}

double
prices_estimate(struct prices *all, const struct endpoint *endpoint,
    double input, double output)
{
	const struct price *p;

	if (all == NULL)
		return -1;
	p = price_of_endpoint(all, endpoint);
	if (p == NULL) {
		warn_lacking(all, str_of(endpoint->model));
		return -1;
	}
	return (input * p->usd[0] + output * p->usd[1]) / million;
}

void
prices_charge(struct prices *all, struct answer *answer,
    const struct endpoint *endpoint, double reported, bool in_batch)
{
	struct usage *u = &answer->usage;
	const struct price *p;
	double usd = 0;

	if (reported >= 0 && !(u->known & 1U << USAGE_COST))
		usage_set(u, USAGE_COST, reported);
	if (all == NULL || u->known & 1U << USAGE_COST ||
	    !(u->known & 1U << USAGE_INPUT) || !(u->known & 1U << USAGE_OUTPUT))
		return;
	p = price_of(all, answer->model);
	if (p == NULL)
		p = price_of_endpoint(all, endpoint);
	if (p == NULL) {
		warn_lacking(all, str_of(endpoint->model));
		return;
	}
	for (size_t i = 0; i < MEMBERS; i++)
		usd += u->n[members[i].kind] * p->usd[i];
	usage_set(u, USAGE_COST, usd / million * (in_batch ? p->batch : 1));
}
