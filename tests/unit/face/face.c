/* The library as a program uses it: a log to records, their verdicts, a call that is not
 * made yet, a report; mistakes reach the caller's function. */
#include "face/mcpl-tools.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static struct str
str_from_text(struct mcplt_text t)
{
	return (struct str){ t.s, t.n };
}

static struct mcplt_text
text(const char *s)
{
	return (struct mcplt_text){ s, strlen(s) };
}

/* The messages of the library, and the records that it gave. */
struct heard {
	size_t errors, warnings, records, most;
	size_t before; /* errors before the last record */
	char last[512];
	char record[4096];
};

static void
hear(void *arg, const struct mcplt_message *m)
{
	struct heard *h = arg;

	h->errors += m->level == MCPLT_ERROR;
	h->warnings += m->level == MCPLT_WARNING;
	snprintf(h->last, sizeof h->last, "%s:%zu:%zu: %s",
	    m->file == NULL ? "" : m->file, m->line, m->column, m->text);
}

static int
take(void *arg, struct mcplt_text record)
{
	struct heard *h = arg;

	h->records++;
	h->before = h->errors;
	snprintf(h->record, sizeof h->record, "%.*s", (int)record.n, record.s);
	return h->records == h->most;
}

static const char log_text[] =
    "{\"messages\":[{\"role\":\"user\",\"content\":\"refund 7\"},"
    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\",\"type\":"
    "\"function\",\"function\":{\"name\":\"refund\",\"arguments\":"
    "\"{\\\"order\\\":7}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c\","
    "\"content\":\"ok\"},{\"role\":\"assistant\",\"content\":\"Done.\"}]}\n"
    "{\"messages\":[{\"role\":\"user\",\"content\":\"hello\"},"
    "{\"role\":\"assistant\",\"content\":\"Hi.\"}]}\n";

static void
test_extract(mcplt *m, struct heard *h)
{
	struct mcplt_extract_options o = {
		.size = sizeof o, .take = take, .arg = h
	};

	CHECK(mcplt_extract_text(m, &o, "a.jsonl", text(log_text)) == MCPLT_OK);
	CHECK(h->records == 2);
	CHECK(strstr(h->record, "\"final_text\":\"Hi.\"") != NULL);
	CHECK(strstr(h->record, "\"file\":\"a.jsonl\"") != NULL);
	h->records = 0;
	h->most = 1;
	o.format = "openai-chat";
	CHECK(mcplt_extract_text(m, &o, "a.jsonl", text(log_text)) ==
	    MCPLT_STOPPED);
	CHECK(h->records == 1);
	o.format = "openai-chatt";
	CHECK(mcplt_extract_text(m, &o, "a.jsonl", text(log_text)) ==
	    MCPLT_MISTAKE);
	CHECK_STR(str_of(h->last), ":0:0: format: unknown: 'openai-chatt'");
	o.format = NULL;
	o.size = 1;
	CHECK(mcplt_extract_text(m, &o, "a.jsonl", text(log_text)) ==
	    MCPLT_MISUSE);
	h->most = h->records = 0;
	o.size = sizeof o;
	CHECK(mcplt_extract_text(m, &o, "a.jsonl", text("{\"a\":")) ==
	    MCPLT_MISTAKE);
	CHECK(h->records == 0 && strstr(h->last, "a.jsonl:1") == h->last);
}

/* A message comes before the records of what follows in the log. */
static void
test_order(mcplt *m, struct heard *h)
{
	static const char torn[] =
	    "{\"messages\":[{\"role\":\"user\",\"content\":\"a\"},{\"role\":"
	    "\"assistant\",\"content\":\"b\"}]}\n{\n";
	const struct mcplt_extract_options o = {
		.size = sizeof o, .take = take, .arg = h
	};
	char log[sizeof torn + sizeof log_text];

	snprintf(log, sizeof log, "%s%s", torn, log_text);
	h->most = h->records = h->errors = h->before = 0;
	CHECK(mcplt_extract_text(m, &o, "a.jsonl", text(log)) == MCPLT_MISTAKE);
	CHECK(h->records == 3 && h->before == 1 && h->errors == 1);
}

static void
test_mistake(mcplt *m, struct heard *h)
{
	static const char record[] = "{\"type\":\"trace\",\"v\":1,\"id\":"
				     "\"r\",\"tool_sequence\":[]}";
	mcplt_spec *s = mcplt_spec_open(m);
	enum mcplt_status status;
	mcplt_check *c;

	CHECK(mcplt_spec_rule(s, text("no refund")) == MCPLT_OK);
	CHECK(mcplt_spec_rule(s, text("no refund(")) == MCPLT_MISTAKE);
	c = mcplt_check_open(s, NULL);
	CHECK(mcplt_check_record(c, text(record), &status, NULL) ==
	    MCPLT_MISTAKE);
	CHECK(status == MCPLT_STATUS_ERROR);
	CHECK(mcplt_check_call(c, text(record), text("other"), text("{}"),
		  &status) == MCPLT_MISTAKE);
	CHECK(status == MCPLT_SKIPPED);
	mcplt_check_close(c);
	CHECK(mcplt_spec_text(s, "e.json", text("{"), NULL) == MCPLT_MISTAKE);
	CHECK(strstr(h->last, "e.json:1:2: ") == h->last);
	CHECK(mcplt_spec_file(s, "/nonexistent", NULL) == MCPLT_MISTAKE);
	CHECK(mcplt_spec_text(s, "e", text("[]"), "no such") == MCPLT_MISTAKE);
	mcplt_spec_close(s);
}

