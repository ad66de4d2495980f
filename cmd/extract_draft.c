#include "cmd/extract_draft.h"

#include "base/diag.h"
#include "extract/draft/draft.h"
#include "io/confine.h"
#include "json/stream.h"

int
extract_draft(const struct cli *cli, char *log)
{
	char *files[] = { log, NULL };
	struct json_stream values;
	const struct json *record;
	struct draft draft = { 0 };
	bool more = true;
	struct out out;
	struct in in;

	confine(&cli->output, 1);
	cli_open(cli, &in, &out, files);
	json_stream_open(&values, &in, cli->strict);
	values.repair_cut = values.prefixes = true;
	while (more && (record = json_stream_next(&values)) != NULL)
		more = draft_add(&draft, record);
	if (!draft_write(&draft, &out) && (draft.n != 0 || diag_errors() == 0))
		diag_error(
		    (struct place){
			.file = draft.n == 0 ? log : values.at.file },
		    "no draft of a map: nothing looks like the calls or "
		    "messages of an agent");
	draft_free(&draft);
	json_stream_close(&values);
	in_close(&in);
	return out_close(&out) ? diag_status(0) : diag_trouble();
}
