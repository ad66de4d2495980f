/* The input is a file of any text. Each value must be at the place that the stream
 * gives, and if there was no message, the text must be values and blanks only. */
#include <assert.h>
#include <stdint.h>

#include "memory_file.h"
#include "json/stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns where the line with a number begins; a byte order mark is not part of the
 * first line. */
static size_t
line_start(struct str text, size_t line)
{
	size_t at = str_starts(text, "\xef\xbb\xbf") ? 3 : 0;

	for (; line > 1; line--)
		at += str_find_char(str_from(text, at), '\n') + 1;
	return at;
}

static void
check_place(
    struct str text, const struct json_stream *v, const struct json *value)
{
	size_t at = line_start(text, v->at.line) + v->at.column - 1;
	struct str rest = str_from(text, at);

	assert(str_starts(rest, value->text));
}

static size_t
graphic(struct str text)
{
	/* NUL bytes before a value are skipped with a warning. */
	struct str blanks = STR(" \t\r\n\f\v\x1e\0");
	size_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n += str_find_char(blanks, text.s[i]) == blanks.n;
	return n;
}

static void
read_all(struct str text, char *path, size_t max_line)
{
	char *files[] = { path, NULL };
	size_t errors = diag_errors(), found = 0;
	const struct json *value;
	struct json_stream v;
	struct in in;

	in_open(&in, files);
	in.max_line = max_line;
	json_stream_open(&v, &in, false);
	while ((value = json_stream_next(&v)) != NULL) {
		check_place(text, &v, value);
		found += graphic(value->text);
	}
	assert(errors != diag_errors() ||
	    found == graphic(str_from(text, line_start(text, 1))));
	json_stream_close(&v);
	in_close(&in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct memory_file f;

	if (decompress_hint(text) != NULL)
		return 0; /* extract.c tests compressed files */
	f = memory_file(text);
	read_all(text, f.path, IN_MAX_LINE);
	read_all(text, f.path, 40);
	close(f.fd);
	return 0;
}
