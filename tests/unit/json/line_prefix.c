/* Lines in which JSON follows other text, and lines without JSON. */
#include "json/line_prefix.h"

#include "tests/unit/unit.h"

/* Returns the part of the line that is taken for JSON, or "". */
static void
rest(const char *line, const char *want)
{
	struct str text = str_of(line);
	size_t n = line_prefix_length(text);

	CHECK_STR(n == 0 ? STR("") : str_from(text, n), want);
}

int
main(void)
{
	rest("data: {\"a\":1}", "{\"a\":1}");
	rest("  data:{}", "{}");
	rest("> {\"jsonrpc\":\"2.0\"}", "{\"jsonrpc\":\"2.0\"}");
	rest("[client -> server] {\"id\":1,\"jsonrpc\":\"2.0\"}",
	    "{\"id\":1,\"jsonrpc\":\"2.0\"}");
	rest("[09:00:00] <- {\"jsonrpc\":\"2.0\"} tail",
	    "{\"jsonrpc\":\"2.0\"} tail");
	rest("2026-03-02T09:00:00.000Z [crm] [info] Message from client: "
	     "{\"jsonrpc\":\"2.0\"} { metadata: undefined }",
	    "{\"jsonrpc\":\"2.0\"} { metadata: undefined }");

	rest("{\"jsonrpc\":\"2.0\"}", "");
	rest("[{\"jsonrpc\":\"2.0\"}]", "");
	rest(" [ 1, {\"jsonrpc\":\"2.0\"}]", "");
	rest("[\"a\"] {\"jsonrpc\":\"2.0\"}", "");
	rest("starting {\"port\":1}", "");
	rest("data: [DONE]", "");
	rest("", "");

	CHECK(line_prefix_is_frame(STR("event: message")));
	CHECK(line_prefix_is_frame(STR(": keep-alive")));
	CHECK(line_prefix_is_frame(STR("data: [DONE]")));
	CHECK(line_prefix_is_frame(
	    STR("2026-03-02T09:00:00.000Z [crm] [info] Server started")));
	CHECK(!line_prefix_is_frame(STR("starting")));
	CHECK(
	    !line_prefix_is_frame(STR("2026-03-02T09:00:00.000Z started it")));
	return unit_status();
}
