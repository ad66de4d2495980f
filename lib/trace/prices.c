#include "trace/prices.h"

#include <math.h>
#include <pthread.h>

#include "base/ascii.h"
#include "base/hash.h"
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
	{ "cache_write_1h", USAGE_CACHE_WRITE_1H, false },
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static const char batch[] = "batch";
/* Members for those who read a file of prices. */
static const char *const remarks[] = { "date", "source" };

extern const unsigned char prices_yaml[];
extern const size_t prices_yaml_size;

struct price {
	struct str model;
	double usd[MEMBERS]; /* US dollars for a million tokens */
	double batch;        /* the factor for requests in a batch */
	struct str line; /* of the embedded list, not read so far; or absent */
	struct price *next;
};

struct prices {
	struct price *first;
	struct arena *arena;
	pthread_mutex_t lock;    /* of `found` */
	struct hash_table found; /* by the names that were looked up: the price,
				  * or `none` */
	struct price none;
	struct str *lacking; /* the models whose price is reported missing */
	size_t n_lacking;
};

/* Returns whether a member that is no price may be there. */
static bool
is_remark(const struct document *doc, const struct json *key, struct arena *a)
{
	struct str name = json_text(key, a);
	struct suggest s = suggest_for(name);

	for (size_t i = 0; i < MEMBERS; i++)
		suggest_try(&s, str_of(members[i].name));
	suggest_try(&s, str_of(batch));
	for (size_t i = 0; i < 2; i++) {
		if (str_is(name, remarks[i]))
			return true;
		suggest_try(&s, str_of(remarks[i]));
	}
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
		return is_remark(doc, key, a);
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
		p->usd[i] = members[i].kind == USAGE_CACHE_WRITE_1H
		    ? 2 * p->usd[0]
		    : p->usd[0];
		if (members[i].needed && good) {
			diag_error(document_place(doc, model),
			    "%.*s: expected a price of %s", STR_FMT(p->model),
			    members[i].name);
			good = false;
		}
	}
	return good;
}

static struct prices *
new_prices(struct arena *a)
{
	struct prices *all = arena_new(a, struct prices);

	all->arena = all->found.arena = a;
	pthread_mutex_init(&all->lock, NULL);
	return all;
}

/* Returns the prices of the document, NULL after messages. */
static struct prices *
prices_of_document(struct arena *a, struct document *doc, const char *path)
{
	struct prices *all;
	bool good = true;

	if (doc == NULL)
		return NULL;
	all = new_prices(a);
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

/* The embedded list has a model on each line, which is read when a run has used the
 * model: most are never asked for. */
struct prices *
prices_embedded(struct arena *a)
{
	struct str text = { (const char *)prices_yaml, prices_yaml_size };
	struct prices *all = new_prices(a);

	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n'), rest = line;
		struct str model = str_cut(&rest, ':');
		struct price *p;

		if (line.n == 0 || *line.s == '#')
			continue;
		p = arena_new(a, struct price);
		*p = (struct price){ .model = model, .line = line };
		p->next = all->first;
		all->first = p;
	}
	return all;
}

/* Reads the price's line. */
static void
read_line(struct prices *all, struct price *p)
{
	static const char name[] = "embedded prices";
	const struct prices *one = prices_of_document(all->arena,
	    document_read_text(all->arena, name, p->line, NULL), name);
	struct price *next = p->next;

	*p = *one->first; /* a list of ours has no mistakes */
	p->next = next;
}

bool
prices_option(struct arena *a, const char *argument, struct prices **all)
{
	*all = NULL;
	if (strcmp(argument, "none") == 0)
		return true;
	*all = strcmp(argument, "embedded") == 0
	    ? prices_embedded(a)
	    : prices_of_document(a, document_read(a, argument, NULL), argument);
	return *all != NULL;
}

/* ---- names ---- */

/* Returns the character as names are compared: letters in any case, and
 * versions with a dot or a hyphen, as claude-opus-4.5. */