static void
test_call(mcplt_check *c, const char *record)
{
	static const char slim[] = "{\"type\":\"trace\",\"v\":1,\"id\":\"r\","
				   "\"tool_sequence\":[\"refund\"]}";
	static const char cut[] =
	    "{\"type\":\"trace\",\"v\":1,\"id\":\"r\",\"cut\":"
	    "[\"tool_sequence\"],\"turns\":[{\"steps\":[]}]}";
	enum mcplt_status status;
	const struct mcplt_result *r;
	size_t n;

	CHECK(mcplt_check_call(c, text(record), text("refund"),
		  text("{\"order\":8}"), &status) == MCPLT_OK);
	CHECK(status == MCPLT_FAILED);
	r = mcplt_check_results(c, &n);
	CHECK(n == 1 && r[0].status == MCPLT_FAILED);
	CHECK_STR(str_from_text(r[0].at), "--rule");
	CHECK(mcplt_check_call(c, text(record), text("look_up"),
		  text("{\"order\":8}"), &status) == MCPLT_OK);
	CHECK(status == MCPLT_PASSED);
	(void)mcplt_check_results(c, &n);
	CHECK(n == 0);
	CHECK(mcplt_check_call(c, text("[]"), text("look_up"), text("{}"),
		  &status) == MCPLT_MISTAKE);
	CHECK(status == MCPLT_SKIPPED);
	CHECK(mcplt_check_call(c, text(slim), text("refund"), text("{}"),
		  &status) == MCPLT_MISTAKE);
	CHECK(status == MCPLT_SKIPPED);
	CHECK(mcplt_check_call(c, text(cut), text("refund"), text("{}"),
		  &status) == MCPLT_OK);
	CHECK(status == MCPLT_SKIPPED);
}

/* Arguments that are no object are not asked about. */
static void
test_args(mcplt_check *c, const char *record)
{
	static const char *const wrong[] = { "[]", "{", "1", "{}}",
		"{},\"tool\":\"other\"", "{},\"pending\":false" };
	enum mcplt_status status;

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		CHECK(mcplt_check_call(c, text(record), text("refund"),
			  text(wrong[i]), &status) == MCPLT_MISTAKE);
		CHECK(status == MCPLT_SKIPPED);
	}
	CHECK(mcplt_check_call(c, text(record), text("refund"), text(""),
		  &status) == MCPLT_OK);
	CHECK(status == MCPLT_FAILED);
}

static void
test_null(void)
{
	enum mcplt_status status = MCPLT_PASSED, call = MCPLT_PASSED;
	struct mcplt_text got;
	size_t n = 1;
	int gate = 0;

	CHECK(mcplt_spec_rule(NULL, text("no x")) == MCPLT_MISUSE);
	CHECK(mcplt_check_open(NULL, NULL) == NULL);
	CHECK(mcplt_check_record(NULL, text("{}"), &status, &got) ==
	    MCPLT_MISUSE);
	CHECK(mcplt_check_call(NULL, text("{}"), text("x"), text("{}"),
		  &call) == MCPLT_MISUSE);
	CHECK(status == MCPLT_STATUS_ERROR && call == MCPLT_SKIPPED);
	CHECK(mcplt_check_results(NULL, &n) == NULL && n == 0);
	CHECK(mcplt_report_open(NULL, NULL) == NULL);
	CHECK(mcplt_report_add(NULL, text("{}")) == MCPLT_MISUSE);
	CHECK(mcplt_report_end(NULL, &got, &gate) == MCPLT_MISUSE);
	CHECK(gate == 2 && got.n == 0);
}

/* A text without a place is an empty one. */
static void
test_empty(mcplt *m, struct heard *h)
{
	const struct mcplt_text none = { 0 };
	const struct mcplt_extract_options x = {
		.size = sizeof x, .take = take, .arg = h
	};
	mcplt_spec *s = mcplt_spec_open(m);
	mcplt_check *c = mcplt_check_open(s, NULL);
	mcplt_report *r = mcplt_report_open(m, NULL);
	enum mcplt_status status;

	h->records = h->most = 0;
	CHECK(mcplt_extract_text(m, &x, "a", none) == MCPLT_OK);
	CHECK(mcplt_extract_files(m, &x, NULL, 0) == MCPLT_MISUSE);
	CHECK(h->records == 0);
	CHECK(mcplt_check_record(c, none, &status, NULL) == MCPLT_MISTAKE);
	CHECK(status == MCPLT_STATUS_ERROR);
	CHECK(mcplt_check_call(c, none, none, none, &status) == MCPLT_MISTAKE);
	CHECK(status == MCPLT_SKIPPED);
	CHECK(mcplt_report_add(r, none) == MCPLT_MISTAKE);
	CHECK(mcplt_spec_rule(s, none) == MCPLT_MISTAKE);
	(void)mcplt_spec_text(s, "a", none, NULL);
	mcplt_report_close(r);
	mcplt_check_close(c);
	mcplt_spec_close(s);
}

