/*
 * The html report: one page for a browser, which needs nothing else. Tables and
 * failures are HTML; the runs are JSON, which html.js shows on demand. No text
 * of the data is ever markup or script.
 */
#include "report/format/html.h"

#include "base/hash.h"
#include "base/sha256.h"
#include "report/format/format.h"
#include "report/table/rows.h"
#include "report/table/test_case.h"
#include "text/visible.h"

enum { ONE_PAGE = 20000 }; /* runs; more are in the folder, if there is one */

struct html {
	struct out safe; /* job->piece with escapes, in memory */
	size_t runs;
};

static void
start(struct report_job *job)
{
	struct html *h = job->own = arena_new(job->arena, struct html);

	out_open_memory(&h->safe);
}

/* Moves job->piece to the external sort, with escapes for what could end a
 * script element or open a command of GitHub's runner. The pieces of a kind stay
 * together, and the two pieces of a run have the same place among their kinds. */
static void
put_piece(struct report_job *job, char kind, struct str key, struct arena *a)
{
	struct html *h = job->own;
	struct str first = { &kind, 1 };

	visible_put_json(&h->safe, out_memory(&job->piece), "<>&#");
	external_sort_add(
	    job->external_sort, str_cat(a, first, key), out_memory(&h->safe));
	out_clear(&job->piece);
	out_clear(&h->safe);
}

/* Takes a run, or one of the baseline, which comes behind all runs. */
static void
add(struct report_job *job, const struct result *r, bool was, struct arena *a)
{
	uint64_t hash = hash_add(HASH_START, r->trace->record->text);
	struct str key = str_cat(a,
	    str_cat(a, str_of(was ? "1" : "0"), test_case_order(r, a)),
	    str_printf(a, "%c%016llx", '\0', (unsigned long long)hash));

	((struct html *)job->own)->runs++;
	html_run_row(&job->piece, r, was, a);
	html_run_checks(&job->piece, r, a);
	put_piece(job, HTML_ROW, key, a);
	html_run_record(&job->piece, r, a);
	put_piece(job, HTML_RECORD, key, a);
}

static void
run(struct report_job *job, const struct result *r, struct arena *a)
{
	add(job, r, false, a);
}

static void
was(struct report_job *job, const struct result *r, struct arena *a)
{
	add(job, r, true, a);
}

/* ---- the head of the page ---- */

static struct str
asset(const unsigned char *bytes, size_t size)
{
	return (struct str){ (const char *)bytes, size };
}

/* Returns one script of all files in a block, so that their names are not
 * global. */
static struct str
script(struct arena *a)
{
	const struct str parts[] = {
		STR("'use strict';\n{\n"),
		asset(html_js, html_js_size),
		asset(html_sort_js, html_sort_js_size),
		asset(html_charts_js, html_charts_js_size),
		asset(html_graph_js, html_graph_js_size),
		asset(html_filter_js, html_filter_js_size),
		asset(html_search_js, html_search_js_size),
		asset(html_marks_js, html_marks_js_size),
		asset(html_save_js, html_save_js_size),
		asset(html_runs_js, html_runs_js_size),
		asset(html_one_js, html_one_js_size),
		asset(html_compare_js, html_compare_js_size),
		asset(html_data_js, html_data_js_size),
		asset(html_page_js, html_page_js_size),
		STR("}\n"),
	};

	return str_join(a, parts, sizeof parts / sizeof parts[0], STR("\n"));
}

/* Allows no network, no other style or script than ours, and no markup from
 * text. The nonce is for the sheets that hold records: a browser does not compare hashes
 * of files that belong to a page from a file, so the script does. */
static void
put_policy(struct report_job *job, struct str css, struct str js, bool apart)
{
	struct str hash = sha256_base64(job->arena, css);
	const char *nonce = apart ? " 'nonce-records'" : "";

	out_printf(job->out,
	    "<meta http-equiv=\"Content-Security-Policy\" content=\""
	    "default-src 'none'; img-src data:; style-src 'sha256-%.*s'%s; "
	    "script-src 'sha256-%.*s'; base-uri 'none'; form-action 'none'; "
	    "require-trusted-types-for 'script'; trusted-types 'none'\">\n",
	    STR_FMT(hash), nonce, STR_FMT(sha256_base64(job->arena, js)));
}

static void
put_head(struct report_job *job, struct str js, bool apart)
{
	struct out *o = job->out;
	struct str css = asset(html_css, html_css_size);

	out_text(o,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n");
	put_policy(job, css, js, apart);
	out_text(o,
	    "<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n"
	    "<title>");
	html_text(job, job->verdict.why);
	out_text(o,
	    "</title>\n"
	    "<link rel=\"icon\" href=\"data:,\">\n"
	    "<style>");
	out_str(o, css);
	out_text(o, "</style>\n</head>\n<body>\n");
}

static void
end(struct report_job *job)
{
	struct html *h = job->own;
	struct rows rows = rows_of(job->tally, job->arena);
	struct str js = script(job->arena);
	bool apart = job->folder != NULL && h->runs > ONE_PAGE;

	job->rows = &rows;
	put_head(job, js, apart);
	html_sections(job);
	html_data(job, js, apart);
	out_text(job->out, "</body>\n</html>");
	out_line(job->out);
	out_close(&h->safe);
	job->rows = NULL;
}

const struct report_format report_html = {
	.name = "html",
	.what = "a page for a browser, with every run",
	.start = start,
	.run = run,
	.was = was,
	.end = end,
};
