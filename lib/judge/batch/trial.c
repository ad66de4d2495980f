#include "judge/batch/trial.h"

#include "base/diag.h"
#include "judge/provider/batch_api.h"

enum { TRIES_MAX = 3 }; /* a text of one request may be refused, too */

struct tried {
	struct batch_folder *folder;
	struct batch_client *client;
	struct batch_job *job;
	const struct batch_api *batch_api;
	struct arena arena;
	struct str why; /* of the last refusal */
	/* The first refusal of a form: the name of its request, and the reply;
	 * absent: none. */
	struct str name, reply;
	int status;
	bool hopeless; /* no other request will be accepted */
};

/* Writes the refusal as the only result of the job. All of its requests are
 * then written again. */
static enum trial
note_form(struct tried *t)
{
	struct batch_job *job = t->job;
	struct json_reader reader = { 0 };
	struct json_error error;
	struct out o;

	out_open(&o, batch_folder_path(t->folder, job, "errors"), false);
	out_begin(&o, '{');
	out_member_str(&o, t->batch_api->name, t->name);
	t->batch_api->put_refusal(
	    &o, t->status, json_read(&reader, t->reply, NULL, &error));
	json_reader_free(&reader);
	out_line(&o);
	if (!out_close(&o))
		return TRIAL_REFUSED;
	job->batch = job->status = STR("refused");
	job->over = true;
	if (!batch_folder_note(t->folder, job))
		return TRIAL_REFUSED;
	diag_error((struct place){ .file = job->requests },
	    "cannot be sent: %.*s; write the requests again", STR_FMT(t->why));
	return TRIAL_FORM;
}

/* Returns whether the server refuses the key, the model or what is in the
 * request. A server that is busy, or that has only batches at this address,
 * refuses something else. */
static bool
is_refusal(const struct answer *answer, const struct batch_client_end *end)
{
	switch (end->status) {
	case 400:
	case 422:
		return answer->kind != ANSWER_RETRY;
	case 401:
	case 402:
	case 403:
		return true;
	case 404:
		return str_contains(answer->text, "model") &&
		    !str_contains(answer->text, "path");
	default:
		return false;
	}
}

/* Sends one line of the file. */
static enum trial
try_line(struct tried *t, struct str line)
{
	struct endpoint endpoint = *t->folder->endpoint;
	struct json_reader reader = { 0 };
	struct json_error error;
	struct answer answer = { 0 };
	struct exchange x = { .arena = &t->arena };
	struct batch_client_end end;
	enum trial trial = TRIAL_REFUSED;
	size_t ends; /* a comma may follow */
	const struct json *request = json_read(&reader, line, &ends, &error);
	const struct json *body = json_get(request, str_of(t->batch_api->body));

	if (body == NULL) {
		json_reader_free(&reader);
		return TRIAL_WELL;
	}
	endpoint.provider->post(&endpoint, &x, body->text);
	x.sent = 0;
	end = batch_client_run(t->client, &x);
	endpoint.provider->read(&endpoint, &x, &answer);
	t->why = answer.text;
	t->hopeless = answer.kind == ANSWER_NEVER;
	if (!is_refusal(&answer, &end))
		trial = TRIAL_WELL;
	else if (answer.kind == ANSWER_REWRITE && end.reply != NULL &&
	    t->name.s == NULL) {
		t->name = str_dup(&t->arena,
		    json_text(json_get(request, str_of(t->batch_api->name)),
			&t->arena));
		t->reply = str_dup(&t->arena, end.reply->text);
		t->status = end.status;
	}
	json_reader_free(&reader);
	return trial;
}

enum trial
batch_trial(struct batch_folder *folder, struct batch_client *client,
    struct batch_job *job)
{
	struct tried t = { .folder = folder,
		.client = client,
		.job = job,
		.batch_api = folder->endpoint->provider->batch_api };
	struct str line, open = str_of(t.batch_api->open);
	char *files[] = { job->requests, NULL };
	enum trial trial = TRIAL_REFUSED;
	size_t tries = 0;
	struct in in;

	in_open(&in, files);
	while (trial == TRIAL_REFUSED && tries < TRIES_MAX && !t.hopeless &&
	    in_line(&in, &line)) {
		if (!str_starts(line, open))
			continue;
		tries++;
		trial = try_line(&t, line);
	}
	in_close(&in);
	if (trial == TRIAL_REFUSED && t.name.s != NULL)
		trial = note_form(&t);
	else if (trial == TRIAL_REFUSED && tries != 0)
		diag_error((struct place){ .file = job->requests },
		    "cannot be sent: %.*s", STR_FMT(t.why));
	arena_free(&t.arena);
	return tries == 0 ? TRIAL_WELL : trial;
}
