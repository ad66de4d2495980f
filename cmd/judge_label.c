#include "cmd/judge_label.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/interrupt.h"
#include "json/stream.h"

/* Refuses options that have no effect on --label, which asks no judge and writes
 * no runs. */
static void
settle_labelling(struct judge_options *o)
{
	struct labelling *l = &o->labelling;
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "--model", o->n_judges != 0 },
		{ "--exec", o->all.command != NULL },
		{ "--dry-run", o->scheduler.dry_run },
		{ "--output", o->cli.output != NULL },
		{ "--calibrate", o->labels != NULL },
	};

	if (l->sample.wanted == 0 &&
	    (l->path != NULL || l->sample.uncertain || l->sample.seed != 0))
		cli_usage(
		    &o->cli, "--labels, --uncertain and --seed need --label");
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (l->sample.wanted != 0 && others[i].given)
			cli_usage(
			    &o->cli, "--label: not with %s", others[i].name);
	if (l->path == NULL)
		l->path = "labels.ndjson";
	if (l->sample.seed == 0)
		l->sample.seed = 1;
}

/* Returns whether standard input is one of the files. */
static bool
reads_standard_input(char **files)
{
	bool found = files[0] == NULL;

	for (; *files != NULL; files++)
		found |= strcmp(*files, "-") == 0;
	return found;
}

/* Returns the descriptor that the answers come from: standard input, or the
 * terminal where that has the runs. */
static int
open_answers(char **files)
{
	int fd = STDIN_FILENO;

	if (reads_standard_input(files))
		fd = open("/dev/tty", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		diag_die(
		    "--label: standard input has the runs, and there is no "
		    "terminal to ask at:");
	return fd;
}

/* Reads the runs. Returns the number of traces. */
static size_t
read_runs(struct judge_options *o, struct in *in)
{
	const struct json *record;
	struct json_stream values;
	size_t traces = 0, foreign = 0;

	json_stream_open(&values, in, o->cli.strict);
	while (
	    !interrupt_came() && (record = json_stream_next(&values)) != NULL) {
		struct trace t;

		if (trace_read(&t, record)) {
			labelling_add(&o->labelling, &t);
			traces++;
		} else if (!trace_warn_version(record,
			       (struct place){
				   values.at.file, values.at.line, 0 })) {
			foreign++;
		}
	}
	json_stream_close(&values);
	if (traces == 0)
		cli_no_runs(true, foreign);
	else
		trace_warn_foreign("over", foreign);
	return traces;
}

int
judge_label_run(struct judge_options *o, char **files)
{
	struct terminal terminal = { .size_fd = STDOUT_FILENO };
	struct out out;
	struct in in;

	settle_labelling(o);
	if (o->labelling.sample.wanted == 0)
		return -1;
	if (!labelling_open(&o->labelling)) {
		labelling_close(&o->labelling);
		return 2;
	}
	terminal.fd = open_answers(files);
	cli_open(&o->cli, &in, &out, files);
	if (read_runs(o, &in) != 0)
		(void)labelling_ask(&o->labelling, &terminal, &out,
		    cli_color(&o->cli, STDOUT_FILENO));
	in_close(&in);
	labelling_close(&o->labelling);
	return out_close(&out) ? diag_status(0) : 2;
}
