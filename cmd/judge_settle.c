#include "cmd/judge_settle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "judge/provider/measuring.h"
#include "judge/question/cache.h"

/* ---- the judges ---- */

/* Adds the key and the values of the user's headers to the texts that are
 * redacted: the key and the values are sent only as headers. */
static void
guard_secrets(struct judge_options *o, const struct endpoint *endpoint)
{
	struct redact **rules = &o->record_queue.way.redact;
	struct str secret;

	for (size_t i = 0; (secret = endpoint_secret(endpoint, i)).n != 0;
	     i++) {
		if (*rules == NULL)
			*rules = redact_new(&o->arena);
		redact_add_text(*rules, "key", secret);
	}
}

/* Refuses a server that is named behind the last of several judges, where the
 * user may have meant all of them: no run goes to a server by mistake. */
static void
refuse_last_url(const struct judge_options *o)
{
	size_t n = o->n_judges, without = 0;

	for (size_t i = 0; i < n; i++)
		without += o->judges[i].endpoint.base_url == NULL;
	if (without != 0 && n > 1 && o->all.base_url == NULL &&
	    o->judges[n - 1].endpoint.base_url != NULL)
		cli_usage(&o->cli,
		    "--base-url: behind the last of several judges, of which "
		    "others have none: put it before the first -m for all of "
		    "them, or put that judge first");
}

/* Refuses a command for all judges if each has another: it would not be run. */
static void
refuse_unused(const struct judge_options *o)
{
	size_t own = 0, panel = 0;

	for (size_t i = 0; i < o->n_judges; i++) {
		own += o->judges[i].endpoint.command != NULL;
		panel += !o->judges[i].later;
	}
	if (o->all.command != NULL && panel != 0 && own == o->n_judges)
		cli_usage(&o->cli,
		    "--exec: '%s' is not run, because each -m has another: put "
		    "it behind the -m that names it",
		    o->all.command);
}

/* Refuses a judge that is named twice: the cache has one answer for both. */
static void
refuse_twin(const struct judge_options *o, const struct endpoint *one)
{
	for (const struct lane *lane = o->scheduler.lanes;
	     &lane->endpoint != one; lane++)
		if (lane->endpoint.provider == one->provider &&
		    strcmp(lane->endpoint.to, one->to) == 0 &&
		    str_eq(str_of(lane->endpoint.model), str_of(one->model)))
			cli_usage(&o->cli,
			    "--model: %s of %s is named twice (see --votes)",
			    one->model, one->to);
}

/* Adds a judge with these options, and with the options for all judges. */
static void
add_lane(struct judge_options *o, struct endpoint_options own)
{
	struct scheduler *s = &o->scheduler;
	struct lane *lane = &s->lanes[s->n_lanes];
	const struct endpoint_options *all = &o->all;
	struct str wrong = { 0 };
	bool of_options;

	*lane = o->common;
	own.provider = own.provider == NULL ? all->provider : own.provider;
	own.base_url = own.base_url == NULL ? all->base_url : own.base_url;
	own.key_file = own.key_file == NULL ? all->key_file : own.key_file;
	own.command = own.command == NULL ? all->command : own.command;
	if (own.headers_file == NULL)
		own.headers_file = all->headers_file;
	own.dry = all->dry;
	own.unasked = all->unasked;
	if (!endpoint_find(
		&lane->endpoint, &o->arena, &own, &wrong, &of_options)) {
		if (of_options)
			cli_usage(&o->cli, "%.*s", STR_FMT(wrong));
		diag_die("%.*s", STR_FMT(wrong));
	}
	if (lane->endpoint.provider == NULL)
		return;
	refuse_twin(o, &lane->endpoint);
	guard_secrets(o, &lane->endpoint);
	s->n_lanes++;
}

/* Adds the service for a measure if the options or the environment name it. */
static void
add_measure(struct judge_options *o, enum measure m)
{
	static const struct {
		const char *option, *model, *url, *lacking;
		bool (*make)(struct endpoint *, struct arena *);
	} rows[MEASURES] = {
		[MEASURE_SIMILAR] = { "--embedding-model",
		    "MCPL_EMBEDDING_MODEL", "MCPL_EMBEDDING_URL", "embeddings",
		    measuring_embeddings },
		[MEASURE_MODERATION] = { "--moderation-model",
		    "MCPL_MODERATION_MODEL", "MCPL_MODERATION_URL",
		    "moderation", measuring_moderation },
	};
	struct endpoint_options own = o->measures[m];
	struct scheduler *s = &o->scheduler;
	struct endpoint *endpoint = &s->lanes[s->n_lanes].endpoint;
	struct str wrong = { 0 };
	bool of_options;

	if (own.model == NULL)
		own.model = getenv(rows[m].model);
	if (own.base_url == NULL)
		own.base_url = getenv(rows[m].url);
	if (own.model == NULL || *own.model == '\0')
		return;
	own.measures = true;
	own.unasked = o->all.unasked;
	endpoint->temperature = -1;
	if (!endpoint_find(endpoint, &o->arena, &own, &wrong, &of_options))
		cli_usage(&o->cli, "%s: %.*s", rows[m].option, STR_FMT(wrong));
	if (!rows[m].make(endpoint, &o->arena))
		cli_usage(&o->cli, "%s: %s has no %s here", rows[m].option,
		    endpoint->provider->name, rows[m].lacking);
	guard_secrets(o, endpoint);
	o->record_queue.way.measures[m] = ++s->n_lanes;
}

