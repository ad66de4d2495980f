/* The detection of formats, and what each format requires of records. */
#include "extract/format/format.h"

#include "tests/unit/unit.h"

static struct arena arena;
static struct json_reader reader;

static const struct json *
v(const char *source)
{
	struct json_error error;
	const struct json *value =
	    json_read(&reader, str_of(source), NULL, &error);

	CHECK(value != NULL);
	return json_keep(&arena, value);
}

/* Lines and the name of the format, or "" if no format is likely. Sure: the number of
 * records after which the format was certain, or 0. */
static void
guess(const char *lines, const char *want, size_t sure)
{
	struct format_index index = format_index_of(&arena, log_format_table);
	struct log_format_guess g = { .index = &index };
	const struct log_format *format = NULL;
	struct str rest = str_of(lines);
	size_t n = 0;

	while (format == NULL && rest.s != NULL) {
		format = log_format_guess(
		    &g, v(str_c(&arena, str_cut(&rest, '\n'))));
		n++;
	}
	CHECK((format == NULL ? 0 : n) == sure);
	if (format == NULL)
		format = log_format_likeliest(&g);
	CHECK_STR(str_of(format == NULL ? "" : format->name), want);
}

static void
guesses(void)
{
	guess("{\"type\":\"trace_meta\",\"trace_version\":3}", "mcplab", 1);
	guess(
	    "{\"type\":\"run_started\",\"run_id\":\"r\"}", "mcplab-events", 1);
	guess("{\"metadata\":{\"run_id\":\"r\"},\"scenarios\":[]}",
	    "mcplab-results", 1);
	guess("[{\"role\":\"user\",\"content\":\"Hi\"}]", "openai-chat", 1);
	guess("{\"trace\":[{\"role\":\"user\"}]}", "openai-chat", 1);
	guess("[{\"trace\":[{\"role\":\"user\"}]}]", "", 0);
	guess("{\"choices\":[{\"message\":{}}]}", "openai-chat", 1);

	/* Asides are a hint, and enough of them are no doubt. */
	guess("{\"type\":\"summary\",\"leafUuid\":\"x\"}", "claude-code", 0);
	guess("{\"type\":\"summary\"}\n{\"a\":1}\n{\"uuid\":\"u\","
	      "\"sessionId\":\"s\",\"message\":{\"content\":[]}}",
	    "claude-code", 3);
	guess("{\"type\":\"mode\"}\n{\"type\":\"mode\"}\n{\"type\":\"mode\"}\n"
	      "{\"type\":\"mode\"}\n{\"type\":\"mode\"}",
	    "claude-code", 5);

	/* Others of the same family. */
	guess("{\"uuid\":\"u\",\"sessionId\":\"s\",\"message\":{\"parts\":[]}}",
	    "qwen", 1);
	guess("{\"messages\":[{\"role\":\"assistant\",\"content\":["
	      "{\"type\":\"tool_use\"}]}]}",
	    "anthropic", 1);
	guess("{\"object\":\"chat.completion.chunk\","
	      "\"choices\":[{\"delta\":{}}]}",
	    "openai-stream", 1);
	guess("{\"role\":\"user\",\"content\":\"Hi\"}\n"
	      "{\"role\":\"assistant\",\"content\":\"Hello\"}",
	    "openai-chat", 2);
	guess("{\"type\":\"system\",\"subtype\":\"hook_started\","
	      "\"session_id\":\"s\"}\n{\"type\":\"system\","
	      "\"subtype\":\"init\",\"session_id\":\"s\",\"tools\":[]}",
	    "claude-stream", 2);
	guess("{\"type\":\"turn.started\"}\n{\"type\":\"item.started\","
	      "\"item\":{\"type\":\"reasoning\"}}",
	    "codex-exec", 2);
	guess("{\"dir\":\"c2s\",\"msg\":{\"jsonrpc\":\"2.0\"}}", "mcp-wire", 1);
	guess("[]\n{}\n1\n\"x\"\nnull", "", 0);
}

static void
finds(void)
{
	const struct json *r = v("{\"a\":{\"b\":null,\"c\":1},\"d\":2}");

	CHECK_STR(field_find(r, "a.b a.x a.c d")->text, "1");
	CHECK_STR(field_find(r, "d")->text, "2");
	CHECK(field_find(r, "a.b x") == NULL);
	CHECK(field_find(NULL, "a") == NULL);
}

static void
sources(void)
{
	struct builder b = { 0 };
	struct log log = { .builder = &b, .at = { .file = "f", .line = 7 } };
	const struct json *list = v("[\n 1,\n\n 2,\n 3]");

	log.counted = list->text.s;
	log.line = log.at.line;
	log_source(&log, json_at(list, 0));
	CHECK(b.line == 8);
	log_source(&log, json_at(list, 1));
	CHECK(b.line == 10);
	log_source(&log, json_at(list, 2));
	CHECK(b.line == 11);
}

int
main(void)
{
	guesses();
	finds();
	sources();
	for (const struct log_format *const *f = log_format_table; *f != NULL;
	     f++) {
		CHECK(log_format_named((*f)->name) == *f);
		CHECK((*f)->rows != NULL);
	}
	CHECK(log_format_named("mcp") == NULL);
	json_reader_free(&reader);
	arena_free(&arena);
	return unit_status();
}
