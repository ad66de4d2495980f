/* Input in pieces: where the input is cut, and the numbers and places of lines. */
#include <string.h>

#include "io/in_chunk.h"
#include "io/out.h"
#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

/* Writes the lines of a piece as NUMBER@OFFSET:text, with F at the first line of a file,
 * a bar after each line, and the kind of the piece at the end. */
static void
put_lines(struct out *o, struct in *in, enum in_chunk lent)
{
	struct str line;

	while (!in_is_used_up(in) && in_line(in, &line))
		out_printf(o, "%zu@%zu:%.*s%s|", in->line, in->offset,
		    STR_FMT(line), in->file_begins ? "F" : "");
	if (lent == IN_WHOLE_INPUT)
		out_text(o, "all");
	else
		out_text(o, in_value_begins(in) ? "/" : ".");
}

/* Checks the pieces of a file with the text, which have about `size` bytes. */
static void
lends(struct str text, size_t size, const char *want)
{
	struct temporary file = temporary_file(text);
	char *files[] = { file.path, file.path, NULL };
	struct arena a = { 0 };
	struct in in, piece = { 0 };
	enum in_chunk lent;
	size_t next = 0;
	struct out o;

	out_open_memory(&o);
	in_open(&in, files);
	in.files[1] = NULL;
	while ((lent = in_take_chunk(&in, &piece, size)) != IN_NOTHING) {
		in_chunk_fetch(&piece);
		in_chunk_number(&piece, &next);
		put_lines(&o, &piece, lent);
		if (lent == IN_WHOLE_INPUT) {
			in_chunk_return(&in, &piece);
			next = in.next_line;
		}
	}
	in_chunk_close(&piece);
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

/* A file of many pieces, each of which is read after the next one was taken: each line
 * has the number, the place and the text that it has in the file. */
static void
lends_what_is_read_later(void)
{
	enum { LINES = 20000, SIZE = 100 * 1000, PIECES = 3 };
	struct in in, whole, pieces[PIECES] = { 0 };
	enum in_chunk lent[PIECES] = { 0 };
	size_t next = 0, missing = 0, wrong = 0;
	struct temporary file;
	struct str line, want;
	struct out text;

	out_open_memory(&text);
	for (int i = 0; i < LINES; i++)
		out_printf(&text, "{%0*d}\n%s", i % 50, i, i % 9 ? "" : "\n");
	file = temporary_file(out_memory(&text));
	in_open(&in, (char *[]){ file.path, NULL });
	in_open(&whole, (char *[]){ file.path, NULL });
	do {
		for (size_t i = 0; i < PIECES; i++)
			lent[i] = in_take_chunk(&in, &pieces[i], SIZE);
		for (size_t i = PIECES; i-- > 0;) {
			missing += pieces[i].missing.n != 0;
			in_chunk_fetch(&pieces[i]);
		}
		for (size_t i = 0; i < PIECES; i++) {
			in_chunk_number(&pieces[i], &next);
			while (in_line(&pieces[i], &line))
				wrong += !in_line(&whole, &want) ||
				    !str_eq(line, want) ||
				    pieces[i].line != whole.line ||
				    pieces[i].offset != whole.offset;
		}
	} while (lent[PIECES - 1] == IN_CHUNK);
	CHECK(wrong == 0 && missing > PIECES);
	CHECK(!in_line(&whole, &want));
	for (size_t i = 0; i < PIECES; i++)
		in_chunk_close(&pieces[i]);
	in_close(&in);
	in_close(&whole);
	out_close(&text);
	unlink(file.path);
}

/* A piece that the file lost meanwhile has only its end, which was read
 * before: the piece is left out, and the loss is reported. What follows is left out,
 * too, without another message. */
static void
lends_what_is_gone(void)
{
	enum { SIZE = 100 * 1000, LINE = 100 };
	struct arena a = { 0 };
	char *text = arena_alloc(&a, 3 * (size_t)SIZE);
	struct in in, piece = { 0 };
	struct temporary file;
	struct str line;
	size_t next = 0, errors = diag_errors();

	memset(text, ' ', 3 * (size_t)SIZE);
	for (int i = LINE; i <= 3 * SIZE; i += LINE) {
		text[i - LINE] = '{';
		text[i - 2] = '}';
		text[i - 1] = '\n';
	}
	file = temporary_file((struct str){ text, 3 * (size_t)SIZE });
	in_open(&in, (char *[]){ file.path, NULL });
	CHECK(in_take_chunk(&in, &piece, SIZE) == IN_CHUNK);
	in_chunk_fetch(&piece);
	in_chunk_number(&piece, &next);
	CHECK(in_take_chunk(&in, &piece, SIZE) == IN_CHUNK);
	CHECK(truncate(file.path, SIZE / 2) == 0);
	in_chunk_fetch(&piece);
	in_chunk_number(&piece, &next);
	CHECK(diag_errors() == errors);
	CHECK(!in_line(&piece, &line));
	CHECK(diag_errors() == errors + 1);
	CHECK(in_take_chunk(&in, &piece, SIZE) == IN_CHUNK);
	in_chunk_fetch(&piece);
	in_chunk_number(&piece, &next);
	CHECK(!in_line(&piece, &line));
	CHECK(diag_errors() == errors + 1);
	CHECK(in_take_chunk(&in, &piece, SIZE) == IN_NOTHING);
	in_chunk_close(&piece);
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

/* Input that cannot be cut is one piece. */
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
	CHECK(in_take_chunk(&in, &piece, 1000) == IN_WHOLE_INPUT);
	while (in_line(&piece, &line))
		lines++;
	CHECK(lines == SIZE / 100 + 1);
	in_chunk_return(&in, &piece);
	CHECK(in_take_chunk(&in, &piece, 1000) == IN_NOTHING);
	in_chunk_close(&piece);
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

/* The reader reports input from a pipe that is no text. */
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
	CHECK(in_take_chunk(&in, &piece, 1) == IN_WHOLE_INPUT);
	in_chunk_return(&in, &piece);
	in_chunk_close(&piece);
	in_close(&in);
}

int
main(void)
{
	cuts_between_objects();
	lends_what_is_read_later();
	lends_what_is_gone();
	lends_itself();
	lends_what_is_packed();
	return unit_status();
}
