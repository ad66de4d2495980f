/* Lines of every kind, from files, pipes and files that cannot be read. */
#include <string.h>
#include <unistd.h>

#include "io/in.h"
#include "io/out.h"
#include "tests/unit/messages.h"
#include "tests/unit/temporary.h"
#include "tests/unit/unit.h"

/* Each line as "NUMBER@OFFSET:text", with F at its end if it is its file's
 * first, and - if it has no newline; then a bar. */
static struct str
lines_of(struct in *in, struct arena *a)
{
	struct str line, text;
	struct out o;

	out_open_memory(&o);
	while (in_line(in, &line)) {
		out_printf(&o, "%zu@%zu:", in->line, in->offset);
		out_str(&o, line);
		out_text(&o, in->file_begins ? "F" : "");
		out_text(&o, in->whole ? "|" : "-|");
	}
	text = str_dup(a, out_memory(&o));
	out_close(&o);
	return text;
}

/* Returns the lines of a file with the text, and the messages, in which the name of the
 * file is F. */
static void
gives(struct str input, size_t max_line, struct str lines, const char *said)
{
	struct arena a = { 0 };
	struct temporary file = temporary_file(input);
	struct messages m = messages_catch();
	char *files[] = { file.path, NULL };
	struct str name = STR("mcpl: ");
	struct in in;
	struct str got;

	in_open(&in, files);
	if (max_line != 0)
		in.max_line = max_line;
	got = lines_of(&in, &a);
	in_close(&in);
	if (!str_eq(got, lines))
		fprintf(stderr, "got %.*s\n", STR_FMT(got));
	got = messages_end(m, &a);
	got = str_from(got, got.n == 0 ? 0 : name.n + strlen(file.path));
	CHECK_STR(got, said);
	unlink(file.path);
	arena_free(&a);
}

static void
reads_lines(void)
{
	gives(STR(""), 0, STR(""), "");
	gives(STR("\n"), 0, STR(""), "");
	gives(STR("a\nb\n"), 0, STR("1@0:aF|2@2:b|"), "");
	gives(STR("a\nb"), 0, STR("1@0:aF|2@2:b-|"), "");
	gives(STR("a\r\nb\r"), 0, STR("1@0:aF|2@3:b\r-|"), "");
	gives(STR("\n \t\r\na\n\n\nb\n\n"), 0, STR("3@5:aF|6@9:b|"), "");
	gives(STR("\xef\xbb\xbf"), 0, STR(""), "");
	gives(STR("\xef\xbb\xbf\nb"), 0, STR("2@4:bF-|"), "");
	gives(STR("\xef\xbb\xbf"
		  "a\n\xef\xbb\xbf"
		  "b\n"),
	    0,
	    STR("1@3:aF|2@5:\xef\xbb\xbf"
		"b|"),
	    "");
	gives(STR("a\0b\n\0\n"), 0, STR("1@0:a\0bF|2@4:\0|"), "");
	gives(STR("\x1e{}\n\x1e\x1e[]\n\x1e\n"), 0, STR("1@1:{}F|2@6:[]|"), "");
}

static void
skips_long_lines(void)
{
	const char *said =
	    ":2: line longer than 3 bytes skipped (see --max-line)\n";

	gives(STR("abc\nabcd\nab\n"), 3, STR("1@0:abcF|3@9:ab|"), said);
	gives(STR("abc\nabcd"), 3, STR("1@0:abcF|"), said);
	gives(STR("abc\nabcd\n\nx"), 3, STR("1@0:abcF|4@10:x-|"), said);
}

/* Compressed files, which programs of the system read; a damaged file is read up to the
 * damage. */
static void
unpacks(void)
{
	gives(STR("\x1f\x8b\x08..\n{}\n"), 0, STR(""),
	    ": damaged: gzip could not unpack all of it\n");
	gives(STR("\x1f\x8b\x08\0\0\0\0\0\0\3KL\xe2J\xe6\2\0\xc4\xc2\xcd"
		  "P\5\0\0\0"),
	    0, STR("1@0:abF|2@3:c|"), "");
	gives(STR("\xff\xfe{\0}\0\n\0"), 0, STR("1@0:{}F|"), "");
	gives(STR("\xfe\xff\0{\0}\0\n\0\xe9"), 0, STR("1@0:{}F|2@3:\xc3\xa9-|"),
	    "");
	gives(STR("a\n\xff\xfe\n"), 0, STR("1@0:aF|2@2:\xff\xfe|"), "");
}

