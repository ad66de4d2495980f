#include "cmd/judge_setup.h"

#include <errno.h>

#include "base/diag.h"
#include "judge/question/cache.h"

/* Redacts the key and the values of a user's headers, which may be sent as
 * headers only. */
static void
guard_secrets(struct judge_options *o)
{
	struct redact **rules = &o->record_queue.way.redact;
	struct str secret;

	for (size_t i = 0;
	     (secret = endpoint_secret(&o->scheduler.endpoint, i)).n != 0;
	     i++) {
		if (*rules == NULL)
			*rules = redact_new(&o->arena);
		redact_add_text(*rules, "key", secret);
	}
}

/* Returns the option that asks for batches, or NULL. More than one such option
 * is wrong usage. */
static const char *
batch_option(const struct judge_options *o)
{
	const struct {
		const char *name;
		bool given;
	} options[] = {
		{ "--batch-write", o->batch_api.write != NULL },
		{ "--batch-send", o->batch_api.send != NULL },
		{ "--batch-poll", o->batch_api.poll != NULL },
		{ "--batch-read", o->batch_api.n_read != 0 },
	};
	const char *found = NULL;

	for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
		if (!options[i].given)
			continue;
		if (found != NULL)
			cli_usage(
			    &o->cli, "%s: not with %s", options[i].name, found);
		found = options[i].name;
	}
	return found;
}

/* Refuses options that make no sense with batches: batches have no rate limit,
 * and their cost is known only at the end. */
static void
settle_bulk(struct judge_options *o)
{
	const struct scheduler *a = &o->scheduler;
	const char *name = batch_option(o);
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "--dry-run", a->dry_run },
		{ "--cache-only", a->cache_only },
		{ "--rpm", a->rate_limit.requests != 0 },
		{ "--tpm", a->rate_limit.tokens != 0 },
		{ "--max-requests", a->budget.requests != 0 },
		{ "--max-cost", a->budget.usd != 0 },
		{ "--calibrate",
		    o->labels != NULL && o->batch_api.n_read == 0 },
	};

	if (o->batch_api.size != 0 && o->batch_api.write == NULL)
		cli_usage(&o->cli, "--batch-size: goes with --batch-write");
	if (o->batch_api.interval != 0 && o->batch_api.poll == NULL)
		cli_usage(&o->cli, "--interval: goes with --batch-poll");
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (name != NULL && others[i].given)
			cli_usage(
			    &o->cli, "%s: not with %s", name, others[i].name);
	if (name != NULL && a->endpoint.provider == NULL)
		cli_usage(&o->cli, "%s: whose batches? Give --model", name);
	if (name != NULL && a->endpoint.provider->batch_api == NULL)
		cli_usage(&o->cli, "%s: %s has no batches", name,
		    a->endpoint.provider->name);
}

/* Opens the cache. To a command that only counts, a folder that does not exist
 * yet is an empty cache. */
static void
open_cache(const struct scheduler *a, bool only_read)
{
	if (!cache_open(a->cache, only_read) &&
	    !(a->dry_run && errno == ENOENT))
		diag_die("--cache: %s:", a->cache);
}

void
judge_settle(struct judge_options *o)
{
	struct scheduler *a = &o->scheduler;
	struct str wrong = { 0 };

	if (a->cache == NULL && (a->cache_only || a->refresh))
		cli_usage(&o->cli, "--%s: which cache? Give --cache DIR",
		    a->cache_only ? "cache-only" : "refresh");
	if (a->cache_only && a->refresh)
		cli_usage(&o->cli, "--refresh: not with --cache-only");
	if (o->json && o->labels == NULL)
		cli_usage(&o->cli, "--json: goes with --calibrate");
	if (o->labels != NULL && a->dry_run)
		cli_usage(&o->cli, "--calibrate: not with --dry-run");
	o->endpoint.dry = a->dry_run;
	o->endpoint.unasked = a->dry_run || a->cache_only;
	if (!endpoint_find(&a->endpoint, &o->arena, &o->endpoint, &wrong))
		cli_usage(&o->cli, "%.*s", STR_FMT(wrong));
	guard_secrets(o);
	if (a->cache_only && a->endpoint.provider == NULL)
		cli_usage(&o->cli, "--cache-only: whose answers? Give --model");
	settle_bulk(o);
	if (a->cache != NULL && a->endpoint.provider != NULL)
		open_cache(a, o->endpoint.unasked);
}
