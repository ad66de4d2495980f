#include "trace/usage.h"

#include <math.h>

static const double most = 1e15;

const struct str usage_names[USAGE_COUNT] = {
	[USAGE_INPUT] = STR_CONST("input_tokens"),
	[USAGE_OUTPUT] = STR_CONST("output_tokens"),
	[USAGE_CACHE_READ] = STR_CONST("cache_read_tokens"),
	[USAGE_CACHE_WRITE] = STR_CONST("cache_write_tokens"),
	[USAGE_REASONING] = STR_CONST("reasoning_tokens"),
	[USAGE_COST] = STR_CONST("cost_usd"),
	[USAGE_LLM_CALLS] = STR_CONST("llm_calls"),
	[USAGE_CACHE_WRITE_1H] = STR_CONST("cache_write_1h_tokens"),
};

void
usage_set(struct usage *u, enum usage_kind kind, double n)
{
	u->n[kind] = n;
	u->known |= 1U << kind;
}

bool
usage_is_count(double n)
{
	return n >= 0 && n <= most; /* false for NaN */
}

void
usage_read(struct usage *u, enum usage_kind kind, const struct json *v)
{
	double n = json_double(v);

	if (usage_is_count(n))
		usage_set(u, kind, n);
}

void
usage_read_named(struct usage *u, const struct json *counts,
    const char *const words[USAGE_COUNT])
{
	for (int kind = 0; kind < USAGE_COUNT; kind++)
		if (words[kind] != NULL)
			usage_read(u, (enum usage_kind)kind,
			    json_get(counts, str_of(words[kind])));
}

void
usage_input_with_cache(struct usage *u, const struct json *input)
{
	usage_read(u, USAGE_INPUT, input);
	if (usage_is_count(json_double(input)))
		u->n[USAGE_INPUT] = fmax(0,
		    u->n[USAGE_INPUT] - u->n[USAGE_CACHE_READ] -
			u->n[USAGE_CACHE_WRITE]);
}

void
usage_read_writes(
    struct usage *u, const struct json *five_minutes, const struct json *hour)
{
	struct usage of = { 0 };

	usage_read(&of, USAGE_CACHE_WRITE, five_minutes);
	usage_read(u, USAGE_CACHE_WRITE_1H, hour);
	of.n[USAGE_CACHE_WRITE] += u->n[USAGE_CACHE_WRITE_1H];
	if (of.n[USAGE_CACHE_WRITE] > u->n[USAGE_CACHE_WRITE])
		usage_set(u, USAGE_CACHE_WRITE, of.n[USAGE_CACHE_WRITE]);
}

/*
 * Adds two numbers. Counts are integers, and their sums exact. Money is added
 * in trillionths of a dollar, of which a double holds nine thousand dollars
 * exactly, so that 0.1 and 0.2 are 0.3.
 */
static __attribute__((noinline)) double
sum(int kind, double a, double b)
{
	return kind == USAGE_COST ? (round(a * 1e12) + round(b * 1e12)) / 1e12
				  : a + b;
}

void
usage_add(struct usage *u, const struct usage *more)
{
	const unsigned cost = 1U << USAGE_COST;

	for (unsigned rest = more->known & ~cost; rest != 0; rest &= rest - 1)
		u->n[__builtin_ctz(rest)] += more->n[__builtin_ctz(rest)];
	if (more->known & cost)
		u->n[USAGE_COST] =
		    sum(USAGE_COST, u->n[USAGE_COST], more->n[USAGE_COST]);
	u->known |= more->known;
	u->estimated |= more->estimated;
}

void
usage_max(struct usage *u, const struct usage *other)
{
	for (int i = 0; i < USAGE_COUNT; i++)
		if (other->known & 1U << i &&
		    (!(u->known & 1U << i) || other->n[i] > u->n[i]))
			usage_set(u, (enum usage_kind)i, other->n[i]);
}

struct usage
usage_since(const struct usage *now, const struct usage *before)
{
	struct usage since = { .known = now->known };
	bool anew = false;

	for (int i = 0; i < USAGE_COUNT; i++)
		anew |= (now->known & before->known & 1U << i) != 0 &&
		    now->n[i] < before->n[i];
	for (int i = 0; i < USAGE_COUNT; i++)
		since.n[i] =
		    anew ? now->n[i] : sum(i, now->n[i], -before->n[i]);
	return since;
}

void
usage_forget(struct usage *u, const struct usage *other)
{
	u->known &= ~other->known;
	for (int i = 0; i < USAGE_COUNT; i++)
		if (other->known & 1U << i)
			u->n[i] = 0;
}

bool
usage_any(const struct usage *u)
{
	for (int i = 0; i < USAGE_COUNT; i++)
		if (u->known & 1U << i && u->n[i] > 0)
			return true;
	return false;
}

bool
usage_has_tokens(const struct usage *u)
{
	return u->known &
	    (1U << USAGE_INPUT | 1U << USAGE_OUTPUT | 1U << USAGE_CACHE_READ |
		1U << USAGE_CACHE_WRITE);
}

/* Writes one count, if it is known. Most are integers, which are faster to
 * write. */
static void
put_count(struct out *o, const struct usage *u, enum usage_kind kind)
{
	double n = u->n[kind];
	struct str name = usage_names[kind];

	if (!(u->known & 1U << kind))
		return;
	if (n >= 0 && n < 1e15 && n == (double)(int64_t)n) {
		out_member_number(o, name, (int64_t)n);
		return;
	}
	out_plain_key(o, name);
	out_json_double(o, n);
}

void
usage_write_members(struct out *o, const struct usage *u)
{
	static const enum usage_kind order[USAGE_COUNT] = { USAGE_INPUT,
		USAGE_OUTPUT, USAGE_CACHE_READ, USAGE_CACHE_WRITE,
		USAGE_CACHE_WRITE_1H, USAGE_REASONING, USAGE_COST,
		USAGE_LLM_CALLS };

	for (int i = 0; i < USAGE_COUNT; i++)
		put_count(o, u, order[i]);
	if (u->estimated && u->known & 1U << USAGE_COST)
		out_member_bool(o, "cost_estimated", true);
}

void
usage_write(struct out *o, const struct usage *u)
{
	out_begin(o, '{');
	usage_write_members(o, u);
	out_end(o, '}');
}

struct usage
usage_of(const struct json *object)
{
	struct usage u = { 0 };

	for (int i = 0; i < USAGE_COUNT; i++)
		usage_read(
		    &u, (enum usage_kind)i, json_get(object, usage_names[i]));
	u.estimated = json_is(json_get(object, "cost_estimated"), JSON_TRUE);
	return u;
}

void
usage_amounts(const struct json *usage, double amounts[USAGE_COUNT])
{
	const struct json *found[USAGE_COUNT],
	    *repeated = json_get(usage, "repeated");
	double more[USAGE_COUNT];

	json_pick(usage, usage_names, USAGE_COUNT, found);
	if (repeated != NULL)
		usage_amounts(repeated, more);
	for (int i = 0; i < USAGE_COUNT; i++)
		amounts[i] =
		    json_double(found[i]) + (repeated == NULL ? 0 : more[i]);
}
