/* The input is a file with which a report compares a run, as a baseline and as a
 * snapshot, and whose history the run ends. The report must be JSON, whatever the file
 * holds. */
#include <assert.h>

#include "memory_file.h"
#include "report/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static const char run[] =
    "{\"type\":\"trace\",\"v\":1,\"id\":\"r/s/a/0\",\"scenario_id\":\"s\","
    "\"run_index\":0,\"agent\":\"a\",\"tool_sequence\":[\"t\"],"
    "\"final_text\":\"Refunded 12 EUR\",\"status\":\"passed\",\"pass\":true,"
    "\"extracted\":{\"n\":\"12\"},\"check_results\":[{\"type\":\"t\","
    "\"label\":\"l\",\"status\":\"passed\",\"at\":\"f:1\"}]}\n";

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file file =
	    memory_file((struct str){ (const char *)data, size });
	struct memory_file now = memory_file(str_of(run));
	char *files[] = { now.path, NULL };
	struct report_plan plan = report_default();
	struct json_reader reader = { 0 };
	struct json_error error;
	struct report report;
	struct out out;
	struct in in;

	diag_quiet();
	plan.format = &report_json;
	plan.baseline = file.path;
	plan.history = (char *[]){ file.path };
	plan.n_history = 1;
	plan.snapshot = file.path;
	out_open_memory(&out);
	in_open(&in, files);
	report_start(&report, &plan);
	report_read(&report, &in, &out);
	report_end(&report, &out);
	assert(json_read(&reader, out_memory(&out), NULL, &error) != NULL);
	json_reader_free(&reader);
	in_close(&in);
	out_close(&out);
	close(file.fd);
	close(now.fd);
	return 0;
}
