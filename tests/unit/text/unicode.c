/* UTF-8, identifiers, and the case table of JavaScript's flag i, which is
 * compared unit by unit with $SHARED/data/js-canonicalize-bmp.tsv if that is
 * at hand. */
#include "text/unicode.h"

#include <stdlib.h>

#include "tests/unit/unit.h"

static void
every_character_survives(void)
{
	char buf[4];
	size_t length;

	for (uint32_t c = 0; c <= UNICODE_MAX; c++) {
		size_t n = unicode_encode(c, buf);
		uint32_t back = unicode_decode((struct str){ buf, n }, &length);
		bool surrogate = c >= 0xd800 && c < 0xe000;

		CHECK(back == (surrogate ? UNICODE_REPLACEMENT : c));
		CHECK(length == (surrogate ? 1 : n));
	}
}

static void
bad_utf8_is_replaced(void)
{
	static const char *const bad[] = {
		"\x80",
		"\xc3",
		"\xc1\x81",         /* overlong */
		"\xe0\x9f\xbf",     /* overlong */
		"\xed\xa0\x80",     /* a surrogate */
		"\xf0\x8f\xbf\xbf", /* overlong */
		"\xf4\x90\x80\x80", /* beyond U+10FFFF */
		"\xf0\x9f\x98",     /* cut off */
		"\xe2\x82\x41",
		"\xff",
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		size_t length;

		CHECK(unicode_decode(str_of(bad[i]), &length) ==
		    UNICODE_REPLACEMENT);
		CHECK(length == 1);
	}
}

static void
case_rows_ascend_and_end_in_themselves(void)
{
	size_t rows;
	const struct unicode_case *row = unicode_case_js(&rows);
	int before = -1;

	for (size_t i = 0; i < rows; i++, row++) {
		CHECK(row->first > before && row->first <= row->last);
		CHECK((row->last - row->first) % row->step == 0);
		before = row->last;
	}
	for (int unit = 0; unit <= 0xffff; unit++) {
		uint16_t to = unicode_canonicalize_js((uint16_t)unit);

		CHECK(unicode_canonicalize_js(to) == to);
		CHECK(unit < 128 || to >= 128);
	}
	CHECK(unicode_canonicalize_js('k') == 'K');
	CHECK(unicode_canonicalize_js(0x212a) == 0x212a); /* kelvin */
	CHECK(unicode_canonicalize_js(0x17f) == 0x17f);   /* long s */
	CHECK(unicode_canonicalize_js(0xdf) == 0xdf);     /* sharp s */
	CHECK(unicode_canonicalize_js(0xff) == 0x178);
	CHECK(unicode_canonicalize_js(0x3c2) == 0x3a3); /* final sigma */
	CHECK(unicode_canonicalize_js(0x102) == 0x102);
	CHECK(unicode_canonicalize_js(0xd801) == 0xd801);
}

static void
case_table_is_node_s(void)
{
	const char *shared = getenv("SHARED");
	char path[4096], line[128];
	static uint16_t want[0x10000];
	FILE *f;

	snprintf(path, sizeof path, "%s/data/js-canonicalize-bmp.tsv",
	    shared == NULL ? "../shared" : shared);
	f = fopen(path, "r");
	if (f == NULL) {
		printf("unicode: no %s, not compared\n", path);
		return;
	}
	for (int unit = 0; unit <= 0xffff; unit++)
		want[unit] = (uint16_t)unit;
	while (fgets(line, sizeof line, f) != NULL) {
		char *rest;
		unsigned long from = strtoul(line, &rest, 16);

		if (rest != line && from <= 0xffff)
			want[from] = (uint16_t)strtoul(rest, NULL, 16);
	}
	fclose(f);
	for (int unit = 0; unit <= 0xffff; unit++)
		CHECK(unicode_canonicalize_js((uint16_t)unit) == want[unit]);
}

static void
identifiers(void)
{
	size_t starts = 0, continues = 0;

	for (uint32_t c = 0; c <= UNICODE_MAX; c++) {
		starts += unicode_id_start(c);
		continues += unicode_id_continue(c);
		CHECK(!unicode_id_start(c) || unicode_id_continue(c));
	}
	CHECK(starts == 145916);
	CHECK(continues == 149240);
	CHECK(unicode_id_start('a') && unicode_id_start(0x10400));
	CHECK(!unicode_id_start('9') && unicode_id_continue('9'));
	CHECK(!unicode_id_start('_') && unicode_id_continue('_'));
	CHECK(!unicode_id_continue('$') && !unicode_id_continue(0x2764));
	CHECK(!unicode_id_start(0x300) && unicode_id_continue(0x300));
	CHECK(unicode_id_continue(0xe0100) && !unicode_id_continue(0xe01f0));
}

int
main(void)
{
	every_character_survives();
	bad_utf8_is_replaced();
	case_rows_ascend_and_end_in_themselves();
	case_table_is_node_s();
	identifiers();
	return unit_status();
}