/* Returns the name of the given --batch-* option, or NULL if there is none.
 * Two such options are a usage error. */
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

/* Finds the judges: first the panel, then the judges of --escalate; then the
 * services of measures, which answer no batch. */
static void
add_lanes(struct judge_options *o)
{
	struct scheduler *s = &o->scheduler;
	size_t *panel = &o->record_queue.way.panel;

	refuse_last_url(o);
	refuse_unused(o);
	o->all.dry = s->dry_run;
	o->all.unasked = s->dry_run || s->cache_only ||
	    o->batch_api.write != NULL || o->batch_api.n_read != 0;
	s->lanes =
	    arena_new_n(&o->arena, struct lane, o->n_judges + 1 + MEASURES);
	for (size_t i = 0; i < o->n_judges; i++)
		if (!o->judges[i].later)
			add_lane(o, o->judges[i].endpoint);
	if (s->n_lanes == 0)
		add_lane(o, (struct endpoint_options){ 0 });
	*panel = s->n_lanes;
	for (size_t i = 0; i < o->n_judges; i++)
		if (o->judges[i].later && *panel == 0)
			cli_usage(&o->cli,
			    "--escalate: no judge is named before it (see "
			    "--model, --exec)");
		else if (o->judges[i].later)
			add_lane(o, o->judges[i].endpoint);
	o->record_queue.way.judges = s->n_lanes;
	for (enum measure m = MEASURE_SIMILAR; m < MEASURES; m++)
		if (batch_option(o) == NULL)
			add_measure(o, m);
}

/* ---- options that depend on each other ---- */

/* Refuses options that cannot be used with batches: a batch has no request
 * rate, and its cost is known only at the end. */
static void
settle_batches(struct judge_options *o)
{
	const struct scheduler *s = &o->scheduler;
	const char *name = batch_option(o);
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "--dry-run", s->dry_run },
		{ "--cache-only", s->cache_only },
		{ "--rpm", o->common.rate_limit.requests != 0 },
		{ "--tpm", o->common.rate_limit.tokens != 0 },
		{ "--max-requests", s->budget.requests != 0 },
		{ "--max-cost", s->budget.usd != 0 },
		{ "--calibrate",
		    o->labels != NULL && o->batch_api.n_read == 0 },
		{ "more than one judge", s->n_lanes > 1 },
	};

	if (o->batch_api.size != 0 && o->batch_api.write == NULL)
		cli_usage(&o->cli, "--batch-size needs --batch-write");
	if (o->batch_api.interval != 0 && o->batch_api.poll == NULL)
		cli_usage(&o->cli, "--interval needs --batch-poll");
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (name != NULL && others[i].given)
			cli_usage(
			    &o->cli, "%s: not with %s", name, others[i].name);
	if (name != NULL && s->n_lanes == 0)
		cli_usage(&o->cli, "%s: no judge is named (see --model)", name);
	if (name != NULL && s->lanes->endpoint.provider->batch_api == NULL)
		cli_usage(&o->cli, "%s: %s has no Batch API", name,
		    s->lanes->endpoint.provider->name);
}

/* Opens the cache. With --dry-run, a folder that does not exist is an empty
 * cache. */
static void
open_cache(const struct scheduler *s, bool only_read)
{
	if (!cache_open(s->cache, only_read) &&
	    !(s->dry_run && errno == ENOENT))
		diag_die("--cache: %s:", s->cache);
}

/* Opens the folder of --log if requests will be sent. */
static void
open_log(struct judge_options *o)
{
	if (o->recorder.dir == NULL || o->all.unasked ||
	    o->scheduler.n_lanes == 0)
		return;
	if (!recorder_open(&o->recorder))
		diag_die("--log: %s:", o->recorder.dir);
	o->scheduler.recorder = &o->recorder;
	o->record_queue.way.recorded = true;
}

void
judge_settle(struct judge_options *o)
{
	struct scheduler *s = &o->scheduler;

	if (o->labelling.sample.wanted != 0)
		return;
	if (o->n_rubrics != 0 && !o->pairwise)
		cli_usage(&o->cli, "--rubric needs --pairwise");
	if (s->cache == NULL && (s->cache_only || s->refresh))
		cli_usage(&o->cli, "--%s needs --cache",
		    s->cache_only ? "cache-only" : "refresh");
	if (s->cache_only && s->refresh)
		cli_usage(&o->cli, "--refresh: not with --cache-only");
	if ((o->json || o->min_kappa > NO_KAPPA || o->width > 0) &&
	    o->labels == NULL)
		cli_usage(&o->cli, "--%s needs --calibrate",
		    o->json            ? "json"
			: o->width > 0 ? "width"
				       : "min-kappa");
	if (o->labels != NULL && s->dry_run)
		cli_usage(&o->cli, "--calibrate: not with --dry-run");
	if (o->width <= 0)
		o->width = 0.1;
	add_lanes(o);
	if (s->cache_only && s->n_lanes == 0)
		cli_usage(&o->cli,
		    "--cache-only: no judge is named (see --model, --exec)");
	settle_batches(o);
	if (s->cache != NULL && s->n_lanes != 0)
		open_cache(s, s->dry_run || s->cache_only);
	open_log(o);
}
