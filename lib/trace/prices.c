#include "trace/prices.h"

#include "base/suggest.h"
#include "trace/trace.h"
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

const struct price *
prices_of(const struct prices *all, struct str model, struct str provider)
{
	const struct price *p, *with_provider = NULL;

	for (p = all->first; p != NULL; p = p->next) {
		if (str_eq(p->model, model))
			return p;
		if (provider.n != 0 && p->model.n == provider.n + 1 + model.n &&
		    str_starts(p->model, provider) &&
		    p->model.s[provider.n] == '/' && str_ends(p->model, model))
			with_provider = p;
	}
	return with_provider;
}

void
prices_warn_lacking(struct prices *all, struct str model)
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
price_cost(const struct price *p, const struct usage *u, bool in_batch)
{
	double usd = 0;

	if (!(u->known & 1U << USAGE_INPUT) || !(u->known & 1U << USAGE_OUTPUT))
		return -1;
	for (size_t i = 0; i < MEMBERS; i++)
		if (u->known & 1U << members[i].kind)
			usd += u->n[members[i].kind] * p->usd[i];
	return usd / million * (in_batch ? p->batch : 1);
}

bool
prices_add(
    struct prices *all, struct usage *u, struct str model, struct str provider)
{
	const unsigned tokens = 1U << USAGE_INPUT | 1U << USAGE_OUTPUT |
	    1U << USAGE_CACHE_READ | 1U << USAGE_CACHE_WRITE;
	const struct price *p;
	double usd;

	if (!(u->known & tokens) || u->known & 1U << USAGE_COST)
		return true;
	if (model.n == 0)
		return false;
	p = prices_of(all, model, provider);
	if (p == NULL) {
		prices_warn_lacking(all, model);
		return false;
	}
	usd = price_cost(p, u, false);
	if (usd < 0)
		return false;
	usage_set(u, USAGE_COST, usd);
	u->estimated = true;
	return true;
}

const struct json *
prices_add_to_trace(struct prices *all, struct json_reader *reader,
    const struct json *record, struct arena *a)
{
	static const char *const drop[] = { "usage", NULL };
	struct usage u = usage_of(json_get(record, "usage"));
	struct json_error error;
	const struct json *priced;
	struct str text;
	struct out o;

	if (json_path(record, "meta.models") != NULL ||
	    !prices_add(all, &u, json_text(json_get(record, "model"), a),
		json_text(json_get(record, "provider"), a)) ||
	    !u.estimated || json_path(record, "usage.cost_usd") != NULL)
		return record;
	out_open_memory(&o);
	out_begin(&o, '{');
	out_key(&o, "usage");
	usage_write(&o, &u);
	out_end(&o, '}');
	text = out_keep(&o, a);
	out_open_memory(&o);
	trace_splice(&o, record, drop, str_slice(text, 1, text.n - 1));
	priced = json_read(reader, out_keep(&o, a), NULL, &error);
	return priced == NULL ? record : priced;
}
