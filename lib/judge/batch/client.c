#include "judge/batch/client.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/interrupt.h"
#include "judge/provider/endpoint.h"
#include "judge/provider/error.h"

/* The longest wait in seconds: a signal may come just before a wait begins. */
static const double nap = 0.2;

void
batch_client_open(struct batch_client *client)
{
	client->backoff.dice = (unsigned long long)getpid();
	client->carrier =
	    client->endpoint->provider->carrier->open(&client->arena, 1);
}

static const struct json *
read_reply(struct batch_client *client, struct exchange *x)
{
	struct json_error error;

	x->reply = endpoint_hide_secrets(client->endpoint, x->arena, x->reply);
	return json_read(&client->reader, x->reply, NULL, &error);
}

/* Carries the exchange to its end. Returns false if an interrupt came
 * first. */
static bool
carry(struct batch_client *client, struct exchange *x)
{
	const struct carrier *c = client->endpoint->provider->carrier;

	x->seconds = (double)client->seconds;
	x->status = 0;
	x->reply = STR("");
	x->trouble = (struct str){ 0 };
	x->wait = x->cost = -1;
	x->retry = 0;
	x->unreachable = x->timed_out = false;
	c->start(client->carrier, x);
	while (c->next(client->carrier, nap, -1) == NULL) {
		if (interrupt_came()) {
			c->stop(client->carrier);
			return false;
		}
	}
	return true;
}

struct batch_client_end
batch_client_try(struct batch_client *client, struct exchange *x)
{
	struct batch_client_end end = { .kind = ANSWER_NEVER,
		.why = STR("interrupted") };
	struct recorder_entry entry = { .run = STR("batch") };
	struct provider_error f;

	if (interrupt_came())
		return end;
	recorder_begin(client->recorder, &entry, client->endpoint, x);
	if (!carry(client, x)) {
		recorder_end(
		    client->recorder, &entry, x, "interrupted", end.why);
		return end;
	}
	end.status = x->status;
	end.reply = read_reply(client, x);
	end.kind = ANSWER_TEXT;
	end.why = (struct str){ 0 };
	if (x->status < 200 || x->status >= 300) {
		provider_error_read(&f, x, end.reply, NULL);
		if (x->wait < 0 && f.wait > 0)
			x->wait = f.wait;
		end.kind = provider_error_kind(&f);
		end.why = provider_error_text(&f, x->arena);
	}
	recorder_end(client->recorder, &entry, x,
	    end.kind == ANSWER_TEXT ? "answered" : "failed", end.why);
	return end;
}

bool
batch_client_wait(double seconds)
{
	double until = clock_now() + seconds;

	while (!interrupt_came()) {
		double left = fmin(until - clock_now(), nap);
		struct timespec one = { .tv_nsec = (long)(left * 1e9) };

		if (left <= 0)
			return true;
		nanosleep(&one, NULL);
	}
	return false;
}

bool
batch_client_again(struct batch_client *client, const struct exchange *x,
    const struct batch_client_end *end, unsigned *tries)
{
	double wait = x->wait;

	if (end->kind != ANSWER_RETRY || *tries >= client->retries ||
	    wait > backoff_max)
		return false;
	if (wait < 0)
		wait = backoff_wait(&client->backoff, *tries);
	++*tries;
	return batch_client_wait(wait);
}

struct batch_client_end
batch_client_run(struct batch_client *client, struct exchange *x)
{
	struct batch_client_end end;
	unsigned tries = 0;

	do
		end = batch_client_try(client, x);
	while (batch_client_again(client, x, &end, &tries));
	return end;
}

void
batch_client_close(struct batch_client *client)
{
	client->endpoint->provider->carrier->close(client->carrier);
	json_reader_free(&client->reader);
	arena_free(&client->arena);
}
