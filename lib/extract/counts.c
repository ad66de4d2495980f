#include "extract/counts.h"

#include "extract/run/builder.h"

void
extract_files_add(struct extract_files *to, const struct extract_files *later)
{
	size_t n = to->n + later->n;

	if (to->n == 0)
		*to = *later;
	to->n = n;
}

void
extract_files_note(
    struct extract_files *to, size_t n, struct place at, struct str what)
{
	struct extract_files one = { .n = n, .first = at };

	what = str_slice(what, 0, sizeof one.what - 1);
	memcpy(one.what, what.s, what.n);
	extract_files_add(to, &one);
}

void
extract_report_unread(
    struct builder *b, const char *file, struct extract_files *harmless)
{
	const char *format = b->options.trace.format;
	struct place at = { .file = file, .line = b->lost.line };
	struct arena a = { 0 };

	if (b->lost.n != 0)
		diag_warn(at,
		    "%zu %s of %s not read that may hold a call or a text of "
		    "the "
		    "agent, the first of kind '%s'",
		    b->lost.n, b->lost.n == 1 ? "record" : "records", format,
		    b->lost.kind);
	at.line = b->harmless.line;
	if (b->harmless.n != 0)
		extract_files_note(harmless, b->harmless.n, at,
		    str_printf(&a, "records of %s of kind '%s' not read",
			format, b->harmless.kind));
	b->lost = b->harmless = (struct builder_unread){ 0 };
	arena_free(&a);
}
