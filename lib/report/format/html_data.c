/* The runs in the page: their rows, and their records, which are lines of JSON. The
 * lines of many runs are one element of the page, or one file beside the page. */
#include <errno.h>

#include "report/format/html.h"

enum { BLOCK = 512 * 1024 }; /* bytes; from here on another block begins */

static const char data[] = "<script type=\"application/json\" id=\"";

/* Puts the rows. Stores the first record, unless there is no run. */
static void
put_rows(struct report_job *job, struct str *record)
{
	struct str key;
	struct hash_table names = { .arena = job->arena };
	size_t n = 0;

	out_printf(job->out, "%sindex\">[", data);
	while (external_sort_next(job->external_sort, &key, record) &&
	    key.s[0] == HTML_ROW) {
		out_text(job->out, n++ == 0 ? "\n" : ",\n");
		html_row_put(job->out, *record, &names);
	}
	out_text(job->out, "]</script>\n");
	if (n == 0)
		*record = (struct str){ 0 };
}

/* Moves lines of the records to the block, until it is large. The first is there already,
 * and so is the one after the last line at the end; it is absent behind the last record.
 * Returns how many there are. */
static size_t
take_block(struct report_job *job, struct out *block, struct str *record)
{
	struct str key;
	size_t n = 0;

	do {
		out_text(block, n++ == 0 ? "" : "\n");
		out_str(block, *record);
		if (!external_sort_next(job->external_sort, &key, record))
			*record = (struct str){ 0 };
	} while (record->s != NULL && out_memory(block).n + record->n < BLOCK);
	return n;
}

/* Puts the records as elements of the page. */
static void
put_blocks(struct report_job *job, struct str record)
{
	struct out block;

	out_open_memory(&block);
	for (size_t first = 0; record.s != NULL;) {
		size_t n = take_block(job, &block, &record);

		out_printf(job->out,
		    "<script type=\"application/x-ndjson\" "
		    "data-first=\"%zu\">",
		    first);
		out_str(job->out, out_memory(&block));
		out_text(job->out, "</script>\n");
		out_clear(&block);
		first += n;
	}
	out_close(&block);
}

/* Writes the records into files, each the value of a property in a style sheet, since a
 * browser gives a page from a file only what is a sheet or runs. Puts the list of the
 * files. */
static void
put_files(struct report_job *job, struct str record)
{
	struct out block;

	out_open_memory(&block);
	out_printf(job->out, "%sparts\">[", data);
	for (size_t first = 0; record.s != NULL && job->out->error == 0;) {
		struct str name;
		size_t n;

		out_text(&block, ":host{--runs:");
		n = take_block(job, &block, &record);
		out_text(&block, "}");
		name = content_folder_add(job->folder, out_memory(&block));
		if (name.s == NULL)
			job->out->error = ECANCELED;
		out_printf(job->out, "%s\n[%zu,\"%.*s\"]",
		    first == 0 ? "" : ",", first, STR_FMT(name));
		out_clear(&block);
		first += n;
	}
	out_text(job->out, "]</script>\n");
	out_close(&block);
}

/* A script in the page comes before the records, so that the page can be used while the
 * records are loaded. */
void
html_data(struct report_job *job, struct str script, bool apart)
{
	struct str record;

	put_rows(job, &record);
	if (apart)
		put_files(job, record);
	out_text(job->out, "<script>");
	out_str(job->out, script);
	out_text(job->out, "</script>\n");
	if (!apart)
		put_blocks(job, record);
}