/* A spec whose checks judge no call permits none. */
static void
test_nothing(mcplt *m, struct mcplt_text assertions, enum mcplt_code wanted)
{
	static const char record[] =
	    "{\"type\":\"trace\",\"v\":1,\"id\":\"r\",\"tool_sequence\":[]}";
	mcplt_spec *s = mcplt_spec_open(m);
	enum mcplt_status status;
	mcplt_check *c;

	if (assertions.n != 0)
		CHECK(mcplt_spec_text(s, "e.json", assertions, "evolve") ==
		    MCPLT_OK);
	c = mcplt_check_open(s, NULL);
	CHECK(mcplt_check_call(c, text(record), text("refund"), text("{}"),
		  &status) == wanted);
	CHECK(status == MCPLT_SKIPPED);
	CHECK(mcplt_check_record(c, text(record), &status, NULL) == MCPLT_OK);
	CHECK(status == MCPLT_UNCHECKED || status == MCPLT_FAILED);
	mcplt_check_close(c);
	mcplt_spec_close(s);
}

static void
test_check(mcplt *m, struct heard *h)
{
	const struct mcplt_extract_options o = {
		.size = sizeof o, .take = take, .arg = h
	};
	mcplt_spec *s = mcplt_spec_open(m);
	enum mcplt_status status;
	const struct mcplt_result *r;
	struct mcplt_text checked;
	mcplt_check *c;
	size_t n;

	CHECK(mcplt_spec_rule(s, text("<= 1 refund")) == MCPLT_OK);
	c = mcplt_check_open(s, NULL);
	h->records = 0;
	h->most = 1;
	(void)mcplt_extract_text(m, &o, "a.jsonl", text(log_text));
	CHECK(mcplt_check_record(c, text(h->record), &status, &checked) ==
	    MCPLT_OK);
	CHECK(status == MCPLT_PASSED);
	CHECK(memmem(checked.s, checked.n, "\"check_results\":[", 17) != NULL);
	r = mcplt_check_results(c, &n);
	CHECK(n == 1 && r[0].status == MCPLT_PASSED && r[0].turn == -1);
	test_call(c, h->record);
	test_args(c, h->record);
	CHECK(mcplt_check_record(c, text("{\"a\":1"), &status, NULL) ==
	    MCPLT_MISTAKE);
	CHECK(status == MCPLT_STATUS_ERROR);
	mcplt_check_close(c);
	mcplt_spec_close(s);
}

static void
test_report(mcplt *m)
{
	static const char record[] = "{\"type\":\"trace\",\"v\":1,\"id\":\"r\","
				     "\"status\":\"failed\",\"pass\":false}";
	struct mcplt_report_options o = { .size = sizeof o, .format = "json" };
	mcplt_report *r = mcplt_report_open(m, &o);
	struct mcplt_text out;
	int gate;

	CHECK(mcplt_report_add(r, text(record)) == MCPLT_OK);
	CHECK(mcplt_report_add(r, text("nothing")) == MCPLT_MISTAKE);
	CHECK(mcplt_report_end(r, &out, &gate) == MCPLT_MISTAKE);
	CHECK(gate == 2 && memmem(out.s, out.n, "\"failed\":1", 10) != NULL);
	CHECK(mcplt_report_add(r, text(record)) == MCPLT_MISUSE);
	mcplt_report_close(r);
	o.min_pass_rate = 90;
	CHECK(mcplt_report_open(m, &o) == NULL);
	o.min_pass_rate = 0;
	o.format = "jsn";
	CHECK(mcplt_report_open(m, &o) == NULL);
}

int
main(void)
{
	struct heard h = { 0 };
	struct mcplt_options o = { sizeof o, hear, &h };
	mcplt *m = mcplt_open(&o);
	const char *about;

	CHECK(mcplt_version() == MCPLT_VERSION);
	CHECK(mcplt_format_name(m, 0, &about) != NULL);
	CHECK(mcplt_format_name(m, 10000, &about) == NULL);
	CHECK(mcplt_dialect_name(0) != NULL);
	CHECK(mcplt_dialect_name(10000) == NULL);
	CHECK(mcplt_report_format(0, &about) != NULL);
	CHECK(mcplt_report_format(10000, &about) == NULL);
	test_extract(m, &h);
	test_order(m, &h);
	test_mistake(m, &h);
	test_check(m, &h);
	test_nothing(m, text(""), MCPLT_OK);
	test_nothing(m,
	    text("{\"evals\":[{\"prompt\":\"p\",\"assertions\":[{\"type\":"
		 "\"tool_call\",\"tool\":\"x\"}]}]}"),
	    MCPLT_MISTAKE);
	test_report(m);
	test_null();
	test_empty(m, &h);
	mcplt_close(m);
	return unit_status();
}
