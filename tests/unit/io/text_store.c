/* Pieces come back whether they lie in a file that can be read again, in memory or in
 * the temporary file; a file that was written anew is noticed. */
#include "io/text_store.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 100000, PIECES = 3 * TEXT_STORE_MEMORY / PIECE };

static void
comes_back(struct text_store *s, struct text_place place, struct str text)
{
	static char buf[PIECE];

	CHECK(text_store_read(s, place, buf));
	CHECK_STR(((struct str){ buf, place.n }), text.s);
}

static void
keeps_more_than_memory_holds(void)
{
	static struct text_place places[PIECES];
	static char piece[PIECE], back[PIECE];
	struct text_store s = { 0 };

	for (int i = 0; i < PIECES; i++) {
		memset(piece, 'a' + i % 26, sizeof piece);
		places[i] = text_store_add(
		    &s, NULL, (struct str){ piece, sizeof piece });
	}
	for (int i = PIECES - 1; i >= 0; i--) {
		memset(piece, 'a' + i % 26, sizeof piece);
		CHECK(text_store_read(&s, places[i], back) &&
		    memcmp(piece, back, PIECE) == 0);
	}
	CHECK(s.files[0] >= 0 && s.n <= TEXT_STORE_MEMORY);
	text_store_free(&s);
}

static void
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	CHECK(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void
reads_files_again(void)
{
	char path[] = "/tmp/mcpl-unit.XXXXXX", back[100];
	char *files[] = { path, NULL };
	struct text_store s = { 0 };
	struct text_place first, second, other;
	struct str line;
	struct in in;

	close(mkstemp(path));
	write_file(path, "the first line\nthe second line\n");
	in_open(&in, files);
	CHECK(in_line(&in, &line));
	first = text_store_add(&s, &in, line);
	CHECK(in_line(&in, &line));
	second = text_store_add(&s, &in, str_from(line, 4));
	other = text_store_add(&s, &in, STR("not in the file"));
	in_close(&in);
	CHECK(first.file != 0 && second.file != 0 && other.file == 0);
	comes_back(&s, second, STR("second line"));
	comes_back(&s, other, STR("not in the file"));
	comes_back(&s, first, STR("the first line"));
	write_file(path, "other lines, that are longer than those were\n");
	CHECK(!text_store_read(&s, second, back));
	write_file(path, "short\n");
	CHECK(!text_store_read(&s, second, back));
	text_store_free(&s);
	unlink(path);
}

int
main(void)
{
	keeps_more_than_memory_holds();
	reads_files_again();
	return unit_status();
}
