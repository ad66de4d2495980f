#include "cmd/judge_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

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

void
judge_lanes_add(struct judge_options *o)
{
	struct scheduler *s = &o->scheduler;
	size_t *panel = &o->record_queue.way.panel;

	refuse_last_url(o);
	o->all.dry = s->dry_run;
	o->all.unasked = s->dry_run || s->cache_only ||
	    o->batch_api.write != NULL || o->batch_api.n_read != 0;
	s->lanes = arena_new_n(&o->arena, struct lane, o->n_judges + 1);
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
}
