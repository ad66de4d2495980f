/* Input in pieces: where they are cut, and what their lines say of themselves.
 */
#include <string.h>

#include "../../lib/in_lend.h"
#include "../../lib/out.h"
#include "temporary.h"
#include "unit.h"

/* Puts the lines of a piece as NUMBER@OFFSET:text, with F at a file's first;
 * a bar behind each, and what the piece is behind them. */
static void
put_lines(struct out *o, struct in *in, enum in_lent lent)
{
	struct str line;

	while (!in_spent(in) && in_line(in, &line))
		out_printf(o, "%zu@%zu:%.*s%s|", in->line, in->offset,
		    STR_FMT(line), in->file_begins ? "F" : "");
	if (lent == IN_ITSELF)
		out_text(o, "all");
	else
		out_text(o, in_value_begins(in) ? "/" : ".");
}

/* What is lent of a file of this text, `size` bytes at a time. */
static void
lends(struct str text, size_t size, const char *want)
{
	struct temporary file = temporary_file(text);
	char *files[] = { file.path, file.path, NULL };
	struct arena a = { 0 };
	struct in in, piece = { 0 };
	enum in_lent lent;
	struct out o;

	out_open_memory(&o);
	in_open(&in, files);
	in.files[1] = NULL;
	while ((lent = in_lend(&in, &piece, size)) != IN_NOTHING) {
		put_lines(&o, &piece, lent);
		if (lent == IN_ITSELF)
			in_take_back(&in, &piece);
	}
	in_end_loan(&piece);
	in_close(&in);
	CHECK_STR(out_keep(&o, &a), want);
	unlink(file.path);
	arena_free(&a);
}

static void
cuts_between_objects(void)
{
	struct str text = STR("{1}\n{2}\r\n\x1e{3}\n\n{4}\n[5]\n{6}\n{7}");

	lends(text, 1,
	    "1@0:{1}F|/2@4:{2}|/3@10:{3}|5@15:{4}|6@19:[5]|7@23:{6}|"
	    "8@27:{7}|.");
	lends(text, 10,
	    "1@0:{1}F|/2@4:{2}|/3@10:{3}|5@15:{4}|6@19:[5]|7@23:{6}|/"
	    "8@27:{7}|.");
	lends(text, 1000,
	    "1@0:{1}F|2@4:{2}|3@10:{3}|5@15:{4}|6@19:[5]|7@23:{6}|"
	    "8@27:{7}|.");
	lends(STR("\xef\xbb\xbf{1}\n{2}\n"), 1, "1@3:{1}F|/2@7:{2}|.");
	lends(STR(""), 1, "");
	lends(STR("\n"), 1, ".");
}

/* What cannot be cut is lent whole. */
static void
lends_itself(void)
{
	enum { SIZE = 17 * 1024 * 1024 };
	struct arena a = { 0 };
	char *text = arena_alloc(&a, SIZE);
	struct str line;
	struct temporary file;
	char *files[] = { file.path, NULL };
	struct in in, piece = { 0 };
	size_t lines = 0;

	memset(text, 'x', SIZE);
	for (size_t i = 99; i < SIZE; i += 100)
		text[i] = '\n';
	file = temporary_file((struct str){ text, SIZE });
	in_open(&in, files);
	CHECK(in_lend(&in, &piece, 1000) == IN_ITSELF);
	while (in_line(&piece, &line))
		lines++;
	CHECK(lines == SIZE / 100 + 1);
	in_take_back(&in, &piece);
	CHECK(in_lend(&in, &piece, 1000) == IN_NOTHING);
	in_end_loan(&piece);
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

/* Of what comes through a pipe and is no text, who reads it says so. */
static void
lends_what_is_packed(void)
{
	struct str packed = STR("\x1f\x8b}\n{2}\n");
	struct in in, piece = { 0 };
	int ends[2];

	CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == 0);
	CHECK(write(ends[1], packed.s, packed.n) == (ssize_t)packed.n);
	close(ends[0]);
	close(ends[1]);
	in_open(&in, NULL);
	CHECK(in_lend(&in, &piece, 1) == IN_ITSELF);
	in_take_back(&in, &piece);
	in_end_loan(&piece);
	in_close(&in);
}

int
main(void)
{
	cuts_between_objects();
	lends_itself();
	lends_what_is_packed();
	return unit_status();
}
