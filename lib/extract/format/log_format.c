#include "extract/format/log_format.h"

#include "extract/value/copy.h"

struct place
log_place(struct log *log, const struct json *value)
{
	const char *to = value->text.s;

	if (log->counted < to) {
		log->line += str_count_char(
		    (struct str){ log->counted, (size_t)(to - log->counted) },
		    '\n');
		log->counted = to;
	}
	return (struct place){ .file = log->at.file, .line = log->line };
}

void
log_source(struct log *log, const struct json *value)
{
	struct place at = log_place(log, value);

	builder_source(log->builder, at.file, at.line);
}

void
log_whole_run(struct log *log, const struct json *record)
{
	if (log->one_line)
		builder_begin_run_in(log->builder, record->text);
	else
		builder_begin_run(log->builder);
}

struct str
log_between_marks(struct str body, struct str open, struct str close)
{
	const struct str line = STR("\\n");
	struct str text;

	if (!str_contains(body, open))
		return body;
	text = str_from(body, str_find(body, open) + open.n);
	text = str_slice(text, 0, str_find(text, close));
	if (str_starts(text, line))
		text = str_from(text, line.n);
	if (str_ends(text, line) && !str_ends(text, "\\\\n"))
		text.n -= line.n;
	return text;
}