static int
plain(char c)
{
	if (c == '.')
		return '-';
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static bool
same_name(struct str a, struct str b)
{
	size_t i = 0;

	while (i < a.n && i < b.n && plain(a.s[i]) == plain(b.s[i]))
		i++;
	return i == a.n && i == b.n;
}

static size_t
digits_at_end(struct str s)
{
	size_t n = 0;

	while (n < s.n && ascii_is_digit((unsigned char)s.s[s.n - n - 1]))
		n++;
	return n;
}

/* Returns the name without a date at its end, as -20251101, -2025-04-14 and
 * @20250929. */
static struct str
without_date(struct str s)
{
	static const size_t lengths[] = { 2, 2, 4 };
	struct str rest = s;
	size_t n = digits_at_end(s);

	if (n == 8 && n < s.n && (s.s[s.n - 9] == '-' || s.s[s.n - 9] == '@'))
		return str_slice(s, 0, s.n - 9);
	for (size_t i = 0; i < 3; i++) {
		n = digits_at_end(rest);
		if (n != lengths[i] || n >= rest.n ||
		    rest.s[rest.n - n - 1] != '-')
			return s;
		rest = str_slice(rest, 0, rest.n - n - 1);
	}
	return rest;
}

/* Returns the name without what follows the name of the model itself: a
 * context as [1m], the version of the host as -v1:0, -001, @default, -latest, a
 * date. */
static struct str
without_suffix(struct str s)
{
	size_t n;

	if (str_ends(s, STR("]")) && str_find_char(s, '[') < s.n)
		s = str_slice(s, 0, str_find_char(s, '['));
	n = digits_at_end(s);
	if (n != 0 && n < s.n && s.s[s.n - n - 1] == ':')
		s = str_slice(s, 0, s.n - n - 1);
	n = digits_at_end(s);
	if (n != 0 && str_ends(str_slice(s, 0, s.n - n), STR("-v")))
		s = str_slice(s, 0, s.n - n - 2);
	if (n == 3 && str_ends(str_slice(s, 0, s.n - n + 2), STR("-00")))
		s = str_slice(s, 0, s.n - n - 1);
	for (size_t i = 0; i < 2; i++) {
		static const char *const words[] = { "-latest", "@default" };

		if (str_ends(s, str_of(words[i])))
			s = str_slice(s, 0, s.n - strlen(words[i]));
	}
	return without_date(s);
}

/* Returns the name without what stands before it: all to the first slash, as
 * anthropic/, or words with a dot, as us. and anthropic.; or an absent text. */
static struct str
without_prefix(struct str s)
{
	size_t slash = str_find_char(s, '/'), n = 0;

	if (slash < s.n)
		return str_from(s, slash + 1);
	while (n < s.n &&
	    (ascii_is_letter((unsigned char)s.s[n]) || s.s[n] == '-'))
		n++;
	return n != 0 && n < s.n && s.s[n] == '.' ? str_from(s, n + 1)
						  : (struct str){ 0 };
}

static struct price *
price_named(const struct prices *all, struct str name)
{
	struct price *p = all->first;

	while (p != NULL && !same_name(p->model, name))
		p = p->next;
	return p;
}

/* Returns the price of the model under its name or that of the provider, a
 * slash and the name; then under names that lack what stands around the name. */
static struct price *
search(const struct prices *all, struct str model, struct str provider)
{
	struct arena a = { 0 };
	struct price *p = NULL;

	for (; model.s != NULL && p == NULL; model = without_prefix(model)) {
		struct str names[] = { model, without_suffix(model) };

		for (size_t i = 0; i < 2 && p == NULL; i++) {
			p = price_named(all, names[i]);
			if (p == NULL && provider.n != 0)
				p = price_named(all,
				    str_printf(&a, "%.*s/%.*s",
					STR_FMT(provider), STR_FMT(names[i])));
		}
	}
	arena_free(&a);
	return p;
}

const struct price *
prices_of(struct prices *all, struct str model, struct str provider)
{
	struct str names[] = { model, provider };
	struct arena a = { 0 };
	struct str key = hash_key(&a, names, 2);
	struct price *found;

	diag_lock(&all->lock);
	found = hash_get(&all->found, key);
	if (found == NULL) {
		found = search(all, model, provider);
		if (found == NULL)
			found = &all->none;
		key = str_dup(all->arena, key);
		*hash_put(&all->found, key) = found;
	}
	if (found->line.s != NULL)
		read_line(all, found);
	diag_unlock(&all->lock);
	arena_free(&a);
	return found == &all->none ? NULL : found;
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
	struct usage v = *u;

	if (!(u->known & 1U << USAGE_INPUT) || !(u->known & 1U << USAGE_OUTPUT))
		return -1;
	v.n[USAGE_CACHE_WRITE_1H] =
	    fmin(v.n[USAGE_CACHE_WRITE_1H], v.n[USAGE_CACHE_WRITE]);
	v.n[USAGE_CACHE_WRITE] -= v.n[USAGE_CACHE_WRITE_1H];
	for (size_t i = 0; i < MEMBERS; i++)
		if (v.known & 1U << members[i].kind)
			usd += v.n[members[i].kind] * p->usd[i];
	return usd / million * (in_batch ? p->batch : 1);
}

/* ---- usage ---- */

/* An estimate of the cost of what a record's run used. */
struct estimate {
	struct prices *all;
	const struct json *record;
	struct arena *arena;
	struct str provider;
	double usd;
	struct str lacking; /* a model without a price */
};

/* Estimates the cost of tokens that one model used. If the cost stays unknown,
 * returns false, and sets e->lacking if the model has no price. */
static bool
estimate(struct estimate *e, const struct usage *u, struct str model)
{
	const struct price *p =
	    model.n == 0 ? NULL : prices_of(e->all, model, e->provider);

	if (p == NULL && model.n != 0)
		e->lacking = model;
	e->usd = p == NULL ? -1 : price_cost(p, u, false);
	return e->usd >= 0;
}

bool
prices_add(
    struct prices *all, struct usage *u, struct str model, struct str provider)
{
	struct estimate e = { .all = all, .provider = provider };

	if (!usage_has_tokens(u) || u->known & 1U << USAGE_COST)
		return true;
	if (!estimate(&e, u, model)) {
		if (e.lacking.n != 0)
			prices_warn_lacking(all, e.lacking);
		return false;
	}
	usage_set(u, USAGE_COST, e.usd);
	u->estimated = true;
	return true;
}

/* Estimates the cost of the record's usage, or of the repeated part of that. */
static bool
estimate_part(struct estimate *e, const struct json *part)
{
	struct arena *a = e->arena;
	const struct json *models = json_get(part, "by_model");
	struct usage sum = { 0 }, u = usage_of(part);

	e->lacking = (struct str){ 0 };
	e->provider = json_text(json_get(e->record, "provider"), a);
	if (!usage_has_tokens(&u) || u.known & 1U << USAGE_COST ||
	    (models == NULL && json_path(e->record, "meta.models") != NULL))
		return false;
	if (models == NULL)
		return estimate(
		    e, &u, json_text(json_get(e->record, "model"), a));
	for (json_members(name, models)) {
		struct usage cost = { 0 };

		u = usage_of(json_value(name));
		if (!usage_has_tokens(&u))
			continue;
		if (!estimate(e, &u, json_text(name, a)))
			return false;
		usage_set(&cost, USAGE_COST, e->usd);
		usage_add(&sum, &cost);
	}
	e->usd = sum.n[USAGE_COST];
	return true;
}

bool
prices_estimate(struct prices *all, const struct json *record, struct arena *a,
    double *usd, struct str *lacking)
{
	struct estimate e = { .all = all, .record = record, .arena = a };
	bool known = estimate_part(&e, json_get(record, "usage"));

	*usd = e.usd;
	*lacking = e.lacking;
	return known;
}

/* Writes the member `name` of the record, the usage or a part of it, with its
 * cost; returns whether any cost was added. */
static bool
put_priced(struct out *o, const char *name, struct estimate *e,
    const struct json *part)
{
	static const char *const drop[] = { "repeated", NULL };
	const struct json *repeated = json_get(part, "repeated");
	struct out more;
	bool added;

	out_open_memory(&more);
	out_begin(&more, '{');
	added = estimate_part(e, part);
	if (added) {
		out_key(&more, "cost_usd");
		out_json_double(&more, e->usd);
		out_member_bool(&more, "cost_estimated", true);
	} else if (e->lacking.n != 0) {
		prices_warn_lacking(e->all, e->lacking);
	}
	if (repeated != NULL)
		added |= put_priced(&more, "repeated", e, repeated);
	out_key(o, name);
	trace_splice(o, part, drop, str_from(out_keep(&more, e->arena), 1));
	return added;
}

const struct json *
prices_add_to_trace(struct prices *all, struct json_reader *reader,
    const struct json *record, struct arena *a)
{
	static const char *const drop[] = { "usage", NULL };
	const struct json *usage = json_get(record, "usage"), *priced;
	struct estimate e = { .all = all, .record = record, .arena = a };
	struct json_error error;
	struct str text;
	struct out o;
	bool added;

	if (usage == NULL)
		return record;
	out_open_memory(&o);
	out_begin(&o, '{');
	added = put_priced(&o, "usage", &e, usage);
	out_end(&o, '}');
	text = out_keep(&o, a);
	if (!added)
		return record;
	out_open_memory(&o);
	trace_splice(&o, record, drop, str_slice(text, 1, text.n - 1));
	priced = json_read(reader, out_keep(&o, a), NULL, &error);
	return priced == NULL ? record : priced;
}
