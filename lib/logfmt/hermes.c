/* Sessions of Hermes: OpenAI's messages, with what it keeps of its own. */
#include "../logfmt.h"
#include "../openai_message.h"

static int
score(const struct json *r)
{
	return json_is(json_get(r, STR("messages")), JSON_ARRAY) &&
		json_get(r, STR("session_id")) != NULL &&
		json_get(r, STR("session_start")) != NULL
	    ? LOGFMT_SURE
	    : 0;
}

static void
read_record(struct log *log, const struct json *r)
{
	struct builder *b = log->builder;

	builder_run(b);
	builder_set(b, RUN_ID, json_get(r, STR("session_id")));
	builder_model(b, json_get(r, STR("model")));
	builder_meta(b, "platform", json_get(r, STR("platform")));
	builder_span(b, json_get(r, STR("session_start")),
	    json_get(r, STR("last_updated")));
	for (json_each(m, json_get(r, STR("messages"))))
		openai_message_read(b, m, json_get(m, STR("timestamp")), false);
	builder_done(b);
}

const struct logfmt logfmt_hermes = {
	.name = "hermes",
	.what = "Hermes: files of sessions",
	.score = score,
	.read = read_record,
};