/* Text of n bytes: lines of this length, their number in them. */
static struct str
many_lines(struct arena *a, size_t n, size_t length)
{
	char *text = arena_alloc(a, n + 1);
	size_t at = 0;

	memset(text, '.', n);
	for (size_t i = 0; at + length <= n; i++, at += length) {
		text[at + (size_t)sprintf(text + at, "%zu", i)] = '.';
		text[at + length - 1] = '\n';
	}
	return (struct str){ text, at };
}

/* Wherever the ends of lines lie in the buffer. */
static void
reads_many_lines(size_t n, size_t length)
{
	struct arena a = { 0 };
	struct str text = many_lines(&a, n, length), line;
	struct temporary file = temporary_file(text);
	char *files[] = { file.path, NULL };
	struct in in;
	size_t i = 0;

	in_open(&in, files);
	for (; in_line(&in, &line); i++) {
		CHECK(in.line == i + 1 && in.offset == i * length);
		CHECK(in.file_begins == (i == 0) && in.whole);
		CHECK(str_eq(
		    line, str_slice(text, i * length, (i + 1) * length - 1)));
	}
	CHECK(i == n / length);
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

static void
goes_on_after_what_it_cannot_read(void)
{
	struct arena a = { 0 };
	struct temporary one = temporary_file(STR("a\n"));
	struct temporary two = temporary_file(STR("b"));
	char missing[] = "/nonexistent", folder[] = "/tmp";
	char *files[] = { missing, one.path, folder, two.path, NULL };
	struct messages m = messages_catch();
	size_t errors = diag_errors();
	struct in in;

	in_open(&in, files);
	CHECK_STR(lines_of(&in, &a), "1@0:aF|1@0:bF-|");
	in_close(&in);
	CHECK_STR(messages_end(m, &a),
	    "mcpl: /nonexistent: cannot read: No such file or directory\n"
	    "mcpl: /tmp: cannot read: Is a directory\n");
	CHECK(diag_errors() == errors + 2);
	unlink(one.path);
	unlink(two.path);
	arena_free(&a);
}

static void
joins_and_gives_back(void)
{
	struct temporary file =
	    temporary_file(STR("\xef\xbb\xbf{\n\n 1\r\n}{}  x\r\ny\nlast"));
	char *files[] = { file.path, NULL };
	struct place at;
	struct str text;
	struct in in;

	in_open(&in, files);
	CHECK(in_line(&in, &text) && in_join(&in, &text, 0));
	CHECK_STR(text, "{\n");
	CHECK(in_join(&in, &text, 0) && in_join(&in, &text, 0));
	CHECK_STR(text, "{\n\n 1\r\n}{}  x");
	CHECK(in.line == 1 && in.offset == 3 && in_end(&in) != IN_FILE_ENDS);
	at = in_place(&in, 4);
	CHECK(at.line == 3 && at.column == 2);
	at = in_place(&in, 0);
	CHECK(at.line == 1 && at.column == 1);

	in_unread(&in, str_find_char(text, '}') + 1);
	CHECK(in_line(&in, &text));
	CHECK_STR(text, "{}  x");
	CHECK(in.line == 4 && in.offset == 11 && !in.file_begins);
	at = in_place(&in, 4);
	CHECK(at.line == 4 && at.column == 6);
	in_unread(&in, 4);
	CHECK(in_line(&in, &text) && in_join(&in, &text, 0));
	CHECK_STR(text, "x\r\ny");
	at = in_place(&in, 0);
	CHECK(at.line == 4 && at.column == 6);

	/* back to the end of its first line, where only a newline is left */
	in_unread(&in, 1);
	CHECK(in_line(&in, &text));
	CHECK_STR(text, "y");
	CHECK(in.line == 5 && in.whole);
	CHECK(in_join(&in, &text, 0) && !in.whole);
	CHECK_STR(text, "y\nlast");
	CHECK(!in_join(&in, &text, 0) && in_end(&in) == IN_FILE_ENDS);
	CHECK_STR(text, "y\nlast");
	in_unread(&in, 2);
	CHECK(in_line(&in, &text) && in.line == 6);
	CHECK_STR(text, "last");
	CHECK(!in_line(&in, &text));
	in_close(&in);
	unlink(file.path);
}

/* Nothing is lost or given twice when a joined text is larger than the buffer
 * and moves. */
static void
joins_much(void)
{
	enum { LENGTH = 1000, LINES = 3000, BACK = 1234567 };
	struct arena a = { 0 };
	struct str all = many_lines(&a, (size_t)LENGTH * LINES, LENGTH), text;
	struct temporary file = temporary_file(all);
	char *files[] = { file.path, NULL };
	struct in in;

	in_open(&in, files);
	CHECK(in_line(&in, &text) && in_line(&in, &text));
	for (size_t i = 3; i <= LINES; i++) {
		CHECK(in_join(&in, &text, 0));
		CHECK(str_eq(text, str_slice(all, LENGTH, i * LENGTH - 1)));
	}
	CHECK(!in_join(&in, &text, 0) && in_end(&in) == IN_FILE_ENDS);
	CHECK(str_eq(text, str_slice(all, LENGTH, all.n - 1)));
	in_unread(&in, BACK);
	CHECK(in_line(&in, &text));
	CHECK(in.offset == LENGTH + BACK && in.line == 2 + BACK / LENGTH);
	CHECK(str_eq(
	    text, str_slice(all, in.offset, (BACK / LENGTH + 2) * LENGTH - 1)));
	in_close(&in);
	unlink(file.path);
	arena_free(&a);
}

static void
joins_up_to_max_line(void)
{
	struct temporary file = temporary_file(STR("ab\ncd\nef\n"));
	char *files[] = { file.path, NULL };
	struct str text;
	struct in in;

	in_open(&in, files);
	in.max_line = 5;
	CHECK(in_line(&in, &text) && in_join(&in, &text, 0));
	CHECK(!in_join(&in, &text, 0) && in_end(&in) != IN_FILE_ENDS);
	CHECK_STR(text, "ab\ncd");
	CHECK(in_line(&in, &text));
	CHECK_STR(text, "ef");
	in_close(&in);
	unlink(file.path);
}

struct waiting {
	int n;
	int end; /* of the pipe that is waited at */
};

static void
answer(void *arg)
{
	struct waiting *w = arg;

	w->n++;
	CHECK(write(w->end, "c\n", 2) == 2);
}

/* in.idle is called before a read that would wait, and before no other. */
static void
tells_when_it_waits(void)
{
	struct waiting w = { 0 };
	struct str line;
	struct in in;
	int ends[2], standard = dup(STDIN_FILENO);

	CHECK(pipe(ends) == 0 && dup2(ends[0], STDIN_FILENO) == 0);
	in_open(&in, NULL);
	in.idle = answer;
	in.idle_arg = &w;
	w.end = ends[1];
	CHECK(write(ends[1], "a\nb\n", 4) == 4);
	CHECK(in_line(&in, &line) && in_line(&in, &line) && w.n == 0);
	CHECK_STR(str_of(in.file), "<stdin>");
	CHECK(in_line(&in, &line) && w.n == 1);
	CHECK_STR(line, "c");
	close(ends[1]);
	CHECK(!in_line(&in, &line) && w.n == 1);
	in_close(&in);
	close(ends[0]);
	dup2(standard, STDIN_FILENO);
	close(standard);
}

int
main(void)
{
	reads_lines();
	skips_long_lines();
	unpacks();
	reads_many_lines(3000000, 7);
	reads_many_lines(3000000, 65536);
	reads_many_lines(3000000, 262144);
	reads_many_lines(3000000, 262145);
	reads_many_lines(3000000, 700001);
	goes_on_after_what_it_cannot_read();
	joins_and_gives_back();
	joins_much();
	joins_up_to_max_line();
	tells_when_it_waits();
	return unit_status();
}
